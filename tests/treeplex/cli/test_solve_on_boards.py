"""``treeplex solve --form boards``: what it prints and writes, and one line for whatever is wrong."""

import csv
import json
import re
import time

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import RESULT_KEYS, printed, rows_of
from treeplex.cli.app import FAILED, SUCCESS
from treeplex.cli.main import run

SOLVE = ("solve", "--form", "boards")
GAME = "leduc_poker(ranks=2,raises=1)"
SPOT = """
board = "Ks Th 7s 4d"
pot = 10
stack = 20
ranges = ["AA,KhKd", "KcQc,KhJh"]
bets = [1.0]
raises = ["a"]
"""


@pytest.fixture
def spot(tmp_path):
    path = tmp_path / "spot.toml"
    path.write_text(SPOT)
    return path


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("boards") / "leduc.npz"
    assert run(["solve", GAME, "--form", "boards", "--iterations", "20", "--out", str(path)]) == SUCCESS
    return path


@over(["csv", "json", "npz"])
def test_the_suffix_of_a_file_does_not_choose_the_method(suffix, tmp_path, capsys):
    path = tmp_path / f"leduc.{suffix}"
    found = json.loads(printed(capsys, "solve", "leduc_poker", "--out", path, "--json"))
    assert (found["method"], found["form"]) == ("lp", "public")
    judged = tp.check("leduc_poker", path)
    assert judged.nash_conv < 1e-6
    assert judged.value == pytest.approx(found["value"], abs=1e-9)


def test_a_profile_needs_its_game_to_be_laid_out_on_boards(tmp_path):
    found = tp.solve("leduc_poker")
    tp.write(found, tmp_path / "leduc.npz", game="leduc_poker")
    with pytest.raises(ValueError, match=r"got a profile without its game; write \.csv"):
        tp.write(found, tmp_path / "other.npz")
    with pytest.raises(ValueError, match="boards of a poker game, got coin_toss"):
        tp.write(tp.solve("coin_toss"), tmp_path / "other.npz", game="coin_toss")
    with pytest.raises(ValueError, match=r"actions at 'J:cr' must be f, c, got f, c, r"):
        tp.write(found, tmp_path / "other.npz", game="kuhn_poker")
    sampled = tp.solve("leduc_poker", "mccfr-external", form="table", iterations=10)
    with pytest.raises(ValueError, match=r"such a strategy is written as \.csv"):
        tp.write(sampled, tmp_path / "other.npz")
    assert [one.name for one in tmp_path.iterdir()] == ["leduc.npz"]


def test_a_table(capsys):
    rows = rows_of(printed(capsys, *SOLVE, GAME, "--iterations", 30))
    assert (rows["method"], rows["status"], rows["iterations"]) == ("dcfr", "iterations done", "30")
    assert rows["boards"] == "3 solved, 5 judged"
    assert rows["exploitability"].endswith(" chips")
    assert rows["tables"].endswith("MiB, float32")
    assert "EV" not in rows


def test_json_has_the_agreed_keys(capsys, spot):
    row = json.loads(printed(capsys, *SOLVE, spot, "--iterations", 30, "--set", "storage=int16", "--json"))
    assert list(row) == RESULT_KEYS
    assert row["form"] == "boards"
    assert row["lower"] <= row["value"] <= row["upper"]
    assert row["nash_conv"] == pytest.approx(sum(row["gains"]), abs=1e-9)
    assert row["pots"] == row["nash_conv"] / 20
    assert row["ev"] == [row["value"] + 5, 5 - row["value"]]
    assert (row["mbb_per_hand"], row["storage"]) == (None, "int16")


def test_whole_hands_count_in_big_blinds(capsys):
    spec = "flop_holdem(ranks=4,suits=2,raises=[0,0])"
    row = json.loads(printed(capsys, *SOLVE, spec, "--iterations", 2, "--json"))
    big = float(max(tp.load(spec).game.betting.invested))
    assert row["mbb_per_hand"] == pytest.approx(1000 * row["nash_conv"] / 2 / big)
    assert rows_of(printed(capsys, *SOLVE, spec, "--iterations", 2))["exploitability"].endswith("mbb/hand")


def test_exit_codes_say_whether_a_target_was_met(capsys, written):
    met = printed(capsys, *SOLVE, GAME, "--target", 0.05)
    assert rows_of(met)["target"] == "0.05: met"
    assert rows_of(met)["status"] == "target reached"
    missed = printed(capsys, *SOLVE, GAME, "--target", 1e-9, "--iterations", 5, code=FAILED)
    assert rows_of(missed)["target"] == "1e-09: missed"
    printed(capsys, "check", GAME, written, "--target", 1e-9, code=FAILED)
    printed(capsys, "check", GAME, written, "--target", 10)


@over(["float32", "int16", "int32", "float64"])
def test_what_is_written_is_judged_the_same_and_shown(storage, capsys, tmp_path):
    path = tmp_path / "s.npz"
    more = ["--iterations", 20, "--set", f"storage={storage}", "--set", "isomorphism=no"]
    more += ["--out", path, "--json"]
    solved = json.loads(printed(capsys, *SOLVE, GAME, *more))
    again = json.loads(printed(capsys, "check", GAME, path, "--json"))
    changed = {"method", "why", "status", "iterations", "seconds", "bytes", "fixed_point"}
    assert {key for key in solved if solved[key] != again[key]} <= changed
    assert (again["method"], again["status"], again["iterations"]) == ("file", "certified", 0)
    for map in ("strategy", "ev"):
        where = ["--strategy", path, "--node", "cc/", "--board", "K", "--map", map, "--json"]
        shown = json.loads(printed(capsys, "show", GAME, *where))
        assert [one["hand"] for one in shown["classes"]] == ["K", "Q"]
        assert (shown["mean"] is None) == (map == "strategy")


def test_a_trace_is_the_course(capsys, tmp_path):
    path = tmp_path / "run.csv"
    last = json.loads(printed(capsys, *SOLVE, GAME, "--iterations", 20, "--trace", path, "--json"))
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [int(row["iterations"]) for row in rows][:4] == [1, 2, 3, 4]
    assert int(rows[-1]["iterations"]) == 20
    assert float(rows[-1]["nash_conv"]) == last["nash_conv"]
    assert {(row["game"], row["method"]) for row in rows} == {(GAME, "dcfr")}


@over(
    [
        ("--threads 0", "threads must be between 1 and 64, got 0"),
        ("--threads 65", "threads must be between 1 and 64, got 65"),
        ("--set storage=int8", "storage must be one of float32, int16, int32, float64, got 'int8'"),
        ("--method lp", "the linear program of leduc_poker(ranks=2,raises=1) has no form boards"),
        ("--iterations 0", "iterations must be at least 1, got 0"),
        ("--iterations 1.5", "Invalid value for '--iterations'"),
        ("--target nan", "target must be a NashConv above 0 and finite, got nan"),
        ("--target 0", "target must be a NashConv above 0"),
        ("--method dcfr --average last", "the average 'last' is for cfr+, got dcfr"),
        ("--average odd", "average must be one of"),
        ("--out s.txt", "must end in .csv or .json or .parquet or .npz, got s.txt"),
        ("--out s.csv", "hides suits"),
        ("--out gone/s.npz", "there is no directory gone"),
        ("--trace s.npz", "a trace must end in .csv"),
        ("--checkpoint s.csv", "a checkpoint must end in .npz"),
        ("--checkpoint gone/s.npz", "there is no directory gone"),
    ]
)
def test_bad_options_are_refused(options, says, complaint):
    assert says in complaint(*SOLVE, GAME, *options.split())


def test_options_are_refused_before_a_game_is_loaded():
    for option in ({"storage": "int8"}, {"threads": 0}, {"target": float("nan")}, {"seed": 1}):
        with pytest.raises(ValueError, match=next(iter(option))):
            tp.solve("gone.toml", "cfr+", form="boards", **option)


@over(
    [
        ("liars_dice", "dcfr on boards needs a poker game, got liars_dice"),
        ("push_fold(stack=10)", "dcfr on boards needs a poker game, got push_fold"),
        ("no_such_game", "unknown game"),
        ("small_holdem(board=AsAsQs)", "As is there twice"),
    ]
)
def test_other_games_are_refused(spec, says, complaint):
    assert says in complaint(*SOLVE, spec)


def test_ranges_that_cannot_meet_are_refused(spot, complaint):
    spot.write_text(SPOT.replace('"AA,KhKd", "KcQc,KhJh"', '"AhKh", "AhQh"'))
    assert "each pair shares a card" in complaint(*SOLVE, spot)


@over(["limit_holdem", "turn_holdem"])
def test_what_cannot_fit_is_refused_before_anything_is_built(spec, complaint):
    clock = time.process_time()
    line = complaint(*SOLVE, spec)
    assert re.search(rf"{spec}: regrets and averages would take at least [\d,.]+ GiB, more than", line)
    assert time.process_time() - clock < 3.0
