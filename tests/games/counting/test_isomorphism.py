"""Deals counted up to suits: published numbers, and brute force on small decks."""

from itertools import combinations
from math import comb, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from treeplex.bench.theorems.theorem import Instance
from treeplex.bench.theorems_in_papers.waugh_2013 import ENUMERATED_ORBITS
from treeplex.games.counting.deal_counts import count_deals, count_orbits, count_rank_deals

DECKS = st.tuples(st.integers(1, 3), st.integers(1, 4))
GROUPS = st.lists(st.integers(0, 3), max_size=3).filter(lambda sizes: sum(sizes) <= 4)


def deals(cards, groups):
    """Yield every deal as a tuple of sets of cards."""
    if not groups:
        yield ()
        return
    for first in combinations(cards, groups[0]):
        for rest in deals([card for card in cards if card not in first], groups[1:]):
            yield (frozenset(first), *rest)


@given(DECKS, GROUPS)
def test_orbits_are_those_of_brute_force(deck, groups):
    sizes = " ".join(map(str, groups))
    for comparison in ENUMERATED_ORBITS.measure(Instance(choice=f"{deck[0]} {deck[1]}: {sizes}")):
        assert comparison.left == comparison.right, comparison.at


@given(st.lists(st.integers(0, 4), min_size=1, max_size=3), GROUPS)
def test_rank_deals_are_those_of_brute_force(copies, groups):
    cards = [(rank, copy) for rank, n in enumerate(copies) for copy in range(n)]
    seen = {
        tuple(tuple(sorted(rank for rank, _ in group)) for group in deal) for deal in deals(cards, groups)
    }
    assert count_rank_deals(copies, groups) == len(seen)


@given(st.integers(1, 13), st.integers(1, 4), GROUPS)
def test_orbits_lie_between_what_suits_could_merge_at_most_and_nothing(ranks, suits, groups):
    everything = count_deals(ranks * suits, groups)
    assert everything <= count_orbits(ranks, suits, groups) * factorial(suits)
    assert count_orbits(ranks, suits, groups) <= everything
    assert count_orbits(ranks, 1, groups) == count_deals(ranks, groups)


def test_raw_deals():
    assert count_deals(52, (3,)) == 22_100
    assert count_deals(52, (2, 5)) == 1_326 * comb(50, 5)
    assert count_deals(52, (7,)) == 133_784_560
    assert count_deals(3, (2, 2)) == count_orbits(1, 3, (2, 2)) == count_rank_deals([1, 2], (2, 2)) == 0
    assert count_deals(3, ()) == count_orbits(1, 3, ()) == count_rank_deals([1, 2], ()) == 1


@over(
    [
        (0, 4, (2,), "ranks must be an integer of at least 1, got 0"),
        (13, 1.5, (2,), "suits must be an integer of at least 1, got 1.5"),
        (13, 4, (2, -1), r"groups must be integers of at least 0, got \(2, -1\)"),
    ]
)
def test_nonsense_is_refused(ranks, suits, groups, says):
    with pytest.raises(ValueError, match=says):
        count_orbits(ranks, suits, groups)
