from itertools import chain, combinations, pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import config, njit

from tests.helpers.cells import over
from treeplex.games.cards.cards import parse_cards
from treeplex.games.cards.evaluator import (
    CATEGORIES,
    CATEGORY_SHIFT,
    DEAD,
    NO_CARDS,
    evaluate_batch,
    holdem_strength,
    strength_of,
    tables,
)

compiled = pytest.mark.skipif(config.DISABLE_JIT, reason="millions of hands are for compiled code")

SEVEN_CARD_COUNTS = {
    "high card": 23_294_460,
    "pair": 58_627_800,
    "two pair": 31_433_400,
    "trips": 6_461_620,
    "straight": 6_180_020,
    "flush": 4_047_644,
    "full house": 3_473_184,
    "quads": 224_848,
    "straight flush": 41_584,
}


def naive_five(cards):
    """Category and tie-breaking ranks of five cards, by the rule book."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(((ranks.count(r), r) for r in set(ranks)), reverse=True)
    shape, by_group = [n for n, _ in groups], [r for _, r in groups]
    flush = len({card % 4 for card in cards}) == 1
    straight = len(groups) == 5 and ranks[0] - ranks[4] == 4
    if ranks == [12, 3, 2, 1, 0]:
        straight, by_group = True, [3, 2, 1, 0, -1]
    if straight and flush:
        name = "straight flush"
    elif shape == [4, 1]:
        name = "quads"
    elif shape == [3, 2]:
        name = "full house"
    elif flush:
        name = "flush"
    elif straight:
        name = "straight"
    else:
        name = {3: "trips", 2: "two pair" if shape[1] == 2 else "pair", 1: "high card"}[shape[0]]
    return CATEGORIES.index(name), by_group


def naive(cards):
    return max(naive_five(five) for five in combinations(cards, 5))


def one(text):
    return int(evaluate_batch([parse_cards(text)])[0])


def assert_same_order(hands):
    """Fast strengths and naive ones order these hands alike, ties included, and name one category."""
    fast = [int(evaluate_batch([hand])[0]) for hand in hands]
    slow = [naive(hand) for hand in hands]
    assert [f >> CATEGORY_SHIFT for f in fast] == [s[0] for s in slow]
    ranked = sorted(zip(slow, fast, strict=True))
    for (slow_a, fast_a), (slow_b, fast_b) in pairwise(ranked):
        assert (slow_a == slow_b) == (fast_a == fast_b)
        assert fast_a <= fast_b


def category_counts(strengths):
    counts = np.bincount(strengths >> CATEGORY_SHIFT, minlength=len(CATEGORIES))
    return dict(zip(CATEGORIES, counts.tolist(), strict=True))


def all_hands(k):
    flat = chain.from_iterable(combinations(range(52), k))
    return np.fromiter(flat, dtype=np.uint8).reshape(-1, k)


@over([5, 6, 7])
def test_agrees_with_the_rule_book_on_random_hands(k):
    random = Random(k)
    assert_same_order([tuple(random.sample(range(52), k)) for _ in range(1_000)])
    # few ranks make quads and full houses, few suits flushes and straight flushes
    few_ranks = [card for card in range(52) if card // 4 in (0, 1, 12)]
    few_suits = [card for card in range(52) if card % 4 == 0 or card // 4 > 10]
    low_straights = [card for card in range(52) if card // 4 in (0, 1, 2, 3, 4, 12) and card % 4 < 2]
    decks = (few_ranks, few_suits, low_straights)
    assert_same_order([tuple(random.sample(deck, k)) for deck in decks for _ in range(400)])


@given(st.permutations(range(52)), st.permutations(range(4)))
def test_order_and_suits_do_not_matter_and_a_card_never_hurts(deck, suits):
    seven = deck[:7]
    strength = evaluate_batch([seven])[0]
    assert evaluate_batch([sorted(seven)])[0] == strength
    assert evaluate_batch([[card // 4 * 4 + suits[card % 4] for card in seven]])[0] == strength
    assert evaluate_batch([seven[:5]])[0] <= evaluate_batch([seven[:6]])[0] <= strength


@over(
    [
        ("As2d3h4c5s", "Ad2s3c4h5c"),  # the wheel
        ("As2d3h4c5sKdKh", "Ad2s3c4h5c"),  # which kings do not help
        ("As2s3s4s5sKdQh", "Ad2d3d4d5d"),  # the steel wheel
        ("As2s3s4s5sKs9s", "Ad2d3d4d5d"),  # which beats its own king-high flush
        ("AsAdAhKsKdKh2c", "AsAdAhKsKd"),  # two trips are a full house
        ("AsAdKsKdKh2c", "KsKdKhAsAd"),
        ("AsAdAhKsKdQhQc", "AsAdAhKsKd"),  # trips and two pairs
        ("AsAdKsKdQhQcJs", "AsAdKsKdQh"),  # three pairs, the kicker from the third
        ("AsAdKsKdQhQc", "AsAdKsKdQh"),
        ("AsAd3s3d2h2cKh", "AsAd3s3dKh"),  # three pairs, the kicker from outside
        ("2s2d2h2cAsAdKh", "2s2d2h2cAs"),
        ("2s2d2h2c3s3d3h", "2s2d2h2c3s"),
        ("AsKsQsJs9s8s7s", "AhKhQhJh9h"),  # seven suited cards
        ("6s7s8s9sTsJsQs", "8hQhJhTh9h"),
        ("6s7s8s9sTsJdQd", "6h7h8h9hTh"),  # a straight flush below the better straight
    ]
)
def test_hands_that_tempt(cards, same_as):
    assert one(cards) == one(same_as)


def test_the_steel_wheel_is_the_lowest_straight_flush_and_the_wheel_the_lowest_straight():
    assert one("As2s3s4s5s") < one("2s3s4s5s6s")
    assert one("AsAdAhAcKs") < one("As2s3s4s5s")
    assert one("As2d3h4c5s") < one("2d3h4c5s6s")
    assert one("AsAdAhKcQs") < one("As2d3h4c5s")
    assert one("QsKdAh2c3s") < one("2s2d3h4c5s")  # no straight around the corner


@pytest.mark.seconds(3)
@compiled
def test_all_five_card_hands_fall_into_their_categories_in_the_order_of_the_rule_book():
    hands = all_hands(5)
    strengths = evaluate_batch(hands)
    assert len(strengths) == 2_598_960
    distinct, first = np.unique(strengths, return_index=True)
    assert len(distinct) == 7_462
    assert all(a < b for a, b in pairwise(map(naive_five, hands[first].tolist())))
    assert category_counts(strengths) == {
        "high card": 1_302_540,
        "pair": 1_098_240,
        "two pair": 123_552,
        "trips": 54_912,
        "straight": 10_200,
        "flush": 5_108,
        "full house": 3_744,
        "quads": 624,
        "straight flush": 40,
    }


@njit
def count_strengths(tables, n_strengths):
    counts = np.zeros(n_strengths, dtype=np.int64)
    words, suits = tables.word, tables.suited
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        for f in range(e):
                            for g in range(f):
                                word, suited = NO_CARDS, 0
                                for card in (a, b, c, d, e, f, g):
                                    word += words[card]
                                    suited |= suits[card]
                                counts[strength_of(tables, word, suited)] += 1
    return counts


@compiled
def test_all_seven_card_hands_fall_into_their_categories():
    counts = count_strengths(tables(), len(CATEGORIES) << CATEGORY_SHIFT)
    assert counts.sum() == 133_784_560
    assert np.count_nonzero(counts) == 4_824
    by_category = counts.reshape(len(CATEGORIES), -1)
    assert dict(zip(CATEGORIES, by_category.sum(axis=1).tolist(), strict=True)) == SEVEN_CARD_COUNTS
    assert counts[one("AsKsQsJsTs")] == 4_324


def test_tables_are_shared_and_read_only():
    assert tables() is tables()
    assert not any(array.flags.writeable for array in tables())


@over(["Ks Th 7s 4d 2c", "5s6s7s8s9s", "KsKdKh2c", "AsKsQs"])
def test_strengths_on_a_board_are_those_of_all_cards_together(board):
    table = parse_cards(board)
    hands = np.array(list(combinations(range(52), 2)))
    alive = ~np.isin(hands, table).any(axis=1)
    strengths = holdem_strength(table, hands)
    assert strengths.dtype == np.int64
    assert (strengths[~alive] == DEAD).all()
    joined = np.hstack((hands[alive], np.tile(table, (alive.sum(), 1))))
    np.testing.assert_array_equal(strengths[alive], evaluate_batch(joined))
    np.testing.assert_array_equal(strengths, holdem_strength(table[::-1], hands[:, ::-1]))


def test_the_board_plays_for_everyone():
    strengths = holdem_strength(parse_cards("AsKsQsJsTs"), list(combinations(range(32), 2)))
    assert len(set(strengths.tolist())) == 1


def test_no_hands_have_no_strengths():
    assert evaluate_batch(np.empty((0, 7), dtype=np.int64)).shape == (0,)
    assert holdem_strength((0, 1, 2, 3, 4), []).shape == (0,)


@over(
    [
        ([[0, 1, 2, 3]], ValueError, r"\(n, 7\), got \(1, 4\)"),
        ([list(range(8))], ValueError, "must have shape"),
        (list(range(5)), ValueError, "must have shape"),
        ([[0, 1, 2, 3, 52]], ValueError, "0 to 51"),
        ([[0, 1, 2, 3, -1]], ValueError, "0 to 51"),
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3, 0]], ValueError, "row 1 holds a card twice"),
        ([[0.0, 1.0, 2.0, 3.0, 4.0]], TypeError, "must be integers"),
        ([["2s", "3s", "4s", "5s", "6s"]], TypeError, "must be integers"),
    ]
)
def test_a_bad_batch_is_refused(cards, error, message):
    with pytest.raises(error, match=message):
        evaluate_batch(cards)


@over(
    [
        ((0, 1), [(2, 3)], ValueError, "3 to 5 cards"),
        (range(6), [(7, 8)], ValueError, "3 to 5 cards"),
        ((0, 1, 1), [(7, 8)], ValueError, "must differ"),
        ((0, 1, 52), [(7, 8)], ValueError, "board must be ids from 0 to 51"),
        ((0, 1, 2), [(7, -8)], ValueError, "hands must be ids from 0 to 51"),
        ((0, 1, 2), [(7, 8), (9, 9)], ValueError, "hand 1 is 4h twice"),
        ((0, 1, 2), [(7, 8, 9)], ValueError, "shape"),
        ((0, 1, 2), [(7.5, 8.0)], TypeError, "must be integers"),
    ]
)
def test_a_bad_board_or_hand_is_refused(board, hands, error, message):
    with pytest.raises(error, match=message):
        holdem_strength(board, hands)
