"""Johanson, Bard, Burch and Bowling 2012: CFR-BR, one player learning against best responses."""

from collections.abc import Iterator

import numpy as np

from treeplex.bench.theorems.cases import named_and_random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import distance_to_value, enumerated, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.learning_runs import AVERAGES, SKEWED, run_name, variant_of
from treeplex.cfr.sequences import full_width
from treeplex.cfr.theory.regret_log import Regrets, regrets_of
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats


def responded(form: SequenceForm, choice: str) -> tuple[Regrets, tuple[Floats, Floats]]:
    """Run a variant by its name and drop the first plans; return the regrets of pairs of plans, and averages.

    In CFR-BR each plan of player 1 but the first is a best response to player 0's of the same pair.
    """
    variant = variant_of(choice)
    engine, count = full_width.prepare(form, variant), int(choice.rsplit(maxsplit=1)[-1])
    state, xs, ys = engine.start(), [], []
    for _ in range(count):
        state = engine.advance(state, 1)
        xs.append(state.memories[0].plan)
        ys.append(state.memories[1].plan)
    weights = variant.average.weights(0, count)
    x, y = (weights @ np.array(plans) / weights.sum() for plans in (xs, ys))
    return regrets_of(form, xs, ys, weights.tolist(), "simultaneous"), (x, y)


def _conceded(game: str, plan: Floats) -> float:
    """Return how much less than the game's value a plan of player 0 guarantees."""
    first, second = enumerated(game).form.treeplexes
    return distance_to_value(game, 0, Profile((first, second), (first.behaviour(plan), second.uniform())))


def _best_response(instance: Instance) -> Iterator[Comparison]:
    regrets, (mean, _) = responded(enumerated(instance.game).form, instance.choice)
    allowed, unit = regrets.regret_0 / regrets.weight, spread(instance.game)
    yield Comparison(_conceded(instance.game, mean), allowed, unit, "exploitability")
    yield Comparison(regrets.nash_conv, allowed, unit, "NashConv")


def _responding(effort: Effort, name: str) -> Iterator[Instance]:
    for k, game in enumerate((Instance(SKEWED), *named_and_random_games(effort, quick=4, full=60))):
        choice = run_name(name, "alternating", AVERAGES[k % 3], 30)
        yield Instance(game.game, game.seed, choice=choice)


def _best_responding(effort: Effort) -> Iterator[Instance]:
    return _responding(effort, "cfr-br")


def _learning(effort: Effort) -> Iterator[Instance]:
    return _responding(effort, "cfr+")


CFR_BR = Theorem(
    name="cfr-br-bound",
    plain="Where player 1 best responds to every plan of player 0, what player 0's average plan concedes, "
    "and NashConv, is at most player 0's own average regret.",
    tex=r"v^* - \min_y u(\bar x, y) \le R_0^T / W",
    source="Johanson, Bard, Burch and Bowling 2012, Theorem 3",
    relation="<=",
    instances=_best_responding,
    measure=_best_response,
    tolerance=1e-9,
    twin=Twin(
        "So it is where player 1 learns by regret matching+.",
        _best_response,
        _learning,
    ),
)

THEOREMS = (CFR_BR,)
