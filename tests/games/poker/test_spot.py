"""Spot files: what is read, exactly, and what is refused in one line."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex.games.base.reading import spelled
from treeplex.games.cards.cards import parse_cards
from treeplex.games.formats.specs import load_game
from treeplex.games.formats.toml_files import parse_toml, read_toml
from treeplex.games.poker.bet_sizes import (
    NO_THRESHOLDS,
    Chips,
    Geometric,
    Multiple,
    Sizes,
    Thresholds,
)
from treeplex.games.poker.betting import BettingState
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.named import no_limit_holdem
from treeplex.games.poker.spots import Spot, WholeHand

EXAMPLE = ROOT / "examples" / "river.toml"
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
    found = parse_toml(text(*tables, **keys), "spot")
    assert isinstance(found, Spot)
    return found


def labels(game: PokerGame, line: str) -> list[str]:
    return [label for label, _ in game.betting.legal(game.betting.at(line))]


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
    game = read_toml(EXAMPLE)
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
    assert (betting.max_raises, betting.thresholds, betting.chip) == ((None,), NO_THRESHOLDS, None)
    assert public_nodes(game) == 33


def test_decimals_are_the_fractions_they_spell() -> None:
    found = spot(
        pot="0.1", stack="[0.3, 1e-3]", bets="[0.7]", force_allin_threshold="0.1", chip="0.2", raises="[3]"
    )
    assert found.pot == Fraction(1, 10)
    assert found.stack == (Fraction(3, 10), Fraction(1, 1000))
    assert found.sizes[0][0] == Sizes((Fraction(7, 10),), (Fraction(3),))
    assert (found.thresholds.force_allin, found.chip) == (Fraction(1, 10), Fraction(1, 5))
    game = found.game("g")
    assert game.betting.invested == (Fraction(1, 20), Fraction(1, 20))
    assert (game.betting.thresholds.force_allin, game.betting.chip) == (Fraction(1, 10), Fraction(1, 5))


def test_ranges_lose_the_hands_that_meet_the_board() -> None:
    first, second = spot(ranges='["KK,AsKd:0.25", "random"]').ranges
    assert first == {
        **{hand(cards): Fraction(1) for cards in ("KhKd", "KhKc", "KdKc")},
        hand("AsKd"): Fraction(1, 4),
    }
    assert len(second) == 1081


@over([("Ks Th 7s", 3, (0, 1, 1)), ("KsTh7s4d", 2, (0, 1)), ("Ks Th 7s 4d 2c", 1, (0,))])
def test_boards_of_every_street(board: str, rounds: int, board_cards: tuple[int, ...]) -> None:
    game = spot(board=f'"{board}"', max_raises="3").game("g")
    assert game.board == parse_cards(board)
    assert game.board_cards == board_cards
    assert game.betting.first == (0,) * rounds
    assert game.betting.max_raises == (3,) * rounds
    assert spot(board=f'"{board}"').game("g").betting.max_raises == (None,) * rounds


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


def test_the_cap_of_a_street_replaces_the_cap_of_the_file() -> None:
    found = spot(
        "[turn]\nmax_raises = 2",
        "[river]\nmax_raises = 0",
        board='"Ks Th 7s"',
        stack="5000",
        bets="[0.5]",
        raises="[0.5]",
        max_raises="1",
    )
    assert found.max_raises == (1, 2, 0)
    assert spot("[river]\nmax_raises = 3", board='"Ks Th 7s"').max_raises == (None, None, 3)
    game = found.game("g")
    assert labels(game, "r50") == ["f", "c"]
    assert labels(game, "cc/r50") == ["f", "c", "r150"]
    assert labels(game, "cc/r50r150") == ["f", "c"]
    assert labels(game, "cc/cc/") == ["c"]


@over([0, 1, 2], [0, 1])
def test_each_player_has_a_menu_on_each_street(street: int, seat: int) -> None:
    name, player = ("flop", "turn", "river")[street], ("oop", "ip")[seat]
    found = spot(
        f"[{name}.{player}]\nbets = [2]\nraises = [1]",
        board='"Ks Th 7s"',
        stack="100000",
        bets="[1]",
        raises="[]",
    )
    menu, usual = Sizes((Fraction(2),), (Fraction(1),)), Sizes((Fraction(1),), ())
    for s in range(3):
        for p in range(2):
            assert found.sizes[s][p] == (menu if (s, p) == (street, seat) else usual)
    line = "cc/" * street + "c" * seat
    game = found.game("g")
    assert labels(game, line) == ["c", "r200"]
    assert labels(game, line + "r200") == ["f", "c"]


def test_menus_may_be_texts_and_donk_bets_are_of_who_is_out_of_position() -> None:
    found = spot(
        "[river]\nraises = '3x, 15c'\ndonks = []\n[turn.oop]\ndonks = '25%,'\n[turn.ip]\nbets = ''",
        board='"Ks Th 7s"',
        bets='"33%, 2.5x, e, a"',
        raises='"a"',
        donks='["10%", 0.5]',
    )
    bets, donks = (Fraction(33, 100), Multiple(Fraction(5, 2)), Geometric(), "a"), (Fraction(1, 10), HALF)
    last = (Multiple(Fraction(3)), Chips(Fraction(15)))
    assert found.sizes == (
        (Sizes(bets, ("a",), donks), Sizes(bets, ("a",))),
        (Sizes(bets, ("a",), (Fraction(1, 4),)), Sizes((), ("a",))),
        (Sizes(bets, last, ()), Sizes(bets, last)),
    )


def test_thresholds_hold_for_the_whole_file() -> None:
    keys = {"add_allin_threshold": "1.5", "force_allin_threshold": "0.1", "merging_threshold": "0.1"}
    assert spot(**keys).thresholds == Thresholds(Fraction(3, 2), Fraction(1, 10), Fraction(1, 10))
    game = spot(bets='"50%, 60%, 200%"', raises='""', stack="400", **keys).game("g")
    assert labels(game, "") == ["c", "r60", "r200"]  # 160 / 150 < 1.1, and 400 is above 1.5 pots
    assert labels(game, "r200") == ["f", "c", "r400"]  # 200 more into 500
    assert labels(game, "r60") == ["f", "c"]  # 340 more into 220 are above 1.5 pots


def test_the_example_of_typed_sizes() -> None:
    game = load_game("example:donk_turn")
    assert labels(game, "") == ["c", "r20", "r62", "r250"]
    assert labels(game, "cr20") == ["f", "c", "r50", "r80"]
    assert labels(game, "cr20c/") == ["c", "r40"]
    assert labels(game, "cr20c/c") == ["c", "r95", "r250"]


@over(["rake", "rake_rate", "rake_cap", "Rake"], ["0.05", "0", "3"])
def test_a_rake_is_refused_with_the_reason(key: str, value: str) -> None:
    message = f"{key} in the spot: a game with a rake is not zero-sum .*, got {value}"
    with pytest.raises(ValueError, match=message) as caught:
        spot(**{key: value})
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match=f"{key} in table river: a game with a rake"):
        spot(f"[river]\n{key} = {value}")


HAND = "blinds = [1, 2]\nstack = 100\nbets = [0.5]\nraises = [1]\n"


def whole_hand(content: str = HAND) -> WholeHand:
    found = parse_toml(content, "hand")
    assert isinstance(found, WholeHand)
    return found


def test_a_whole_hand_starts_with_the_button() -> None:
    game = whole_hand().game("g")
    assert (game.board, game.board_cards, game.ranges) == ((), (0, 3, 1, 1), None)
    assert game.betting.invested == (2, 1)
    assert game.betting.stacks == (98, 99)
    assert game.betting.at("").player == 1
    assert labels(game, "") == ["f", "c", "r6"]
    assert labels(game, "c") == ["c", "r4"]
    assert labels(game, "r6") == ["f", "c", "r18"]
    assert game.betting.at("cc/").player == 0
    assert labels(game, "cc/") == ["c", "r4"]


def test_a_whole_hand_is_no_limit_holdem_by_its_menus() -> None:
    twin = no_limit_holdem(stack=100, blinds=(2, 1), bets=(0.5,), raises=(1,), max_raises=2)
    assert replace(whole_hand("max_raises = 2\n" + HAND).game("g"), name=twin.name) == twin


def test_a_whole_hand_has_menus_and_caps_by_street_and_player() -> None:
    found = whole_hand(
        HAND + "[preflop]\nraises = ['4e']\nmax_raises = 2\n[flop.ip]\nbets = ['e']\n[river]\nbets = ['a']\n"
    )
    half, pot = HALF, Fraction(1)
    usual = Sizes((half,), (pot,))
    assert found.sizes == (
        (Sizes((half,), (Geometric(4),)),) * 2,
        (usual, Sizes((Geometric(),), (pot,))),
        (usual, usual),
        (Sizes(("a",), (pot,)),) * 2,
    )
    assert found.max_raises == (2, None, None, None)
    game = found.game("g")
    # 2 (100 / 2)^(1/4) = 5.3183, then 5.318 (100 / 5.318)^(1/3) = 14.1422
    assert labels(game, "") == ["f", "c", "r5.318"]
    assert labels(game, "r5.318") == ["f", "c", "r14.142"]
    assert labels(game, "r5.318r14.142") == ["f", "c"]


def test_a_whole_hand_may_end_early_and_have_ranges() -> None:
    content = 'streets = 2\nranges = ["AA,KK:0.5", "QQ"]\n' + HAND + "[river]\nbets = [3]\n"
    game = whole_hand(content).game("g")
    assert game.board_cards == (0, 3)
    assert game.betting.first == (1, 0)
    assert [len(hands) for hands in game.reach] == [12, 6]
    assert game.reach[0][hand("KsKh")] == HALF


@over(
    [
        ("[1, 2]", "[2, 1]", r"blinds must be the small and the larger big blind, .* got \[2, 1\]"),
        ("[1, 2]", "2", "blinds must be the small and the big blind, as in .*, got 2"),
        ("[1, 2]", "[-1, 2]", "blinds must be a number >= 0, got -1"),
        ("[1, 2]", "[1, 'x']", "blinds must be a number >= 0, got 'x'"),
        ("stack = 100", "", "stack is missing; a whole hand needs blinds, stack"),
        ("stack = 100", "stack = 1.5", "stack must be at least the blind of 2, got 1.5"),
        ("stack = 100", "stack = [50, 0.5]", "stack must be at least the blind of 1, got 0.5"),
        ("stack = 100", "stack = 100\nstreets = 1", "streets must be an integer from 2 to 4, got 1"),
        ("stack = 100", "stack = 100\nstreets = 2.5", "streets must be an integer from 2 to 4, got 2.5"),
        ("stack = 100", "stack = 100\npot = 3", "unknown key 'pot' in the whole hand; legal keys are blinds"),
        ("stack = 100", "stack = 100\nboard = 'AsKsQs'", "a file has a board .* or blinds .*, got both"),
        ("stack = 100", "stack = 100\nrake = 0.05", "rake in the whole hand: a game with a rake is not"),
        ("stack = 100", "stack = 100\nchip = 0", "chip must be a number > 0, got 0"),
        ("raises = [1]", "", "raises is missing for the preflop"),
        ("raises = [1]", "raises = [1]\n[preflop]\nmax_raises = -1", r"preflop\.max_raises must be an int"),
    ]
)
def test_bad_whole_hands(old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        parse_toml(HAND.replace(old, new), "hand")
    assert str(caught.value).startswith("hand: ")
    assert "\n" not in str(caught.value)


def test_whole_hands_made_in_python_are_checked_too() -> None:
    good = whole_hand()
    with pytest.raises(ValueError, match="sizes must be for 2 to 4 streets, got 1"):
        replace(good, sizes=good.sizes[:1])
    with pytest.raises(ValueError, match="chip must be a number > 0"):
        replace(good, chip=Fraction(0))
    with pytest.raises(ValueError, match="max_raises must have 4 entries"):
        replace(good, max_raises=(1,)).game("g")


@over(
    [
        ({"board": '"Ks Ks 7s 4d 2c"'}, "board: Ks is there twice"),
        ({"board": '"Ks Xh 7s 4d 2c"'}, "board: .* got 'Xh'"),
        ({"board": '"Ks Th"'}, "board must have 3, 4 or 5 different cards, got 'KsTh'"),
        ({"board": "7"}, "board must be text such as .*, got 7"),
        ({"board": None}, "board is missing; a spot needs board, pot, stack, ranges"),
        ({"pot": None}, "pot is missing"),
        ({"stack": None}, "stack is missing"),
        ({"ranges": None}, "ranges is missing"),
        ({"pot": "0"}, "pot must be a number > 0, got 0"),
        ({"pot": "nan"}, "pot must be a number > 0, got 'nan'"),
        ({"pot": "inf"}, "pot must be a number > 0, got 'inf'"),
        ({"pot": "1e2000"}, "pot must be a number > 0, got '1e2000'"),
        ({"pot": "[100]"}, r"pot must be a number > 0, got \[100\]"),
        ({"stack": "-1"}, "stack must be a number >= 0, got -1"),
        ({"stack": "[200, -0.1]"}, "stack must be a number >= 0, got -0.1"),
        ({"stack": "[1, 2, 3]"}, "stack must be one number >= 0 or a pair, got 3"),
        ({"stack": "[]"}, "stack must be one number >= 0 or a pair, got 0"),
        ({"ranges": '"all"'}, "ranges must be two texts, out of position first, got 'all'"),
        ({"ranges": '["all", 3]'}, "ranges must be two texts"),
        ({"ranges": '["all", ""]'}, r"ranges\[1\]: "),
        ({"ranges": '["AXs", "all"]'}, r"ranges\[0\]: .*AXs"),
        ({"ranges": '["KsQs", "all"]'}, r"ranges\[0\] must have a hand off the board KsTh7s4d2c, got 'KsQs'"),
        ({"ranges": '["AsAh", "AsKd,AhQd"]'}, "ranges must have hands that can be held together"),
        ({"bets": None}, "bets is missing for the river"),
        ({"raises": None}, "raises is missing for the river"),
        ({"bets": "0.5"}, "bets must be a list of sizes or one text such as .*, got 0.5"),
        ({"bets": "[0]"}, 'bets must hold numbers > 0 or percentages .*"33%", "a" for all-in, .* got 0'),
        ({"bets": "[0.5, -1.5]"}, "bets must hold numbers > 0 .* got -1.5"),
        ({"raises": "[nan]"}, "raises must hold numbers > 0 .* got 'nan'"),
        ({"bets": "[3e200]"}, "bets must be positive fractions of the pot up to 1000000"),
        ({"raises": '"33%, 1x"'}, "raises must hold .* multiples above 1 of a bet faced, .* got '1x'"),
        ({"bets": '"2.5x"'}, "bets on the river must not be multiples alone, which are for .* got 2.5x"),
        ({"donks": '["3x", "2x"]'}, "donks on the river must not be multiples alone, .* got 3x, 2x"),
        ({"donks": '"big"'}, "donks must hold numbers > 0 .* got 'big'"),
        ({"max_raises": "-1"}, "max_raises must be an integer >= 0, got -1"),
        ({"max_raises": "1.5"}, "max_raises must be an integer >= 0, got 1.5"),
        ({"force_allin_threshold": "-0.1"}, "force_allin_threshold must be a number >= 0, got -0.1"),
        ({"add_allin_threshold": "nan"}, "add_allin_threshold must be a number >= 0, got 'nan'"),
        ({"merging_threshold": '"10%"'}, "merging_threshold must be a number >= 0, got '10%'"),
        ({"allin_threshold": "0.1"}, "unknown key 'allin_threshold' in the spot; .* add_allin_threshold"),
        ({"chip": "0"}, "chip must be a number > 0, got 0"),
        ({"bet": "[1]"}, "unknown key 'bet' in the spot; legal keys are board, pot, stack, ranges, bets"),
        ({"river": "[1]"}, r"river must be a table .* got \[1\]"),
        ({"pot": ""}, "at line 2, column 7"),
        ({"flop": "[" * 2000}, "spot: "),
    ]
)
def test_bad_values(keys: dict[str, str | None], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        spot(**keys)
    assert str(caught.value).startswith("spot: ")
    assert "\n" not in str(caught.value)


@over(
    [
        ("[rivr]\nbets = [1]", "unknown key 'rivr' in the spot"),
        ("[river]\npot = 3", "'pot' in table river; legal keys are bets, raises, donks, max_raises, oop, ip"),
        ("[river.bb]\nbets = [1]", "unknown key 'bb' in table river"),
        ("[river]\noop = 1", "oop must be a table with keys bets, raises, donks, got 1"),
        ("[river.ip]\ndonks = [1]", "unknown key 'donks' in table ip; legal keys are bets, raises"),
        ("[river]\nmax_raises = 1.5", r"river\.max_raises must be an integer >= 0, got 1\.5"),
        ("[flop]\nmax_raises = -1", r"flop\.max_raises must be an integer >= 0, got -1"),
        ("[river.ip]\nmax_raises = 1", "unknown key 'max_raises' in table ip; legal keys are bets, raises"),
        ("[river]\nbets = [0]", r"river\.bets must hold numbers > 0"),
        ("[river.oop]\nraises = 1", r"river\.oop\.raises must be a list of sizes"),
        ("[flop]\nbets = ['x']", r"flop\.bets must hold numbers > 0"),
    ]
)
def test_bad_tables(table: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        spot(table)
    with pytest.raises(ValueError, match="bets is missing for the turn"):
        spot("[river]\nbets = [1]", board='"KsTh7s4d"', bets=None)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot read .*absent\.toml: No such file"):
        read_toml(tmp_path / "absent.toml")
    with pytest.raises(ValueError, match="cannot read "):
        read_toml(tmp_path)
    (tmp_path / "bad.toml").write_text(text(pot="-1"))
    with pytest.raises(ValueError, match=r"bad\.toml: pot must be a number > 0, got -1"):
        read_toml(tmp_path / "bad.toml")
    (tmp_path / "latin.toml").write_bytes(b"board = '\xff'")
    with pytest.raises(ValueError, match=r"cannot read .*latin\.toml: it is not UTF-8 text"):
        read_toml(tmp_path / "latin.toml")


@over(
    [
        ("0.1", Fraction(1, 10)),
        ("2.8E-10", Fraction(28, 10**11)),
        ("8.163517E-13", Fraction(8163517, 10**19)),
        ("1E3", Fraction(1000)),
        ("-0.0", Fraction(0)),
    ]
)
def test_spelled(word: str, value: Fraction) -> None:
    assert spelled(word) == value


@over(["nan", "inf", "-Infinity", "1e1001", "1e-1001", "1/2", "", "0x10", "one"])
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
