"""Numbers of deals up to suits: sizes, inversion, invariance, orbits; short decks against a naive twin."""

from itertools import combinations, permutations

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.games.cards.cards import Deck
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.counting.deal_counts import count_deals, count_orbits

HOLDEM = Deck(13, 4, False)
SIZES = {
    (2,): 169,
    (5,): 134_459,
    (2, 3): 1_286_792,
    (2, 3, 1): 55_190_538,
    (2, 3, 1, 1): 2_428_287_420,
    (2, 4): 13_960_050,
    (2, 5): 123_156_254,
}
SHORT = [
    (4, 4, (2, 3)),
    (4, 3, (2, 3, 1)),
    (5, 2, (2, 3, 1)),
    (4, 3, (2, 2, 1)),
    (5, 4, (2, 2)),
    (6, 2, (2, 3)),
    (6, 4, (4,)),
    (7, 3, (1, 1, 1)),
    (7, 1, (2, 3)),
    (8, 2, (1, 1, 1, 1)),
    (8, 4, (2, 1)),
    (3, 4, (8,)),
    (2, 4, (1, 1, 1, 1, 1, 1)),
    (3, 2, (1, 1)),
]


def naive_classes(deals, rounds, suits):
    """Return for each deal the smallest of its images under permutations of suits, as numbers."""
    ends = np.cumsum(rounds)
    images = []
    for image in permutations(range(suits)):
        renamed = deals - deals % 4 + np.array(image)[deals % 4]
        parts = [np.sort(renamed[:, end - n : end]) for n, end in zip(rounds, ends, strict=True)]
        images.append(np.hstack(parts) @ 52 ** np.arange(len(deals[0])))
    return np.min(images, axis=0)


def every_deal(cards, rounds):
    """Yield all deals, each round in increasing order."""
    if not rounds:
        yield ()
        return
    for dealt in combinations(cards, rounds[0]):
        left = [card for card in cards if card not in dealt]
        for rest in every_deal(left, rounds[1:]):
            yield (*dealt, *rest)


def random_deals(deck, n_cards, n, seed=0):
    order = np.random.default_rng(seed).random((n, len(deck.cards))).argsort(axis=1)
    return np.array(deck.cards)[order[:, :n_cards]]


@over(SIZES.items())
def test_sizes(rounds, size):
    assert HandIndex(HOLDEM, rounds).size == size == count_orbits(13, 4, rounds)


@pytest.mark.seconds(3)
@over([*((*one, False) for one in SHORT), *((*one, True) for one in SHORT[::4])])
def test_short_decks_by_brute_force(ranks, suits, rounds, top_is_king):
    deck = Deck(ranks, suits, top_is_king)
    index = HandIndex(deck, rounds)
    deals = np.array(list(every_deal(deck.cards, rounds)))
    numbers = index.of(deals)
    names = naive_classes(deals, rounds, suits)
    classes, first, many = np.unique(names, return_index=True, return_counts=True)
    assert np.array_equal(np.sort(numbers[first]), np.arange(index.size))
    of_class = dict(zip(classes.tolist(), numbers[first].tolist(), strict=True))
    assert [of_class[one] for one in names.tolist()] == numbers.tolist()
    assert np.array_equal(index.orbit(numbers[first]), many)
    again = index.cards(np.arange(index.size))
    assert [of_class[one] for one in naive_classes(again, rounds, suits).tolist()] == [*range(index.size)]


@pytest.mark.seconds(3)
def test_every_flop_hand_comes_back():
    index = HandIndex(HOLDEM, (2, 3))
    numbers = np.arange(index.size)
    cards = index.cards(numbers)
    assert np.array_equal(index.of(cards), numbers)
    assert index.orbit(numbers).sum() == count_deals(52, (2, 3))
    assert (np.diff(cards[:, :2], axis=1) > 0).all()
    assert (np.diff(cards[:, 2:], axis=1) > 0).all()


@over((rounds,) for rounds in SIZES)
def test_numbers_come_back_and_are_blind_to_suits_and_to_order_within_rounds(rounds):
    index, n = HandIndex(HOLDEM, rounds), 4_000
    deals = random_deals(HOLDEM, index.n_cards, n)
    numbers = index.of(deals)
    for image in permutations(range(4)):
        assert np.array_equal(index.of(deals - deals % 4 + np.array(image)[deals % 4]), numbers)
    begin = 0
    for end in np.cumsum(rounds):
        deals[:, begin:end] = deals[:, begin:end][:, ::-1].copy()
        begin = end
    assert np.array_equal(index.of(deals), numbers)
    assert np.array_equal(index.of(index.cards(numbers)), numbers)


@pytest.mark.seconds(12)
@over([((2, 4),), ((2, 3, 1),)])
def test_orbits_add_up_to_all_deals(rounds):
    index, step = HandIndex(HOLDEM, rounds), 1 << 22
    starts = range(0, index.size, step)
    total = sum(int(index.orbit(np.arange(k, min(k + step, index.size))).sum()) for k in starts)
    assert total == count_deals(52, rounds)


@over([((2, 3, 1),), ((2, 3, 1, 1),), ((2, 5),)])
def test_the_mean_orbit_of_random_numbers_is_that_of_all_deals(rounds):
    index = HandIndex(HOLDEM, rounds)
    numbers = np.random.default_rng(1).integers(0, index.size, 200_000)
    mean = index.orbit(numbers).mean() * index.size
    assert mean == pytest.approx(count_deals(52, rounds), rel=2e-3)


def test_orbits_of_the_hands_before_the_flop():
    index = HandIndex(HOLDEM, (2,))
    assert sorted(index.orbit(np.arange(169)).tolist()) == [4] * 78 + [6] * 13 + [12] * 78


def test_first_and_last_of_large_indices():
    index = HandIndex(HOLDEM, (2, 3, 1, 1))
    ends = np.array([0, index.size - 1])
    assert np.array_equal(index.of(index.cards(ends)), ends)


@over(
    [
        (HOLDEM, (), "a tuple of integers of at least 1, got"),
        (HOLDEM, (2, 0), "a tuple of integers of at least 1, got"),
        (HOLDEM, [2, 3], "a tuple of integers of at least 1, got"),
        (HOLDEM, (2, True), "a tuple of integers of at least 1, got"),
        (Deck(2, 2, False), (2, 3), "at most the 4 cards of the deck, got"),
        (HOLDEM, (1,) * 8, "at most 128 ways, got"),
        (HOLDEM, (10, 10), r"at most 2\*\*58 deals, got"),
        (Deck(20, 1, True), (1,), "at most 13 ranks, got 20"),
    ]
)
def test_what_cannot_be_numbered_is_refused(deck, rounds, complaint):
    with pytest.raises(ValueError, match=complaint):
        HandIndex(deck, rounds)


@over(
    [
        ([[0, 1, 2]], r"shape \(N, 5\), got \(1, 3\)"),
        ([0, 1, 2, 3, 4], r"shape \(N, 5\), got \(5,\)"),
        ([[48, 49, 50, 51, 48]], "different cards of the deck of 5 ranks and 4 suits, got As"),
        ([[48, 49, 50, 51, 3]], "different cards of the deck of 5 ranks and 4 suits, got 2c"),
        ([[48, 49, 50, 51, 52]], "different cards of the deck of 5 ranks and 4 suits, got 52"),
        ([[48, 49, 50, 51, -1]], "different cards of the deck of 5 ranks and 4 suits, got -1"),
    ]
)
def test_what_is_no_deal_is_refused(cards, complaint):
    with pytest.raises(ValueError, match=complaint):
        HandIndex(Deck(5, 4, False), (2, 3)).of(cards)


def test_cards_and_numbers_must_be_integers_in_range():
    index = HandIndex(Deck(5, 4, False), (2, 3))
    with pytest.raises(TypeError, match="cards must be integers, got dtype float64"):
        index.of([[48.0, 49, 50, 51, 47]])
    for bad in (-1, index.size):
        with pytest.raises(ValueError, match=f"from 0 to {index.size - 1:,}, got {bad}"):
            index.cards([0, bad])
    with pytest.raises(ValueError, match="shape"):
        index.orbit([[0]])
    with pytest.raises(TypeError, match="float64"):
        index.orbit([0.5])
