"""Equities against a range, compared with every pair of hands on every board, one by one."""

from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.games.cards.cards import N_CARDS, parse_cards
from treeplex.games.cards.equity import equities, opposing_weight
from treeplex.games.cards.evaluator import evaluate_batch
from treeplex.games.cards.preflop import equity
from treeplex.games.cards.ranges import parse_range

ALL = np.array(list(combinations(range(N_CARDS), 2)))
ONES = np.ones(len(ALL))


def naive(board, hands, villains, weights):
    """Return each hand's exact points won and weight met."""
    result = []
    for hand in hands:
        won, met = Fraction(0), Fraction(0)
        for villain, weight in zip(villains, weights, strict=True):
            known = [*board, *hand, *villain]
            if len(set(known)) < len(known) or weight == 0:
                continue
            rest = [card for card in range(N_CARDS) if card not in known]
            runouts = [(*board, *more) for more in combinations(rest, 5 - len(board))]
            mine = evaluate_batch([(*runout, *hand) for runout in runouts])
            theirs = evaluate_batch([(*runout, *villain) for runout in runouts])
            half_points = 2 * np.count_nonzero(mine > theirs) + np.count_nonzero(mine == theirs)
            won += Fraction(float(weight)) * half_points / (2 * len(runouts))
            met += Fraction(float(weight))
        result.append((won, met))
    return result


def assert_agree(found, expected, weight):
    """Within rounding: half an ulp of the whole weight for each of some 1,000 sums, over what is met."""
    for value, (won, met) in zip(found, expected, strict=True):
        assert np.isnan(value) == (met == 0)
        assert met == 0 or abs(value - float(won / met)) < 1e-13 * weight / float(met)


@over(
    [
        ("Ks Th 7s 4d 2c", 20),
        ("As Ks Qs Js Ts", 20),
        ("9s 9h 9d 9c 2s", 20),
        ("Ks Th 7s 4d", 20),
        ("8s 8h 7s 7h", 20),
        ("Qs Jh 2h", 5),
        ("6s 7s 8s", 5),
    ]
)
def test_agrees_with_hands_one_by_one(board, n):
    random = Random(board)
    table = parse_cards(board)
    # few ranks, so that hands share cards with each other and the board, and tie
    deck = [card for card in range(N_CARDS) if card // 4 in (0, 5, 6, 7, 9, 10, 12)]
    pairs = [tuple(random.sample(deck, 2)) for _ in range(2 * n)]
    weights = [random.choice([0.0, 1.0, random.random(), 1e-6]) for _ in range(n)]
    found = equities(table, pairs[:n], pairs[n:], weights)
    assert_agree(found, naive(table, pairs[:n], pairs[n:], weights), sum(weights))


@over(["Ks Th 7s 4d 2c", "Ks Th 7s 4d", "Ks Th 7s"])
def test_the_hands_of_a_range_are_even_against_it(board):
    """Each hand by what it meets: what one hand wins of another, the other one loses."""
    table = parse_cards(board)
    met = np.array([0 if set(hand) & set(table) else 1 for hand in ALL.tolist()])
    found = equities(table, ALL, ALL, ONES)
    assert np.array_equal(np.isnan(found), met == 0)
    # every live hand meets equally many others
    assert np.nanmean(found) == pytest.approx(0.5, abs=1e-13)


def test_limits_are_exact():
    royal = parse_cards("As Ks Qs Js Ts")
    assert set(equities(royal, ALL, ALL, ONES)[~np.isin(ALL, royal).any(axis=1)]) == {0.5}
    board = parse_cards("As Ah Kd 7c 2s")
    nuts, air = [parse_cards("Ac Ad")], parse_cards("4c 3d")
    assert equities(board, nuts, ALL, ONES).tolist() == [1.0]
    assert equities(board, [air], nuts, [0.3]).tolist() == [0.0]


def test_nothing_to_meet_is_nan():
    board = parse_cards("Ks Th 7s")
    hand, blocker, dead = parse_cards("As Ah"), parse_cards("As 2c"), parse_cards("Ks 2c")
    assert np.isnan(equities(board, [hand, dead], [blocker, dead], [1.0, 1.0])).tolist() == [True, True]
    assert np.isnan(equities(board, [parse_cards("QsQh")], [blocker], [0.0])).tolist() == [True]
    assert np.isnan(equities(board, [hand], np.empty((0, 2)), [])).tolist() == [True]
    assert equities(board, [], [hand], [1.0]).shape == (0,)
    assert np.isnan(equities((), [hand], [], [])).tolist() == [True]


def test_a_tiny_weight_is_not_lost_where_nothing_else_can_be_met():
    board = parse_cards("Ks Th 7s 4d 2c")
    hand, blocked, met = parse_cards("As Ah"), parse_cards("As Kd"), parse_cards("Qs Qd")
    assert equities(board, [hand], [blocked, met], [1.0, 1e-6])[0] == pytest.approx(1.0, abs=1e-9)


def test_hands_are_sets_and_weights_add_up():
    board = parse_cards("Ks Th 7s 4d")
    mine = [parse_cards("AsQs"), parse_cards("QsAs")]
    theirs = [parse_cards("KdKh"), parse_cards("6c5c"), parse_cards("KhKd")]
    first, again = equities(board, mine, theirs, [1, 3, 1])
    assert first == again
    assert first == equities(board[::-1], mine[:1], theirs[:2], [2, 3])[0]


@over(["random", "AA", "22+,A2s+:0.5,KQo:0.25"])
def test_the_empty_board_agrees_with_exact_equities(text):
    weights = parse_range(text)
    mine = ["AsAh", "KsQs", "7h2d"]
    found = equities(
        (), [parse_cards(hand) for hand in mine], list(weights), list(map(float, weights.values()))
    )
    assert found == pytest.approx([float(equity(hand, text).equity) for hand in mine], abs=1e-14)


@over(
    [
        (((0, 1), ALL, ALL, ONES), ValueError, r"a board has 0, 3, 4 or 5 cards, got shape \(2,\)"),
        (((0, 1, 1), ALL, ALL, ONES), ValueError, "a board's cards must differ, got 2s2h2h"),
        (((0, 1, 52), ALL, ALL, ONES), ValueError, "board must be ids from 0 to 51, got 0 to 52"),
        (((0, 1, 2), ALL / 2, ALL, ONES), TypeError, "hands must be integers, got dtype float64"),
        (((0, 1, 2), ALL.T, ALL, ONES), ValueError, r"hands must have shape \(H, 2\) .* got \(2, 1326\)"),
        (((0, 1, 2), [(5, 5)], ALL, ONES), ValueError, "a hand's cards must differ, got 3h3h in hands"),
        (((0, 1, 2), ALL, [(-1, 5)], [1]), ValueError, "villain_hands must be ids from 0 to 51, got -1 to 5"),
        (((0, 1, 2), ALL, ALL, [1]), ValueError, r"villain_weights must have shape \(1326,\), got \(1,\)"),
        (((0, 1, 2), ALL, ALL[:2], [1, -1]), ValueError, "must be finite and at least 0, got -1.0 at 1"),
        (((0, 1, 2), ALL, ALL[:1], [np.nan]), ValueError, "must be finite and at least 0, got nan at 0"),
        (((), ALL, ALL[:1], [1.0]), ValueError, "on an empty board .* got 0.0 to 1.0 for 22"),
    ]
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error, match=message) as caught:
        equities(*arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("n_cards", [1, 2])
def test_opposing_weight_is_a_sum_over_hands_without_common_cards(n_cards):
    rng = np.random.default_rng(n_cards)
    hands, others = (np.array([rng.permutation(70)[:n_cards] for _ in range(n)]) for n in (30, 50))
    weights = rng.random(50) * (rng.random(50) < 0.8)
    disjoint = [
        [w for w, other in zip(weights, others, strict=True) if not {*hand} & {*other}] for hand in hands
    ]
    assert opposing_weight(hands, others, weights) == pytest.approx([sum(one) for one in disjoint], rel=1e-12)
    assert not opposing_weight(hands, others[:0], weights[:0]).any()
