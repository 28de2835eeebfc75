"""Hart and Mas-Colell 2000: regret matching against any adversary; with it regret matching+."""

from collections.abc import Iterator

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.adversarial_courses import (
    courses,
    named_courses,
    of_instance,
    prior_of,
    root_of_squares,
    within,
)

RULES = ("cfr", "cfr+")


def _instances(effort: Effort) -> Iterator[Instance]:
    yield from courses(effort, RULES)
    for name in RULES:
        yield from named_courses(name)


def _bound(instance: Instance) -> Iterator[Comparison]:
    course = of_instance(instance)
    yield within(instance, root_of_squares(course), "steps seen")
    yield within(instance, prior_of(course, spread(instance.game)), "a priori")


def _half(instance: Instance) -> Iterator[Comparison]:
    yield within(instance, 0.5 * prior_of(of_instance(instance), spread(instance.game)))


REGRET_MATCHING = Theorem(
    name="regret-matching-bound",
    plain="Against any adversary the regret of regret matching and of regret matching+ is at most the spread "
    "of values times the root of actions times iterations, summed over infosets.",
    tex=r"R^T \le \sum_I \sqrt{\sum_t |r_t(I)|^2} \le L\,|\mathcal I| \sqrt{|A| T}",
    source="Hart and Mas-Colell 2000; Bowling, Burch, Johanson and Tammelin 2017, Theorem 1",
    relation="<=",
    instances=_instances,
    measure=_bound,
    tolerance=1e-12,
    twin=Twin("It is at most half of that.", _half),
)

THEOREMS = (REGRET_MATCHING,)
