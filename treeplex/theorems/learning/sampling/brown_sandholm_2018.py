"""Brown and Sandholm 2018 (Libratus): pruning by sampling actions of low regret rarely."""

from collections.abc import Iterator
from dataclasses import replace

from treeplex.cfr.monte_carlo.config import Sampling
from treeplex.cfr.monte_carlo.pruning import Pruning
from treeplex.theorems.effort import Effort
from treeplex.theorems.learning.runs import most_apart
from treeplex.theorems.learning.sampling.samples import (
    branching,
    exact_regrets,
    expected,
    some_state,
)
from treeplex.theorems.prepared import enumerated, spread
from treeplex.theorems.theorem import Comparison, Instance, Theorem, Twin

EAGER = Pruning(-0.5, 1.0, 0.1)
"""Pruning that also small games meet."""
PRUNINGS = {"weighted": EAGER, "as is": replace(EAGER, increments="as is")}
ROCK_PAPER_SCISSORS = "matrix_game(payoff=[[0,-1,2],[1,0,-1],[-2,1,0]])"


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
    tex=r"\mathbb E\, \tilde r(I,a) = r(I,a),\quad q(a) = \frac{K}{K + C - R(a)}",
    source="Brown and Sandholm 2018 (Libratus), note 39; the division is derived here",
    erratum="The note names no division by that probability; without it regrets are biased.",
    relation="==",
    instances=_weighted,
    measure=_expectation,
    tolerance=1e-11,
    twin=Twin("Increments may be added as they are.", _expectation, _as_is),
)

THEOREMS = (PRUNED,)
