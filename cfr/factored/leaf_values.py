"""What leaves give each hand, eight leaves at a time, linear in hands."""

from typing import NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.factored.arrays import Cards, Floats, Index, Leaves, Places
from treeplex.cfr.factored.simd import (
    LANES,
    add_interleaved,
    add_lanes,
    add_unblocked,
    copy_lanes,
    interleave,
    lane_rows,
)


class LaneRoom(NamedTuple):
    """Room for eight leaves.

    compared, folded, gains : (hands + LANES, LANES) float64
        Plans at leaves that compare hands and at others, times stakes; what hands earn.
    over, sums : (cards, LANES) float64
        Sums of either over the hands that hold each card, and over all hands, in the last row.
    own, to_compared, to_folded : (LANES,) int64
        Where the leaves' rows start: the player's, the opponent's with and without a showdown.
    """

    compared: Floats
    folded: Floats
    gains: Floats
    over: Floats
    sums: Floats
    own: Index
    to_compared: Index
    to_folded: Index

    @staticmethod
    def of(hands: int, n_cards: int) -> "LaneRoom":
        """Return room for so many hands a player."""
        rows = hands + 2 * LANES
        return LaneRoom(
            compared=lane_rows(rows),
            folded=lane_rows(rows),
            gains=lane_rows(rows),
            over=lane_rows(n_cards),
            sums=lane_rows(n_cards),
            own=np.zeros(LANES, np.int64),
            to_compared=np.zeros(LANES, np.int64),
            to_folded=np.zeros(LANES, np.int64),
        )


class Facing(NamedTuple):
    """Both players' hands on a board, as leaves compare them.

    card, theirs : (hands, 2) uint8
        The player's and the opponent's cards.
    mate : (hands,) uint16
        As in ``Stand``.
    groups, their_groups : (G + 1,) uint16
        Where hands of each strength start.
    """

    card: Cards
    theirs: Cards
    mate: Places
    groups: Places
    their_groups: Places


@njit(cache=True, error_model="numpy")
def add_leaf_values(
    leaves: Leaves,
    first: int,
    shown: int,
    last: int,
    hands: Facing,
    plan: Floats,
    plan_stride: int,
    values: Floats,
    stride: int,
    room: LaneRoom,
) -> None:
    """Add what the leaves of a part give each of a player's rows on a board.

    A pair of hands that share a card cannot be. With x(h) the opponent's plan times the stake, X(c) its sum
    over the hands that hold card c, and X over all hands, a fold is worth X - X(a) - X(b) to the hand {a, b},
    and once more x of the equal hand, which was taken away twice. At a showdown the weaker hands count for
    it and the stronger ones against it; so the sums run over the opponent's hands, weakest first, and are
    read before and after the hands of equal strength are added: what is weaker and what is no stronger, less
    all, is twice what is wanted on average (Johanson, Waugh, Bowling and Zinkevich, Accelerating best
    response calculation in large extensive games, 2011, section 4). Both kinds share one pass: the running
    sums start at half of (folded - compared), and are read twice.

    Parameters
    ----------
    leaves : Leaves
    first, shown, last : int
        The part's blocks: from ``first`` up to ``last``; hands are compared in those up to ``shown``.
    hands : Facing
    plan, values : flat rows
        The opponent's rows and the player's, ``plan_stride`` and ``stride`` apart, on cache lines.
    room : LaneRoom
    """
    for block in range(first, last):
        for lane in range(LANES):
            room.own[lane] = leaves.own[block, lane] * stride
            room.to_compared[lane] = leaves.compared[block, lane] * plan_stride
            room.to_folded[lane] = leaves.folded[block, lane] * plan_stride
        _lay(room.folded, plan, room.to_folded, leaves.fold[block], hands.theirs, room.sums)
        if block < shown:
            _lay(room.compared, plan, room.to_compared, leaves.showdown[block], hands.theirs, room.over)
            for c in range(len(room.over)):
                for lane in range(LANES):
                    room.sums[c, lane] = 0.5 * (room.sums[c, lane] - room.over[c, lane])
            _compare(room, hands, values)
        else:
            _count(room, hands.card, hands.mate, values)


@njit(cache=True, error_model="numpy")
def _lay(rows: Floats, plan: Floats, places: Index, stakes: Floats, card: Cards, sums: Floats) -> None:
    """Lay the opponent's rows side by side and sum them, zeros behind for hands that have no equal.

    Each hand is added to two cards' sums, so that all hands are half of all these sums.
    """
    all_ = len(sums) - 1
    sums[:] = 0.0
    for start in range(0, len(card), LANES):
        interleave(rows, start, plan, places, stakes)
        for h in range(start, min(start + LANES, len(card))):
            add_lanes(sums, card[h, 0], rows, h)
            add_lanes(sums, card[h, 1], rows, h)
    rows[len(card)] = 0.0
    for c in range(all_):
        add_lanes(sums, all_, sums, c)
    for lane in range(LANES):
        sums[all_, lane] *= 0.5


@njit(cache=True, error_model="numpy")
def _count(room: LaneRoom, card: Cards, mate: Places, values: Floats) -> None:
    """Give each hand what is not blocked."""
    gains, sums, folded = room.gains, room.sums, room.folded
    all_ = len(sums) - 1
    for start in range(0, len(card), LANES):
        for h in range(start, min(start + LANES, len(card))):
            copy_lanes(gains, h, folded, mate[h])
            add_unblocked(gains, h, sums, all_, card[h, 0], card[h, 1])
        add_interleaved(values, start, gains, room.own)


@njit(cache=True, error_model="numpy")
def _compare(room: LaneRoom, hands: Facing, values: Floats) -> None:
    """Run over both players' hands, weakest first, a group of equal strength at a time."""
    card, theirs, mate, own_groups, opponent_groups = hands
    gains, sums, folded, compared = room.gains, room.sums, room.folded, room.compared
    all_, done = len(sums) - 1, 0
    for group in range(len(own_groups) - 1):
        first, last = own_groups[group], own_groups[group + 1]
        for h in range(first, last):
            copy_lanes(gains, h, folded, mate[h])
            add_unblocked(gains, h, sums, all_, card[h, 0], card[h, 1])
        for h in range(opponent_groups[group], opponent_groups[group + 1]):
            add_lanes(sums, theirs[h, 0], compared, h)
            add_lanes(sums, theirs[h, 1], compared, h)
            add_lanes(sums, all_, compared, h)
        for h in range(first, last):
            add_unblocked(gains, h, sums, all_, card[h, 0], card[h, 1])
        while done + LANES <= last:
            add_interleaved(values, done, gains, room.own)
            done += LANES
    if done < len(card):
        add_interleaved(values, done, gains, room.own)
