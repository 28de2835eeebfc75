"""Card abstractions: buckets of hands, which games they fit, what is refused, what is shown."""

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

from tests.helpers.abstractions import drawn
from tests.helpers.cells import over
from treeplex.games.buckets.card_abstraction import CardAbstraction, StreetBuckets, bucket_dtype
from treeplex.games.buckets.perfect_recall import check_nested, lossless, parents
from treeplex.games.cards.cards import Deck
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.poker.named import (
    flop_holdem,
    kuhn_poker,
    leduc_poker,
    limit_holdem,
    no_limit_holdem,
    small_holdem,
    turn_holdem,
)

SHORT = Deck(5, 3, False)
ROUNDS = (2, 2, 1)


def live_hands(deck, board):
    return np.array([*combinations([card for card in deck.cards if card not in board], 2)])


@over(["perfect", "imperfect"], [0, 1, 2])
def test_buckets_are_those_of_the_table_and_blind_to_suits(recall, street):
    abstraction = drawn(SHORT, ROUNDS, (7, 5, 4), recall)
    board = SHORT.cards[3 : 3 + sum(ROUNDS[1 : street + 1])]
    hands = live_hands(SHORT, board)
    found = abstraction.buckets(street, board, hands)
    index = abstraction.indices[street]
    rows = np.array([[*hand, *board] for hand in hands.tolist()])
    assert np.array_equal(found, abstraction.streets[street].table[index.of(rows)])
    assert len({*found.tolist()}) > 1
    for image in permutations(range(3)):
        renamed = rows - rows % 4 + np.array(image)[rows % 4]
        assert np.array_equal(abstraction.buckets(street, renamed[0, 2:], renamed[:, :2]), found)


def test_only_perfect_recall_sees_which_card_fell_last():
    board = SHORT.cards[1:4]
    hands = live_hands(SHORT, board)
    for recall in ("perfect", "imperfect"):
        abstraction = drawn(SHORT, ROUNDS, (None, None, None), recall)
        one, other = (abstraction.buckets(2, b, hands) for b in (board, board[::-1]))
        assert np.array_equal(one, other) == (recall == "imperfect")


def test_a_lossless_abstraction_has_a_bucket_for_each_deal_up_to_suits():
    game = turn_holdem(ranks=4)
    abstraction = lossless(game)
    assert abstraction.of_game(game) is abstraction
    sizes = [HandIndex(game.deck, rounds).size for rounds in ((2,), (2, 3), (2, 3, 1))]
    assert abstraction.counts == tuple(sizes)
    assert abstraction.rounds == (2, 3, 1)
    board = game.deck.cards[:4]
    hands = live_hands(game.deck, board)
    rows = np.hstack([hands, np.tile(board, (len(hands), 1))])
    expected = HandIndex(game.deck, (2, 3, 1)).of(rows)
    assert np.array_equal(abstraction.buckets(3 - 1, board, hands), expected)


@over([kuhn_poker(), leduc_poker(), limit_holdem(), flop_holdem(flops=10)])
def test_lossless_abstractions_of_named_games(game):
    assert lossless(game).counts[0] == {1: 3, 2: 169}[game.hole_cards]


@over([((None, None, None),), ((7, None, 3),), ((7, 5, 3),), ((None, 4, None),)])
def test_parents_are_the_buckets_of_the_street_before(counts):
    abstraction = drawn(SHORT, ROUNDS, counts, "perfect")
    check_nested(abstraction)
    deals = np.random.default_rng(3).permuted(np.tile(SHORT.cards, (200, 1)), axis=1)
    for street in (1, 2):
        here = abstraction.of_deals(street, deals[:, : 3 + street])
        above = abstraction.of_deals(street - 1, deals[:, : 2 * street])
        assert np.array_equal(parents(abstraction, street)[here], above)


@over(["next", "first", "last"])
def test_a_bucket_that_does_not_imply_the_one_before_is_named(spoilt_by):
    abstraction = drawn(SHORT, ROUNDS, (7, 5, 3), "perfect")
    last, count = abstraction.streets[2], abstraction.counts[1]
    parents_of = {
        "next": (last.parent + 1) % count,
        "first": 0 * last.parent,
        "last": 0 * last.parent + count - 1,
    }
    wrong = replace(last, parent=parents_of[spoilt_by].astype(last.parent.dtype))
    spoilt = replace(abstraction, streets=(*abstraction.streets[:2], wrong))
    with pytest.raises(ValueError, match=r"on street 2 must imply bucket \d+ on the street before, got \d+"):
        check_nested(spoilt)


@over([(1, "uint16"), (65_536, "uint16"), (65_537, "uint32"), (131_072, "uint32")])
def test_tables_hold_all_numbers_of_buckets(count, dtype):
    assert bucket_dtype(count) == dtype


@over([0, 1, 2, 3])
def test_flops_that_tell_one_suit_apart_are_refused(suit):
    game = flop_holdem(5, 4, (1, 1))
    with pytest.raises(ValueError, match=r"flops of .* tell them apart"):
        lossless(game).of_game(replace(game, flops=(((48 + suit, 44 + suit, 40 + suit), 1),)))


def test_a_parent_that_is_not_there_is_refused():
    abstraction = drawn(SHORT, ROUNDS, (7, 5, 3), "perfect")
    last, count = abstraction.streets[2], abstraction.counts[1]
    wrong = replace(last, parent=np.where(last.parent == 0, count, last.parent).astype(last.parent.dtype))
    with pytest.raises(ValueError, match=f"parents of street 2 must be below {count}, got {count}"):
        replace(abstraction, streets=(*abstraction.streets[:2], wrong))


def test_parents_are_of_perfect_recall_only():
    abstraction = drawn(SHORT, ROUNDS, (7, 5, 3), "imperfect")
    with pytest.raises(ValueError, match="perfect recall only"):
        parents(abstraction, 1)
    with pytest.raises(ValueError, match="perfect recall only"):
        check_nested(abstraction)
    with pytest.raises(ValueError, match="street must be an integer from 1 to 2, got 0"):
        parents(drawn(SHORT, ROUNDS, (7, 5, 3), "perfect"), 0)


@over(
    [
        (turn_holdem(ranks=6), "of a deck of 5 ranks and 4 suits, .* has a deck of 6 ranks and 4 suits"),
        (limit_holdem(ranks=5), r"rounds of \(2, 3, 1\) cards, .* deals \(2, 3, 1, 1\)"),
        (replace(turn_holdem(ranks=5), ranges=({(48, 49): 1}, {(44, 45): 1})), "games without ranges"),
    ]
)
def test_games_that_an_abstraction_does_not_fit(game, complaint):
    abstraction = drawn(Deck(5, 4, False), (2, 3, 1), (None, 7, 5), "imperfect")
    abstraction.of_game(turn_holdem(ranks=5))
    with pytest.raises(ValueError, match=complaint):
        abstraction.of_game(game)


@over(["perfect", "imperfect"])
def test_a_game_of_fewer_streets_takes_the_first_ones(recall):
    deck = Deck(5, 4, False)
    abstraction = drawn(deck, (2, 3, 1), (None, 7, 5), recall)
    found = abstraction.of_game(flop_holdem(ranks=5))
    assert (found.rounds, found.counts) == ((2, 3), abstraction.counts[:2])
    board, hands = deck.cards[:3], live_hands(deck, deck.cards[:3])
    assert np.array_equal(found.buckets(1, board, hands), abstraction.buckets(1, board, hands))
    assert found.identity != abstraction.identity
    assert found.of_game(flop_holdem(ranks=5)) is found


def test_a_starting_board_is_refused():
    with pytest.raises(ValueError, match="games without a starting board"):
        lossless(small_holdem("As Kh Qs Jh"))
    assert lossless(no_limit_holdem()).counts[-1] == 2_428_287_420


TABLE = np.zeros(3, np.uint16)


@over(
    [
        (("kmeans", 3, TABLE, None), ValueError, "kind of buckets must be one of lossless, equity"),
        (("equity", 0, TABLE, None), ValueError, "number of buckets must be an integer from 1"),
        (("equity", 2, None, None), ValueError, "buckets without a table must be lossless"),
        (("lossless", 2, TABLE, None), ValueError, "buckets without a table must be lossless"),
        (("equity", 2, TABLE + 2, None), ValueError, "must be below their number 2, got 2"),
        (
            ("equity", 2, TABLE.astype(np.int64), None),
            ValueError,
            "uint16 or uint32, got 1 dimensions, int64",
        ),
        (("equity", 2, TABLE[:, None], None), ValueError, "got 2 dimensions"),
        (("equity", 2, [0, 1], None), TypeError, "must be an array"),
        (("equity", 2, TABLE, TABLE), ValueError, "2 buckets of a table have a parent, got 3"),
    ]
)
def test_buckets_that_cannot_be(fields, error, complaint):
    with pytest.raises(error, match=complaint):
        StreetBuckets(*fields)


def test_abstractions_that_cannot_be():
    good = drawn(SHORT, ROUNDS, (7, 5, 3), "perfect")
    first, second, third = good.streets
    flat = drawn(SHORT, ROUNDS, (7, 5, 3), "imperfect").streets
    for changes, complaint in (
        ({"recall": "some"}, "recall must be one of perfect, imperfect"),
        ({"seed": -1}, "seed must be an integer from 0"),
        ({"streets": (first, second)}, "must have 3 streets, one a round, got 2"),
        ({"streets": (first, first, third)}, "street 1 must have .* deals up to suits"),
        ({"streets": (first, replace(second, parent=None), third)}, "street 1 must have parents"),
        ({"recall": "imperfect", "streets": (flat[0], second, flat[2])}, "street 1 must not have parents"),
        (
            {"streets": (first, replace(second, parent=second.parent + np.uint16(7)), third)},
            "must be below 7",
        ),
    ):
        with pytest.raises(ValueError, match=complaint):
            replace(good, **changes)
    for street, board, complaint in (
        (3, SHORT.cards[:3], "street must be an integer from 0 to 2, got 3"),
        (1, SHORT.cards[:3], "the board of street 1 must have 2 cards, got 3"),
        (1, SHORT.cards[-2:], "different cards of the deck"),
    ):
        with pytest.raises(ValueError, match=complaint):
            good.buckets(street, board, [SHORT.cards[-2:]])


def test_the_identity_is_that_of_the_content():
    one, same = (drawn(SHORT, ROUNDS, (7, 5, 3), "perfect") for _ in range(2))
    assert one.identity == same.identity
    others = [
        drawn(SHORT, ROUNDS, (7, 5, 3), "perfect", seed=1),
        drawn(SHORT, ROUNDS, (7, 5, 3), "imperfect"),
        replace(one, text="other"),
    ]
    assert len({one.identity, *(other.identity for other in others)}) == 4


def test_what_is_shown(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    abstraction = drawn(Deck(13, 4, False), (2, 3), (None, 200), "imperfect")
    lines = str(abstraction).splitlines()
    assert lines[0] == "card abstraction of 13 ranks and 4 suits, imperfect recall: drawn"
    assert lines[2].split() == ["preflop", "lossless", "169", "169", "1", "1", "1", "0"]
    assert lines[3].split() == ["flop", "equity", "200", "1,286,792", "6,433", "6,434", "6,434", "2,573,584"]
    assert repr(abstraction) == "CardAbstraction(169 / 200 buckets, imperfect recall)"


def test_a_table_per_street_is_needed():
    one = drawn(SHORT, ROUNDS, (7, 5, 3), "imperfect")
    with pytest.raises(ValueError, match="lossless buckets have one deal"):
        _ = drawn(SHORT, ROUNDS, (None, 5, 3), "imperfect").streets[0].sizes
    assert one.streets[1].sizes.sum() == one.indices[1].size
    assert isinstance(one, CardAbstraction)
