"""Lookup tables of the evaluator: hands without a flush by a perfect hash of ranks, flushes by mask.

Each card carries a word; the words of a hand are added. The low 16 bits count suits, four bits a suit,
starting from 3, so that a suit's top bit is set once it has five cards. The bits above add up one key per
rank; the keys are such that the 73,775 multisets of 5, 6 or 7 ranks have 73,775 different sums modulo 2^30.
Thirteen bits of the sum choose a row, seventeen a column; each row has an offset which, xored to the
columns of its members, leaves them all in different slots of one table (hashing by displacement: Tarjan and
Yao, Storing a sparse table, CACM 22, 1979).
"""

from functools import cache
from itertools import chain, combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

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
