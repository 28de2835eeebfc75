"""Potential-aware features: a hand as the distribution of its clusters on the next street."""

from dataclasses import dataclass
from math import comb

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.base.reporting import Report, quiet
from treeplex.games.buckets.atoms import Atoms, Ground, Order
from treeplex.games.buckets.clusters import Floats, Singles
from treeplex.games.buckets.features import live_deals
from treeplex.games.buckets.run_outs import Ints, advance
from treeplex.games.cards.cards import N_CARDS, Deck
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.cards.index_kernels import IndexArrays, index_of


@dataclass(frozen=True)
class NextClusters:
    """A hand on a board as the clusters that it comes to with each set of next cards, all equally likely.

    Ganzfried and Sandholm, Potential-aware imperfect-recall abstraction with earth mover's distance in
    imperfect-information games (2014). Points are rows of atoms, compared as ``Atoms`` are.

    Attributes
    ----------
    index : HandIndex
        Numbers deals of the next street: hole cards, and the board as one set.
    table : (deals,) uint16
        The cluster of each, numbered from weak to strong.
    ground : Ground
        How far clusters are apart.
    missing : int
        How many cards come next.
    """

    index: HandIndex
    table: NDArray[np.uint16]
    ground: Ground
    missing: int

    @property
    def deck(self) -> Deck:
        """The cards."""
        return self.index.deck

    def on(self, boards: Ints) -> tuple[Ints, Order]:
        """Return the live hands of boards (B, n) with the boards' cards, and their atoms.

        Returns
        -------
        deals : (B W, 2 + n) int64
        atoms : (B W, sets of next cards) uint16
            In increasing order.
        """
        deals = live_deals(self.deck, boards)
        return deals, self._atoms(deals)

    def before_boards(self, threads: int = 1, report: Report = quiet) -> Order:
        """Return the atoms of each class of hands before any board, by its number up to suits."""
        classes = HandIndex(self.deck, (2,))
        return self._atoms(classes.cards(np.arange(classes.size)))

    def cloud(self, points: Order, weight: Floats, threads: int = 1) -> Atoms:
        """Return weighted points among which centres are sought."""
        return Atoms(points, weight, self.ground, threads)

    def strength(self, centres: Singles) -> Floats:
        """Return the mean cluster of each centre (K, C), (K,): weaker hands come first."""
        mean: Floats = centres.astype(np.float64) @ np.arange(centres.shape[1])
        return mean

    def _atoms(self, deals: Ints) -> Order:
        left = len(self.deck.cards) - deals.shape[1]
        atoms = np.empty((len(deals), comb(left, self.missing)), np.uint16)
        cards = np.array(self.deck.cards, np.int64)
        write_atoms(self.index.arrays, deals, cards, self.missing, self.table, atoms)
        atoms.sort(axis=1)
        return atoms


@njit(cache=True, nogil=True)
def write_atoms(
    arrays: IndexArrays,
    deals: Ints,
    deck: Ints,
    missing: int,
    table: NDArray[np.uint16],
    atoms: Order,
) -> None:
    """Write the clusters that deals come to, in the order of the next cards.

    Parameters
    ----------
    arrays : IndexArrays
        Of the next street's deals.
    deals : (M, n) int64
    deck : (N,) int64
        All cards.
    missing : int
        Number of next cards, at least 1.
    table : (deals,) uint16
    atoms : (M, sets of next cards) uint16
        Out.
    """
    n = deals.shape[1]
    cards, places = np.empty(n + missing, np.int64), np.empty(missing, np.int64)
    left, dead = np.empty(len(deck) - n, np.int64), np.empty(N_CARDS, np.bool_)
    for r in range(len(deals)):
        dead[:] = False
        for k in range(n):
            cards[k] = deals[r, k]
            dead[cards[k]] = True
        k = 0
        for card in deck:
            if not dead[card]:
                left[k] = card
                k += 1
        for k in range(missing):
            places[k] = k
        more, at = True, 0
        while more:
            for k in range(missing):
                cards[n + k] = left[places[k]]
            atoms[r, at] = table[index_of(arrays, cards)]
            at += 1
            more = advance(places, len(left))
