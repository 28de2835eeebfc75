"""Strengths of poker hands of 5, 6 or 7 cards: integers, larger is better, equal if and only if tied.

Strengths are ``category << 12`` plus the place within the category; they are the same scale for 5, 6 and 7
cards. The kernels take the tables as their first argument: ``tables()`` builds them once per process.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from treeplex.games.cards.cards import N_CARDS, card_text
from treeplex.games.evaluation.evaluator_tables import (
    COLUMN_BITS,
    COLUMN_SHIFT,
    FLUSH_BITS,
    FLUSH_SLOTS,
    NO_CARDS,
    ROW_BITS,
    ROW_SHIFT,
    Tables,
    tables,
)

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "trips",
    "straight",
    "flush",
    "full house",
    "quads",
    "straight flush",
)
"""The categories of strengths, weakest first; ``strength >> 12`` is the index."""
DEAD = -1
"""The strength of hands that hold a card of the board; every other strength is at least 0."""

_COLUMN_MASK = (1 << COLUMN_BITS) - 1
_ROW_MASK = (1 << ROW_BITS) - 1


@njit(cache=True)
def strength_of(tables: Tables, word: int, suited: int) -> np.int64:
    """Return the strength of 5 to 7 cards whose words were added and whose suited bits were ored.

    For kernels with running sums: start from ``NO_CARDS`` and 0, add a card by
    ``word += tables.word[card]; suited |= tables.suited[card]``. Arguments are not checked.
    """
    # no array is read inside a branch: numba would count references atomically, once a hand and array,
    # which makes this 18 times slower
    row = (word >> ROW_SHIFT) & _ROW_MASK
    slot: int = ((word >> COLUMN_SHIFT) & _COLUMN_MASK) ^ tables.offset[row]
    if word & FLUSH_BITS:
        slot = _flush_slot(word, suited)
    return np.int64(tables.strength[slot])


@njit(cache=True)
def _flush_slot(word: int, suited: int) -> int:
    """Return the slot of the suit with five cards; with two more cards quads or full house are impossible."""
    count = word & FLUSH_BITS
    while count & 8 == 0:
        count >>= 4
        suited >>= 16
    return FLUSH_SLOTS | (suited & 0x1FFF)


def evaluate_batch(cards: ArrayLike) -> NDArray[np.int64]:
    """Return the strengths of many hands of the same size.

    Parameters
    ----------
    cards : (n, k) integers, k in 5, 6, 7
        Card ids, 0 to 51, in any order within a hand.

    Returns
    -------
    (n,) int64
        Strengths; larger is better, equal if and only if tied.

    Raises
    ------
    TypeError
        If the cards are no integers.
    ValueError
        If k is not 5 to 7, an id is not 0 to 51 or a hand holds a card twice; the row is named.
    """
    hands = card_ids(cards, "cards")
    if hands.ndim != 2 or not 5 <= hands.shape[1] <= 7:
        raise ValueError(f"cards must have shape (n, 5), (n, 6) or (n, 7), got {hands.shape}")
    strengths = np.empty(len(hands), dtype=np.int64)
    bad = _evaluate_rows(tables(), hands, strengths)
    if bad >= 0:
        raise ValueError(f"row {bad} holds a card twice: {[card_text(int(c)) for c in hands[bad]]}")
    return strengths


def holdem_strength(board: Sequence[int], hands: ArrayLike) -> NDArray[np.int64]:
    """Return the strength of each pair of hole cards on one board.

    Parameters
    ----------
    board : sequence of 3, 4 or 5 card ids
        The board, all different.
    hands : (H, 2) integers
        Hole cards, ids 0 to 51, in either order.

    Returns
    -------
    (H,) int64
        Strengths; larger is better, equal if and only if tied; ``DEAD`` (-1) for a hand that holds a card of
        the board.

    Raises
    ------
    TypeError
        If the cards are no integers.
    ValueError
        If the board has not 3 to 5 different cards, an id is not 0 to 51 or a hand holds a card twice.
    """
    dealt = card_ids(board, "board")
    if dealt.ndim != 1 or not 3 <= len(dealt) <= 5:
        raise ValueError(f"a board has 3 to 5 cards, got shape {dealt.shape}")
    if len(np.unique(dealt)) < len(dealt):
        raise ValueError(f"a board's cards must differ, got {[card_text(int(c)) for c in dealt]}")
    hole = card_ids(hands, "hands")
    if hole.size == 0:
        return np.empty(0, dtype=np.int64)
    if hole.ndim != 2 or hole.shape[1] != 2:
        raise ValueError(f"hands must have shape (H, 2), got {hole.shape}")
    strengths = np.empty(len(hole), dtype=np.int64)
    bad = _evaluate_on_board(tables(), dealt, hole, strengths)
    if bad >= 0:
        raise ValueError(f"hand {bad} is {card_text(int(hole[bad, 0]))} twice; hole cards must differ")
    return strengths


def card_ids(cards: ArrayLike, name: str) -> NDArray[np.uint8]:
    """Return cards as uint8 if they are integers from 0 to 51."""
    ids = np.asarray(cards)
    if ids.size == 0:
        return ids.astype(np.uint8)
    if ids.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, got dtype {ids.dtype}")
    if ids.min() < 0 or ids.max() >= N_CARDS:
        raise ValueError(f"{name} must be ids from 0 to {N_CARDS - 1}, got {ids.min()} to {ids.max()}")
    return np.ascontiguousarray(ids, dtype=np.uint8)


@njit(cache=True)
def _evaluate_rows(tables: Tables, hands: NDArray[np.uint8], strengths: NDArray[np.int64]) -> int:
    """Write each row's strength in place; return the first row with a card twice, or -1."""
    for i in range(hands.shape[0]):
        word, suited = NO_CARDS, 0
        for j in range(hands.shape[1]):
            bit = tables.suited[hands[i, j]]
            if suited & bit:
                return i
            word += tables.word[hands[i, j]]
            suited |= bit
        strengths[i] = strength_of(tables, word, suited)
    return -1


@njit(cache=True)
def add_up(tables: Tables, cards: NDArray[np.integer[Any]]) -> tuple[int, int]:
    """Return the sum of some cards' words and the union of their suits, for :func:`strength_of`."""
    word, suited = NO_CARDS, 0
    for card in cards:
        word += tables.word[card]
        suited |= tables.suited[card]
    return word, suited


@njit(cache=True)
def _evaluate_on_board(
    tables: Tables, board: NDArray[np.uint8], hole: NDArray[np.uint8], strengths: NDArray[np.int64]
) -> int:
    """Write each hand's strength in place; return the first hand whose two cards are one, or -1."""
    board_word, board_suited = add_up(tables, board)
    for i in range(len(hole)):
        a, b = hole[i]
        if a == b:
            return i
        held = tables.suited[a] | tables.suited[b]
        if board_suited & held:
            strengths[i] = DEAD
        else:
            word = board_word + tables.word[a] + tables.word[b]
            strengths[i] = strength_of(tables, word, board_suited | held)
    return -1
