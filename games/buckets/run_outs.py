"""Showdowns of all hands of boards, summed over the cards to come.

On a last board, showdowns against clusters of hands are counted in one sweep by strength.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.cards.cards import N_CARDS
from treeplex.games.cards.equity import HAND_BITS, sort_hands
from treeplex.games.cards.evaluator import Tables

Ints = NDArray[np.int64]
Counts = NDArray[np.int32]

HAND = (1 << HAND_BITS) - 1
"""The part of a key that is the hand."""


@njit(cache=True, nogil=True, error_model="numpy")
def count_showdowns(
    hands: Ints, keys: Ints, cluster: Ints, held: Counts, doubled: Counts, most: Counts
) -> None:
    """Count what each live hand wins from the opposing hands of each cluster, which share no card with it.

    Hands are taken in order of strength. Of each cluster, in all and with each card, the weaker hands are
    counted, and once more the hands that are not stronger: ties count once, wins twice. Hands that share a
    card are subtracted, once for either card; that subtracts the hand itself once more than it was counted.

    Parameters
    ----------
    hands : (H, 2) int64
    keys : (W,) int64
        Of the live hands, as ``evaluation.equity.sort_hands`` leaves them.
    cluster : (H,) int64
        From 0 to G - 1.
    held : (53, G) int32
        Work space.
    doubled : (H, G) int32
        Out: twice the wins plus the ties of each live hand; other rows stay.
    most : (H, G) int32
        Out: twice the number of opposing hands, what it would be if the hand always won; other rows stay.
    """
    held[:] = 0
    n_clusters, weaker, reached, strength = held.shape[1], 0, 0, -1
    for k in range(len(keys)):
        # views of arrays and arrays read inside branches would cost numba reference counts
        i = keys[k] & HAND
        a, b = hands[i, 0], hands[i, 1]
        if keys[k] >> HAND_BITS != strength:
            strength = keys[k] >> HAND_BITS
            while weaker < k:
                _add(hands, keys[weaker] & HAND, cluster, held)
                weaker += 1
            while reached < len(keys) and keys[reached] >> HAND_BITS == strength:
                _add(hands, keys[reached] & HAND, cluster, held)
                reached += 1
        for g in range(n_clusters):
            doubled[i, g] = held[N_CARDS, g] - held[a, g] - held[b, g]
        doubled[i, cluster[i]] += 1
    for k in range(weaker, len(keys)):
        _add(hands, keys[k] & HAND, cluster, held)
    for k in range(len(keys)):
        i = keys[k] & HAND
        a, b = hands[i, 0], hands[i, 1]
        for g in range(n_clusters):
            most[i, g] = held[N_CARDS, g] - held[a, g] - held[b, g]
        most[i, cluster[i]] += 2


@njit(cache=True, nogil=True, inline="always")
def _add(hands: Ints, i: int, cluster: Ints, held: Counts) -> None:
    """Count a hand once, in all and with each of its cards."""
    g = cluster[i]
    held[hands[i, 0], g] += 1
    held[hands[i, 1], g] += 1
    held[N_CARDS, g] += 1


Rows = NDArray[np.int64]


class Totals(NamedTuple):
    """What hands win over last boards, each last board counted as often as its weight says.

    Integers, so that hands that differ in suits alone have equal bits.

    Attributes
    ----------
    doubled : (R, G) int64
        Twice the wins plus the ties of each row's hand against the hands of each cluster.
    most : (R, G) int64
        What that would be if the hand always won.
    squares : (R,) int64
        Sum over last boards of the square of ``doubled``, summed over clusters.
    histogram : (R, bins) int64
        Number of last boards by equity against all hands; an equity on the edge of two bins is in the upper.
    boards : (R,) int64
        Number of last boards.
    """

    doubled: Ints
    most: Ints
    squares: Ints
    histogram: Ints
    boards: Ints

    @staticmethod
    def of(rows: int, clusters: int, bins: int) -> "Totals":
        """Return totals of so many rows, all 0."""
        doubled, most = np.zeros((2, rows, clusters), np.int64)
        histogram = np.zeros((rows, bins), np.int64)
        return Totals(doubled, most, np.zeros(rows, np.int64), histogram, np.zeros(rows, np.int64))

    def plus(self, other: "Totals") -> "Totals":
        """Return the sums of two totals of the same rows."""
        return Totals(*(one + more for one, more in zip(self, other, strict=True)))


class RunOutScratch(NamedTuple):
    """Work arrays of one thread: ``keys`` (H,), ``held`` (53, G), ``doubled`` and ``most`` (H, G)."""

    keys: Ints
    held: Counts
    doubled: Counts
    most: Counts

    @staticmethod
    def of(hands: int, clusters: int) -> "RunOutScratch":
        """Return arrays for so many hands and clusters."""
        doubled, most = np.zeros((2, hands, clusters), np.int32)
        return RunOutScratch(
            np.empty(hands, np.int64), np.zeros((N_CARDS + 1, clusters), np.int32), doubled, most
        )


@njit(cache=True, nogil=True, error_model="numpy")
def add_last_board(
    tables: Tables,
    board: Ints,
    weight: int,
    hands: Ints,
    cluster: Ints,
    row: Rows,
    scratch: RunOutScratch,
    totals: Totals,
) -> None:
    """Add a last board's showdowns in place.

    Parameters
    ----------
    tables : Tables
    board : (n,) int64
        3 to 5 cards.
    weight : int
    hands : (H, 2) int64
        All hands of the deck.
    cluster : (H,) int64
    row : (H,) int64
        Where each hand's totals are.
    scratch : RunOutScratch
    totals : Totals
        Out.
    """
    live = sort_hands(tables, board, hands, scratch.keys)
    count_showdowns(hands, scratch.keys[:live], cluster, scratch.held, scratch.doubled, scratch.most)
    bins = totals.histogram.shape[1]
    for k in range(live):
        i = scratch.keys[k] & HAND
        r = row[i]
        won, all_won = 0, 0
        for g in range(scratch.held.shape[1]):
            doubled, most = scratch.doubled[i, g], scratch.most[i, g]
            totals.doubled[r, g] += weight * doubled
            totals.most[r, g] += weight * most
            won += doubled
            all_won += most
        totals.squares[r] += weight * won * won
        totals.histogram[r, min(won * bins // all_won, bins - 1)] += weight
        totals.boards[r] += weight


@njit(cache=True, nogil=True, error_model="numpy")
def add_last_boards(
    tables: Tables,
    boards: Ints,
    weight: Ints,
    hands: Ints,
    cluster: Ints,
    row: Rows,
    scratch: RunOutScratch,
    totals: Totals,
) -> None:
    """Add the showdowns of boards (B, n) with weights (B,) in place; else as :func:`add_last_board`."""
    for b in range(len(boards)):
        add_last_board(tables, boards[b], weight[b], hands, cluster, row, scratch, totals)


@njit(cache=True, nogil=True, error_model="numpy")
def add_run_outs(
    tables: Tables,
    boards: Ints,
    deck: Ints,
    missing: int,
    hands: Ints,
    cluster: Ints,
    scratch: RunOutScratch,
    deals: Ints,
    totals: Totals,
) -> None:
    """Write the deals of boards and add their showdowns over all cards to come, in place.

    Parameters
    ----------
    tables : Tables
    boards : (B, n) int64
    deck : (N,) int64
        All cards.
    missing : int
        Number of cards to come, 0 or more.
    hands, cluster, scratch
        As in :func:`add_last_board`.
    deals : (B W, 2 + n) int64
        Out: each board's W live hands in order, then its cards.
    totals : Totals
        Out, a row for each deal, 0 before.
    """
    n = boards.shape[1]
    full, row = np.empty(n + missing, np.int64), np.zeros(len(hands), np.int64)
    left, places = np.empty(len(deck) - n, np.int64), np.empty(missing, np.int64)
    dead = np.empty(N_CARDS, np.bool_)
    r = 0
    for b in range(len(boards)):
        dead[:] = False
        for k in range(n):
            full[k] = boards[b, k]
            dead[full[k]] = True
        k = 0
        for card in deck:
            if not dead[card]:
                left[k] = card
                k += 1
        for i in range(len(hands)):
            if not (dead[hands[i, 0]] or dead[hands[i, 1]]):
                row[i] = r
                deals[r, 0], deals[r, 1] = hands[i, 0], hands[i, 1]
                for k in range(n):
                    deals[r, 2 + k] = full[k]
                r += 1
        for k in range(missing):
            places[k] = k
        more = True
        while more:
            for k in range(missing):
                full[n + k] = left[places[k]]
            add_last_board(tables, full, 1, hands, cluster, row, scratch, totals)
            more = advance(places, len(left))


@njit(cache=True, nogil=True)
def advance(places: Ints, n: int) -> bool:
    """Replace increasing places below n by the next such, in place; return whether there is one."""
    missing = len(places)
    for k in range(missing - 1, -1, -1):
        if places[k] < n - missing + k:
            places[k] += 1
            for later in range(k + 1, missing):
                places[later] = places[later - 1] + 1
            return True
    return False
