"""Spot files: what is read, exactly, and what is refused in one line."""

from fractions import Fraction
from pathlib import Path

import pytest

from games.betting import BettingState, Sizes
from games.cards import parse_cards
from games.poker import PokerGame
from games.reading import spelled
from games.spot import Spot, parse_spot, read_spot

EXAMPLE = Path(__file__).parents[1] / "examples" / "river.toml"
BASE = {
    "board": '"Ks Th 7s 4d 2c"',
    "pot": "100",
    "stack": "200",
    "ranges": '["all", "AA,KQs:0.5"]',
    "bets": '[0.5, 1.0, "a"]',
    "raises": '[1.0, "a"]',
}
HALF = Fraction(1, 2)


def text(*tables: str, **keys: str | None) -> str:
    lines = [f"{key} = {value}" for key, value in {**BASE, **keys}.items() if value is not None]
    return "\n".join([*lines, *tables])


def spot(*tables: str, **keys: str | None) -> Spot:
    return parse_spot(text(*tables, **keys), "spot")


def hand(cards: str) -> tuple[int, ...]:
    return tuple(sorted(parse_cards(cards)))


def public_nodes(game: PokerGame) -> int:
    """Count the betting states of a spot of one street."""
    todo: list[BettingState] = [game.betting.root()]
    count = 0
    while todo:
        count += 1
        todo.extend(state for _, state in game.betting.legal(todo.pop()))
    return count


def test_the_example() -> None:
    game = read_spot(EXAMPLE)
    assert game.name == str(EXAMPLE)
    assert game.unit == "chips"
    assert game.board == parse_cards("Ks Th 7s 4d 2c")
    assert (game.ranks, game.suits, game.hole_cards, game.board_cards) == (13, 4, 2, (0,))
    assert game.ranking == "holdem"
    assert game.ranges is not None
    assert [len(hands) for hands in game.ranges] == [1081, 1081]
    assert {weight for hands in game.ranges for weight in hands.values()} == {Fraction(1)}
    betting = game.betting
    assert (betting.invested, betting.stacks) == ((50, 50), (200, 200))
    menus = Sizes((HALF, Fraction(1), "a"), (Fraction(1), "a"))
    assert betting.sizes == ((menus, menus),)
    assert (betting.max_raises, betting.allin_threshold, betting.chip) == ((None,), 0, None)
    assert public_nodes(game) == 33


def test_reading_a_file_twice_gives_equal_games() -> None:
    assert read_spot(EXAMPLE) == read_spot(str(EXAMPLE))


def test_decimals_are_the_fractions_they_spell() -> None:
    found = spot(
        pot="0.1", stack="[0.3, 1e-3]", bets="[0.7]", allin_threshold="0.1", chip="0.2", raises="[3]"
    )
    assert found.pot == Fraction(1, 10)
    assert found.stack == (Fraction(3, 10), Fraction(1, 1000))
    assert found.sizes[0][0] == Sizes((Fraction(7, 10),), (Fraction(3),))
    assert (found.allin_threshold, found.chip) == (Fraction(1, 10), Fraction(1, 5))
    game = found.game("g")
    assert game.betting.invested == (Fraction(1, 20), Fraction(1, 20))
    assert (game.betting.allin_threshold, game.betting.chip) == (Fraction(1, 10), Fraction(1, 5))


def test_ranges_lose_the_hands_that_meet_the_board() -> None:
    first, second = spot(ranges='["KK,AsKd:0.25", "random"]').ranges
    assert first == {
        **{hand(cards): Fraction(1) for cards in ("KhKd", "KhKc", "KdKc")},
        hand("AsKd"): Fraction(1, 4),
    }
    assert len(second) == 1081


def test_weights_are_exact() -> None:
    second = spot().ranges[1]
    assert second[hand("KdQd")] == HALF
    assert hand("KsQs") not in second
    assert second[hand("AsAh")] == 1


@pytest.mark.parametrize(
    ("board", "rounds", "board_cards"),
    [("Ks Th 7s", 3, (0, 1, 1)), ("KsTh7s4d", 2, (0, 1)), ("Ks Th 7s 4d 2c", 1, (0,))],
)
def test_boards_of_every_street(board: str, rounds: int, board_cards: tuple[int, ...]) -> None:
    game = spot(board=f'"{board}"', max_raises="3").game("g")
    assert game.board == parse_cards(board)
    assert game.board_cards == board_cards
    assert game.betting.first == (0,) * rounds
    assert game.betting.max_raises == (3,) * rounds


def test_tables_override_for_a_street_and_for_a_player() -> None:
    found = spot(
        "[flop]\nbets = [2]",
        "[turn]\nbets = [0.25]\nraises = []",
        "[river.oop]\nbets = []",
        '[river.ip]\nraises = ["a"]',
        board='"Ks Th 7s 4d"',
        bets="[1]",
        raises="[0.5]",
    )
    quarter, one = Fraction(1, 4), Fraction(1)
    assert found.streets == ("turn", "river")
    assert found.sizes == (
        (Sizes((quarter,), ()), Sizes((quarter,), ())),
        (Sizes((), (HALF,)), Sizes((one,), ("a",))),
    )


def test_tables_may_replace_the_menus_of_the_file() -> None:
    found = spot("[river]\nbets = [1]\nraises = [1]", bets=None, raises=None)
    assert found.sizes[0] == (Sizes((Fraction(1),), (Fraction(1),)),) * 2


def test_a_stack_of_zero_leaves_a_showdown() -> None:
    assert public_nodes(spot(stack="0").game("g")) == 1


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"board": '"Ks Ks 7s 4d 2c"'}, "board: Ks is there twice"),
        ({"board": '"Ks Xh 7s 4d 2c"'}, "board: .* got 'Xh'"),
        ({"board": '"1s Th 7s 4d 2c"'}, "board: .* got '1s'"),
        ({"board": '"Ks Th"'}, "board must have 3, 4 or 5 different cards, got 'KsTh'"),
        ({"board": '"Ks Th 7s 4d 2c 3c"'}, "board must have 3, 4 or 5"),
        ({"board": '""'}, "board must have 3, 4 or 5"),
        ({"board": "7"}, "board must be text such as .*, got 7"),
        ({"board": None}, "board is missing; a spot needs board, pot, stack, ranges"),
        ({"pot": None}, "pot is missing"),
        ({"stack": None}, "stack is missing"),
        ({"ranges": None}, "ranges is missing"),
        ({"pot": "0"}, "pot must be a number > 0, got 0"),
        ({"pot": "-0.5"}, "pot must be a number > 0, got -0.5"),
        ({"pot": "nan"}, "pot must be a number > 0, got 'nan'"),
        ({"pot": "inf"}, "pot must be a number > 0, got 'inf'"),
        ({"pot": "1e2000"}, "pot must be a number > 0, got '1e2000'"),
        ({"pot": "true"}, "pot must be a number > 0, got True"),
        ({"pot": '"100"'}, "pot must be a number > 0, got '100'"),
        ({"pot": "[100]"}, r"pot must be a number > 0, got \[100\]"),
        ({"stack": "-1"}, "stack must be a number >= 0, got -1"),
        ({"stack": "nan"}, "stack must be a number >= 0, got 'nan'"),
        ({"stack": "[200, -0.1]"}, "stack must be a number >= 0, got -0.1"),
        ({"stack": "[1, 2, 3]"}, "stack must be one number >= 0 or a pair, got 3"),
        ({"stack": "[]"}, "stack must be one number >= 0 or a pair, got 0"),
        ({"ranges": '"all"'}, "ranges must be two texts, out of position first, got 'all'"),
        ({"ranges": '["all"]'}, "ranges must be two texts"),
        ({"ranges": '["all", 3]'}, "ranges must be two texts"),
        ({"ranges": '["all", ""]'}, r"ranges\[1\]: "),
        ({"ranges": '["AXs", "all"]'}, r"ranges\[0\]: .*AXs"),
        ({"ranges": '["KsQs", "all"]'}, r"ranges\[0\] must have a hand off the board KsTh7s4d2c, got 'KsQs'"),
        ({"ranges": '["all", "Ks7s,ThTd"]'}, r"ranges\[1\] must have a hand off the board"),
        ({"ranges": '["AsAh", "AsKd,AhQd"]'}, "ranges must have hands that can be held together"),
        ({"bets": None}, "bets is missing for the river"),
        ({"raises": None}, "raises is missing for the river"),
        ({"bets": "0.5"}, "bets must be a list of sizes such as .*, got 0.5"),
        ({"bets": "[0]"}, 'bets must hold numbers > 0 and "a" for all-in, got 0'),
        ({"bets": "[0.5, -1.5]"}, "bets must hold numbers > 0 .* got -1.5"),
        ({"raises": "[nan]"}, "raises must hold numbers > 0 .* got 'nan'"),
        ({"raises": '["A"]'}, "raises must hold numbers > 0 .* got 'A'"),
        ({"raises": "[true]"}, "raises must hold numbers > 0 .* got True"),
        ({"max_raises": "-1"}, "max_raises must be an integer >= 0, got -1"),
        ({"max_raises": "1.5"}, "max_raises must be an integer >= 0, got 1.5"),
        ({"max_raises": "false"}, "max_raises must be an integer >= 0, got False"),
        ({"allin_threshold": "-0.1"}, "allin_threshold must be a number >= 0, got -0.1"),
        ({"allin_threshold": "nan"}, "allin_threshold must be a number >= 0, got 'nan'"),
        ({"chip": "0"}, "chip must be a number > 0, got 0"),
        ({"chip": '"one"'}, "chip must be a number > 0, got 'one'"),
        ({"bet": "[1]"}, "unknown key 'bet' in the spot; legal keys are board, pot, stack, ranges, bets"),
        ({"river": "[1]"}, r"river must be a table .* got \[1\]"),
        ({"pot": ""}, "at line 2, column 7"),
        ({"flop": "[" * 2000}, "spot: "),
    ],
)
def test_bad_values(keys: dict[str, str | None], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        spot(**keys)
    assert str(caught.value).startswith("spot: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[rivr]\nbets = [1]", "unknown key 'rivr' in the spot"),
        ("[river]\npot = 3", "unknown key 'pot' in table river; legal keys are bets, raises, oop, ip"),
        ("[river.bb]\nbets = [1]", "unknown key 'bb' in table river"),
        ("[river]\noop = 1", "oop must be a table with keys bets, raises, got 1"),
        ("[river.ip]\nchip = 1", "unknown key 'chip' in table ip; legal keys are bets, raises"),
        ("[river]\nbets = [0]", r"river\.bets must hold numbers > 0"),
        ("[river.oop]\nraises = 1", r"river\.oop\.raises must be a list of sizes"),
        ("[flop]\nbets = ['x']", r"flop\.bets must hold numbers > 0"),
    ],
)
def test_bad_tables(table: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        spot(table)


def test_a_missing_menu_names_its_street() -> None:
    with pytest.raises(ValueError, match="bets is missing for the turn"):
        spot("[river]\nbets = [1]", board='"KsTh7s4d"', bets=None)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"absent\.toml: cannot be read: No such file"):
        read_spot(tmp_path / "absent.toml")
    with pytest.raises(ValueError, match="cannot be read: "):
        read_spot(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"board = '\xff'")
    with pytest.raises(ValueError, match=r"latin\.toml: cannot be read: is not UTF-8 text"):
        read_spot(tmp_path / "latin.toml")


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text(pot="-1"))
    with pytest.raises(ValueError, match=r"bad\.toml: pot must be a number > 0, got -1"):
        read_spot(path)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("2.8E-10", Fraction(28, 10**11)),
        ("8.163517E-13", Fraction(8163517, 10**19)),
        ("1E3", Fraction(1000)),
        ("-0.0", Fraction(0)),
    ],
)
def test_spelled(word: str, value: Fraction) -> None:
    assert spelled(word) == value


@pytest.mark.parametrize("word", ["nan", "inf", "-Infinity", "1e1001", "1e-1001", "1/2", "", "0x10", "one"])
def test_what_is_no_decimal(word: str) -> None:
    with pytest.raises(ValueError, match="a number must be"):
        spelled(word)


def test_spots_made_in_python_are_checked_too() -> None:
    good = spot()
    keys = {"board": good.board, "pot": good.pot, "stack": good.stack, "ranges": good.ranges}
    with pytest.raises(ValueError, match="sizes must have a pair for each"):
        Spot(**keys, sizes=())
    with pytest.raises(ValueError, match="board must have 3, 4 or 5 different cards"):
        Spot(**{**keys, "board": (0, 0, 1, 2, 3)}, sizes=good.sizes)
    with pytest.raises(ValueError, match="pot must be a number > 0"):
        Spot(**{**keys, "pot": float("nan")}, sizes=good.sizes)
