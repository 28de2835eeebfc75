"""``tp.depth_limited`` and ``treeplex depth-limited``: continuations, the report, files, bad input."""

import json
import re

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import BAD_INPUT, run

KEYS = (
    "game defender subgames continuations rounds converged exploitability_before exploitability_after "
    "exploitability_joint seconds"
)


@over([0, 1], [("blueprint", 1, False), ("biased", 4, True)])
def test_one_continuation_is_not_enough_and_four_are(defender, continuations, many, enough):
    found = tp.depth_limited("leduc_poker", defender, continuations=continuations)
    assert [one.continuations for one in found.rounds] == [many]
    assert found.converged is None
    assert (found.exploitability_after < 1e-8) == enough
    assert found.exploitability_joint == pytest.approx(0, abs=1e-9)


@pytest.mark.seconds(3)
@over([0, 1], ["kuhn_poker", "leduc_poker", "random_game(seed=3,depth=5)"], ["uniform", "cfr+:10"])
def test_self_generated_continuations_reach_the_best_trunk(defender, spec, blueprint):
    """Two ways to the least that a trunk strategy concedes: continuations added, and one linear program."""
    found = tp.depth_limited(spec, defender, blueprint=blueprint)
    assert found.converged
    assert found.exploitability_after == pytest.approx(found.exploitability_joint, abs=1e-8)
    assert found.exploitability_joint <= found.exploitability_before + 1e-9
    for one in found.rounds:
        assert one.gap == pytest.approx(one.conceded - one.value, abs=1e-12)
    assert [one.continuations for one in found.rounds] == list(range(1, len(found.rounds) + 1))


@over([0, 1])
def test_below_the_trunk_the_blueprint_stays(defender):
    problem = tp.load("leduc_poker")
    blueprint = tp.solve(problem, method="cfr+", iterations=10).profile
    found = tp.depth_limited(problem, defender, blueprint=blueprint, continuations="biased")
    start = blueprint.transfer(found.profile.treeplexes)
    treeplex = found.profile.treeplexes[defender]
    below = np.array([":cc/" in key or "c/" in key for key in treeplex.infosets])
    kept = below[treeplex.infoset_of[1:]]
    same = found.profile.behaviour[defender][1:] == start.behaviour[defender][1:]
    assert same[kept].all()
    assert not same[~kept].all()


def test_strategies_are_continuations():
    uniform = tp.depth_limited("leduc_poker", 1, continuations=["nash", "uniform"])
    assert uniform.continuations == "given"
    assert uniform.rounds[0].continuations == 2
    profile = tp.solve("leduc_poker").profile
    alone = tp.depth_limited("leduc_poker", 1, continuations=[profile], blueprint=profile)
    named = tp.depth_limited("leduc_poker", 1, continuations="blueprint", blueprint=profile)
    assert alone.rounds == named.rounds


def test_rounds_and_tolerance_stop_it():
    limits = tp.DepthLimits(rounds=2)
    found = tp.depth_limited("leduc_poker", 0, blueprint="cfr+:20", limits=limits)
    assert len(found.rounds) == 2
    assert found.converged is False
    loose = tp.DepthLimits(tolerance=1.0)
    assert len(tp.depth_limited("leduc_poker", 0, limits=loose).rounds) == 1


# The command.


def command(*more, spec="leduc_poker", at="all", defender=1):
    return ["depth-limited", spec, "--defender", str(defender), "--at", at, *more]


def test_json_has_the_agreed_keys(capsys):
    assert run(command("--blueprint", "cfr+:20", "--json")) == SUCCESS
    found = json.loads(capsys.readouterr().out)
    assert " ".join(found) == KEYS
    assert list(found["rounds"][0]) == ["continuations", "value", "conceded", "gap"]
    assert len(found["subgames"]) == 15
    assert found["converged"] is True
    assert found["exploitability_joint"] <= found["exploitability_before"]


def test_the_table_says_what_happened(capsys):
    assert run(command("--continuations", "biased", "--factor", "1000")) == SUCCESS
    out = capsys.readouterr().out
    assert "leduc_poker: player 1 solves above 15 subgames, continuations biased" in out
    assert re.search(r"^ +4 +-0\.0856064 +-0\.0856064 ", out, re.MULTILINE)
    assert run(command("--rounds", "1")) == SUCCESS
    assert "above the tolerance" in capsys.readouterr().out


def test_files_are_continuations_and_out_is_a_strategy(tmp_path, capsys):
    theirs, path = tmp_path / "theirs.csv", tmp_path / "trunk.csv"
    assert run(["solve", "kuhn_poker", "--out", str(theirs)]) == SUCCESS
    capsys.readouterr()
    arguments = command(
        "--continuations", str(theirs), "--out", str(path), "--json", spec="kuhn_poker", at=":c"
    )
    assert run(arguments) == SUCCESS
    found = json.loads(capsys.readouterr().out)
    assert found["continuations"] == "given"
    assert run(["check", "kuhn_poker", str(path)]) == SUCCESS


@pytest.mark.seconds(3)
@over(
    [
        (command(at="K:xx"), "no public state 'K:xx'"),
        (command("--continuations", "best"), "blueprint, biased, self-generated or strategies, got 'best'"),
        (command("--continuations", "biased", "--continuations", "nash"), "got 'biased'"),
        (command("--continuations", "missing.csv"), "cannot read missing.csv"),
        (command("--factor", "3"), r"factor is for biased continuations, got 3\.0 with self-generated"),
        (command("--continuations", "biased", "--rounds", "3"), "rounds is for self-generated"),
        (
            command("--continuations", "biased", "--factor", "-1"),
            "factor must be at least 0 and finite, got -1",
        ),
        (command("--rounds", "0"), "rounds must be at least 1 and finite, got 0"),
        (command("--tolerance", "nan"), "tolerance must be at least 0 and finite, got nan"),
        (command("--blueprint", "nosh"), "blueprint must be uniform, nash, METHOD:N with METHOD"),
        (command(spec="limit_holdem"), "has more than 500,000 histories"),
        (command(spec="examples/locked_river.toml"), "games without locks"),
        (command("--out", "strategy.txt"), "must end in .csv or .json or .parquet or .npz"),
        (["depth-limited", "leduc_poker"], "Missing option"),
    ]
)
def test_bad_input_is_one_line_and_exit_2(arguments, complaint, capsys):
    assert run(arguments) == BAD_INPUT
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.count("\n") == 1
    assert re.search(complaint, caught.err)
