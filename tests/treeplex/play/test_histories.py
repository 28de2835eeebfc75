"""Hand histories: texts of the three formats, what is refused, and that a file holds whole hands only."""

import json
import os
import tomllib
from fractions import Fraction

import pytest

from tests.helpers.cells import over
from treeplex.core.loading import load
from treeplex.games.base.errors import BadInputError
from treeplex.play.acpc_text import AcpcText
from treeplex.play.hand import Hand
from treeplex.play.histories import Recorded, acpc_line, check_phh, histories, phh_text

NAMES = "you", "an agent:1|2"


def recorded(moves, payoff, number=0):
    return Recorded(number, 0, NAMES, Hand(tuple(moves.split()), Fraction(payoff)))


@over(
    [
        ("kuhn_poker", "Ks|Qs c r c", 2, "crc:As|Ks:2|-2"),
        ("leduc_poker", "Ks|Qh r c Qs c r f", -3, "rc/crf:As|Kh/Ks:-3|3"),
        (
            "limit_holdem",
            "AsKs|QdQh r c 7s6s2d c c Qs c c 2s c c",
            -20,
            "rc/cc/cc/cc:AsKs|QdQh/7s6s2d/Qs/2s:-20|20",
        ),
        ("no_limit_holdem(stack=1000)", "AsKs|QdQh r300 f", -100, "r300f:AsKs|QdQh:-100|100"),
        (
            "no_limit_holdem(stack=1000)",
            "AsKs|QdQh r300 c 7s6s2d c r1000 c Qs 2s",
            -1000,
            "r300c/cr1000c//:AsKs|QdQh/7s6s2d/Qs/2s:-1000|1000",
        ),
        ("no_limit_leduc", "Ks|Qh r2 c Qs c c", -3, "r3c/cc:As|Kh/Ks:-3|3"),
    ]
)
def test_log_lines_of_the_acpc(game, moves, payoff, expected) -> None:
    line = acpc_line(load(game).game, recorded(moves, payoff, 7))
    assert line == f"STATE:7:{expected}:you|an_agent_1_2\n"
    logged = AcpcText(load(game).game).read_log_line(line.removesuffix("\n"))  # as the dealer's logs are read
    assert (logged.hand, logged.values) == (7, (payoff, -payoff))


def test_a_log_line_says_what_the_game_says() -> None:
    game = load("no_limit_holdem(stack=1000)").game
    assert acpc_line(game, recorded("AsKs|QdQh r300 r1000 f", -300)).split(":")[2] == "r300r1000f"


def test_a_no_limit_hand_as_phh() -> None:
    game = load("no_limit_holdem(stack=1000)").game
    text = phh_text(game, recorded("AsKs|QhQd r300 c 7s6s2d c r600 r1000 c Qs 2s", -1000, 4))
    hand = tomllib.loads(text)["5"]
    assert hand == {
        "variant": "NT",
        "antes": [0, 0],
        "blinds_or_straddles": [50, 100],
        "min_bet": 100,
        "starting_stacks": [1000, 1000],
        "actions": [
            "d dh p1 AsKs",
            "d dh p2 QhQd",
            "p2 cbr 300",
            "p1 cc",
            "d db 7s6s2d",
            "p1 cc",
            "p2 cbr 300",
            "p1 cbr 700",
            "p2 cc",
            "p1 sm AsKs",
            "p2 sm QhQd",
            "d db Qs",
            "d db 2s",
        ],
        "hand": 5,
        "players": [*NAMES],
        "finishing_stacks": [0, 2000],
    }


def test_a_limit_hand_as_phh() -> None:
    game = load("limit_holdem").game
    hand = tomllib.loads(phh_text(game, recorded("AsKs|QhQd r r c 7s6s2d r f", 30)))["1"]
    assert (hand["variant"], hand["small_bet"], hand["big_bet"]) == ("FT", 10, 20)
    assert hand["blinds_or_straddles"] == [5, 10]
    assert hand["starting_stacks"] == [float("inf")] * 2
    assert hand["actions"][2:] == ["p2 cbr 20", "p1 cbr 30", "p2 cc", "d db 7s6s2d", "p1 cbr 10", "p2 f"]
    assert "finishing_stacks" not in hand


def test_names_are_toml_texts() -> None:
    game = load("limit_holdem").game
    names = ('a "quoted"\\ \x1b[31m', "b\n\ud800\u202e")
    one = Recorded(0, 0, names, Hand(("AsKs|QhQd", "f"), Fraction(5)))
    text = phh_text(game, one).encode("utf-8", "replace").decode()
    assert tomllib.loads(text)["1"]["players"][0] == names[0]


@over(
    [
        ("kuhn_poker", "is no hold'em"),
        ("goofspiel(cards=3)", "is no hold'em"),
        ("limit_holdem(ranks=6)", "has not the whole deck"),
        ("flop_holdem", "has not the whole deck and four rounds"),
        ("example:river", "begins in the middle of a hand"),
        ("limit_holdem_subgame", "begins in the middle"),
    ]
)
def test_games_that_are_no_phh(game, says) -> None:
    with pytest.raises(BadInputError, match=says):
        check_phh(load(game).game)


def test_files_by_suffix_and_folders(tmp_path) -> None:
    kuhn, goofspiel = load("kuhn_poker").game, load("goofspiel(cards=3)").game
    holdem = load("limit_holdem").game
    assert [one.path.name for one in histories(tmp_path / "a.jsonl", goofspiel)] == ["a.jsonl"]
    names = {
        game.name: sorted(one.path.name for one in histories(tmp_path / "new", game))
        for game in (kuhn, goofspiel, holdem)
    }
    assert [*names.values()] == [
        ["hands.jsonl", "hands.log"],
        ["hands.jsonl"],
        ["hands.jsonl", "hands.log", "hands.phhs"],
    ]
    assert [*tmp_path.iterdir()] == []


@over(
    [
        ("hands.csv", "kuhn_poker", "a folder or a file .jsonl, .log, .phhs, got '.*hands.csv'"),
        ("hands.phhs", "kuhn_poker", "a .phhs file is of hold'em hands: kuhn_poker is no hold'em"),
        ("hands.log", "goofspiel(cards=3)", "a .log file is of whole hands of poker, got goofspiel"),
        ("no/hands.log", "kuhn_poker", "there is no directory"),
        ("there.log", "kuhn_poker", "there.log holds hands already"),
        ("there.log/x", "kuhn_poker", "is not writable"),
    ]
)
def test_where_hands_cannot_be_kept(name, game, says, tmp_path) -> None:
    (tmp_path / "there.log").write_text("STATE\n")
    with pytest.raises(BadInputError, match=says):
        histories(tmp_path / name, load(game).game)
    with pytest.raises(BadInputError, match="a folder or a file"):
        histories("-", load(game).game)


def test_hands_are_added_whole_or_not_at_all(tmp_path, monkeypatch) -> None:
    game = load("kuhn_poker").game
    files = histories(tmp_path / "kept", game)
    for number in range(2):
        for file in files:
            file.append(recorded("Ks|Qs c c", 1, number))
    lines = (tmp_path / "kept" / "hands.jsonl").read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines] == [0, 1]
    assert json.loads(lines[0])["seats"] == ["A", "B"]
    before = [file.path.read_bytes() for file in files]

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for file in files:
        with pytest.raises(BadInputError, match=r"cannot write .*: No space left on device"):
            file.append(recorded("Ks|Qs c c", 1, 2))
    assert [file.path.read_bytes() for file in files] == before
