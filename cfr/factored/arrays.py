"""Betting and boards as flat arrays for the kernels that learn street by street."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Index = NDArray[np.int64]
Cards = NDArray[np.uint8]
Places = NDArray[np.uint16]


PARENT, FIRST, ACTIONS, SLOT, RANK, LOCK = range(6)
"""The columns of ``Betting.steps``."""
STEPS, BLOCKS, FOLDS, ROWS = range(4)
"""The columns of ``Betting.parts``."""
OWN, COMPARED, FOLDED = range(3)
"""The rows of ``Betting.leaf_rows``; the last two less one are those of ``Betting.stakes``."""
EXIT, ENTRY = range(2)
"""The columns of ``Betting.roots``."""
ABOVE, HOME, MATE, ORBIT, SIZE = range(5)
"""The rows of ``Stand.places``."""
STREET, BOARD_ABOVE, WAYS, LAST, SYMMETRIC = range(5)
"""The columns of ``Boards.boards``."""
ROOTS, PARTS = range(2)
"""The columns of ``Boards.streets``."""


class Betting(NamedTuple):
    """One player's half of the betting on all streets, and the leaves at which it earns.

    A street's betting is one tree below each line on which its cards come, its *roots*; roots are numbered
    street by street in the order of lines. Roots that are worked on together are a *part*: all of a street
    but the last, and on the last street as many as the cache holds. A part's *rows* are vectors over the
    player's hands: one for each root (the player's last sequence before it), one for each of the player's
    actions, numbered from zero in each part. Rows of actions alone are kept between iterations, in *slots*.

    Attributes
    ----------
    roots : (R, 2) int64
        For each root the row of the street before from which it goes on (``EXIT``), and its own (``ENTRY``).
    steps : (T, 6) int64
        Decisions: the row from which one goes on (``PARENT``), the first of the rows it makes (``FIRST``)
        and how many (``ACTIONS``), the slot of the first (``SLOT``), its number (``RANK``), the first of its
        rows in ``Stand.locked`` (``LOCK``; -1 where all hands are free). Slots and decisions are numbered
        from zero on each street.
    parts : (P + 1, 4) int64
        Where each part's decisions start (``STEPS``), where its leaves start in blocks of ``LANES``
        (``BLOCKS``), where those blocks start of which no leaf compares hands (``FOLDS``), and how many
        rows it has (``ROWS``).
    leaf_rows : (B, 3, LANES) int64
        The player's row at each leaf (``OWN``), the opponent's rows on which hands are compared
        (``COMPARED``) and on which they are not (``FOLDED``).
    stakes : (B, 2, LANES) float64
        What the player wins on either against each unit of the opponent's plan, the chance of the street's
        boards counted, beside the most that a hand can win; zero where there is no such leaf.
    """

    roots: Index
    steps: Index
    parts: Index
    leaf_rows: Index
    stakes: Floats


class Stand(NamedTuple):
    """One player's hands on all boards; see ``treeplex.seqform.factored.board_tree.Hands``.

    Attributes
    ----------
    weight : (H,) float64
        The range on the starting board, in the order of its hands there.
    start : (D + 1,) int64
        Where each board's hands start in the arrays below.
    places : (5, .) uint16
        Where each hand stands on the board before (``ABOVE``), where the first of its orbit stands there
        (``HOME``), where the opponent's equal hand stands that both its cards block (``MATE``; behind all
        others if there is none), where the first hand of its orbit stands on this board (``ORBIT``) and how
        many hands that has (``SIZE``).
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
    places: Places
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
    base : (D + 1, 2) int64
        Where its tables keep each board's slots, and its decisions.
    noise : (S,) float64
        For each street, ``NOISE`` times the most that a hand's action could be worth on one of its boards.
    """

    betting: Betting
    stand: Stand
    base: Index
    noise: Floats


class Boards(NamedTuple):
    """What both players share.

    Attributes
    ----------
    boards : (D, 5) int64
        Each board's street, parent, how many it stands for, its number among those of the last street (-1
        for others), and whether suit permutations fix it (1) or only the identity (0).
    streets : (S + 1, 2) int64
        Where each street's roots and parts start.
    part_root : (P + 1,) int64
        Where each part's roots start.
    n_cards : int
        How many rows sums over cards need: the deck, one for each player's missing card, and all.
    """

    boards: Index
    streets: Index
    part_root: Index
    n_cards: int


class FactoredArrays(NamedTuple):
    """A poker game for the kernels."""

    boards: Boards
    sides: tuple[Side, Side]


def starts_of(counts: Index) -> Index:
    """Return where each of several stretches starts, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
