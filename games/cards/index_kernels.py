"""Kernels that number deals up to suits, and back, and the arrays by which they do.

Of one deal, for other kernels, and of many. What is called for every deal is inlined: the arrays are too
many to be passed each time.
"""

from collections.abc import Iterator, Sequence
from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.cards.cards import SUITS, Deck

Ints = NDArray[np.int64]
N_SUITS = len(SUITS)
"""Suits that kernels treat; those that a deck lacks hold no card."""

Shape = tuple[int, ...]
"""How many cards of one suit fall in each round."""


class IndexArrays(NamedTuple):
    """What kernels need to number deals of one deck in given rounds.

    The cards of one suit have a *shape*, how many fall in each round, written as a number ``code``; and
    among all sets of cards of this shape a ``number``. A *class* of deals is what shapes the four suits
    have, in decreasing order of codes. Suits of equal shape form a *group*; its numbers count as a multiset.

    Attributes
    ----------
    lowest, ranks, suits : int
        Rank of the lowest cards (card id // 4), number of ranks and of suits.
    end : (K,) int64
        One past the last card of each round, in the order of dealing.
    scale : (K,) int64
        What a card adds to its suit's code, by round.
    codes : int
        One past the largest code.
    dealt : (codes, K) int64
        The shape that each code stands for.
    colex : (2 ** ranks,) int64
        Of each set of ranks, a mask: ``size << 32``, plus its colexicographic number among sets of that size.
    sets : (2 ** ranks,) int64
        The sets by size, and by number within a size.
    start : (ranks + 2,) int64
        First set of each size in ``sets``.
    choose : (ranks + 1, ranks + 1) int64
        Binomials n over k.
    class_of : (codes ** 3,) int32
        Class by the three largest codes, the first digit first; -1 where there is none.
    first : (C + 1,) int64
        Index of the first deal of each class; the last entry is the number of all classes of deals.
    code : (C, 4) int64
        Codes of a class, decreasing.
    part : (C, 4) int64
        In a group of m suits m, m - 1, ..., 1: the binomial that stands for a suit's number.
    times : (C, 4) int64
        What one more multiset of a suit's group adds to the index; 0 for suits that the deck lacks.
    numbers : (C, 4) int64
        How many numbers a suit of the shape has.
    """

    lowest: int
    ranks: int
    suits: int
    end: Ints
    scale: Ints
    codes: int
    dealt: Ints
    colex: Ints
    sets: Ints
    start: Ints
    choose: Ints
    class_of: NDArray[np.int32]
    first: Ints
    code: Ints
    part: Ints
    times: Ints
    numbers: Ints


def index_arrays(deck: Deck, rounds: Sequence[int]) -> IndexArrays:
    """Return the arrays of a deck and rounds, which :class:`HandIndex` has checked."""
    scale = [int(np.prod([n + 1 for n in rounds[:k]], dtype=np.int64)) for k in range(len(rounds))]
    codes = int(np.prod([n + 1 for n in rounds]))
    classes = list(_classes(tuple(rounds), deck.suits, deck.ranks))
    code = [[sum(n * s for n, s in zip(shape, scale, strict=True)) for shape in one] for one in classes]
    order = sorted(range(len(classes)), key=lambda c: code[c], reverse=True)
    rows = [_class_row(classes[c], deck.suits, deck.ranks) for c in order]
    code_of = np.array([code[c] for c in order], np.int64)
    class_of = np.full(codes**3, -1, np.int32)
    class_of[(code_of[:, 0] * codes + code_of[:, 1]) * codes + code_of[:, 2]] = np.arange(len(rows))
    part, times, numbers, totals = zip(*rows, strict=True)
    colex, sets, start = _rank_sets(deck.ranks)
    choose = [[comb(n, k) for k in range(deck.ranks + 1)] for n in range(deck.ranks + 1)]
    return IndexArrays(
        lowest=deck.cards[0] // N_SUITS,
        ranks=deck.ranks,
        suits=deck.suits,
        end=np.cumsum(rounds, dtype=np.int64),
        scale=np.array(scale, np.int64),
        codes=codes,
        dealt=np.arange(codes)[:, None] // np.array(scale) % (np.array(rounds) + 1),
        colex=colex,
        sets=sets,
        start=start,
        choose=np.array(choose, np.int64),
        class_of=class_of,
        first=np.concatenate([[0], np.cumsum(totals, dtype=np.int64)]),
        code=code_of,
        part=np.array(part, np.int64),
        times=np.array(times, np.int64),
        numbers=np.array(numbers, np.int64),
    )


def _classes(rounds: Shape, suits: int, ranks: int) -> Iterator[tuple[Shape, ...]]:
    """Yield the shapes of four suits that deal all cards of the rounds, each decreasing in its code."""
    none = (0,) * len(rounds)
    stack: list[tuple[Shape, ...]] = [()]
    while stack:
        shapes = stack.pop()
        left = tuple(n - sum(taken) for n, *taken in zip(rounds, *shapes, strict=True))
        if len(shapes) == suits:
            if left == none:
                yield (*shapes, *(none,) * (N_SUITS - suits))
            continue
        for shape in _shapes(left, ranks):
            if not shapes or shape[::-1] <= shapes[-1][::-1]:
                stack.append((*shapes, shape))


def _shapes(left: Shape, ranks: int) -> Iterator[Shape]:
    """Yield the shapes of a suit that take at most what is left in each round."""
    for place in np.ndindex(*(n + 1 for n in left)):
        if sum(place) <= ranks:
            yield place


def _class_row(
    shapes: Sequence[Shape], suits: int, ranks: int
) -> tuple[list[int], list[int], list[int], int]:
    """Return part, times and numbers of the four suits of a class, and how many deals the class has."""
    numbers = [_ways(shape, ranks) for shape in shapes]
    part, times, total = [0] * N_SUITS, [0] * N_SUITS, 1
    for p in reversed(range(suits)):
        last = p == suits - 1 or shapes[p + 1] != shapes[p]
        part[p] = 1 if last else part[p + 1] + 1
        times[p] = total if last else times[p + 1]
        if p == 0 or shapes[p - 1] != shapes[p]:
            total *= comb(numbers[p] + part[p] - 1, part[p])
    return part, times, numbers, total


def _ways(shape: Shape, ranks: int) -> int:
    """Return how many ways a suit has for a shape: a set of ranks each round, from those not yet dealt."""
    ways = 1
    for n in shape:
        ways, ranks = ways * comb(ranks, n), ranks - n
    return ways


def _rank_sets(ranks: int) -> tuple[Ints, Ints, Ints]:
    """Return colex, sets and start: masks in increasing order are colexicographic within a size."""
    masks = np.arange(1 << ranks, dtype=np.int64)
    size = np.array([mask.bit_count() for mask in masks.tolist()], np.int64)
    sets = np.argsort(size, kind="stable")
    start = np.searchsorted(size[sets], np.arange(ranks + 2))
    colex = np.empty_like(masks)
    colex[sets] = size[sets] << 32 | masks - start[size[sets]]
    return colex, sets.astype(np.int64), start.astype(np.int64)


BITS = 40
"""A suit is sorted as one integer, ``code << BITS | number``."""
LOW = (1 << BITS) - 1
"""The bits of the number."""
SUIT, HALF = (1 << 16) - 1, (1 << 32) - 1
"""The bits of a set of ranks; of the lower half of an integer."""


@njit(cache=True, inline="always")
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
    used, begin = 0, 0
    a, b, c, d = 0, 0, 0, 0
    of_a, of_b, of_c, of_d = 1, 1, 1, 1
    left_a, left_b, left_c, left_d = arrays.ranks, arrays.ranks, arrays.ranks, arrays.ranks
    for k in range(len(arrays.end)):
        # sets of ranks of all four suits, 16 bits each; ranks of earlier rounds do not count in ``fresh``
        fresh, own = 0, 0
        for i in range(begin, arrays.end[k]):
            shift, rank = (cards[i] & 3) << 4, (cards[i] >> 2) - arrays.lowest
            lower = used >> shift & ((1 << rank) - 1)
            fresh |= 1 << (shift + rank - (arrays.colex[lower] >> 32))
            own |= 1 << (shift + rank)
        begin = arrays.end[k]
        used |= own
        a, of_a, left_a = _with_round(arrays, k, fresh & SUIT, a, of_a, left_a)
        b, of_b, left_b = _with_round(arrays, k, fresh >> 16 & SUIT, b, of_b, left_b)
        c, of_c, left_c = _with_round(arrays, k, fresh >> 32 & SUIT, c, of_c, left_c)
        d, of_d, left_d = _with_round(arrays, k, fresh >> 48 & SUIT, d, of_d, left_d)
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    codes, part, times = arrays.codes, arrays.part, arrays.times
    cls = arrays.class_of[((a >> BITS) * codes + (b >> BITS)) * codes + (c >> BITS)]
    index = arrays.first[cls] + times[cls, 0] * _multisets(a & LOW, part[cls, 0])
    index += times[cls, 1] * _multisets(b & LOW, part[cls, 1])
    index += times[cls, 2] * _multisets(c & LOW, part[cls, 2])
    index += times[cls, 3] * _multisets(d & LOW, part[cls, 3])
    return int(index)


@njit(cache=True, inline="always")
def _with_round(
    arrays: IndexArrays, round_number: int, fresh: int, key: int, of_key: int, left: int
) -> tuple[int, int, int]:
    """Return ``code << BITS | number`` of a suit after a round, how many numbers it has, and ranks left."""
    size = arrays.colex[fresh] >> 32
    key += (size * arrays.scale[round_number] << BITS) + of_key * (arrays.colex[fresh] & HALF)
    return key, of_key * arrays.choose[left, size], left - size


@njit(cache=True, inline="always")
def _multisets(number: int, part: int) -> int:
    """Return ``number + part - 1`` over ``part``: the multisets of ``part`` numbers below ``number``."""
    pairs = number * (number + 1) >> 1
    if part <= 2 or number == 0:
        return pairs if part == 2 else number
    triples = pairs * (number + 2) // 3
    return triples if part == 3 else triples * (number + 3) >> 2


@njit(cache=True, inline="always")
def _numbers(arrays: IndexArrays, index: int, cls: int) -> tuple[int, int, int, int]:
    """Return the numbers of the four suits of a deal of a class."""
    a, rest = _number(arrays, index - arrays.first[cls], cls, 0)
    b, rest = _number(arrays, rest, cls, 1)
    c, rest = _number(arrays, rest, cls, 2)
    d, rest = _number(arrays, rest, cls, 3)
    return a, b, c, d


@njit(cache=True, inline="always")
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
    filled, begin = 0, 0
    for suit in range(arrays.suits):
        if arrays.code[cls, suit]:
            filled = _deal_suit(arrays, arrays.code[cls, suit], numbers[suit], suit, filled, cards)
    for k in range(len(arrays.end)):
        _sort(cards, begin, arrays.end[k])
        begin = arrays.end[k]


@njit(cache=True, inline="always")
def _deal_suit(arrays: IndexArrays, code: int, number: int, suit: int, filled: int, cards: Ints) -> int:
    """Write a suit's cards; ``filled`` is how many cards each round has, a byte each, before and after."""
    left, used, begin = arrays.ranks, 0, 0
    for k in range(len(arrays.end)):
        n = arrays.dealt[code, k]
        if n:
            ways = arrays.choose[left, n]
            fresh = arrays.sets[arrays.start[n] + number % ways]
            number //= ways
            left -= n
            at, own, place = begin + (filled >> 8 * k & 255), 0, 0
            while fresh:
                if fresh & 1:
                    rank = _unused(used, place)
                    cards[at] = 4 * (rank + arrays.lowest) + suit
                    own |= 1 << rank
                    at += 1
                fresh >>= 1
                place += 1
            used |= own
            filled += n << 8 * k
        begin = arrays.end[k]
    return filled


@njit(cache=True, inline="always")
def _unused(used: int, place: int) -> int:
    """Return the rank that has ``place`` unused ones below it and is not in the set ``used``."""
    rank = place
    while used and used & -used <= 1 << rank:
        used &= used - 1
        rank += 1
    return rank


@njit(cache=True, inline="always")
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def first_wrong_deal(cards: Ints, of_deck: NDArray[np.bool_]) -> int:
    """Return the first row of ``cards`` (N, cards) with a card twice or not of the deck, -1 if none."""
    for i in range(len(cards)):
        seen = 0
        for card in cards[i]:
            if card < 0 or card >= len(of_deck) or not of_deck[card] or seen >> card & 1:
                return i
            seen |= 1 << card
    return -1
