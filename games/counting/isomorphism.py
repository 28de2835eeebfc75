"""Numbers of deals of groups of cards: of physical cards, up to permutations of suits, and by rank."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product
from math import comb, factorial

Groups = tuple[int, ...]
"""How many cards are dealt together, group after group: (2, 3, 1, 1) is a hand, a flop, a turn, a river."""
Polynomial = dict[Groups, int]
"""Coefficients by exponents, one variable a group, truncated at the sizes of the groups."""


def count_deals(cards: int, groups: Sequence[int]) -> int:
    """Return the number of ways to deal groups of the given sizes from ``cards`` different cards."""
    ways = 1
    for size in _checked(groups):
        ways, cards = ways * comb(max(cards, 0), size), cards - size
    return ways


def count_orbits(ranks: int, suits: int, groups: Sequence[int]) -> int:
    """Count the orbits of deals of groups of cards under permutations of suits.

    A deal is a sequence of disjoint sets: (2, 3) is a hand and a flop, of which hold'em has 1,286,792 orbits;
    (5,) is a set of five cards. By Burnside's lemma the number is the mean, over all permutations of suits,
    of the number of deals that the permutation fixes: those in which the cards of each of its cycles, at each
    rank, are all in one group or all in none (Waugh, A fast and optimal hand isomorphism algorithm, 2013,
    numbers the same classes).

    Parameters
    ----------
    ranks, suits : int
        The deck, a card for each rank and suit.
    groups : sequence of int
        The size of each group.

    Returns
    -------
    int
        Exact; 0 where the deck has fewer cards.

    Raises
    ------
    ValueError
        If ranks, suits or a size is not an integer, or is too small.
    """
    for name, value in (("ranks", ranks), ("suits", suits)):
        if not isinstance(value, int) or value < 1:
            raise ValueError(f"{name} must be an integer of at least 1, got {value!r}")
    sizes = _checked(groups)
    types = Counter(_cycles(permutation) for permutation in permutations(range(suits)))
    fixed = sum(n * _fixed_deals(ranks, cycles, sizes) for cycles, n in types.items())
    orbits, rest = divmod(fixed, factorial(suits))
    assert rest == 0
    return orbits


def count_rank_deals(copies: Sequence[int], groups: Sequence[int]) -> int:
    """Count the deals of groups of cards by ranks: sequences of multisets of ranks.

    Parameters
    ----------
    copies : sequence of int
        How many cards of each rank there are.
    groups : sequence of int
        The size of each group, a multiset of ranks.
    """
    sizes = _checked(groups)
    return _coefficient([_copies_of_a_rank(n, sizes) for n in copies], sizes)


def _checked(groups: Sequence[int]) -> Groups:
    if any(not isinstance(size, int) or size < 0 for size in groups):
        raise ValueError(f"groups must be integers of at least 0, got {groups!r}")
    return tuple(groups)


def _cycles(permutation: Sequence[int]) -> tuple[int, ...]:
    """Return the lengths of a permutation's cycles, in increasing order."""
    lengths, seen = [], set[int]()
    for start in permutation:
        length, place = 0, start
        while place not in seen:
            seen.add(place)
            length, place = length + 1, permutation[place]
        lengths += [length] if length else []
    return tuple(sorted(lengths))


def _fixed_deals(ranks: int, cycles: Sequence[int], sizes: Groups) -> int:
    """Count the deals that a permutation of suits with cycles of these lengths fixes."""
    factors = [
        {(0,) * len(sizes): 1} | {_in_group(sizes, g, n): 1 for g in range(len(sizes))} for n in cycles
    ]
    one_rank = {(0,) * len(sizes): 1}
    for cycle in factors:
        one_rank = _times(one_rank, cycle, sizes)
    return _coefficient([one_rank] * ranks, sizes)


def _in_group(sizes: Groups, group: int, cards: int) -> Groups:
    return tuple(cards * (g == group) for g in range(len(sizes)))


def _copies_of_a_rank(copies: int, sizes: Groups) -> Polynomial:
    """Return the generating function of the numbers of cards of one rank in each group."""
    return {taken: 1 for taken in product(*(range(n + 1) for n in sizes)) if sum(taken) <= copies}


def _coefficient(factors: Sequence[Polynomial], sizes: Groups) -> int:
    """Return the coefficient of the monomial with exponents ``sizes`` in a product of polynomials."""
    result: Polynomial = {(0,) * len(sizes): 1}
    for factor in factors:
        result = _times(result, factor, sizes)
    return result.get(sizes, 0)


def _times(left: Polynomial, right: Polynomial, sizes: Groups) -> Polynomial:
    result: Polynomial = {}
    for (a, n), (b, m) in product(left.items(), right.items()):
        power = tuple(map(sum, zip(a, b, strict=True)))
        if all(p <= size for p, size in zip(power, sizes, strict=True)):
            result[power] = result.get(power, 0) + n * m
    return result
