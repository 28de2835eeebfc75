"""Brown and Sandholm 2018 (Libratus): pruning by sampling actions of low regret rarely."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.learning_runs import ROCK_PAPER_SCISSORS, most_apart
from treeplex.bench.theorems_on_learning.samples import (
    branching,
    exact_regrets,
    expected,
    some_state,
)
from treeplex.cfr.sampling.draws import pruned_rate
from treeplex.cfr.sampling.sampling_config import Pruning, Sampling, kernel_of

EAGER = Pruning(-0.5, 1.0, 0.1)
"""Pruning that also small games meet."""
PRUNINGS = {"weighted": EAGER, "as is": replace(EAGER, increments="as is")}


def _expectation(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    state = some_state(form, instance.seed)
    for player, t in enumerate(form.treeplexes):
        own = branching(t)
        if len(own):
            mean = expected(
                enumerated(instance.game), Sampling(pruning=PRUNINGS[instance.choice]), state, player
            )
            exact = exact_regrets(form, state, player)
            yield most_apart(
                mean.regret[own], exact[own], spread(instance.game), f"player {player}'s regrets"
            )


def _pruned(effort: Effort, increments: str) -> Iterator[Instance]:
    yield Instance(ROCK_PAPER_SCISSORS, choice=increments)
    for seed in effort.seeds(quick=2, full=10):
        for game in effort.choose(("coin_toss", ROCK_PAPER_SCISSORS), ("kuhn_poker",)):
            yield Instance(game, seed, choice=increments)


def _weighted(effort: Effort) -> Iterator[Instance]:
    return _pruned(effort, "weighted")


def _as_is(effort: Effort) -> Iterator[Instance]:
    return _pruned(effort, "as is")


PRUNED = Theorem(
    name="pruning-unbiased",
    plain="Where actions of low regret are tried rarely, and increments are divided by the probability of "
    "the try, sampled regrets are on average the exact ones.",
    tex=r"\mathbb E\Big[\frac{1_{a \text{ tried}}}{q(a)}\, \tilde r(I,a)\Big] = r(I,a)",
    source="Brown and Sandholm 2018 (Libratus), note 39; the division is derived here",
    erratum="The note names no division by that probability; without it regrets are biased.",
    relation="==",
    instances=_weighted,
    measure=_expectation,
    tolerance=1e-11,
    twin=Twin("Increments may be added as they are.", _expectation, _as_is),
)


def _draws(effort: Effort) -> Iterator[Instance]:
    for seed in effort.seeds(quick=5, full=50):
        yield Instance(seed=seed)


def _rates(instance: Instance) -> Iterator[tuple[float, float, str]]:
    """Yield how often an action is tried and what note 39 says, at random regrets and at known distances."""
    rng = np.random.default_rng(instance.seed)
    threshold, constant, floor = -float(rng.uniform(0.1, 5.0)), float(rng.uniform(0.1, 5.0)), 0.01
    pruned = kernel_of(Sampling(pruning=Pruning(threshold, constant, floor)), 0).pruned
    assert pruned is not None
    yield pruned_rate(pruned, threshold), 1.0, "at the threshold"
    yield pruned_rate(pruned, threshold - constant), 0.5, "at the distance K"
    yield pruned_rate(pruned, threshold - 1e3 * constant), floor, "far below"
    for regret in (threshold - rng.uniform(0.0, 20.0, 5) * constant).tolist():
        yield pruned_rate(pruned, regret), constant / (constant + threshold - regret), "below the threshold"


def _tried(instance: Instance) -> Iterator[Comparison]:
    for found, stated, at in _rates(instance):
        yield Comparison(found, stated, at=at)


def _skipped(instance: Instance) -> Iterator[Comparison]:
    for found, stated, at in _rates(instance):
        yield Comparison(1.0 - found, stated, at=at)


PROBABILITY = Theorem(
    name="pruning-probability",
    plain="An action whose regret R is below a threshold C is tried with probability K / (K + C - R), but at "
    "least with that of a floor: always at the threshold, half of the time at a distance of K below it.",
    tex=r"q(a) = \max\Big(q_0, \frac{K}{K + C - R(a)}\Big) \quad\text{for } R(a) \le C < 0 < K",
    source="Brown and Sandholm 2018 (Libratus), note 39",
    relation="==",
    instances=_draws,
    measure=_tried,
    tolerance=1e-12,
    twin=Twin("That is the probability with which it is skipped.", _skipped),
)

THEOREMS = (PRUNED, PROBABILITY)
