"""Partitions of infosets: drawn at random, by cards of Kuhn poker; a game that shows buckets, as a twin."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.helpers.twins.games import Wrapped
from treeplex.bench.theorems_on_games.partition import Partition


@dataclass(frozen=True)
class Bucketed(Wrapped):
    """Another game in which the acting player sees the bucket of its infoset alone."""

    partitions: Any

    def infoset(self, state, player):
        key = self.game.infoset(state, player)
        own = self.partitions[player]
        if self.game.player(state) != player:
            return key
        return own.treeplex.infosets[own.first[own.bucket[own.treeplex.index[key]]]]


def actions_at(treeplex, i):
    return treeplex.actions[treeplex.begin[i] : treeplex.end[i]]


def random_partition(treeplex, rng, colours=2):
    """Return infosets of the same actions and one of some colours, drawn at random; recall as it comes."""
    drawn = rng.integers(colours, size=treeplex.n_infosets).tolist()
    return Partition.of(treeplex, [(actions_at(treeplex, i), c) for i, c in enumerate(drawn)])


def refined(partition, rng):
    """Return a partition in which buckets are split by coins."""
    coins = rng.integers(2, size=len(partition.bucket)).tolist()
    labels = list(zip(partition.bucket.tolist(), coins, strict=True))
    return Partition.of(partition.treeplex, labels)


def by_card(treeplex, buckets):
    """Return Kuhn poker's infosets with cards in one bucket, such as ``J QK``, for one another."""
    at = {card: bucket for bucket in buckets.split() for card in bucket}
    return Partition.by(treeplex, lambda key: (at[key[0]], key[1:]))


def generator(seed):
    return np.random.default_rng(seed)
