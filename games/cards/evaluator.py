"""Strengths of poker hands of 5, 6 or 7 cards: integers, larger is better, equal if and only if tied.

Strengths are ``category << 12`` plus the place within the category; they are the same scale for 5, 6 and 7
cards. The kernels take the tables as their first argument: ``tables()`` builds them once per process.

The tables find hands without a flush by a perfect hash of ranks, flushes by mask. Each card carries a word;
the words of a hand are added. The low 16 bits count suits, four bits a suit, starting from 3, so that a
suit's top bit is set once it has five cards. The bits above add up one key per rank; the keys are such that
the 73,775 multisets of 5, 6 or 7 ranks have 73,775 different sums modulo 2^30. Thirteen bits of the sum
choose a row, seventeen a column; each row has an offset which, xored to the columns of its members, leaves
them all in different slots of one table (hashing by displacement: Tarjan and Yao, Storing a sparse table,
CACM 22, 1979).
"""

from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import N_CARDS, card_text

Ints = NDArray[np.int64]

CATEGORY_SHIFT = 12
"""A strength is ``category << 12`` plus the place within the category, both counted from 0."""
COLUMN_SHIFT, COLUMN_BITS = 16, 17
ROW_SHIFT, ROW_BITS = 33, 13
NO_CARDS = 0x3333
"""The word of no cards: every suit's counter starts at 3."""
FLUSH_BITS = 0x8888
"""The top bit of each suit's counter, set when the suit has five cards or more."""
FLUSH_SLOTS = 1 << COLUMN_BITS
"""Where in the table of strengths the flushes begin."""

_MULTIPLIER = 0x9E3779B97F4A7C17
"""Close to 2^64 / phi, which scatters bits well; the odd number nearest it that keeps all sums apart."""
_PLACES = 13
_HIGH, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL_HOUSE, _QUADS, _STRAIGHT_FLUSH = range(9)


class Tables(NamedTuple):
    """The evaluator's lookup tables; every array is read-only.

    Attributes
    ----------
    word : (52,) int64
        Rank key and suit counter of each card; add them to ``NO_CARDS``.
    suited : (52,) int64
        One bit a card, sixteen bits a suit; or them together.
    offset : (8192,) uint32
        The displacement of each row.
    strength : (139264,) uint16
        Strength of each multiset of ranks without a flush at ``column ^ offset[row]``; with one, at
        ``FLUSH_SLOTS`` plus the mask of the ranks of the suit with five cards or more.
    """

    word: Ints
    suited: Ints
    offset: NDArray[np.uint32]
    strength: NDArray[np.uint16]


@cache
def tables() -> Tables:
    """Build the tables once per process, in some 0.1 s."""
    counts = np.concatenate([_rank_counts(n) for n in (5, 6, 7)])
    flushes = _masks(5, 7)
    codes = np.unique(np.concatenate((_plain_codes(_rank_counts(5)), _flush_codes(_masks(5, 5)))))
    keys = np.array([pow(_MULTIPLIER, r + 1, 1 << 64) >> 34 for r in range(_PLACES)], dtype=np.int64)
    offset, slot = _displace(counts @ keys)
    strength = np.zeros(FLUSH_SLOTS + (1 << _PLACES), dtype=np.uint16)
    strength[slot] = _strengths(_plain_codes(counts), codes)
    strength[FLUSH_SLOTS + flushes] = _strengths(_flush_codes(flushes), codes)
    rank, suit = np.divmod(np.arange(52, dtype=np.int64), 4)
    word = (keys[rank] << COLUMN_SHIFT) + (np.int64(1) << 4 * suit)
    result = Tables(word, np.int64(1) << 16 * suit + rank, offset, strength)
    for array in result:
        array.flags.writeable = False
    return result


def _rank_counts(n: int) -> Ints:
    """Return how many cards of each rank there are in every multiset of n ranks, (M, 13)."""
    flat = chain.from_iterable(combinations_with_replacement(range(_PLACES), n))
    ranks = np.fromiter(flat, dtype=np.int64).reshape(-1, n)
    counts: Ints = (ranks[:, :, None] == np.arange(_PLACES)).sum(axis=1)
    possible: NDArray[np.bool_] = counts.max(axis=1) <= 4
    return counts[possible]


def _masks(least: int, most: int) -> Ints:
    """Return the sets of ``least`` to ``most`` ranks as 13-bit masks."""
    masks = np.arange(1 << _PLACES, dtype=np.int64)
    size = np.bitwise_count(masks)
    return masks[(least <= size) & (size <= most)]


def _top(masks: Ints, n: int) -> Ints:
    """Keep the n highest bits of each mask, all of them where there are fewer."""
    highest, rest = np.zeros_like(masks), masks.copy()
    for _ in range(n):
        # frexp's exponent of a positive integer is its bit length; of zero it is 0
        bit = (np.int64(1) << np.frexp(rest.astype(np.float64))[1]) >> 1
        highest, rest = highest | bit, rest & ~bit
    return highest


def _straight(masks: Ints) -> Ints:
    """Return the high rank of the best straight in each mask as one bit, 0 for none; aces play low too."""
    low = masks << 1 | masks >> _PLACES - 1
    return _top((low & low << 1 & low << 2 & low << 3 & low << 4) >> 1, 1)


def _code(category: int, primary: Ints, kickers: Ints) -> Ints:
    """Return an integer that increases with the strength of the hand.

    Masks of equally many ranks compare as integers like their ranks, from the highest down.
    """
    return np.int64(category) << 2 * _PLACES | primary << _PLACES | kickers


def _plain_codes(counts: Ints) -> Ints:
    """Return the code of the best five cards when no suit matters; counts (M, 13) to (M,)."""
    bits = np.int64(1) << np.arange(_PLACES)
    held, paired, tripled, quads = ((counts >= n) @ bits for n in (1, 2, 3, 4))
    four, three, pair, two = _top(quads, 1), _top(tripled, 1), _top(paired, 1), _top(paired, 2)
    second, straight = _top(paired & ~three, 1), _straight(held)
    return np.select(
        [four > 0, (three > 0) & (second > 0), straight > 0, three > 0, two != pair, pair > 0],
        [
            _code(_QUADS, four, _top(held & ~four, 1)),
            _code(_FULL_HOUSE, three, second),
            _code(_STRAIGHT, straight, np.zeros_like(straight)),
            _code(_TRIPS, three, _top(held & ~three, 2)),
            _code(_TWO_PAIR, two, _top(held & ~two, 1)),
            _code(_PAIR, pair, _top(held & ~pair, 3)),
        ],
        default=_code(_HIGH, np.zeros_like(held), _top(held, 5)),
    )


def _flush_codes(masks: Ints) -> Ints:
    """Return the code of the best five cards of one suit."""
    straight = _straight(masks)
    plain = _code(_FLUSH, np.zeros_like(masks), _top(masks, 5))
    return np.where(straight > 0, _code(_STRAIGHT_FLUSH, straight, np.zeros_like(masks)), plain)


def _strengths(of_hands: Ints, codes: Ints) -> NDArray[np.uint16]:
    """Return strengths from the codes of hands (M,); ``codes`` are all 7,462 distinct codes, ascending."""
    place, category = np.searchsorted(codes, of_hands), of_hands >> 2 * _PLACES
    first = np.searchsorted(codes, category << 2 * _PLACES)
    return (category << CATEGORY_SHIFT | place - first).astype(np.uint16)


def _displace(sums: Ints) -> tuple[NDArray[np.uint32], Ints]:
    """Return each row's offset and each sum's slot; the fullest rows choose first."""
    column = sums & (1 << COLUMN_BITS) - 1
    row = sums >> ROW_SHIFT - COLUMN_SHIFT & (1 << ROW_BITS) - 1
    size = np.bincount(row, minlength=1 << ROW_BITS)
    members = np.argsort(row, kind="stable")
    begin = np.concatenate(([0], np.cumsum(size)))
    offset, taken = np.zeros(1 << ROW_BITS, dtype=np.uint32), np.zeros(1 << COLUMN_BITS, dtype=np.bool_)
    placed = _place_rows(np.argsort(-size, kind="stable"), begin, column[members], taken, offset)
    assert placed, "two multisets of ranks share a sum: the multiplier is wrong"
    return offset, column ^ offset[row].astype(np.int64)


@njit(cache=True)
def _place_rows(
    order: Ints, begin: Ints, column: Ints, taken: NDArray[np.bool_], offset: NDArray[np.uint32]
) -> bool:
    """Give each row the first offset that leaves its columns free; writes taken and offset in place."""
    for row in order:
        members = column[begin[row] : begin[row + 1]]
        for trial in range(len(taken)):
            n_placed = 0
            for c in members:
                if taken[c ^ trial]:
                    break
                taken[c ^ trial] = True
                n_placed += 1
            if n_placed == len(members):
                offset[row] = trial
                break
            for i in range(n_placed):
                taken[members[i] ^ trial] = False
        else:
            return False
    return True


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
        raise BadInputError(f"cards must have shape (n, 5), (n, 6) or (n, 7), got {hands.shape}")
    strengths = np.empty(len(hands), dtype=np.int64)
    bad = _evaluate_rows(tables(), hands, strengths)
    if bad >= 0:
        raise BadInputError(f"row {bad} holds a card twice: {[card_text(int(c)) for c in hands[bad]]}")
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
        raise BadInputError(f"a board has 3 to 5 cards, got shape {dealt.shape}")
    if len(np.unique(dealt)) < len(dealt):
        raise BadInputError(f"a board's cards must differ, got {[card_text(int(c)) for c in dealt]}")
    hole = card_ids(hands, "hands")
    if hole.size == 0:
        return np.empty(0, dtype=np.int64)
    if hole.ndim != 2 or hole.shape[1] != 2:
        raise BadInputError(f"hands must have shape (H, 2), got {hole.shape}")
    strengths = np.empty(len(hole), dtype=np.int64)
    bad = _evaluate_on_board(tables(), dealt, hole, strengths)
    if bad >= 0:
        raise BadInputError(f"hand {bad} is {card_text(int(hole[bad, 0]))} twice; hole cards must differ")
    return strengths


def card_ids(cards: ArrayLike, name: str) -> NDArray[np.uint8]:
    """Return cards as uint8 if they are integers from 0 to 51."""
    ids = np.asarray(cards)
    if ids.size == 0:
        return ids.astype(np.uint8)
    if ids.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, got dtype {ids.dtype}")
    if ids.min() < 0 or ids.max() >= N_CARDS:
        raise BadInputError(f"{name} must be ids from 0 to {N_CARDS - 1}, got {ids.min()} to {ids.max()}")
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
