"""The table of preflop showdowns, counted in other ways: pairs on a board, boards of a pair."""

from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex.games.cards.cards import N_CARDS, SUITS, cards_text, parse_cards
from treeplex.games.cards.evaluator import DEAD, holdem_strength
from treeplex.games.cards.preflop import (
    CLASSES,
    MAX_PAIRS,
    N_BOARDS,
    class_hands,
    class_of,
    equity,
    preflop_matchups,
)
from treeplex.games.cards.preflop_table import canonical_boards, count_wins, main
from treeplex.games.cards.ranges import parse_range

HANDS = list(combinations(range(N_CARDS), 2))
CLASS_OF = np.array([class_of(hand) for hand in HANDS])


@pytest.fixture(scope="module")
def boards():
    return canonical_boards()


def naive_wins(board):
    """Compare all pairs of hands on one board; (169, 169)."""
    strengths = holdem_strength(board, HANDS)
    cards = np.array(HANDS)
    wins = np.zeros((len(CLASSES), len(CLASSES)), dtype=np.int64)
    for i in np.flatnonzero(strengths != DEAD):
        apart = ~np.isin(cards, cards[i]).any(axis=1)
        beaten = apart & (strengths != DEAD) & (strengths < strengths[i])
        wins[CLASS_OF[i]] += np.bincount(CLASS_OF[beaten], minlength=len(CLASSES))
    return wins


def test_classes_are_the_square_and_hold_the_hands_that_ranges_say():
    assert len(set(CLASSES)) == 169
    assert CLASSES[:3] == ("AA", "AKs", "AQs")
    assert CLASSES[13:15] == ("AKo", "KK")
    assert CLASSES[-2:] == ("32o", "22")
    for cls, (label, hands) in enumerate(zip(CLASSES, class_hands(), strict=True)):
        assert list(hands) == list(parse_range(label)), label
        assert {class_of(hand) for hand in hands} == {class_of(hand[::-1]) for hand in hands} == {cls}


def test_pairs_of_classes_are_pairs_of_disjoint_hands():
    counted = np.zeros_like(preflop_matchups().pairs)
    cards = np.array(HANDS)
    for i, hand in enumerate(HANDS):
        apart = ~np.isin(cards, hand).any(axis=1)
        counted[CLASS_OF[i]] += np.bincount(CLASS_OF[apart], minlength=len(CLASSES))
    assert np.array_equal(preflop_matchups().pairs, counted)
    assert counted.sum() == 1326 * 1225


def test_each_board_is_the_copy_of_one(boards):
    """Naming the suits anew gives as many boards as are counted, one of them among the canonical ones."""
    cards, copies = boards
    assert copies.sum() == 2_598_960
    copies_of = dict(zip(map(tuple, cards.tolist()), copies.tolist(), strict=True))
    random = Random(1)
    for deck in [range(N_CARDS)] * 100 + [
        range(0, N_CARDS, 4),
        range(20),
        [c for c in range(52) if c % 4 < 2],
    ]:
        board = random.sample(deck, 5)
        images = {
            tuple(sorted(card - card % 4 + names[card % 4] for card in board))
            for names in permutations(range(len(SUITS)))
        }
        [canonical] = images & copies_of.keys()
        assert copies_of[canonical] == len(images)


@over(
    [
        "AsKsQsJsTs",  # every hand ties
        "2s2h2d2cAs",  # all but aces tie
        "5s6s7s8s9s",  # two hands are better than the board
        "AsAhKdKcQs",
        "2s4s7s9sJs",
        "Ks9h7d4c2s",
    ]
)
def test_wins_on_a_board_agree_with_pairs_one_by_one(text):
    board = np.array([parse_cards(text)], dtype=np.uint8)
    assert np.array_equal(count_wins(board, np.array([1], dtype=np.int32)), naive_wins(board[0]))


def test_wins_on_several_boards_add_up_by_their_copies(boards):
    cards, copies = (array[::20_000].copy() for array in boards)
    expected = sum(int(n) * naive_wins(board) for board, n in zip(cards, copies, strict=True))
    assert np.array_equal(count_wins(cards, copies), expected)


def test_no_boards_no_wins():
    assert not count_wins(np.empty((0, 5), dtype=np.uint8), np.empty(0, dtype=np.int32)).any()


def test_the_table_is_of_all_showdowns():
    table = preflop_matchups()
    assert table.wins.dtype == table.ties.dtype == table.pairs.dtype == np.int64
    assert np.array_equal(table.wins + table.ties + table.losses, table.pairs * N_BOARDS)
    assert np.array_equal(table.ties, table.ties.T)
    assert table.wins.min() > 0
    assert table.ties.min() > 0
    with pytest.raises(ValueError, match="read-only"):
        table.wins[0, 0] = 1


@over([("AA", "KK"), ("AKs", "AKo"), ("76s", "76s"), ("JTs", "22")])
def test_the_table_agrees_with_all_boards_of_each_pair_of_hands(first, second):
    """Comparing two hands on all their boards shares nothing with sums over classes."""
    table = preflop_matchups()
    c, d = CLASSES.index(first), CLASSES.index(second)
    pairs = [(g, h) for g, h in product(class_hands()[c], class_hands()[d]) if not set(g) & set(h)]
    found = [equity(cards_text(g), cards_text(h)) for g, h in pairs]
    assert len(pairs) == table.pairs[c, d]
    assert sum(e.win for e in found) * N_BOARDS == table.wins[c, d]
    assert sum(e.tie for e in found) * N_BOARDS == table.ties[c, d]


@over(
    [
        ("AA", "KK", 0.819461),
        ("JTs", "22", 0.538384),
        ("AKs", "AKo", 0.524921),
        ("AA", "random", 0.852037),
        ("32o", "random", 0.323032),
    ]
)
def test_printed_equities(first, second, printed):
    value = equity(first, second)
    assert round(float(value.equity), 6) == printed
    assert value.equity == value.win + value.tie / 2 == 1 - equity(second, first).equity


def test_printed_wins_and_ties():
    assert [round(float(x), 6) for x in equity("AA", "KK")[:2]] == [0.817147, 0.004627]
    assert round(float(equity("AKs", "AKo").tie), 6) == 0.906695


def test_everything_against_itself_is_even():
    for text in ("random", "AA", "22+,AKs:0.5", "AsKd,QhQd"):
        value = equity(text, text)
        assert value.equity == Fraction(1, 2)
        assert value.tie < 1


def test_a_hand_is_worth_what_its_class_is_where_suits_do_not_matter():
    assert equity("AsKd", "QQ,JTs:0.5") == equity("AKo", "QQ,JTs:0.5")
    # four suits of eights and nines against all of queens: one call by hands, one by classes
    by_hands = [equity("9s8s", cards_text(hand)) for hand in class_hands()[CLASSES.index("QQ")]]
    assert sum(e.equity for e in by_hands) / 6 == equity("9s8s", "QQ").equity


def test_weights_count_pairs():
    """22 meets 6 aces at weight 1/3 and 6 kings at weight 1; none of them blocks it."""
    mixed, aces, kings = (equity("22", text) for text in ("AA:1/3,KK", "AA", "KK"))
    assert mixed.win == (aces.win + 3 * kings.win) / 4
    # two black aces in the way: one pair of aces is left against three
    blocked = equity("AsAh", "AA,KK")
    assert blocked.win == (equity("AsAh", "AdAc").win + 6 * equity("AsAh", "KK").win) / 7


@pytest.mark.seconds(3)
def test_bad_ranges():
    with pytest.raises(ValueError, match="two hands must have no card in common, got 'AsKd' and 'AsQh'"):
        equity("AsKd", "AsQh")
    with pytest.raises(ValueError, match="'XX' in range entry 'XX' is no hand"):
        equity("XX", "AA")
    with pytest.raises(
        ValueError, match=rf"may have {MAX_PAIRS:,} pairs of hands at most, got 1,\d\d\d,\d\d\d"
    ):
        equity("random,AsAh:0", "random,AsAh:0")


def test_the_table_is_written_to_the_file_that_is_named(capsys):
    assert main([]) == 2
    assert "usage: python -m treeplex.games.cards.preflop_table FILE" in capsys.readouterr().err


@pytest.mark.seconds(12)
def test_the_table_that_ships_is_the_one_that_is_counted(tmp_path: Path):
    path = tmp_path / "again.npz"
    assert main([str(path)]) == 0
    shipped = ROOT / "games" / "cards" / "data" / "preflop.npz"
    with np.load(path) as again, np.load(shipped) as stored:
        assert again.files == stored.files == ["wins"]
        assert again["wins"].dtype == stored["wins"].dtype == np.int32
        assert np.array_equal(again["wins"], stored["wins"])
