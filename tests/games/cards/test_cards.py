import pytest

from tests.helpers.cells import over
from treeplex.games.cards.cards import (
    N_CARDS,
    RANKS,
    SUITS,
    card_text,
    cards_text,
    parse_card,
    parse_cards,
)
from treeplex.games.poker.rankings import RANKINGS, high_card, holdem, pair_with_board, three_card


def test_ids_are_four_times_rank_plus_suit():
    assert parse_card("2s") == 0
    assert parse_card("Ks") == 44
    assert parse_card("Ac") == 51
    for card in range(N_CARDS):
        assert parse_card(RANKS[card // 4] + SUITS[card % 4]) == card


def test_text_and_back_is_the_identity():
    assert [parse_card(card_text(card)) for card in range(N_CARDS)] == list(range(N_CARDS))
    assert cards_text(parse_cards("Ks Th 7s 4d 2c")) == "KsTh7s4d2c"
    assert cards_text(()) == ""


def test_cards_run_together_or_apart():
    expected = tuple(parse_card(text) for text in ("Ks", "Th", "7s", "4d", "2c"))
    assert parse_cards("Ks Th 7s 4d 2c") == expected
    assert parse_cards("KsTh7s4d2c") == expected
    assert parse_cards("  KsTh7s\t4d 2c\n") == expected
    assert parse_cards("") == ()


@over(["", "K", "sK", "ks", "KS", "10s", "1s", "Kx", "Ks ", "♠K", " s"])
def test_what_is_no_card_is_quoted(bad):
    with pytest.raises(ValueError, match="a card is one rank") as error:
        parse_card(bad)
    assert repr(bad) in str(error.value)


@over([("KsThKs", "Ks"), ("2c 2c", "2c"), ("Ks T", "'T'"), ("Ks,Th", "',T'")])
def test_bad_card_among_several_is_named(text, named):
    with pytest.raises(ValueError, match=named):
        parse_cards(text)


@over([-1, 52])
def test_ids_out_of_range_are_refused(card):
    with pytest.raises(ValueError, match=f"0 to 51, got {card}"):
        card_text(card)


def test_high_card_ranks_kuhn():
    jack, queen, king = ((card,) for card in parse_cards("Js Qs Ks"))
    assert high_card(jack, ()) < high_card(queen, ()) < high_card(king, ())
    assert high_card((4 * 99,), ()) == 99


def test_a_pair_with_the_board_beats_every_other_hand_of_leduc():
    strength = {
        text: pair_with_board(hole, parse_cards("Js"))
        for text in ("Jh", "Qs", "Qh", "Ks")
        for hole in [parse_cards(text)]
    }
    assert strength["Jh"] > strength["Ks"] > strength["Qs"] == strength["Qh"]


def test_three_card_order_is_rhode_islands():
    ascending = [
        "5s3d2c",  # high card, the lowest in the game
        "AsKdJc",  # the highest without a straight
        "2s2d3c",
        "2s2dAc",
        "3s3d2c",
        "AsAdKc",
        "5h3h2h",  # flushes
        "AhKhJh",
        "Ah2c3d",  # straights: the ace is low
        "2h3c4d",
        "QhKcAd",
        "2h2c2d",  # three of a kind
        "AhAcAd",
        "Ah2h3h",  # straight flushes
        "QhKhAh",
    ]
    strengths = [three_card((c[0],), c[1:]) for c in map(parse_cards, ascending)]
    assert strengths == sorted(set(strengths))


def test_three_card_knows_no_order_and_no_suits_rank():
    def strength(text):
        cards = parse_cards(text)
        return three_card(cards[:1], cards[1:])

    assert strength("AhKcJd") == strength("JsAdKc") == strength("KdJhAs")
    assert strength("2h2cAd") == strength("Ad2s2d") == strength("2cAs2d")
    assert strength("KsAh2d") < strength("2h2d3c")  # no straight around the corner


def test_holdem_ranks_five_to_seven_cards():
    board = parse_cards("Ks Th 7s 4d 2c")
    assert holdem(parse_cards("KhKd"), board) > holdem(parse_cards("KhTd"), board)
    assert holdem(parse_cards("3h5d"), board) == holdem(parse_cards("3d5h"), board)
    assert holdem(parse_cards("AhAd"), board[:3]) > holdem(parse_cards("AhQd"), board[:4])


@over(
    [
        ("high_card", (1, 2), (), "high_card needs 1"),
        ("pair_with_board", (), (3,), "pair_with_board needs 1"),
        ("pair_with_board", (1,), (), "pair_with_board needs 1"),
        ("three_card", (1, 2), (3, 4), "three_card needs 1"),
        ("three_card", (1,), (3,), "three_card needs 2"),
        ("holdem", (1, 2), (3, 4), "must have shape"),
        ("holdem", (1, 2), (2, 3, 4), "holds a card twice"),
    ]
)
def test_rankings_refuse_the_wrong_number_of_cards(name, hole, board, message):
    with pytest.raises(ValueError, match=message):
        RANKINGS[name](hole, board)
