"""Tammelin, Burch, Johanson and Bowling 2015: regret matching+ and CFR+."""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.adversarial_courses import (
    Course,
    courses,
    named_courses,
    of_instance,
    prior_of,
    root_of_squares,
    within,
)
from treeplex.bench.theorems_on_learning.learning_runs import log_of, runs
from treeplex.cfr.theory.regret_bounds import bounds

SOURCE = "Tammelin, Burch, Johanson and Bowling 2015"
SEGMENTS = (1, 2, 3, 4)
"""Into so many parts of equal length the iterations are divided."""


def _plus(effort: Effort) -> Iterator[Instance]:
    yield from courses(effort, ("cfr+",))
    yield from named_courses("cfr+")


def _matching(effort: Effort) -> Iterator[Instance]:
    yield from named_courses("cfr")
    if not effort.quick:
        yield from courses(effort, ("cfr",))


def _sums_and_regrets(instance: Instance) -> Iterator[tuple[float, float, str]]:
    """Yield sums of immediate regrets since an iteration, and held regrets; where closest, where farthest."""
    course = of_instance(instance)
    for first in (0, len(course.steps) // 2):
        sums, held = course.steps[first:].sum(axis=0)[1:], course.regrets[-1][1:]
        for s in {int(np.argmin(held - sums)), int(np.argmax(held - sums))} if len(sums) else ():
            yield float(sums[s]), float(held[s]), f"sequence {s + 1} since iteration {first + 1}"


def _dominated(instance: Instance) -> Iterator[Comparison]:
    for total, held, at in _sums_and_regrets(instance):
        yield Comparison(total, held, spread(instance.game), at)


def _dominating(instance: Instance) -> Iterator[Comparison]:
    for total, held, at in _sums_and_regrets(instance):
        yield Comparison(held, total, spread(instance.game), at)


DOMINATES = Theorem(
    name="regret-matching-plus-dominates",
    plain="The regret that regret matching+ holds for an action is at least the sum of its immediate regrets "
    "since any iteration.",
    tex=r"\sum_{t=s}^T r_t(a) \le Q_T(a)",
    source=SOURCE,
    relation="<=",
    instances=_plus,
    measure=_dominated,
    tolerance=1e-12,
    equality="If the action's regret has not fallen below zero since, and was zero before.",
    twin=Twin("It is at most that sum.", _dominating),
)


def _segments(course: Course) -> Iterator[tuple[int, float, list[int]]]:
    """Yield numbers of segments, the sum of the regrets of each, and where each ends."""
    for count in SEGMENTS:
        ends = [len(course.plans) * k // count for k in range(count + 1)]
        yield count, sum(course.regret(lo, hi) for lo, hi in pairwise(ends)), ends[1:]


def _tracking(instance: Instance) -> Iterator[Comparison]:
    course, most = of_instance(instance), spread(instance.game)
    for count, total, ends in _segments(course):
        unit = most * len(course.plans)
        seen = sum(root_of_squares(course, end) for end in ends)
        yield Comparison(total, seen, unit, f"{count} segments, steps seen")
        yield Comparison(total, count * prior_of(course, most), unit, f"{count} segments, a priori")


TRACKING = Theorem(
    name="tracking-regret",
    plain="Against a comparator that changes k - 1 times the regret of regret matching+, and so of CFR+, is "
    "at most k times the bound for one that does not change.",
    tex=r"\sum_{j=1}^k R^{(t_{j-1}, t_j]} \le \sum_{j=1}^k \sum_I \sqrt{\sum_{t \le t_j} |r_t(I)|^2} "
    r"\le k L |\mathcal I| \sqrt{|A| T}",
    source=f"{SOURCE}, Theorem 2; for treeplexes and steps seen derived here",
    relation="<=",
    instances=_plus,
    measure=_tracking,
    tolerance=1e-12,
    twin=Twin("So does regret matching.", _tracking, _matching),
)


def _weighted(instance: Instance) -> Iterator[Comparison]:
    course = of_instance(instance)
    yield within(instance, float(course.weights[-1]) * root_of_squares(course))


def _weighted_plus(effort: Effort) -> Iterator[Instance]:
    return courses(effort, ("cfr+",), ("uniform", "linear", "quadratic"))


def _weighted_matching(effort: Effort) -> Iterator[Instance]:
    for average in ("linear", "quadratic"):
        yield from named_courses("cfr", average)
    if not effort.quick:
        yield from courses(effort, ("cfr",), ("linear", "quadratic"))


WEIGHTED = Theorem(
    name="weighted-regret-matching-plus",
    plain="With weights that do not fall the weighted regret of regret matching+ is at most the last weight "
    "times the bound for equal weights.",
    tex=r"\sum_t w_t r_t(a) \le w_T \sqrt{\sum_t |r_t|^2}",
    source=f"{SOURCE}; other than linear weights: Brown and Sandholm 2019, Theorem 1; steps seen derived",
    relation="<=",
    instances=_weighted_plus,
    measure=_weighted,
    tolerance=1e-12,
    twin=Twin("So is that of regret matching.", _weighted, _weighted_matching),
)


def _plus_runs(effort: Effort) -> Iterator[Instance]:
    yield from runs(effort, names=("cfr+",))
    yield from _adversaries(effort)


def _adversaries(effort: Effort) -> Iterator[Instance]:
    yield from named_courses("cfr+")
    yield from named_courses("cfr+", "linear")


def _allowed(instance: Instance) -> float:
    course = of_instance(instance)
    return float(course.weights[-1]) * prior_of(course, spread(instance.game))


def _too_little(instance: Instance) -> Iterator[Comparison]:
    part = 5.0 if "linear" in instance.choice else 2.0
    yield within(instance, _allowed(instance) / part, f"divided by {part:g}")


def _cfr_plus(instance: Instance) -> Iterator[Comparison]:
    if instance.seat is not None:
        yield within(instance, _allowed(instance), "against an adversary")
        return
    log, form, most = (
        log_of(instance.game, instance.choice),
        enumerated(instance.game).form,
        spread(instance.game),
    )
    for bound in bounds(form, log, most):
        if "positive" not in bound.name:
            unit = most * (1.0 if bound.name.startswith("NashConv") else log.last.weight)
            yield Comparison(bound.left, bound.right, unit, bound.name)
    if instance.choice.split()[2] == "linear":
        actions = max(int((t.end - t.begin).max(initial=0)) for t in form.treeplexes)
        right = 2.0 * most * sum(form.n_infosets) * math.sqrt(actions / len(log.weights))
        yield Comparison(log.last.nash_conv, right, most, "NashConv, linear average")


CFR_PLUS = Theorem(
    name="cfr-plus-bound",
    plain="With linear weights the NashConv of CFR+ is at most twice the spread of payoffs times all "
    "infosets times the root of actions over iterations; a player's regret at most the last weight times "
    "the bound of CFR. An adversary of one infoset uses 64% of it with equal weights, 23% with linear ones.",
    tex=r"\mathrm{NashConv}(\bar x, \bar y) \le 2 (|\mathcal I_0| + |\mathcal I_1|) \Delta \sqrt{|A| / T}",
    source=f"{SOURCE}, Theorem 3",
    erratum="The proof for updates in turn lacks the improvement lemma (Burch, Moravčík and Schmid 2019).",
    relation="<=",
    instances=_plus_runs,
    measure=_cfr_plus,
    tolerance=1e-12,
    twin=Twin(
        "That regret is at most half of it with equal weights, and a fifth with linear ones.",
        _too_little,
        _adversaries,
    ),
)

THEOREMS = (DOMINATES, TRACKING, WEIGHTED, CFR_PLUS)
