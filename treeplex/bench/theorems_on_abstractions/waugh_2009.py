"""Waugh, Schnizlein, Bowling and Szafron 2009: when finer abstractions are better, and when they are not."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_abstractions.partitions import (
    RANDOM,
    both_sided,
    coloured,
    exact_optimum,
    one_sided,
    partition_named,
    random_partitions,
)
from treeplex.bench.theorems_on_games.partition import Partition
from treeplex.bench.theorems_on_games.partition_price import AbstractOptimum, one_sided_optimum

SOURCE = "Waugh, Schnizlein, Bowling and Szafron, Abstraction pathologies in extensive games, 2009"
CARDS = (
    ("kuhn_poker", "J QK"),
    ("kuhn_poker", "JQ K"),
    ("kuhn_poker(ranks=4)", "TJ QK"),
    ("leduc_poker(raises=1)", "JQ K"),
)
MORE_CARDS = (
    ("kuhn_poker", "JQK"),
    ("kuhn_poker(ranks=4)", "T JQ K"),
    ("kuhn_poker(ranks=13)", "23456 789T JQKA"),
    ("leduc_poker(raises=1)", "J QK"),
)
PATHOLOGIES = (
    ("kuhn_poker", 0, "J QK, JQK; J QK, JQ K"),
    ("kuhn_poker(ranks=4)", 0, "TJ QK, TJQK; TJ Q K, TJQK"),
    ("kuhn_poker(ranks=4)", 0, "TJQ K, T JQK; T JQ K, T JQ K"),
)
"""Buckets of both players, then finer ones with which the player's optimum, the only one, is worse."""


def _in_buckets(effort: Effort) -> Iterator[Instance]:
    for spec, cards in effort.choose(CARDS, MORE_CARDS):
        for seat in (0, 1):
            yield Instance(spec, seat=seat, choice=cards)
    for drawn in random_partitions(effort, quick=6, full=60):
        for seat in (0, 1):
            yield replace(drawn, seat=seat)


def _guaranteed(optimum: AbstractOptimum, seat: int) -> Fraction:
    """Return what a player's plan guarantees in the game, in player 0's payoff."""
    return Fraction((optimum.certificate.lower, optimum.certificate.upper)[seat])


def _one_side(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    found = one_sided(instance.game, instance.seat, instance.choice, instance.seed)
    yield Comparison(found.optimum.value, _guaranteed(found, instance.seat))


def _both_sides(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    found = both_sided(instance.game, (instance.choice, instance.choice), instance.seed)
    yield Comparison(found.optimum.value, _guaranteed(found, instance.seat))


ONE_SIDED_VALUE = Theorem(
    name="one-sided-value",
    plain="With one player alone in buckets of perfect recall, the value of the abstract game is what that "
    "player's optimal plan guarantees in the game; exactly.",
    tex=r"v(G / P_i) = \min_{y} u(\mathrm{lift}(x'), y)",
    source=f"{SOURCE}; derived here",
    relation="==",
    instances=_in_buckets,
    measure=_one_side,
    tolerance=0.0,
    twin=Twin("So it is with both players in buckets.", _both_sides),
)


def _chain(instance: Instance) -> tuple[Partition, ...]:
    """Return partitions of perfect recall of the seat's infosets, each finer than the one before."""
    assert instance.seat is not None
    t = enumerated(instance.game).form.treeplexes[instance.seat]
    if instance.choice == RANDOM:
        found = coloured(t, np.random.default_rng(instance.seed), 3)
    else:
        found = (partition_named(t, instance.choice.replace(" ", "")), partition_named(t, instance.choice))
    return *(partition.recalling() for partition in found), Partition.trivial(t)


def _prices(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    form, value = enumerated(instance.game).form, exact_optimum(instance.game).value
    before: Fraction | None = None
    for partition in _chain(instance):
        price = one_sided_optimum(form, instance.seat, partition).exploitability(instance.seat, value)
        if before is not None:
            yield Comparison(price, before, at=partition.brief())
        before = price


def _pathologies(effort: Effort) -> Iterator[Instance]:
    for spec, seat, buckets in PATHOLOGIES:
        yield Instance(spec, seat=seat, choice=buckets)


def _prices_in_buckets(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    value = exact_optimum(instance.game).value
    coarse, fine = (
        both_sided(instance.game, (first, second), 0).exploitability(instance.seat, value)
        for first, second in (text.split(", ") for text in instance.choice.split("; "))
    )
    yield Comparison(fine, coarse)


FINER_BUCKETS = Theorem(
    name="finer-buckets-are-never-worse",
    plain="With one player alone in buckets, of perfect recall, finer buckets make the optimum of the "
    "abstract game no more exploitable; exactly.",
    tex=r"P \preceq P' \Rightarrow v - v(G / P) \le v - v(G / P')",
    source=SOURCE,
    relation="<=",
    instances=_in_buckets,
    measure=_prices,
    tolerance=0.0,
    equality="Where splitting buckets gains nothing.",
    twin=Twin("So they do with both players in buckets.", _prices_in_buckets, _pathologies),
)

THEOREMS = (ONE_SIDED_VALUE, FINER_BUCKETS)
