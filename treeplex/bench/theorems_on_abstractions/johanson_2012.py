"""Johanson, Bard, Burch and Bowling 2012: CFR-BR in buckets, against best responses in the whole game."""

from collections.abc import Iterator

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_abstractions.partitions import (
    RANDOM,
    exact_optimum,
    one_sided,
    partition_named,
    random_partitions,
)
from treeplex.bench.theorems_on_abstractions.waugh_2009 import CARDS, MORE_CARDS
from treeplex.bench.theorems_on_games.partition import MergedForm, Partition, merged_form
from treeplex.bench.theorems_on_learning.johanson_burch_2012 import responded
from treeplex.bench.theorems_on_learning.learning_runs import AVERAGES, run_name
from treeplex.cfr.theory.regret_log import Regrets

ITERATIONS = 40
FOUND = "random_game(seed=1,depth=5,actions=3)"
"""A game in which the least exploitable strategy is found."""
SEPARATOR = "; "
"""Stands between the name of a partition and that of a run."""


def _runs(effort: Effort, variant: str) -> Iterator[Instance]:
    cards = [Instance(spec, choice=name) for spec, name in effort.choose(CARDS, MORE_CARDS)]
    found = Instance(FOUND, choice=RANDOM)
    for k, game in enumerate((found, *cards, *random_partitions(effort, quick=4, full=40))):
        run = run_name(variant, "alternating", AVERAGES[k % 3], ITERATIONS)
        yield Instance(game.game, game.seed, choice=f"{game.choice}{SEPARATOR}{run}")


def _best_responding(effort: Effort) -> Iterator[Instance]:
    return _runs(effort, "cfr-br")


def _learning(effort: Effort) -> Iterator[Instance]:
    return _runs(effort, "cfr+")


def _merged(instance: Instance, name: str, *, opponent: str | None) -> MergedForm:
    """Return the game with player 0 in buckets, and player 1 too unless no name is given."""
    form = enumerated(instance.game).form
    own = partition_named(form.treeplexes[0], name, instance.seed)
    t = form.treeplexes[1]
    theirs = Partition.trivial(t) if opponent is None else partition_named(t, opponent, instance.seed)
    return merged_form(form, (own, theirs))


def _conceded(instance: Instance, *, opponent_in_buckets: bool) -> tuple[float, float, Regrets]:
    """Return the least that a strategy in buckets concedes, what the average does, and the regrets."""
    name, run = instance.choice.split(SEPARATOR)
    merged = _merged(instance, name, opponent=name if opponent_in_buckets else None)
    regrets, (mean, _) = responded(merged.form, run)
    value = exact_optimum(instance.game).value
    price = one_sided(instance.game, 0, name, instance.seed).exploitability(0, value)
    loss = merged.whole.best_response(1, merged.lift_plan(0, mean)).total
    return float(price), loss + float(value), regrets


def _price_and_regret(instance: Instance) -> Iterator[Comparison]:
    price, conceded, regrets = _conceded(instance, opponent_in_buckets=False)
    unit = spread(instance.game)
    yield Comparison(price, conceded, unit, "no strategy in buckets concedes less")
    yield Comparison(conceded, price + regrets.regret_0 / regrets.weight, unit, "what the average concedes")


def _regret_alone(instance: Instance) -> Iterator[Comparison]:
    price, conceded, regrets = _conceded(instance, opponent_in_buckets=True)
    allowed = price + (regrets.regret_0 + regrets.regret_1) / regrets.weight
    yield Comparison(conceded, allowed, spread(instance.game))


CFR_BR_IN_BUCKETS = Theorem(
    name="cfr-br-finds-the-price",
    plain="Where player 0 learns in buckets of perfect recall and player 1 best responds in the whole game, "
    "player 0's average concedes at least what the least exploitable strategy in buckets does, and more by "
    "at most player 0's average regret.",
    tex=r"v - v(G / P_0) \le v - \min_y u(\bar x, y) \le v - v(G / P_0) + R_0^T / W",
    source="Johanson, Bard, Burch and Bowling, Finding optimal abstract strategies in extensive-form games, "
    "2012, Theorem 3; the price derived",
    relation="<=",
    instances=_best_responding,
    measure=_price_and_regret,
    equality="Where the least exploitable strategy in buckets is found.",
    twin=Twin(
        "It exceeds it by at most both players' regrets where player 1 learns in buckets too.",
        _regret_alone,
        _learning,
    ),
)

THEOREMS = (CFR_BR_IN_BUCKETS,)
