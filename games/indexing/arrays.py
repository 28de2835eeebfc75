"""Arrays by which deals are numbered up to suits, as kernels take them."""

from collections.abc import Iterator, Sequence
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.games.cards.cards import SUITS
from treeplex.games.cards.deck import Deck

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
    numbers = [_numbers(shape, ranks) for shape in shapes]
    part, times, total = [0] * N_SUITS, [0] * N_SUITS, 1
    for p in reversed(range(suits)):
        last = p == suits - 1 or shapes[p + 1] != shapes[p]
        part[p] = 1 if last else part[p + 1] + 1
        times[p] = total if last else times[p + 1]
        if p == 0 or shapes[p - 1] != shapes[p]:
            total *= comb(numbers[p] + part[p] - 1, part[p])
    return part, times, numbers, total


def _numbers(shape: Shape, ranks: int) -> int:
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
