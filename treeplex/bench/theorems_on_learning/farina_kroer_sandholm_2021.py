"""Farina, Kroer and Sandholm 2021: predictive regret matching+."""

from collections.abc import Iterator

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.adversarial_courses import (
    bound_of,
    courses,
    named_courses,
    of_instance,
    root_of_squares,
    within,
)

RULE = "pcfr+"


def _instances(effort: Effort) -> Iterator[Instance]:
    yield from courses(effort, (RULE,), ("uniform", "linear", "quadratic"))
    yield from named_courses(RULE)


def _bound(instance: Instance) -> Iterator[Comparison]:
    yield within(instance, bound_of(of_instance(instance)))


def _without_predictions(instance: Instance) -> Iterator[Comparison]:
    course = of_instance(instance)
    yield within(instance, float(course.weights[-1]) * root_of_squares(course))


PREDICTIVE = Theorem(
    name="predictive-regret-bound",
    plain="The regret of predictive regret matching+ is at most the root of the summed squares of what the "
    "predictions missed, times the last weight if weights do not fall.",
    tex=r"\sum_t w_t r_t(a) \le w_T \sqrt{\sum_t |r_t - m_t|^2}",
    source="Farina, Kroer and Sandholm 2021; the constant 1 and weights are derived here",
    relation="<=",
    instances=_instances,
    measure=_bound,
    tolerance=1e-12,
    twin=Twin("Wrong predictions cost nothing: the bound of regret matching+ holds.", _without_predictions),
)

THEOREMS = (PREDICTIVE,)
