"""Values of a player's hands at the leaves of one street on one board, in time linear in hands.

This is the judge's evaluation of showdowns. The engine (``cfr``) and the linear program (``running_sums``)
have others, on purpose: an error in one of them gives a strategy that its certificate does not confirm.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.seqform.forms.treeplex import Floats, Index

LANES = 32
"""Number of reach vectors processed at a time: running sums are independent across lanes, so that the
compiler can use vector instructions."""


class LeafBlocks(NamedTuple):
    """The leaves of a street for one player, in B blocks of up to ``LANES`` reach vectors of the opponent.

    Attributes
    ----------
    blocks : (B, LANES) int64
        The rows of the opponent's reaches.
    compares : (B,) bool
        Whether a block has showdowns.
    leaf_start : (B + 1,) int64
        The first leaf of each block.
    leaf : (leaves, 4) int64
        For each leaf: its lane, whether it is a showdown, the row of the player's reach, the row of values.
    stake : (leaves,) float64
        The player's payoff for each pair of hands; at a showdown for each pair that the own hand wins.
    """

    blocks: Index
    compares: NDArray[np.bool_]
    leaf_start: Index
    leaf: Index
    stake: Floats


class Hands(NamedTuple):
    """One player's H live hands on a board.

    Attributes
    ----------
    reach : (., H) float64
    cards : (H, 2) int64
        The second card of one-card hands is a dummy, one for each player.
    order : (H,) int64
        Hands by strength, ascending; empty, like ``strength``, if there are no showdowns.
    strength : (H,) int64
        In that order.
    """

    reach: Floats
    cards: Index
    order: Index
    strength: Index


class LeafBuffers(NamedTuple):
    """The work arrays of :func:`value_leaves`, for up to H hands of either player.

    Attributes
    ----------
    x : (H + 1, LANES)
        The opponent's reaches, and a row of zeros.
    of_card : (cards, LANES)
        Sums of reaches over the hands that hold a card.
    total : (LANES,)
        Sums of reaches over all hands.
    compared : (H, LANES)
        For each own hand, the reach of weaker hands plus the reach of hands that are not stronger.
    met, won : (LANES, H)
        For each own hand, the reach of disjoint hands, and that of beaten hands minus that of better hands.
    """

    x: Floats
    of_card: Floats
    total: Floats
    compared: Floats
    met: Floats
    won: Floats

    @staticmethod
    def of(n_hands: int, n_cards: int) -> "LeafBuffers":
        """Allocate for at most ``n_hands`` hands and ``n_cards`` cards."""
        shapes = (n_hands + 1, LANES), (n_cards, LANES), (LANES,), (n_hands, LANES), *2 * ((LANES, n_hands),)
        return LeafBuffers(*(np.zeros(shape) for shape in shapes))


@njit(cache=True, nogil=True, error_model="numpy")
def value_leaves(
    leaves: LeafBlocks,
    chooses: NDArray[np.bool_],
    own: Hands,
    other: Hands,
    mate: Index,
    buffers: LeafBuffers,
    values: Floats,
) -> float:
    """Add the values of a player's hands at the leaves of a street to rows of ``values``, in place.

    By inclusion-exclusion, with r the opponent's reach and r(c) its sum over hands with card c:
    met = r(all) - r(c1) - r(c2) + r(equal hand). At a showdown, with w the same sum over weaker hands and u
    over hands not stronger, won = w + u - (sum over all hands); the equal hand ties.

    Parameters
    ----------
    leaves : LeafBlocks
    chooses : (rows of values,) bool
        Whether the player maximises over what is added to a row instead of adding it.
    own, other : Hands
        The player's and the opponent's.
    mate : (own hands,) int64
        The position of the opponent's equal hand of two cards; the opponent's number of hands if none.
    buffers : LeafBuffers
    values : (nodes, own hands) float64

    Returns
    -------
    float
        The player's expected payoff at these leaves under both reaches.
    """
    earned = 0.0
    blocks, compares, leaf_start, leaf, stake = leaves
    own_reach, own_cards, reach, cards = own.reach, own.cards, other.reach, other.cards
    n_own, n_other = own_reach.shape[1], reach.shape[1]
    x, of_card, total, compared, met, won = buffers
    x[n_other] = 0.0
    for block in range(len(blocks)):
        _transpose_rows(reach, blocks[block], x)
        total[:] = 0.0
        of_card[:] = 0.0
        if compares[block]:
            _compare(own, other, x, total, of_card, compared)
        else:
            for h in range(n_other):
                _add_hand(x[h], total, of_card[cards[h, 0]], of_card[cards[h, 1]])
        for g in range(n_own):
            first, second = of_card[own_cards[g, 0]], of_card[own_cards[g, 1]]
            equal, both = x[mate[g]], compared[g]
            for lane in range(LANES):
                rest = total[lane] - first[lane] - second[lane]
                met[lane, g] = rest + equal[lane]
                won[lane, g] = both[lane] - rest  # undefined and not read without showdowns
        for z in range(leaf_start[block], leaf_start[block + 1]):
            lane, showdown, own_row, row = leaf[z]
            source = won[lane] if showdown else met[lane]
            earned += _add_leaf(source, stake[z], chooses[row], own_reach[own_row], values[row])
    return earned


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _add_hand(x: Floats, total: Floats, first: Floats, second: Floats) -> None:
    for lane in range(LANES):
        total[lane] += x[lane]
        first[lane] += x[lane]
        second[lane] += x[lane]


@njit(cache=True, nogil=True, error_model="numpy")
def _transpose_rows(reach: Floats, rows: Index, x: Floats) -> None:
    """Transpose rows of reaches into the columns of ``x``."""
    for part in range(0, LANES, 8):
        r0, r1, r2, r3 = (
            reach[rows[part]],
            reach[rows[part + 1]],
            reach[rows[part + 2]],
            reach[rows[part + 3]],
        )
        r4, r5, r6, r7 = (
            reach[rows[part + 4]],
            reach[rows[part + 5]],
            reach[rows[part + 6]],
            reach[rows[part + 7]],
        )
        for h in range(reach.shape[1]):
            to = x[h, part : part + 8]
            x0, x1, x2, x3, x4, x5, x6, x7 = r0[h], r1[h], r2[h], r3[h], r4[h], r5[h], r6[h], r7[h]
            to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7] = x0, x1, x2, x3, x4, x5, x6, x7


@njit(cache=True, nogil=True, error_model="numpy")
def _compare(own: Hands, other: Hands, x: Floats, total: Floats, of_card: Floats, won: Floats) -> None:
    """Write ``w + u`` of :func:`value_leaves` into ``won``; sum all hands into ``total`` and ``of_card``."""
    own_cards, own_order, own_strength = own.cards, own.order, own.strength
    cards, order, strength = other.cards, other.order, other.strength
    n_own, n_other, start, h = len(own_order), len(order), 0, 0
    while start < n_own:
        level = own_strength[start]
        while h < n_other and strength[h] < level:
            at = order[h]
            _add_hand(x[at], total, of_card[cards[at, 0]], of_card[cards[at, 1]])
            h += 1
        stop = start
        while stop < n_own and own_strength[stop] == level:
            g = own_order[stop]
            first, second, into = of_card[own_cards[g, 0]], of_card[own_cards[g, 1]], won[g]
            for lane in range(LANES):
                into[lane] = total[lane] - first[lane] - second[lane]
            stop += 1
        while h < n_other and strength[h] == level:
            at = order[h]
            _add_hand(x[at], total, of_card[cards[at, 0]], of_card[cards[at, 1]])
            h += 1
        for i in range(start, stop):
            g = own_order[i]
            first, second, into = of_card[own_cards[g, 0]], of_card[own_cards[g, 1]], won[g]
            for lane in range(LANES):
                into[lane] += total[lane] - first[lane] - second[lane]
        start = stop
    for i in range(h, n_other):
        at = order[i]
        _add_hand(x[at], total, of_card[cards[at, 0]], of_card[cards[at, 1]])


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "nsz"})
def _add_leaf(source: Floats, stake: float, chooses: bool, own_reach: Floats, values: Floats) -> float:
    """Add one leaf's values to their row; return the player's expected payoff there."""
    earned = 0.0
    if chooses:
        for g in range(len(values)):
            value = stake * source[g]
            earned += own_reach[g] * value
            values[g] = value if value > values[g] else values[g]
    else:
        for g in range(len(values)):
            value = stake * source[g]
            earned += own_reach[g] * value
            values[g] += value
    return earned
