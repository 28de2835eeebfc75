"""Values of hands at showdowns and folds, in time linear in hands, and from board to board.

As many leaves are taken at a time as a vector has lanes. Plans are copied from the parent board to a board,
and values added back from a board to its parent.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.boards.board_arrays import Cards, Floats, Index, LeafArrays, Places, Reals
from treeplex.cfr.boards.simd import (
    LANES,
    add_interleaved,
    add_unblocked,
    add_unblocked_parts,
    add_vector,
    copy_vector,
    interleave,
    scale_vector,
    simd_rows,
)


class LeafWorkspace(NamedTuple):
    """Scratch arrays for a block of leaves, L lanes.

    compared, folded, gains : (hands + 2 L, L) float32 or float64
        The opponent's plans at showdowns and at folds times stakes; the values of the player's hands.
    over, sums : (cards, L)
        Sums of ``compared`` and ``folded`` over the hands with each card; the last row sums over all hands.
    own, to_compared, to_folded : (L,) int64
        First numbers of the leaves' rows: the player's, the opponent's at showdowns and at folds.
    """

    compared: Reals
    folded: Reals
    gains: Reals
    over: Reals
    sums: Reals
    own: Index
    to_compared: Index
    to_folded: Index

    @staticmethod
    def of(hands: int, n_cards: int, kind: np.dtype[Any]) -> "LeafWorkspace":
        """Allocate for so many hands of either player."""
        rows = hands + 2 * LANES[kind]
        return LeafWorkspace(
            compared=simd_rows(rows, kind),
            folded=simd_rows(rows, kind),
            gains=simd_rows(rows, kind),
            over=simd_rows(n_cards, kind),
            sums=simd_rows(n_cards, kind),
            own=np.zeros(LANES[kind], np.int64),
            to_compared=np.zeros(LANES[kind], np.int64),
            to_folded=np.zeros(LANES[kind], np.int64),
        )


MOST_COPIES = 24
"""As many as there are permutations of four suits: no hand stands for more."""
PARTS = 1.0 / np.maximum(np.arange(1 + MOST_COPIES), 1)
"""One over each number of copies."""


class Matchup(NamedTuple):
    """Both players' hands on a board with their order of strength.

    card, theirs : (hands, 2) uint8
        The player's and the opponent's cards.
    mate : (hands,) uint16
    copies : (hands, 3) or (0, 3) uint8
        As in ``HandArrays``.
    groups, their_groups : (G + 1,) uint16
        The first hand of each group of equal strength.
    """

    card: Cards
    theirs: Cards
    mate: Places
    copies: Cards
    groups: Places
    their_groups: Places


@njit(cache=True, error_model="numpy")
def add_leaf_values(
    leaves: LeafArrays,
    first: int,
    shown: int,
    last: int,
    hands: Matchup,
    plan: Reals,
    plan_stride: int,
    values: Reals,
    stride: int,
    workspace: LeafWorkspace,
) -> None:
    """Add the values at the leaves of a part to a player's rows on a board.

    Hands that share a card exclude each other. With x(h) the opponent's plan times the stake, X(c) its sum
    over the hands with card c and X its sum over all hands, the value of a fold to the hand {a, b} is
    ``X - X(a) - X(b) + x({a, b})``. At a showdown it is the same expression over weaker hands less that over
    stronger ones: with running sums over the opponent's hands, weakest first, (sum over weaker hands) + (sum
    over hands not stronger) - (sum over all) (Johanson, Waugh, Bowling and Zinkevich, Accelerating best
    response calculation in large extensive games, 2011, section 4). Both kinds share one pass: the
    running sums start at (folded - compared) / 2 and are read before and after each group of equal strength.

    Where hands and cards stand for all that permutations of suits make of them, x is the plan of all those
    hands and X(c) the sum over all those cards; X(a), X(b) and x({a, b}) are divided by how many they are,
    and values are those of one hand.

    Parameters
    ----------
    leaves : LeafArrays
    first, shown, last : int
        The part's blocks are ``first`` to ``last - 1``; those before ``shown`` have showdowns.
    hands : Matchup
    plan, values : flat rows
        The opponent's and the player's rows of ``plan_stride`` and ``stride`` numbers, aligned to 64 bytes.
    workspace : LeafWorkspace
    """
    lanes = workspace.sums.shape[1]
    for block in range(first, last):
        for k in range(lanes):
            workspace.own[k] = leaves.own[block, k] * stride
            workspace.to_compared[k] = leaves.compared[block, k] * plan_stride
            workspace.to_folded[k] = leaves.folded[block, k] * plan_stride
        _load_plans(
            workspace.folded, plan, workspace.to_folded, leaves.fold[block], hands.theirs, workspace.sums
        )
        if block < shown:
            _load_plans(
                workspace.compared,
                plan,
                workspace.to_compared,
                leaves.showdown[block],
                hands.theirs,
                workspace.over,
            )
            half = workspace.sums.dtype.type(0.5)
            for c in range(len(workspace.over)):
                for k in range(lanes):
                    workspace.sums[c, k] = half * (workspace.sums[c, k] - workspace.over[c, k])
            _showdown_values(workspace, hands, values)
        else:
            _fold_values(workspace, hands, values)


@njit(cache=True, error_model="numpy")
def _load_plans(rows: Reals, plan: Reals, places: Index, stakes: Floats, card: Cards, sums: Reals) -> None:
    """Transpose some of the opponent's rows times stakes, followed by a row of zeros, and sum them by card.

    Each hand is added to the sums of two cards, so that the total is half the sum over cards.
    """
    all_, lanes = len(sums) - 1, sums.shape[1]
    sums[:] = 0.0
    for start in range(0, len(card), lanes):
        interleave(rows, start, plan, places, stakes)
        for h in range(start, min(start + lanes, len(card))):
            add_vector(sums, card[h, 0], rows, h)
            add_vector(sums, card[h, 1], rows, h)
    rows[len(card)] = 0.0
    for c in range(all_):
        add_vector(sums, all_, sums, c)
    for k in range(lanes):
        sums[all_, k] *= sums.dtype.type(0.5)


@njit(cache=True, error_model="numpy")
def _fold_values(workspace: LeafWorkspace, hands: Matchup, values: Reals) -> None:
    """Write the values of folds: ``X - X(a) - X(b) + x({a, b})``."""
    card, mate, copies = hands.card, hands.mate, hands.copies
    gains, sums, folded = workspace.gains, workspace.sums, workspace.folded
    all_, lanes, merged = len(sums) - 1, sums.shape[1], len(copies) > 0
    for start in range(0, len(card), lanes):
        for h in range(start, min(start + lanes, len(card))):
            if merged:  # written out wherever it is needed: functions of arrays count references
                one, other = PARTS[copies[h, 0]], PARTS[copies[h, 1]]
                scale_vector(gains, h, folded, mate[h], PARTS[copies[h, 2]])
                add_unblocked_parts(gains, h, sums, all_, card[h, 0], card[h, 1], one, other)
            else:
                copy_vector(gains, h, folded, mate[h])
                add_unblocked(gains, h, sums, all_, card[h, 0], card[h, 1])
        add_interleaved(values, start, gains, workspace.own)


@njit(cache=True, error_model="numpy")
def _showdown_values(workspace: LeafWorkspace, hands: Matchup, values: Reals) -> None:
    """Write the values of showdowns and folds by one pass over groups of equal strength, weakest first."""
    card, theirs, mate, copies, own_groups, opponent_groups = hands
    gains, sums, folded, compared = workspace.gains, workspace.sums, workspace.folded, workspace.compared
    all_, lanes, merged, done = len(sums) - 1, sums.shape[1], len(copies) > 0, 0
    for group in range(len(own_groups) - 1):
        first, last = own_groups[group], own_groups[group + 1]
        for h in range(first, last):
            if merged:
                one, other = PARTS[copies[h, 0]], PARTS[copies[h, 1]]
                scale_vector(gains, h, folded, mate[h], PARTS[copies[h, 2]])
                add_unblocked_parts(gains, h, sums, all_, card[h, 0], card[h, 1], one, other)
            else:
                copy_vector(gains, h, folded, mate[h])
                add_unblocked(gains, h, sums, all_, card[h, 0], card[h, 1])
        for h in range(opponent_groups[group], opponent_groups[group + 1]):
            add_vector(sums, theirs[h, 0], compared, h)
            add_vector(sums, theirs[h, 1], compared, h)
            add_vector(sums, all_, compared, h)
        for h in range(first, last):
            if merged:
                one, other = PARTS[copies[h, 0]], PARTS[copies[h, 1]]
                add_unblocked_parts(gains, h, sums, all_, card[h, 0], card[h, 1], one, other)
            else:
                add_unblocked(gains, h, sums, all_, card[h, 0], card[h, 1])
        while done + lanes <= last:
            add_interleaved(values, done, gains, workspace.own)
            done += lanes
    if done < len(card):
        add_interleaved(values, done, gains, workspace.own)


@njit(cache=True, error_model="numpy")
def start_plan(plan: Reals, stride: int, rows: Index, root_plan: Floats) -> None:
    """Set a player's plan at the roots of the first street."""
    for row in rows:
        for h in range(len(root_plan)):
            plan[row * stride + h] = root_plan[h]


@njit(cache=True, error_model="numpy")
def copy_from_parent(
    plan: Reals,
    stride: int,
    entries: Index,
    above: Reals,
    above_stride: int,
    exits: Index,
    place: Places,
) -> None:
    """Copy a plan from the parent board to roots: ``plan[entry, h] = above[exit, place[h]]``."""
    for root in range(len(entries)):
        to, before = plan[entries[root] * stride :], above[exits[root] * above_stride :]
        for h in range(len(place)):
            to[h] = before[place[h]]


@njit(cache=True, error_model="numpy")
def add_to_parent(
    exits: Floats,
    exit_stride: int,
    first: int,
    values: Reals,
    stride: int,
    rows: Index,
    home: Places,
    ways: int,
) -> None:
    """Add the values of roots, times ``ways``, to the first hand of each orbit on the parent board."""
    for root in range(len(rows)):
        back, value = exits[(first + root) * exit_stride :], values[rows[root] * stride :]
        for h in range(len(home)):
            back[home[h]] += ways * value[h]


@njit(cache=True, error_model="numpy")
def add_from_children(
    values: Reals, exits: Floats, stride: int, rows: Index, orbit: Places, size: Places
) -> None:
    """Add values from the next street, divided equally among the hands of each orbit."""
    for root in range(len(rows)):
        to, back = values[rows[root] * stride :], exits[root * stride :]
        for h in range(len(orbit)):
            to[h] += back[orbit[h]] / size[h]


@njit(cache=True, error_model="numpy")
def equalise_orbits(values: Reals, stride: int, n_rows: int, orbit: Places) -> None:
    """Copy the value of the first hand of each orbit to the others: rounding may differ."""
    for row in range(n_rows):
        value = values[row * stride :]
        for h in range(len(orbit)):
            value[h] = value[orbit[h]]
