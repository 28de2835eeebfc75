"""Arrays of trees: weights of pairs of hands on one board, payoffs of leaves, parents in preorder.

A deal has the strengths of hands, too; stakes are the smallest and the largest payoff of a tree's leaves.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[Any]
"""Exact integers: dtype int64, or object holding Python ints where they do not fit."""


@dataclass(frozen=True)
class TreeDeal:
    """The joint weights of both players' hands on one board, in O(H) memory, and the strengths of hands.

    With H0 and H1 hands the weight of the pair (g, h) is::

        W[g, h] = ( weight0[g] weight1[h]
                    - sum over slots i, j with key0[g, i] == key1[h, j] >= 0 of share0[g, i] share1[h, j]
                    + (same[g] if h == mate[g] else 0) ) / den

    In hold'em a hand's keys are its two cards, its shares its own weight, and ``same`` corrects for the one
    hand that holds both cards (inclusion-exclusion, exact). If suits are invisible a hand is a rank, there
    are no keys, and ``same`` alone describes the blocking. Hands that share a card with the board have weight
    zero; they are dead there.

    Attributes
    ----------
    weight : pair of (H,) exact integers
        A hand's own weight; zero if the board blocks it.
    key : pair of (H, K) int32
        Cards, or other keys, of which two hands cannot share one; -1 for none. At most once a hand.
    share : pair of (H, K) exact integers
        The hand's factor in the blocking through that key.
    mate : (H0,) int32
        Player 1's hand that equals player 0's hand g; -1 for none.
    same : (H0,) exact integers
        The correction for the pair (g, mate[g]).
    strength : pair of (H,) int64
        Larger wins at a showdown; one scale for both players; a hand and its mate are equal.
    den : int
        The positive common denominator.
    """

    weight: tuple[Ints, Ints]
    key: tuple[NDArray[np.int32], NDArray[np.int32]]
    share: tuple[Ints, Ints]
    mate: NDArray[np.int32]
    same: Ints
    strength: tuple[NDArray[np.int64], NDArray[np.int64]]
    den: int

    @cached_property
    def alive(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which hands can be held on this board, for each player (H,)."""
        return self.weight[0] != 0, self.weight[1] != 0

    @property
    def n_hands(self) -> tuple[int, int]:
        """Number of hands of each player, dead ones included."""
        return len(self.weight[0]), len(self.weight[1])

    def matrix(self) -> Ints:
        """Return ``den * W`` as Python ints, (H0, H1); for small games and tests."""
        w = np.outer(self.weight[0].astype(object), self.weight[1].astype(object))
        for g, h, i, j in self._shared():
            w[g, h] -= int(self.share[0][g, i]) * int(self.share[1][h, j])
        held = np.flatnonzero(self.mate >= 0)
        w[held, self.mate[held]] += self.same[held].astype(object)
        return w

    def _shared(self) -> Iterator[tuple[int, int, int, int]]:
        holders: dict[int, list[tuple[int, int]]] = {}
        for (h, j), key in np.ndenumerate(self.key[1]):
            if key >= 0:
                holders.setdefault(int(key), []).append((h, j))
        for (g, i), key in np.ndenumerate(self.key[0]):
            for h, j in holders.get(int(key), ()) if key >= 0 else ():
                yield g, h, i, j


def stakes_of(payoff: Ints, den: int) -> tuple[float, float]:
    """Return the smallest of the payoffs ``payoff / den`` that are not zero and the largest, without signs.

    Both are zero if every payoff is; what is beyond the range of floats is infinite.
    """
    sizes = np.abs(payoff[payoff != 0])
    return (_ratio(sizes.min(), den), _ratio(sizes.max(), den)) if len(sizes) else (0.0, 0.0)


def _ratio(num: int, den: int) -> float:
    try:
        return int(num) / den
    except OverflowError:
        return math.inf


def children_of(parent: NDArray[np.int32]) -> tuple[NDArray[np.int32], ...]:
    """Return the children of each of N nodes, ascending, from their parents (N,); the root's is -1."""
    order = np.argsort(parent[1:], kind="stable") + 1
    cuts = np.searchsorted(parent[1:][order - 1], np.arange(len(parent) + 1))
    return tuple(order[a:b].astype(np.int32) for a, b in pairwise(cuts))
