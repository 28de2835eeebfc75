"""Deals counted up to suits: published numbers, and brute force on small decks."""

from itertools import combinations, permutations
from math import comb, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeplex.games.counting.isomorphism import count_deals, count_orbits, count_rank_deals

WAUGH = "Waugh, A fast and optimal hand isomorphism algorithm (2013)"
GILPIN = "Gilpin and Sandholm, Lossless abstraction of imperfect information games (2007)"
ORBITS = [
    ((2,), 169, WAUGH),
    ((2, 3), 1_286_792, WAUGH),
    ((2, 3, 1), 55_190_538, WAUGH),
    ((2, 3, 1, 1), 2_428_287_420, WAUGH),
    ((2, 4), 13_960_050, WAUGH),
    ((2, 5), 123_156_254, WAUGH),
    ((3,), 1_755, WAUGH),
    ((3, 1), 63_193, "counted by Burnside's lemma elsewhere"),
    ((3, 1, 1), 2_554_656, "counted by Burnside's lemma elsewhere"),
    ((4,), 16_432, WAUGH),
    ((5,), 134_459, WAUGH),
    ((7,), 6_009_159, "counted by Burnside's lemma elsewhere"),
    ((1,), 13, GILPIN),
    ((1, 1), 325, GILPIN),
    ((1, 1, 1), 9_997, GILPIN),
]
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


def renamed(deal, names):
    return tuple(frozenset((rank, names[suit]) for rank, suit in group) for group in deal)


@pytest.mark.parametrize(("groups", "orbits", "source"), ORBITS)
def test_full_deck(groups, orbits, source):
    assert count_orbits(13, 4, groups) == orbits, source


@given(DECKS, GROUPS)
def test_orbits_are_those_of_brute_force(deck, groups):
    ranks, suits = deck
    left = set(deals([(rank, suit) for rank in range(ranks) for suit in range(suits)], groups))
    assert count_deals(ranks * suits, groups) == len(left)
    orbits = 0
    while left:
        deal = next(iter(left))
        left -= {renamed(deal, names) for names in permutations(range(suits))}
        orbits += 1
    assert count_orbits(ranks, suits, groups) == orbits


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


@pytest.mark.parametrize(
    ("ranks", "suits", "groups", "says"),
    [
        (0, 4, (2,), "ranks must be an integer of at least 1, got 0"),
        (13, 1.5, (2,), "suits must be an integer of at least 1, got 1.5"),
        (13, 4, (2, -1), r"groups must be integers of at least 0, got \(2, -1\)"),
    ],
)
def test_nonsense_is_refused(ranks, suits, groups, says):
    with pytest.raises(ValueError, match=says):
        count_orbits(ranks, suits, groups)
