"""Betting and boards as flat arrays for the kernels that learn street by street."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Index = NDArray[np.int64]
Cards = NDArray[np.uint8]
Places = NDArray[np.uint16]


class Roots(NamedTuple):
    """Where a street's betting begins, below each line on which its cards come; (R,) int64.

    exit : the row of the street before from which it goes on.
    entry : its own row.
    """

    exit: Index
    entry: Index


class Steps(NamedTuple):
    """A player's decisions, those of a part behind one another, parents first; (T,) int64.

    parent : the row from which one goes on.
    first, actions : the first of the rows it makes, and how many.
    slot, rank : the slot of the first, and its number; both are counted from zero on each street.
    lock : the first of its rows in ``Stand.locked``; -1 where all hands are free.
    """

    parent: Index
    first: Index
    actions: Index
    slot: Index
    rank: Index
    lock: Index


class Parts(NamedTuple):
    """What each part consists of; (P + 1,) int64.

    step : where its decisions start.
    block : where its leaves start, in blocks of ``LANES``.
    fold : where those blocks start of which no leaf compares hands.
    rows : how many rows it has.
    """

    step: Index
    block: Index
    fold: Index
    rows: Index


class Leaves(NamedTuple):
    """The leaves at which a player earns, ``LANES`` to a block; (B, LANES).

    own : int64, the player's row.
    compared, folded : int64, the opponent's rows on which hands are compared and on which they are not.
    showdown, fold : float64
        What the player wins on either against each unit of the opponent's plan, the chance of the street's
        boards counted, beside the most that a hand can win; zero where there is no such leaf.
    """

    own: Index
    compared: Index
    folded: Index
    showdown: Floats
    fold: Floats


class Betting(NamedTuple):
    """One player's half of the betting on all streets, and the leaves at which it earns.

    A street's betting is one tree below each line on which its cards come, its *roots*; roots are numbered
    street by street in the order of lines. Roots that are worked on together are a *part*: all of a street
    but the last, and on the last street as many as the cache holds. A part's *rows* are vectors over the
    player's hands: one for each root (the player's last sequence before it), one for each of the player's
    actions, numbered from zero in each part. Rows of actions alone are kept between iterations, in *slots*.
    """

    roots: Roots
    steps: Steps
    parts: Parts
    leaves: Leaves


class Stand(NamedTuple):
    """One player's hands on all boards; see ``treeplex.seqform.factored.board_tree.Hands``.

    Attributes
    ----------
    weight : (H,) float64
        The range on the starting board, in the order of its hands there.
    start : (D + 1,) int64
        Where each board's hands start in the arrays below.
    above, home, mate, orbit, size : (.,) uint16
        Where each hand stands on the board before, where the first of its orbit stands there, where the
        opponent's equal hand stands that both its cards block (behind all others if there is none), where
        the first hand of its orbit stands on this board and how many hands that has.
    card : (., 2) uint8
        The cards of each hand on each board, numbered densely; a hand of one card has one in second place
        that the opponent never has.
    groups : (last boards, G + 1) uint16
        Where each board's hands of each strength start.
    hand : (.,) uint16
        Which hand of the range each is; empty where none is locked anywhere.
    locked : (rows, range) float64
        Of decisions where hands are locked, how likely each takes each action; -1 where it is free.
    """

    weight: Floats
    start: Index
    above: Places
    home: Places
    mate: Places
    orbit: Places
    size: Places
    card: Cards
    groups: Places
    hand: Places
    locked: Floats


class Side(NamedTuple):
    """A player's betting and hands.

    Attributes
    ----------
    betting : Betting
    stand : Stand
    slot_base, step_base : (D + 1,) int64
        Where its tables keep each board's slots, and its decisions.
    noise : (S,) float64
        For each street, ``NOISE`` times the most that a hand's action could be worth on one of its boards.
    """

    betting: Betting
    stand: Stand
    slot_base: Index
    step_base: Index
    noise: Floats


class Boards(NamedTuple):
    """What both players share.

    Attributes
    ----------
    street, parent, ways : (D,) int64
        Each board's street, the board before it, and how many boards it stands for.
    last : (D,) int64
        Its number among those of the last street, -1 for others.
    symmetric : (D,) int64
        Whether suit permutations fix it (1) or only the identity (0).
    root_start, part_start : (S + 1,) int64
        Where each street's roots and parts start.
    part_root : (P + 1,) int64
        Where each part's roots start.
    n_cards : int
        How many rows sums over cards need: the deck, one for each player's missing card, and all.
    """

    street: Index
    parent: Index
    ways: Index
    last: Index
    symmetric: Index
    root_start: Index
    part_start: Index
    part_root: Index
    n_cards: int


class FactoredArrays(NamedTuple):
    """A poker game for the kernels."""

    boards: Boards
    sides: tuple[Side, Side]


def starts_of(counts: Index) -> Index:
    """Return where each of several stretches starts, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
