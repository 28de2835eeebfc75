"""Partitions of infosets on which theorems are measured: cards in one bucket, and random ones."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import KEPT, enumerated
from treeplex.bench.theorems.theorem import Instance
from treeplex.bench.theorems_on_games.partition import Partition
from treeplex.bench.theorems_on_games.partition_price import (
    AbstractOptimum,
    abstract_optimum,
    one_sided_optimum,
)
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.programs.rational_optimum import RationalOptimum, rational_optimum

RANDOM = "random"
"""The name of a partition drawn at random."""


def random_partitions(effort: Effort, *, quick: int, full: int) -> Iterator[Instance]:
    """Yield games with random partitions, one for each seed.

    Games of cards: in random trees no two infosets have the same own actions before them, or hardly any, so
    that partitions of perfect recall merge nothing.
    """
    for seed in effort.seeds(quick=quick, full=full):
        yield Instance(f"kuhn_poker(ranks={4 + seed % 4})", seed, choice=RANDOM)


def partition_named(treeplex: Treeplex, name: str, seed: int = 0) -> Partition:
    """Return a partition of perfect recall by its name.

    ``J QK``: hands in buckets, where keys begin with the card that is held; ``random``: infosets of equal
    actions by two colours drawn at random, as fine as perfect recall needs.
    """
    if name == RANDOM:
        return coloured(treeplex, np.random.default_rng(seed), 2)[-1].recalling()
    bucket = {card: hands for hands in name.split() for card in hands}
    return Partition.by(treeplex, lambda key: (bucket[key[0]], key[1:])).recalling()


def coloured(treeplex: Treeplex, rng: np.random.Generator, rounds: int) -> tuple[Partition, ...]:
    """Return partitions, each finer than the one before: by actions alone, then split by coins in rounds."""
    spans = zip(treeplex.begin.tolist(), treeplex.end.tolist(), strict=True)
    labels = [str(treeplex.actions[lo:hi]) for lo, hi in spans]
    found = [Partition.of(treeplex, labels)]
    for _ in range(1, rounds):
        coins = rng.integers(2, size=len(labels)).tolist()
        labels = [f"{label} {coin}" for label, coin in zip(labels, coins, strict=True)]
        found.append(Partition.of(treeplex, labels))
    return tuple(found)


@lru_cache(KEPT)
def exact_optimum(spec: str) -> RationalOptimum:
    """Return the exact value and optimal plans of an enumerated game."""
    return rational_optimum(enumerated(spec).form)


@lru_cache(KEPT)
def one_sided(spec: str, seat: int, name: str, seed: int) -> AbstractOptimum:
    """Return the exact optimum with one player in buckets."""
    form = enumerated(spec).form
    return one_sided_optimum(form, seat, partition_named(form.treeplexes[seat], name, seed))


@lru_cache(KEPT)
def both_sided(spec: str, names: tuple[str, str], seed: int) -> AbstractOptimum:
    """Return the exact optimum with both players in buckets."""
    form = enumerated(spec).form
    first, second = (
        partition_named(t, name, seed + p)
        for p, (t, name) in enumerate(zip(form.treeplexes, names, strict=True))
    )
    return abstract_optimum(form, (first, second))
