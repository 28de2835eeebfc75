"""Deals of traversals, drawn from the seed and the traversal's number, with their buckets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.blueprint.tables.layout import BlueprintLayout
from treeplex.cfr.monte_carlo.draws import GAMMA, mixed
from treeplex.cfr.monte_carlo.poker.cards import CardArrays
from treeplex.cfr.monte_carlo.poker.deals import DRAWN, Deal, empty_deal, outcome, shuffle
from treeplex.seqform.forms.treeplex import Index


@dataclass(frozen=True)
class Deals:
    """What traversals know of cards.

    Attributes
    ----------
    buckets : (N, 2, streets) int64
        Of both players, on each street.
    sign : (N,) int8
        1 if player 0 has the better hand on the full board, -1 if the worse, 0 if they tie.
    cluster : (N,) int64
        The public cluster.
    """

    buckets: Index
    sign: NDArray[np.int8]
    cluster: Index

    def part(self, begin: int, end: int) -> "Deals":
        """Return the deals from one position to before another."""
        return Deals(self.buckets[begin:end], self.sign[begin:end], self.cluster[begin:end])

    @staticmethod
    def joined(parts: "Sequence[Deals]") -> "Deals":
        """Return deals one after the other."""
        buckets, sign, cluster = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("buckets", "sign", "cluster")
        )
        return Deals(buckets, sign, cluster)


def draw_deals(layout: BlueprintLayout, seed: int, first: int, count: int) -> Deals:
    """Draw the deals of ``count`` traversals, the first of number ``first``; cards are drawn uniformly."""
    cards, n = layout.cards, layout.cards.n_dealt
    dealt, sign = np.empty((count, 2, cards.hole + n), np.int64), np.empty(count, np.int8)
    write_deals(cards, empty_deal(cards), np.zeros(3, np.int64), key_of(seed), first, dealt, sign)
    streets, known = len(layout.abstraction.streets), np.cumsum(layout.abstraction.rounds)
    buckets = np.empty((count, 2, streets), np.int64)
    for player in range(2):
        for street in range(streets):
            seen = np.ascontiguousarray(dealt[:, player, : known[street]])
            buckets[:, player, street] = layout.abstraction.of_deals(street, seen)
    board = dealt[:, 0, cards.hole : known[1] if streets > 1 else cards.hole]
    return Deals(buckets, sign, layout.clusters.of(board))


def key_of(seed: int) -> Any:
    """Return the key of a seed's streams of random numbers, uint64."""
    return np.uint64(mixed(np.uint64(seed)))


@njit(cache=True)
def stream_of(key: Any, number: int) -> Any:
    """Return the state at which the random numbers of a traversal start, by splitmix64."""
    return mixed(key + np.uint64(number) * GAMMA)


@njit(cache=True, nogil=True)
def write_deals(
    cards: CardArrays, deal: Deal, counts: Index, key: Any, first: int, dealt: Index, sign: NDArray[np.int8]
) -> None:
    """Write the ids of both players' hands, each with the whole board behind it, and who wins.

    ``deal`` and ``counts`` are room; ``dealt`` is (N, 2, cards).
    """
    deck, live, hole = deal.deck, cards.live, cards.hole
    for i in range(len(sign)):
        counts[DRAWN] = 0
        shuffle(cards, deal, stream_of(key, first + i), counts)
        for player in range(2):
            for k in range(hole):
                dealt[i, player, k] = live[deck[player * hole + k]]
            for k in range(cards.n_dealt):
                dealt[i, player, hole + k] = live[deck[2 * hole + k]]
        sign[i] = outcome(cards, deal)
