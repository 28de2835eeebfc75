"""Brown and Sandholm 2019: discounted regret minimisation, linear CFR."""

import math
from collections.abc import Iterator

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.adversarial_courses import (
    Course,
    bound_of,
    courses,
    largest_steps,
    named_courses,
    of_instance,
    within,
)
from treeplex.bench.theorems_on_learning.learning_runs import log_of, most_apart, runs
from treeplex.cfr.theory.regret_bounds import bounds
from treeplex.cfr.variant import VARIANTS, Exponent, Matching, Ramp
from treeplex.seqform.forms.treeplex import Floats

SOURCE = "Brown and Sandholm 2019"
DISCOUNTED = ("lcfr", "dcfr")
RULES = tuple(n for n, v in VARIANTS.items() if n != "cfr-br" and isinstance(v.minimisers[0], Matching))
"""All variants of regret matching."""


def _of_rules(effort: Effort) -> Iterator[Instance]:
    return courses(effort, RULES)


def _factor(t: int, exponent: Exponent) -> float:
    """Return the discount after iteration t, ``t**exponent / (t**exponent + 1)``, as it is published."""
    if isinstance(exponent, Ramp):
        exponent = exponent.start + exponent.slope * min(t / exponent.horizon, 1.0)
    if math.isinf(exponent):
        return float(exponent > 0.0)
    return float(t**exponent / (t**exponent + 1.0))


def _cumulated(course: Course, rule: Matching) -> Floats:
    """Return the discounted sums of immediate regrets after all iterations, (S,)."""
    total = np.zeros(course.treeplex.n_sequences)
    for t, step in enumerate(course.steps, start=1):
        total += step
        total *= np.where(total > 0.0, _factor(t, rule.alpha), _factor(t, rule.beta))
    return total


def _discounts(instance: Instance) -> Iterator[Comparison]:
    course, unit = of_instance(instance), spread(instance.game)
    held, minimiser = course.regrets[-1], course.variant.minimisers[0]
    assert isinstance(minimiser, Matching)
    yield most_apart(held, _cumulated(course, minimiser), unit, "discounts")
    if minimiser == VARIANTS["lcfr"].minimisers[0]:
        weights = np.arange(1.0, len(course.steps) + 1)
        yield most_apart(held, weights @ course.steps / (len(weights) + 1), unit, "weights")
    before = course.regrets[-2] + minimiser.prediction * course.steps[-2]
    plan = course.treeplex.plan(course.treeplex.behaviour(before))
    yield most_apart(course.plans[-1], plan, 1.0, "play")


def _plain_sums(instance: Instance) -> Iterator[Comparison]:
    course = of_instance(instance)
    yield most_apart(course.regrets[-1], course.steps.sum(axis=0), spread(instance.game), "sums")


DISCOUNTS = Theorem(
    name="discounts-are-weights",
    plain="The regrets that regret matching holds are the sums of immediate regrets, discounted by sign "
    "after each iteration, and its play is in proportion to them; discounts t / (t + 1) give weights "
    "t / (T + 1).",
    tex=r"Q_t = d_t(Q_{t-1} + r_t);\quad d_t = \tfrac{t}{t+1} \Rightarrow (T + 1)\, Q_T = \sum_t t\, r_t",
    source=SOURCE,
    relation="==",
    instances=_of_rules,
    measure=_discounts,
    tolerance=1e-11,
    twin=Twin("They are the plain sums of immediate regrets.", _plain_sums),
)


def _long(effort: Effort) -> Iterator[Instance]:
    yield from named_courses("lcfr", "linear")
    yield from named_courses("dcfr", "uniform")


def _discounted(effort: Effort) -> Iterator[Instance]:
    yield from courses(effort, DISCOUNTED, effort.choose(("uniform", "linear"), ("quadratic",)))
    yield from _long(effort)
    yield from runs(effort, names=DISCOUNTED)


def _prior(instance: Instance) -> float:
    course = of_instance(instance)
    return bound_of(course, largest_steps(course, spread(instance.game)))


def _bound(instance: Instance) -> Iterator[Comparison]:
    if instance.seat is not None:
        yield within(instance, bound_of(of_instance(instance)), "against an adversary, steps seen")
        yield within(instance, _prior(instance), "against an adversary, a priori")
        return
    log, most = log_of(instance.game, instance.choice), spread(instance.game)
    for bound in bounds(enumerated(instance.game).form, log, most):
        if "positive" not in bound.name:
            unit = most * (1.0 if bound.name.startswith("NashConv") else log.last.weight)
            yield Comparison(bound.left, bound.right, unit, bound.name)


def _half(instance: Instance) -> Iterator[Comparison]:
    yield within(instance, _prior(instance) / 2, "half of it")


DISCOUNTED_BOUND = Theorem(
    name="discounted-regret-bound",
    plain="The weighted regret of discounted regret matching is at most what summing by parts leaves of the "
    "growth of squared positive regrets; for linear CFR the root of the sum of (t times a step) squared. "
    "With steps as large as payoffs allow, runs use up to a sixth of it, an adversary of one infoset 60%.",
    tex=r"\sum_t w_t r_t \le w_T |P_T^+| + \sum_{t<T} (w_t - w_{t+1} d_t)\, P_t, \quad "
    r"P_t = d_{t-1} P_{t-1} + r_t;\quad \text{linear: } \sqrt{\sum_t t^2 |r_t|^2}",
    source=f"{SOURCE}; constants derived here",
    relation="<=",
    instances=_discounted,
    measure=_bound,
    tolerance=1e-12,
    twin=Twin("It is at most half of what the largest steps allow.", _half, _long),
)

THEOREMS = (DISCOUNTS, DISCOUNTED_BOUND)
