"""What leaves give each hand, eight leaves at a time, linear in hands."""

from typing import NamedTuple

import numpy as np
from numba import njit

from cfr.lanes import (
    LANES,
    add_interleaved,
    add_lanes,
    add_unblocked,
    copy_lanes,
    interleave,
    lane_rows,
)
from cfr.street_arrays import COMPARED, FOLDED, OWN, Cards, Floats, Index, Places


class LaneRoom(NamedTuple):
    """Room for eight leaves.

    compared, folded, gains : (hands + LANES, LANES) float64
        Plans at leaves that compare hands and at others, times stakes; what hands earn.
    over, sums : (cards, LANES) float64
        Sums of either over the hands that hold each card, and over all hands, in the last row.
    places : (3, LANES) int64
        Where the leaves' rows start: the player's, the opponent's with and without a showdown.
    """

    compared: Floats
    folded: Floats
    gains: Floats
    over: Floats
    sums: Floats
    places: Index

    @staticmethod
    def of(hands: int, n_cards: int) -> "LaneRoom":
        """Return room for so many hands a player."""
        rows = [lane_rows(hands + 2 * LANES) for _ in range(3)]
        return LaneRoom(*rows, lane_rows(n_cards), lane_rows(n_cards), np.zeros((3, LANES), np.int64))


@njit(cache=True, error_model="numpy")
def add_leaf_values(
    rows: Index,
    stakes: Floats,
    n_compared: int,
    card: Cards,
    theirs: Cards,
    mate: Places,
    own_groups: Places,
    opponent_groups: Places,
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
    rows : (B, 3, LANES) int64
    stakes : (B, 2, LANES) float64
        The part's leaves, as ``Betting`` has them.
    n_compared : int
        In how many of the blocks, the first ones, hands are compared.
    card, theirs : (hands, 2) uint8
        The player's and the opponent's cards.
    mate : (hands,) uint16
    own_groups, opponent_groups : (G + 1,) uint16
        Where hands of each strength start.
    plan, values : flat rows
        The opponent's rows and the player's, ``plan_stride`` and ``stride`` apart, on cache lines.
    room : LaneRoom
    """
    all_ = room.sums.shape[0] - 1
    for block in range(len(rows)):
        for lane in range(LANES):
            room.places[OWN, lane] = rows[block, OWN, lane] * stride
            room.places[COMPARED, lane] = rows[block, COMPARED, lane] * plan_stride
            room.places[FOLDED, lane] = rows[block, FOLDED, lane] * plan_stride
        room.sums[:] = 0.0
        _lay(room.folded, plan, room.places[FOLDED], stakes[block, FOLDED - 1], len(theirs))
        _sum(room.sums, room.folded, theirs, all_)
        for h in range(len(card)):
            copy_lanes(room.gains, h, room.folded, mate[h])
        if block < n_compared:
            room.over[:] = 0.0
            _lay(room.compared, plan, room.places[COMPARED], stakes[block, COMPARED - 1], len(theirs))
            _sum(room.over, room.compared, theirs, all_)
            for c in range(len(room.over)):
                for lane in range(LANES):
                    room.sums[c, lane] = 0.5 * (room.sums[c, lane] - room.over[c, lane])
            _compare(room.gains, room.sums, room.compared, card, theirs, own_groups, opponent_groups, all_)
        else:
            for h in range(len(card)):
                add_unblocked(room.gains, h, room.sums, all_, card[h, 0], card[h, 1])
        for h in range(0, len(card), LANES):
            add_interleaved(values, h, room.gains, room.places[OWN])


@njit(cache=True, error_model="numpy")
def _lay(rows: Floats, plan: Floats, places: Index, stakes: Floats, hands: int) -> None:
    """Lay the opponent's rows side by side, and zeros behind them for hands that have no equal."""
    for h in range(0, hands, LANES):
        interleave(rows, h, plan, places, stakes)
    rows[hands] = 0.0


@njit(cache=True, error_model="numpy")
def _sum(sums: Floats, rows: Floats, card: Cards, all_: int) -> None:
    for h in range(len(card)):
        add_lanes(sums, card[h, 0], rows, h)
        add_lanes(sums, card[h, 1], rows, h)
        add_lanes(sums, all_, rows, h)


@njit(cache=True, error_model="numpy")
def _compare(
    gains: Floats,
    sums: Floats,
    compared: Floats,
    card: Cards,
    theirs: Cards,
    own_groups: Places,
    opponent_groups: Places,
    all_: int,
) -> None:
    """Run over both players' hands, weakest first, a group of equal strength at a time."""
    for group in range(len(own_groups) - 1):
        first, last = own_groups[group], own_groups[group + 1]
        for h in range(first, last):
            add_unblocked(gains, h, sums, all_, card[h, 0], card[h, 1])
        for h in range(opponent_groups[group], opponent_groups[group + 1]):
            add_lanes(sums, theirs[h, 0], compared, h)
            add_lanes(sums, theirs[h, 1], compared, h)
            add_lanes(sums, all_, compared, h)
        for h in range(first, last):
            add_unblocked(gains, h, sums, all_, card[h, 0], card[h, 1])
