"""Public clusters: classes of the first board cards, put together so that each cluster has its own tables."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeplex.games.cards.deck import Deck
from treeplex.games.indexing.hand_index import HandIndex
from treeplex.seqform.forms.treeplex import Index


@dataclass(frozen=True)
class PublicClusters:
    """The public cluster of each class of first board cards, such as flops up to suits.

    Attributes
    ----------
    index : HandIndex or None
        Numbers the classes; None where no board card is dealt, or there is one cluster.
    cluster : (classes,) int64
        The cluster of each class.
    count : int
        Number of clusters.
    most : int
        The number that was asked for, which cuts the classes.
    """

    index: HandIndex | None
    cluster: Index
    count: int
    most: int

    def of(self, cards: Index) -> Index:
        """Return the cluster of first board cards (N, cards), (N,) int64; raises as ``HandIndex.of``."""
        if self.index is None:
            return np.zeros(len(cards), np.int64)
        return self.cluster[self.index.of(cards)]


def public_clusters(deck: Deck, rounds: tuple[int, ...], most: int) -> PublicClusters:
    """Return at most so many clusters of the first board cards, about equally likely.

    Classes in the order of their ranks, the highest first, are cut into parts: flops with an ace, then with
    a king, and so on.

    Parameters
    ----------
    deck : Deck
    rounds : tuple of int
        Hole cards, then the board cards of each street.
    most : int
        At least 1.
    """
    if len(rounds) == 1 or most == 1:
        return PublicClusters(None, np.zeros(0, np.int64), 1, most)
    index = HandIndex(deck, rounds[1:2])
    classes = np.arange(index.size)
    cluster = np.empty(index.size, np.int64)
    order = _by_ranks(index.cards(classes))
    weight = index.orbit(classes)[order]
    middle = 2 * np.cumsum(weight) - weight
    cluster[order] = middle * most // (2 * weight.sum())
    found, compact = np.unique(cluster, return_inverse=True)
    if len(found) == 1:
        return PublicClusters(None, np.zeros(0, np.int64), 1, most)
    return PublicClusters(index, compact, len(found), most)


def _by_ranks(cards: Index) -> NDArray[np.intp]:
    """Return the order of sets of cards (N, cards) by their ranks, from the highest set down."""
    ranks = np.sort(cards // 4, axis=1)
    return np.lexsort(tuple(-ranks.T))
