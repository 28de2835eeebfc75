"""Cesa-Bianchi and Lugosi 2006: exponential weights, here with rates that adapt to the values seen."""

from collections.abc import Iterator

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.adversarial_courses import (
    Course,
    bound_of,
    courses,
    named_courses,
    of_instance,
    within,
)
from treeplex.bench.theorems_on_learning.learning_runs import most_apart
from treeplex.cfr.theory.regret_bounds import hedge_bound_before
from treeplex.cfr.variant import VARIANTS, Hedge
from treeplex.seqform.forms.treeplex import Floats


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
    "actions over the last rate plus an eighth of each rate times its squared range, summed over infosets. "
    "If only the sum V of squared ranges is known, it is at most a multiple of the root of V, of which "
    "courses use up to about an eighth.",
    tex=r"R^T \le \sum_I \Big(\frac{\ln |A|}{\eta_{T-1}} + \sum_t \min(\rho_t, \eta_{t-1} \rho_t^2 / 8)\Big) "
    r"\le \sum_I \sqrt{V} \Big(\frac{\ln |A|}{\eta} + \frac{\eta \sqrt 2}{4} + 2 + \sqrt 2\Big)",
    source="Cesa-Bianchi and Lugosi 2006, section 2.3; rates: de Rooij, van Erven, Grünwald and Koolen 2014",
    relation="<=",
    instances=_instances,
    measure=_bound,
    tolerance=1e-12,
    twin=Twin("It is at most half of that.", _half),
)


def _odds(course: Course) -> tuple[Floats, Floats]:
    """Return the last plan of a course and the one that its earlier steps and ranges imply, both (S,)."""
    minimiser, t = course.variant.minimisers[0], course.treeplex
    assert isinstance(minimiser, Hedge)
    gains, squares = course.steps[:-1].sum(axis=0), (course.seen.ranges[:-1] ** 2).sum(axis=0)
    rates = np.divide(minimiser.rate, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0.0)
    behaviour = t.uniform()
    for lo, hi, rate in zip(t.begin.tolist(), t.end.tolist(), rates.tolist(), strict=True):
        weights = np.exp(rate * (gains[lo:hi] - gains[lo:hi].max()))
        behaviour[lo:hi] = weights / weights.sum()
    return course.plans[-1], t.plan(behaviour)


def _play(instance: Instance) -> Iterator[Comparison]:
    yield most_apart(*_odds(of_instance(instance)), 1.0, "last plan")


def _matched(instance: Instance) -> Iterator[Comparison]:
    course = of_instance(instance)
    gains = course.steps[:-1].sum(axis=0)
    matched = course.treeplex.plan(course.treeplex.behaviour(gains))
    yield most_apart(course.plans[-1], matched, 1.0, "last plan")


PLAY = Theorem(
    name="hedge-play",
    plain="Hedge plays in proportion to the exponentials of regrets times a rate, which falls with the root "
    "of the summed squared ranges of values.",
    tex=r"x_{t+1}(a) \propto e^{\eta_t R_t(a)},\quad \eta_t = \eta / \sqrt{\sum_{s \le t} \rho_s^2}",
    source="de Rooij, van Erven, Grünwald and Koolen 2014; the rates are this project's",
    relation="==",
    instances=_instances,
    measure=_play,
    tolerance=1e-9,
    twin=Twin("It plays in proportion to positive regrets.", _matched),
)

THEOREMS = (HEDGE, PLAY)
