"""The judge's kernels: values at leaves, reaches and best responses over the lines of a street.

Values of a player's hands at the leaves of one street on one board take time linear in hands; other kernels
lead from board to board. This is the judge's evaluation of showdowns. The engine (``cfr``) and the linear
program (``public_form``) have others, on purpose: an error in one of them gives a strategy that its
certificate does not confirm.
"""

from typing import Any, NamedTuple

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


class JudgedHands(NamedTuple):
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
    own: JudgedHands,
    other: JudgedHands,
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
    own, other : JudgedHands
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
def _compare(
    own: JudgedHands, other: JudgedHands, x: Floats, total: Floats, of_card: Floats, won: Floats
) -> None:
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


SMALLEST, LARGEST = 1e-200, 1e200
"""Weights of a decision with a sum outside of this range are divided by the largest before summation."""


@njit(cache=True, nogil=True, error_model="numpy")
def spread_reach(decisions: Index, first_row: int, table: NDArray[Any], reach: Floats) -> None:
    """Write a player's reach after each action of a street: reach before times normalised weight, in place.

    Parameters
    ----------
    decisions : (D, 3) int64
        For each of the player's decisions, parents first: the row of the reach before it, the row of its
        first action in ``table``, its number of actions.
    first_row : int
        The row of the reach after the action of row 0 of ``table``.
    table : (rows, H) of any real dtype
        The player's weights on the board.
    reach : (first_row + rows, H) float64
        Rows up to ``first_row`` are input, the others output.
    """
    width = reach.shape[1]
    scale, even = np.empty(width), np.empty(width)
    for d in range(len(decisions)):
        source, first, n_actions = decisions[d]
        scale[:] = 0.0
        for a in range(n_actions):
            weight = table[first + a]
            for h in range(width):
                scale[h] += np.float64(weight[h])
        n_odd = 0
        for h in range(width):
            mass = scale[h]
            even[h] = 0.0 if mass > 0.0 else 1.0 / n_actions
            n_odd += mass > 0.0 and not SMALLEST < mass < LARGEST
            scale[h] = 1.0 / mass if mass > 0.0 else 0.0
        before = reach[source]
        for a in range(n_actions):
            weight, after = table[first + a], reach[first_row + first + a]
            for h in range(width):
                after[h] = before[h] * (np.float64(weight[h]) * scale[h] + even[h])
        if n_odd:
            _spread_rescaled(before, table[first : first + n_actions], reach[first_row + first :])


@njit(cache=True, nogil=True, error_model="numpy")
def _spread_rescaled(before: Floats, table: NDArray[Any], after: Floats) -> None:
    """Do the same for hands whose sum of weights is outside of [SMALLEST, LARGEST]."""
    for h in range(len(before)):
        largest = mass = 0.0
        for a in range(len(table)):
            largest = max(largest, np.float64(table[a, h]))
            mass += np.float64(table[a, h])
        if largest > 0.0 and not SMALLEST < mass < LARGEST:
            mass = 0.0
            for a in range(len(table)):
                mass += np.float64(table[a, h]) / largest
            for a in range(len(table)):
                after[a, h] = before[h] * (np.float64(table[a, h]) / largest / mass)


@njit(cache=True, nogil=True, error_model="numpy")
def respond(into: Index, chooses: NDArray[np.bool_], values: Floats) -> None:
    """Backward induction on a street: add values of nodes to their parents, or maximise, in place.

    Parameters
    ----------
    into : (nodes,) int64
        The parent, -1 where the street begins.
    chooses : (nodes,) bool
        Whether the player maximises over the children of a node instead of adding them.
    values : (nodes, H) float64
    """
    for node in range(len(into) - 1, -1, -1):
        if into[node] < 0:
            continue
        below, above = values[node], values[into[node]]
        if chooses[into[node]]:
            for g in range(len(below)):
                above[g] = below[g] if below[g] > above[g] else above[g]
        else:
            for g in range(len(below)):
                above[g] += below[g]


@njit(cache=True, nogil=True, error_model="numpy")
def respond_locked(
    into: Index, chooses: NDArray[np.bool_], share_row: Index, shares: Floats, values: Floats
) -> None:
    """Backward induction where hands are locked: their value is the sum of share times value of each action.

    Parameters
    ----------
    into, chooses, values : as in :func:`respond`
        Values of decisions start at zero for hands locked there.
    share_row : (nodes,) int64
        The row of ``shares`` of the action to each node; -1 if no hand is locked.
    shares : (rows, H) float64
        -1 for free hands.
    """
    for node in range(len(into) - 1, -1, -1):
        if into[node] < 0:
            continue
        below, above = values[node], values[into[node]]
        for g in range(len(below)):
            share = shares[share_row[node], g] if share_row[node] >= 0 else -1.0
            if share >= 0.0:
                above[g] += share * below[g]
            elif chooses[into[node]]:
                above[g] = max(above[g], below[g])
            else:
                above[g] += below[g]


@njit(cache=True, nogil=True, error_model="numpy")
def deal_down(reach: Floats, rows: Index, above: Index, entering: Floats) -> None:
    """Copy reaches from the parent board: ``entering[e, h] = reach[rows[e], above[h]]``."""
    for e in range(len(rows)):
        source, target = reach[rows[e]], entering[e]
        for h in range(len(above)):
            target[h] = source[above[h]]


@njit(cache=True, nogil=True, error_model="numpy")
def deal_up(values: Floats, rows: Index, above: Index, share: float, leaving: Floats, into: Index) -> None:
    """Add values to the parent board's: ``leaving[into[e], above[h]] += share * values[rows[e], h]``."""
    for e in range(len(rows)):
        source, target = values[rows[e]], leaving[into[e]]
        for h in range(len(above)):
            target[above[h]] += share * source[h]
