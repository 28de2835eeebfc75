"""Showdowns of all hands of a last board against clusters of hands, counted in one sweep by strength."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.cards.cards import N_CARDS
from treeplex.games.evaluation.equity import HAND_BITS

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
