"""Races of minimisers: rows of the runs, what is touched, limits by the clock, pictures, refusals."""

import json
from itertools import pairwise

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run
from treeplex.games.formats.specs import load_game
from treeplex.seqform.trees.game_tree import build_tree


def test_rows_are_those_of_the_runs(capsys):
    """What the command prints is what each method alone proves, planned for the same iterations."""
    words = ["race", "kuhn_poker", "goofspiel", "--methods", "cfr+, hs-dcfr", "--iterations", "7", "--json"]
    assert run(words) == SUCCESS
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert len(rows) == 2 * 2 * 7
    for game in ("kuhn_poker", "goofspiel"):
        leaves = len(build_tree(load_game(game)).leaves)
        for method in ("cfr+", "hs-dcfr"):
            own = [row for row in rows if (row["spec"], row["method"]) == (game, method)]
            assert [row["iterations"] for row in own] == [*range(1, 8)]
            assert [row["touched"] for row in own] == [2 * leaves * t for t in range(1, 8)]
            assert all(a["seconds"] < b["seconds"] for a, b in pairwise(own))
            alone = tp.solve(game, method, iterations=7)
            assert own[-1]["nash_conv"] == alone.nash_conv
            assert own[-1].keys() == {"spec", "method", "iterations", "seconds", "touched", "nash_conv"}


def test_numbers_of_numpy_are_taken():
    given = {"iterations": np.int64(20), "seed": np.int64(7)}
    found = tp.race(["kuhn_poker"], ["mccfr-external"], **given)
    assert json.loads(json.dumps(found.as_json()))["rows"][-1]["iterations"] == 20
    assert found.runners[0].result.parameters["seed"] == 7


def test_payoffs_of_poker_are_counted():
    (runner,) = tp.race(["leduc_poker"], ["dcfr"], iterations=1, counted="before").runners
    assert runner.leaves == len(build_tree(load_game("leduc_poker")).leaves) == 5520
    alone = tp.solve("leduc_poker", "dcfr", iterations=1, counted="before")
    assert runner.result.nash_conv == alone.nash_conv


def test_the_clock_ends_a_run_after_its_last_certificate():
    found = tp.race(["kuhn_poker"], ["cfr", "hs-dcfr", "mccfr-external"], seconds=0.05, horizon=50)
    for runner in found.runners:
        *before, last = runner.result.trace
        assert last.seconds >= 0.05
        assert all(point.seconds < 0.05 for point in before)
    assert [runner.leaves for runner in found.runners] == [30, 30, None]
    assert {runner.result.status for runner in found.runners} == {"0.05 s are over"}
    assert dict(found.runners[1].result.parameters) == {"horizon": 50}


def test_the_narrowest_comes_first_and_the_picture_has_a_curve_each(tmp_path):
    found = tp.race(["kuhn_poker"], ["cfr", "pdcfr+"], iterations=50)
    (table,) = found.blocks()
    assert [cells[0] for cells in table.rows] == ["pdcfr+", "cfr"]
    for x in ("iterations", "seconds", "nodes"):
        assert [curve.label for curve in found.plot(x=x).curves] == ["cfr", "pdcfr+"]
    words = ["race", "kuhn_poker", "--methods", "cfr,dcfr", "--iterations", "5", "--out"]
    assert run([*words, str(tmp_path / "race.svg"), "--x", "nodes"]) == SUCCESS
    assert (tmp_path / "race.svg").read_text().startswith("<?xml")
    assert repr(found) == "Race(cfr, pdcfr+ on kuhn_poker)"
    assert found.runners[1].result.status == "iterations done"


@over(
    [
        (["--methods", "cfr"], "a race needs either iterations or seconds, got neither"),
        (["--methods", "cfr", "--iterations", "5", "--seconds", "1"], "either iterations or seconds, got 5"),
        (["--methods", "cfr", "--iterations", "0"], "iterations must be at least 1, got 0"),
        (["--methods", "cfr", "--seconds", "inf"], "seconds must be above 0 and finite, got inf"),
        (["--methods", "cfr,rmax", "--iterations", "5"], "method must be one of cfr, "),
        (["--methods", "", "--iterations", "5"], "names separated by commas, such as cfr,dcfr, got ''"),
        (
            ["--methods", "cfr,", "--iterations", "5"],
            "names separated by commas, such as cfr,dcfr, got 'cfr,'",
        ),
        (["--methods", "cfr,,dcfr", "--iterations", "5"], "such as cfr,dcfr, got 'cfr,,dcfr'"),
        (
            ["--methods", "hs-dcfr", "--seconds", "1"],
            "horizon must say how many",
        ),
        (["--methods", "cfr", "--iterations", "5", "--set", "seed=1"], "cfr on tree takes average, "),
        (["--methods", "cfr,cfr", "--iterations", "5"], "methods must differ, got cfr 2 times"),
        (["--methods", "cfr", "--iterations", "5", "--horizon", "5"], "a horizon is for hs-dcfr, "),
        (
            ["--methods", "cfr", "--iterations", "5", "--set", "store=runs"],
            "a race keeps no runs, got",
        ),
        (["--methods", "cfr-d", "--iterations", "5", "--x", "nodes"], "of full width, got cfr-d"),
        (
            ["kuhn_poker", "--methods", "cfr", "--iterations", "5"],
            "must differ, got kuhn_poker 2 times",
        ),
        (["--methods", "hedge", "--iterations", "5", "--form", "boards"], "hedge runs on tree or public"),
        (["--methods", "cfr", "--iterations", "5", "--x", "time"], "x must be one of iterations, "),
        (
            ["--methods", "cfr", "--iterations", "5", "--x", "seconds"],
            "x is the axis of the picture that --out writes, got 'seconds' without --out",
        ),
        (["--methods", "cfr", "--iterations", "5", "--out", "race.txt"], "race.txt"),
        (["--methods", "cfr", "--iterations", "5", "--form", "trees"], "form must be one of tree, "),
    ]
)
def test_wrong_input_is_one_line(words, says, complaint):
    assert says in complaint("race", "kuhn_poker", *words)


def test_all_is_checked_before_the_first_run():
    """Not after an hour of the methods before."""
    for games, options in ((["kuhn_poker", "nosuch"], {}), (["kuhn_poker"], {"order": "simultaneous"})):
        with pytest.raises(ValueError, match=r"nosuch|mccfr-external on tree takes average"):
            tp.race(games, ["cfr", "mccfr-external"], iterations=10**12, **options)


def test_what_nothing_certifies_cannot_race():
    with pytest.raises(ValueError, match="nothing certifies mccfr-external on a hash table"):
        tp.race(["kuhn_poker"], ["mccfr-external"], iterations=2, form="table")
    with pytest.raises(ValueError, match="at least one of games, got none"):
        tp.race([], ["cfr"], iterations=2)
