"""Maps of buckets: hands added up by classes, colours by equity, in a terminal, a file and as JSON."""

import json
from itertools import combinations

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.abstractions import drawn
from tests.helpers.cells import over
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import BAD_INPUT, run
from treeplex.games.cards.cards import Deck, parse_cards
from treeplex.games.cards.equity import equities
from treeplex.pictures.bucket_grid import bucket_grid
from treeplex.pictures.hand_colours import value_colour

HOLDEM = Deck(13, 4, False)
SHORT = Deck(4, 4, False)
GAME = "flop_holdem(ranks=4)"
BOARD = "AsKsQh"


@pytest.fixture(scope="module")
def abstraction():
    return drawn(SHORT, (2, 3), (None, 6), "imperfect")


@pytest.fixture(scope="module")
def path(tmp_path_factory, abstraction):
    path = tmp_path_factory.mktemp("abstraction") / "a.npz"
    tp.write_abstraction(path, abstraction)
    return path


@pytest.fixture
def command(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments):
        capsys.readouterr()
        code = run(["show", *map(str, arguments)])
        return code, *capsys.readouterr()

    return call


def test_hands_are_added_up_by_class_and_buckets_sorted_by_equity():
    hands = np.array([parse_cards(hand) for hand in ("AdAc", "AhAs", "KsAs", "KhAh", "KhAs")])
    grid = bucket_grid(HOLDEM, hands, np.array([9, 9, 4, 9, 7]), np.array([0.8, 0.9, 0.2, 0.7, 0.6]))
    assert grid.buckets.tolist() == [4, 7, 9]
    assert grid.hands.tolist() == [1, 1, 3]
    assert grid.equity == pytest.approx([0.2, 0.6, 0.8])
    assert grid.parts[0, 0].tolist() == [0, 0, 2]
    assert grid.parts[0, 1].tolist() == [1, 0, 1]
    assert grid.parts[1, 0].tolist() == [0, 1, 0]
    assert (grid.text(0, 0), grid.text(0, 1), grid.text(1, 0), grid.text(5, 5)) == ("9", "4+1", "7", "")
    low, high = (value_colour(value, 0.2, 0.8) for value in (0.2, 0.8))
    assert grid.split(0, 1) == [(0.5, low), (0.5, high)]
    assert grid.parts.sum() == len(hands)


def test_a_map_has_the_buckets_of_the_abstraction_and_equities_by_enumeration(abstraction):
    picture = tp.show(GAME, map="buckets", abstraction=abstraction, board=BOARD)
    board = parse_cards(BOARD)
    hands = np.array([*combinations([card for card in SHORT.cards if card not in board], 2)])
    assert np.array_equal(picture.hands, hands)
    assert np.array_equal(picture.bucket, abstraction.buckets(1, board, hands))
    game = tp.load(GAME).game
    strength = np.array([game.strength(tuple(hand), board) for hand in hands.tolist()])
    for hand, mine, equity in zip(hands, strength, picture.equity, strict=True):
        others = strength[~np.isin(hands, hand).any(axis=1)]
        assert equity == pytest.approx(np.mean((mine > others) + (mine == others) / 2), abs=1e-6)


def test_a_map_before_the_flop_is_of_classes(abstraction):
    picture = tp.show(GAME, map="buckets", abstraction=abstraction)
    assert len(picture.hands) == 120
    texts = {picture.grid.text(row, column) for row in range(4) for column in range(4)}
    assert texts == {str(bucket) for bucket in range(16)}
    assert picture.title == (
        GAME,
        "before any board card: 120 hands in 16 of 16 buckets",
        "drawn, imperfect recall",
    )
    assert len(picture.legend) == 1


def test_equities_of_the_whole_deck_are_those_of_the_equity_command():
    abstraction = drawn(HOLDEM, (2, 3, 1, 1), (None, 5, None, None), "imperfect")
    picture = tp.show("limit_holdem", map="buckets", abstraction=abstraction, board="AsKsQh7d")
    others = np.array([*combinations(range(52), 2)])
    expected = equities(picture.board, picture.hands, others, np.ones(len(others)))
    assert picture.equity == pytest.approx(expected, abs=1e-6)
    assert picture.street == 2


def test_the_command_prints_writes_and_lists(command, path, tmp_path, abstraction):
    code, out, err = command(GAME, "--map", "buckets", "--abstraction", path, "--board", BOARD)
    assert (code, err) == (SUCCESS, "")
    lines = out.splitlines()
    assert lines[0] == GAME
    assert lines[1] == f"board {BOARD}: 78 hands in 6 of 6 buckets"
    assert lines[2] == f"{path}: drawn, imperfect recall"
    assert "mean equity of a bucket's hands" in lines[-2]
    assert out == str(tp.show(GAME, map="buckets", abstraction=str(path), board=BOARD)) + "\n"
    for suffix, begins in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        target = tmp_path / f"map{suffix}"
        assert command(GAME, "--map", "buckets", "--abstraction", path, "--out", target)[0] == SUCCESS
        assert target.read_bytes().startswith(begins)
    _, out, _ = command(GAME, "--map", "buckets", "--abstraction", path, "--board", BOARD, "--json")
    told = json.loads(out)
    assert (told["map"], told["board"], told["street"], told["count"]) == ("buckets", BOARD, 1, 6)
    assert sum(one["hands"] for one in told["buckets"]) == len(told["hands"]) == 78
    by_hand = {one["hand"]: one["bucket"] for one in told["hands"]}
    cards = np.array([sorted(parse_cards("AdKh"))])
    assert by_hand["AdKh"] == abstraction.buckets(1, parse_cards(BOARD), cards)[0]


@over(
    [
        ([GAME], "a map of buckets is of an abstraction, got none"),
        ([GAME, "--board", "AsKs"], "must have 0, 3 cards, got 2 in 'AsKs'"),
        ([GAME, "--board", "AsKs2h"], "card '2h' is not in the deck of flop_holdem(ranks=4)"),
        ([GAME, "--board", "AsAsKh"], "must be different cards"),
        ([GAME, "--node", "c"], "has no betting line and no strategy"),
        (["flop_holdem"], "the abstraction is of a deck of 4 ranks and 4 suits"),
        (["leduc_poker"], "buckets are shown of hold'em with two hole cards, got leduc_poker"),
        (["coin_toss"], "buckets are shown of hold'em with two hole cards, got coin_toss"),
    ]
)
def test_maps_that_cannot_be(arguments, says, command, path):
    given = [] if "got none" in says else ["--abstraction", path]
    code, out, err = command(*arguments, "--map", "buckets", *given)
    assert (code, out, err.count("\n")) == (BAD_INPUT, "", 1)
    assert says in err


def test_an_abstraction_is_for_the_map_of_buckets_alone(command, path):
    code, _, err = command("kuhn_poker", "--abstraction", path)
    assert code == BAD_INPUT
    assert (
        "an abstraction is shown by the map of buckets, or read with a blueprint's file, got the map" in err
    )
    with pytest.raises(TypeError, match="abstraction must be a card abstraction or a path, got 3"):
        tp.show(GAME, map="buckets", abstraction=3)
    with pytest.raises(
        ValueError, match="map must be one of strategy, equity, ev, ranges, buckets, got 'bucket'"
    ):
        tp.show(GAME, map="bucket")
