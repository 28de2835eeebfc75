"""Libratus endgames: synthetic files for the format, the published ones where they are at hand."""

import os
from fractions import Fraction
from pathlib import Path

import pytest

from tests.helpers.cells import over
from tests.helpers.libratus_files import GOOD, hand, reaches, text
from tests.helpers.paths import ROOT
from treeplex.games.cards.cards import parse_cards
from treeplex.games.formats.libratus import HANDS, parse_libratus, read_libratus
from treeplex.games.poker.bet_sizes import NO_THRESHOLDS
from treeplex.games.poker.betting import Betting, BettingState, Sizes
from treeplex.games.poker.spots import Spot

BETS = (Fraction(1, 2), Fraction(1), "a")
RAISES = (Fraction(1), "a")
PUBLISHED = Path(os.environ.get("TREEPLEX_LIBRATUS", ROOT.parent / "shared" / "data" / "libratus"))


def parse(**keys: str | None) -> Spot:
    return parse_libratus(text(**keys), "endgame", BETS, RAISES)


def test_the_order_of_hands() -> None:
    cards = ["2s2h", "2s2d", "2s2c", "2s3s"]
    assert list(HANDS[:4]) == [hand(pair) for pair in cards]
    assert HANDS[-1] == hand("AdAc")
    assert len(HANDS) == 1326


def test_a_river() -> None:
    found = parse()
    assert found.board == parse_cards("4s8hTc9h2s")
    assert (found.pot, found.stack) == (500, (19750, 19750))
    assert found.ranges[0] == {hand("AsAh"): Fraction(1, 4), hand("KdQd"): Fraction(28, 10**11)}
    assert found.ranges[1] == {hand("2h2d"): Fraction(1), hand("AdAc"): Fraction(1, 10**16)}
    assert found.sizes == ((Sizes(BETS, RAISES), Sizes(BETS, RAISES)),)
    assert (found.max_raises, found.thresholds, found.chip) == (None, NO_THRESHOLDS, None)


def test_a_turn_has_two_streets_and_odd_pots_are_exact() -> None:
    found = parse(round="3", board="4s8hTc9h", pot="501.5")
    assert found.streets == ("turn", "river")
    assert len(found.sizes) == 2
    assert found.stack[0] == Fraction(20_000) - Fraction(2006, 8)


def test_lines_may_come_in_any_order_with_blank_ones() -> None:
    lines = text().splitlines()
    assert parse_libratus("\n\n".join(reversed(lines)), "endgame", BETS, RAISES) == parse()


def test_read_names_the_file_and_the_menus(tmp_path: Path) -> None:
    path = tmp_path / "endgame.txt"
    path.write_text(text())
    game = read_libratus(path, (Fraction(1, 2), Fraction(1, 3), "a"), ())
    assert game.name == f"{path}(bets=[0.5,1/3,a],raises=[])"
    assert game == parse_libratus(text(), "x", (Fraction(1, 2), Fraction(1, 3), "a"), ()).game(game.name)


@over(
    [
        ({"round": None}, "-round is missing; a file needs -round, -board, -pot, -reach"),
        ({"reach": None}, "-reach is missing"),
        ({"round": "3"}, "line 1: -round must fit the board of 5 cards: .*; got '3'"),
        ({"round": "1"}, "line 1: -round must fit the board"),
        ({"round": "four"}, "line 1: -round must fit the board .* got 'four'"),
        ({"round": "4 4"}, "line 1: -round must have one value, got 2"),
        ({"board": "4s8hTc9h4s"}, "line 2: -board: 4s is there twice"),
        ({"board": "4s8hTc9hXs"}, "line 2: -board: .* got 'Xs'"),
        ({"board": "4s8h"}, "line 2: -board must have 3, 4 or 5 cards, got 2"),
        ({"board": ""}, "line 2: -board must have one value, got 0"),
        ({"pot": "0"}, "line 3: -pot must be above 0 and at most 40000, got 0"),
        ({"pot": "-5"}, "line 3: -pot must be above 0 and at most 40000, got -5"),
        ({"pot": "40001"}, "line 3: -pot must be above 0 and at most 40000, got 40001"),
        ({"pot": "nan"}, "line 3: -pot: a number must be finite"),
        ({"pot": "lots"}, "line 3: -pot: a number must be a decimal"),
        ({"reach": "0.5 0.5"}, "line 4: -reach must have 2652 numbers, got 2"),
        ({"reach": GOOD["reach"] + " 0.0"}, "line 4: -reach must have 2652 numbers, got 2653"),
        ({"speed": "3"}, "line 5 must start with one of -round, -board, -pot, -reach, got '-speed'"),
    ]
)
def test_malformed_files(keys: dict[str, str | None], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        parse(**keys)
    assert str(caught.value).startswith("endgame: ")
    assert "\n" not in str(caught.value)


def test_keys_come_once_and_start_with_a_dash() -> None:
    with pytest.raises(ValueError, match="line 5: -pot must come once, but it is on line 3 too"):
        parse_libratus(text() + "\n-pot 500", "endgame", BETS, RAISES)
    with pytest.raises(ValueError, match=r"line 1 must start with one of .* got 'round'"):
        parse_libratus(text()[1:], "endgame", BETS, RAISES)


@over(
    [
        ({"AsAh": "1.5"}, {"AdAc": "1"}, "-reach of AsAh out of position must be between 0 and 1"),
        ({"AsAh": "-1e-9"}, {"AdAc": "1"}, "out of position must be between 0 and 1, got -1e-9"),
        ({"AsAh": "nan"}, {"AdAc": "1"}, "out of position: a number must be finite .* got 'nan'"),
        ({"AsAh": "x"}, {"AdAc": "1"}, "out of position: a number must be a decimal .* got 'x'"),
        ({"AsAh": "1"}, {"AdAc": "2"}, "on the button must be between 0 and 1, got 2"),
        ({"AsAh": "1"}, {"2sAd": "1e-9"}, "on the button must be 0, since it meets the board 4s8hTc9h2s"),
        ({}, {"AdAc": "1"}, "must be positive for a hand out of position, got only zeros"),
        ({"AsAh": "1"}, {}, "must be positive for a hand on the button, got only zeros"),
        ({"AsAh": "1"}, {"AsAc": "1"}, "ranges must have hands that can be held together"),
    ]
)
def test_bad_reaches(first: dict[str, str], second: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse(reach=reaches(first, second))


def test_unreadable_files_and_menus(tmp_path: Path) -> None:
    for bets, message in (
        (BETS, r"cannot read .*absent\.txt"),
        ((Fraction(0),), "bets must hold numbers > 0"),
        (("b",), "bets must hold numbers > 0 .* got 'b'"),
    ):
        with pytest.raises(ValueError, match=message):
            read_libratus(tmp_path / "absent.txt", bets, RAISES)  # type: ignore[arg-type]


def river_nodes(betting: Betting, state: BettingState) -> int:
    return 1 + sum(river_nodes(betting, after) for _, after in betting.legal(state))


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason=f"the published endgames are not at {PUBLISHED}")
@over(
    [
        (1, "7s9h9cTc", 19750, (828, 965), None),
        (2, "Ts6hAh7c", 17610, (855, 405), None),
        (3, "4s8hTc9h2s", 19750, (1033, 1059), 93),
        (4, "JsKs5cQs7d", 18125, (705, 982), 57),
    ]
)
def test_published_endgames(
    number: int, board: str, behind: int, hands: tuple[int, int], nodes: int | None
) -> None:
    game = read_libratus(PUBLISHED / f"subgame{number}.txt", BETS, RAISES)
    assert game.board == parse_cards(board)
    assert game.betting.stacks == (behind, behind)
    assert game.board_cards == ((0, 1) if number < 3 else (0,))
    assert game.ranges is not None
    assert tuple(map(len, game.ranges)) == hands
    if nodes is not None:
        assert river_nodes(game.betting, game.betting.root()) == nodes
