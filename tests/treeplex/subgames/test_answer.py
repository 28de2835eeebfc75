"""Answers to single bets by the face and the command: what is said, and what is refused."""

import json
from dataclasses import replace

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex.cli.main import run
from treeplex.games.poker.added_bets import bets_beside
from treeplex.subgames.answer_result import answer_table

RIVER = ROOT / "examples" / "river.toml"
SMALL = 'small_holdem(board="As Kh Qs Js",ranks=4,suits=3,stack=30,bets=[1],raises=[1],max_raises=2)'
KEYS = {"bet", "range", "alternatives", "values", "gadget_value", "loss", "translation_loss"}


@pytest.mark.seconds(3)
@over(
    [
        ("r2.5", [("", "r2.5", 0)]),
        ("cr3.0", [("c", "r3", 1)]),  # as keys spell it
        ("r2c/r2.5", [("r2c/", "r2.5", 0)]),
        ("r2.5c/cr9r21", None),  # both players
        ("r2.5c/r4", [("", "r2.5", 0), ("r2.5c/", "r4", 0)]),
    ]
)
def test_bets_that_menus_lack_are_found_in_a_line(line, bets):
    game = tp.load(SMALL).game
    if bets is None:
        with pytest.raises(ValueError, match="one player's"):
            bets_beside(game, line)
    else:
        assert [(bet.line, bet.label, bet.player) for bet in bets_beside(game, line)] == bets


def test_an_answer_says_what_is_played_and_what_the_bet_gains():
    found = tp.answer(SMALL, "dcfr:200", "AsKhQsJs:cr1.25", "resolve")
    said = found.as_json()
    assert said.keys() >= KEYS
    assert said["bet"] == "AsKhQsJs:cr1.25"
    assert found.range.keys() == found.alternatives.keys() == found.values.keys()
    loss = sum(w * max(0.0, found.values[h] - found.alternatives[h]) for h, w in found.range.items())
    assert found.loss == pytest.approx(loss, abs=1e-12)
    assert found.loss < 1e-3 < found.translation_loss
    assert 0.1 < sum(found.range.values()) < 1.0  # how often the defender checks
    low, high = found.gadget_value
    total = sum(w * max(found.values[h], found.alternatives[h]) for h, w in found.range.items())
    assert low - 1e-9 <= total / sum(found.range.values()) <= high + 1e-9
    for reply in found.replies:
        assert sum(reply.play.values()) == pytest.approx(1.0)
    (alone,) = answer_table(replace(found, replies=found.replies[:1]), hands=True)[:1]
    assert alone.rows[0][0] == found.replies[0].hand
    assert alone.rows[0][2:] == alone.rows[1][2:]  # all hands are this one


def test_several_bets_are_answered_in_turn():
    found = tp.answer(SMALL, "dcfr:50", "AsKhQsJsAd:cr1.25c/cr4", "maxmargin", iterations=200)
    assert found.bet == "AsKhQsJsAd:cr1.25c/cr4"
    assert [one.bet for one in found.earlier] == ["cr1.25"]
    first = tp.answer(SMALL, "dcfr:50", "AsKhQsJs:cr1.25", "maxmargin", iterations=200)
    assert found.earlier[0].gadget_value == first.gadget_value
    assert all(len({"A", "d"} & {*hand[:2]}) < 2 for hand in found.range)  # the river's card is in no hand


def test_boards_that_suits_alone_tell_apart_have_answers_that_suits_alone_tell_apart():
    spec = SMALL.replace("As Kh Qs Js", "Ah Kh Qh Jh")
    one, other = (tp.answer(spec, "dcfr:20", f"AhKhQhJh{card}:cc/cr1.25") for card in ("As", "Ad"))
    swap = str.maketrans("sd", "ds")
    moved = {frozenset((h[:2], h[2:])): v for h, v in ((h.translate(swap), v) for h, v in one.values.items())}
    assert moved == {frozenset((h[:2], h[2:])): v for h, v in other.values.items()}
    assert one.loss == other.loss


REFUSED = [
    (["--at", "c"], "must end in a bet that the menus of"),
    (["--at", "cr500"], "a bet at 'c' must be above r0 to r200, all-in, got 'r500'"),
    (["--at", "cr37r50"], "a bet at 'cr37' must be from r74 to r200, all-in, got 'r50'"),
    (["--at", "cr37r100"], "must be one player's"),
    (["--at", "cx"], "'cx' is no betting line of"),
    (["--at", "cr1e5"], "'cr1e5' is no betting line of"),
    (["--at", "KsTh7s4d2d:cr37"], "must have 5 cards, none twice, beginning with KsTh7s4d2c"),
    (["--at", "cr37", "--by", "joint"], "there is no method 'joint' of nested solving"),
    (["--at", "cr37", "--by", "unsafe"], "unsafe takes the approach expensive"),
    (["--at", "cr37", "--iterations", "0"], "iterations must be an integer from 1 to 1000000"),
    (["--at", "cr37", "--width", "-1"], "width must be from 0"),
    (["--at", "cr37", "--strategy", "nothing.npz"], "nothing.npz"),
]


@over(REFUSED)
def test_bad_input_is_one_line(arguments, complaint, capsys):
    defaults = ["--strategy", "uniform", "--json"]
    assert run(["answer", str(RIVER), *defaults, *arguments]) == 2
    said = capsys.readouterr()
    assert complaint in said.err
    assert said.err.count("\n") == 1
    assert not said.out


def test_the_command_prints_the_object_and_writes_the_play_after_the_bet(tmp_path, capsys):
    file = tmp_path / "play.npz"
    options = ["--strategy", "uniform", "--iterations", "20"]
    assert run(["answer", str(RIVER), *options, "--at", "cr37", "--json", "--out", str(file)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said.keys() >= KEYS
    assert file.exists()
    assert run(["answer", str(RIVER), *options, "--at", "KsTh7s4d2c:cr37"]) == 0
    assert "AKs" in capsys.readouterr().out


@over([3, None, ["r37"]])
def test_a_bet_is_told_by_a_text(at):
    with pytest.raises(TypeError, match="at must be BOARD:LINE, got"):
        tp.answer(SMALL, "uniform", at)


@over([3, None, [3]])
def test_public_states_are_told_by_texts(at):
    with pytest.raises(TypeError, match="at must be keys of public states, or all, got"):
        tp.resolve(SMALL, 1, at, "maxmargin", blueprint="uniform", form="boards")
