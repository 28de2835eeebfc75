"""Kernels that number deals up to suits, and back: of one deal, for other kernels, and of many."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.indexing.arrays import IndexArrays, Ints

BITS = 40
"""A suit is sorted as one integer, ``code << BITS | number``."""
LOW = (1 << BITS) - 1
"""The bits of the number."""


@njit(cache=True)
def index_of(arrays: IndexArrays, cards: Ints) -> int:
    """Return the number of a deal up to suits, from 0 to the number of classes - 1.

    Waugh, A fast and optimal hand isomorphism algorithm (2013), section 3: suits are sorted, by which the
    permutation of suits is forgotten, and those of equal shape count as a multiset. Nothing is allocated.

    Parameters
    ----------
    arrays : IndexArrays
    cards : (N,) int64
        Different card ids of the deck, the rounds one after the other; within a round in any order. At least
        as many as all rounds have; more are not looked at.
    """
    a, b = _suit(arrays, cards, 0), _suit(arrays, cards, 1)
    c, d = _suit(arrays, cards, 2), _suit(arrays, cards, 3)
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    codes = arrays.codes
    cls = arrays.class_of[((a >> BITS) * codes + (b >> BITS)) * codes + (c >> BITS)]
    part, times = arrays.part[cls], arrays.times[cls]
    return int(
        arrays.first[cls]
        + times[0] * _multisets(a & LOW, part[0])
        + times[1] * _multisets(b & LOW, part[1])
        + times[2] * _multisets(c & LOW, part[2])
        + times[3] * _multisets(d & LOW, part[3])
    )


@njit(cache=True)
def _suit(arrays: IndexArrays, cards: Ints, suit: int) -> int:
    """Return ``code << BITS | number`` of a suit's cards."""
    code, number, times, used, begin = 0, 0, 1, 0, 0
    left = arrays.ranks
    for k in range(len(arrays.end)):
        fresh, own = 0, 0
        for i in range(begin, arrays.end[k]):
            # without branches: which suit a card has cannot be predicted
            rank = (cards[i] >> 2) - arrays.lowest
            mine = np.int64((cards[i] & 3) == suit)
            own |= mine << rank
            # ranks of earlier rounds do not count
            fresh |= mine << (rank - arrays.size[used & ((1 << rank) - 1)])
        begin = arrays.end[k]
        n = arrays.size[fresh]
        number += times * arrays.colex[fresh]
        times *= arrays.choose[left, n]
        left -= n
        code += n * arrays.scale[k]
        used |= own
    return code << BITS | number


@njit(cache=True)
def _multisets(number: int, part: int) -> int:
    """Return ``number + part - 1`` over ``part``: the multisets of ``part`` numbers below ``number``."""
    if part <= 1:
        return number
    if part == 2:
        return number * (number + 1) // 2
    if part == 3:
        return number * (number + 1) // 2 * (number + 2) // 3
    return number * (number + 1) // 2 * (number + 2) // 3 * (number + 3) // 4


@njit(cache=True)
def _numbers(arrays: IndexArrays, index: int, cls: int) -> tuple[int, int, int, int]:
    """Return the numbers of the four suits of a deal of a class."""
    a, rest = _number(arrays, index - arrays.first[cls], cls, 0)
    b, rest = _number(arrays, rest, cls, 1)
    c, rest = _number(arrays, rest, cls, 2)
    d, rest = _number(arrays, rest, cls, 3)
    return a, b, c, d


@njit(cache=True)
def _number(arrays: IndexArrays, rest: int, cls: int, suit: int) -> tuple[int, int]:
    """Return a suit's number, and what is left of the index: the largest number whose multisets fit."""
    part, times = arrays.part[cls, suit], arrays.times[cls, suit]
    if times == 0:
        return 0, rest
    whole = rest // times
    low, high = 0, arrays.numbers[cls, suit] - 1
    if part == 1:
        low = high = whole
    while low < high:
        middle = (low + high + 1) // 2
        if _multisets(middle, part) <= whole:
            low = middle
        else:
            high = middle - 1
    return low, rest - times * _multisets(low, part)


@njit(cache=True)
def cards_of(arrays: IndexArrays, index: int, cards: Ints) -> None:
    """Write a deal with a number into ``cards``: rounds one after the other, each in increasing order."""
    cls = np.searchsorted(arrays.first, index, side="right") - 1
    numbers = _numbers(arrays, index, cls)
    begin = 0
    for k in range(len(arrays.end)):
        at = begin
        for suit in range(4):
            at = _deal_round(arrays, arrays.code[cls, suit], numbers[suit], suit, k, cards, at)
        _sort(cards, begin, at)
        begin = at


@njit(cache=True)
def _deal_round(
    arrays: IndexArrays, code: int, number: int, suit: int, round_number: int, cards: Ints, at: int
) -> int:
    """Write a suit's cards of a round from ``cards[at]`` on; return where the next suit's go."""
    left, used, begin = arrays.ranks, 0, 0
    for k in range(round_number + 1):
        n = code // arrays.scale[k] % (arrays.end[k] - begin + 1)
        begin = arrays.end[k]
        ways = arrays.choose[left, n]
        fresh = arrays.sets[arrays.start[n] + number % ways]
        number //= ways
        left -= n
        place, own = 0, 0
        for rank in range(arrays.ranks):
            if used >> rank & 1:
                continue
            if fresh >> place & 1:
                own |= 1 << rank
                if k == round_number:
                    cards[at] = 4 * (rank + arrays.lowest) + suit
                    at += 1
            place += 1
        used |= own
    return at


@njit(cache=True)
def _sort(cards: Ints, begin: int, end: int) -> None:
    """Sort ``cards[begin:end]`` in place by insertion."""
    for i in range(begin + 1, end):
        card, j = cards[i], i
        while j > begin and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card


@njit(cache=True)
def orbit_of(arrays: IndexArrays, index: int) -> int:
    """Return the number of deals that a number stands for: suits! over the permutations that fix one."""
    cls = np.searchsorted(arrays.first, index, side="right") - 1
    numbers = _numbers(arrays, index, cls)
    deals, alike = 1, 0
    for suit in range(arrays.suits):
        before = suit - 1
        same = (
            suit and arrays.code[cls, suit] == arrays.code[cls, before] and numbers[suit] == numbers[before]
        )
        alike = alike + 1 if same else 1
        deals = deals * (suit + 1) // alike
    return deals


@njit(cache=True)
def write_indices(arrays: IndexArrays, cards: Ints, index: Ints) -> None:
    """Write the number of each deal (N, cards) into ``index`` (N,)."""
    for i in range(len(cards)):
        index[i] = index_of(arrays, cards[i])


@njit(cache=True)
def write_cards(arrays: IndexArrays, index: Ints, cards: Ints) -> None:
    """Write a deal with each number (N,) into ``cards`` (N, cards)."""
    for i in range(len(index)):
        cards_of(arrays, index[i], cards[i])


@njit(cache=True)
def write_orbits(arrays: IndexArrays, index: Ints, orbit: Ints) -> None:
    """Write how many deals each number (N,) stands for into ``orbit`` (N,)."""
    for i in range(len(index)):
        orbit[i] = orbit_of(arrays, index[i])


@njit(cache=True)
def first_wrong_deal(cards: Ints, of_deck: NDArray[np.bool_]) -> int:
    """Return the first row of ``cards`` (N, cards) with a card twice or not of the deck, -1 if none."""
    for i in range(len(cards)):
        seen = 0
        for card in cards[i]:
            if card < 0 or card >= len(of_deck) or not of_deck[card] or seen >> card & 1:
                return i
            seen |= 1 << card
    return -1
