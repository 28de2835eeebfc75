"""Cesa-Bianchi and Lugosi 2006: exponential weights, here with rates that adapt to the values seen."""

from collections.abc import Iterator

import numpy as np

from treeplex.cfr.theory.bounds import hedge_bound_before
from treeplex.cfr.variants.variant import VARIANTS, Hedge
from treeplex.theorems.effort import Effort
from treeplex.theorems.learning.courses import Course, bound_of, courses, named_courses, of_instance, within
from treeplex.theorems.theorem import Comparison, Instance, Theorem, Twin


def _instances(effort: Effort) -> Iterator[Instance]:
    yield from courses(effort, ("hedge",))
    yield from named_courses("hedge")


def _before(course: Course) -> float:
    """Return the bound by the sums of squared ranges alone."""
    minimiser, seen = VARIANTS["hedge"].minimisers[0], course.seen
    assert isinstance(minimiser, Hedge)
    squares = (seen.ranges**2).sum(axis=0)
    pairs = zip(squares.tolist(), seen.actions.tolist(), strict=True)
    return float(np.sum([hedge_bound_before(minimiser.rate, s, a) for s, a in pairs]))


def _bound(instance: Instance) -> Iterator[Comparison]:
    course = of_instance(instance)
    yield within(instance, bound_of(course), "steps seen")
    yield within(instance, _before(course), "squared ranges")


def _half(instance: Instance) -> Iterator[Comparison]:
    yield within(instance, 0.5 * bound_of(of_instance(instance)))


HEDGE = Theorem(
    name="hedge-bound",
    plain="The regret of exponential weights with falling rates is at most the logarithm of the number of "
    "actions over the last rate plus an eighth of each rate times its squared range, summed over infosets.",
    tex=r"R^T \le \sum_I \Big(\frac{\ln |A|}{\eta_T} + \sum_t \min(\rho_t, \eta_t \rho_t^2 / 8)\Big)",
    source="Cesa-Bianchi and Lugosi 2006, section 2.3; rates: de Rooij, van Erven, Grünwald and Koolen 2014",
    relation="<=",
    instances=_instances,
    measure=_bound,
    tolerance=1e-12,
    twin=Twin("It is at most half of that.", _half),
)

THEOREMS = (HEDGE,)
