"""Runs beside their theory: what holds is said to hold, what is falsified is found."""

import json
from dataclasses import replace

import pandas as pd
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex import load
from treeplex.cfr.theory.regret_log import COLUMNS
from treeplex.cfr.variant import ON_TREEPLEXES, VARIANTS
from treeplex.cli import verification as learning_commands
from treeplex.cli.app import FAILED, SUCCESS
from treeplex.cli.main import BAD_INPUT, run
from treeplex.games.base.protocol import TERMINAL
from treeplex.seqform.certify.inequality import Inequality
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.solving import theory


@over(["alternating", "simultaneous"], [*VARIANTS, *ON_TREEPLEXES])
def test_theory_holds_for_every_method(order, method):
    found = theory.theory("leduc_poker(ranks=2,raises=1)", method, 60, order=order, every=20)
    assert found.broken == ()
    assert found.log.iteration.tolist() == [20, 40, 60]
    assert all(bound.ratio >= 1 - 1e-9 for bound in found.bounds)
    assert found.largest == 7


@over(["kuhn_poker", "leduc_poker", "coin_toss", "matrix_game(payoff=[[0,-1],[2,7]])", "no_limit_leduc"])
def test_spreads_are_those_of_the_histories(spec):
    problem = load(spec)
    tree = build_tree(problem.game)
    ends = [int(u) for u, p in zip(tree.payoff, tree.player, strict=True) if p == TERMINAL]
    assert problem.spread == (max(ends) - min(ends)) / tree.payoff_den


@pytest.fixture
def honest():
    return theory.theory("kuhn_poker", "cfr", 30)


def test_a_wrong_regret_breaks_the_identity(honest):
    last = replace(honest.log.last, regret_0=honest.log.last.regret_0 * (1 + 1e-9))
    false = replace(honest, log=replace(honest.log, rows=(last,)))
    assert false.broken == ("NashConv identity",)


def test_an_actual_value_above_its_bound_is_named(honest):
    false = replace(honest, bounds=(*honest.bounds, Inequality("a regret", "nobody", 1.0, 0.9)))
    assert false.broken == ("a regret",)
    rounding = theory.TOLERANCE * honest.largest * honest.log.last.weight
    named = [replace(honest, bounds=(Inequality("b", "", k * rounding, 0.0),)).broken for k in (0.9, 1.1)]
    assert named == [(), ("b",)]


def test_the_command_line_measures(tmp_path, capsys):
    log = tmp_path / "log.csv"
    arguments = ["theory", "kuhn_poker", "--method", "cfr+", "--iterations", "40"]
    assert run([*arguments, "--out", str(log)]) == SUCCESS
    assert capsys.readouterr().out.splitlines()[-1].strip() == "holds"
    table = pd.read_csv(log)
    assert tuple(table.columns) == COLUMNS
    assert len(table) == 40
    assert run([*arguments, "--simultaneous", "--average", "uniform", "--json"]) == SUCCESS
    found = json.loads(capsys.readouterr().out)
    assert found["improvement"] == 0
    assert found["weight"] == found["iterations"] == 40
    assert found["residual"] <= 1e-12
    assert {"name", "source", "actual", "bound"} == set(found["bounds"][0])
    assert found["broken"] == []


@over(theory.SAMPLED)
def test_sampled_regrets_keep_to_their_bounds(method, capsys):
    arguments = ["theory", "kuhn_poker", "--method", method, "--iterations", "300", "--seed", "2"]
    assert run([*arguments, "--json"]) == SUCCESS
    found = json.loads(capsys.readouterr().out)
    assert found["seed"] == 2
    assert found["iterations"] == 300
    assert found["broken"] == []
    assert [b["name"] for b in found["bounds"]][:2] == [
        "player 0: a plan fixed beforehand",
        "player 0: the best plan",
    ]
    assert run([*arguments, "--p", "0.5"]) == SUCCESS
    assert "each bound fails with probability 0.5 at most" in capsys.readouterr().out


CONSTANT = """EFG 2 R "constant" { "a" "b" }
c "" 1 "" { "x" 1/3 "y" 1/3 "z" 1/3 } 0
p "" 1 1 "" { "l" "r" } 0
t "" 1 "" { 0.1 -0.1 }
t "" 2 "" { 0.1 -0.1 }
p "" 2 1 "" { "l" "r" } 0
t "" 3 "" { 0.1 -0.1 }
t "" 4 "" { 0.1 -0.1 }
t "" 5 "" { 0.1 -0.1 }
"""


@over(["cfr", "cfr+", "cfr-br", "hedge", "mccfr-external", "mccfr-chance"])
def test_rounding_is_measured_by_the_largest_payoff(method, tmp_path):
    path = tmp_path / "constant.efg"
    path.write_text(CONSTANT)
    assert tp.theory(path, method, 100).broken == ()
    shifted = "matrix_game(payoff=[[1000001,1000000],[1000000,1000003]])"
    assert tp.theory(shifted, method, 100).broken == ()


def test_numbers_of_other_kinds_are_refused():
    for key, value in (("seed", 1.5), ("seed", "3"), ("p", "0.5"), ("every", 2.5)):
        method = "cfr" if key == "every" else "mccfr-external"
        with pytest.raises(TypeError, match=f"{key} must be a"):
            tp.theory("kuhn_poker", method, 5, **{key: value})


def test_a_broken_theory_fails(honest, monkeypatch, capsys):
    false = replace(honest, bounds=(Inequality("a regret", "nobody", 1.0, 0.9),))
    monkeypatch.setattr(learning_commands.measuring, "theory", lambda *a, **k: false)
    assert run(["theory", "kuhn_poker", "--method", "cfr", "--iterations", "30"]) == FAILED
    assert "BROKEN: a regret" in capsys.readouterr().out


@over(
    [
        (["--method", "lp", "--iterations", "5"], "method must be one of cfr, "),
        (["--method", "cfr", "--iterations", "0"], "at least 1, got 0"),
        (
            ["--method", "cfr", "--iterations", "5", "--every", "0", "--out", "log.csv"],
            "at least 1, got 5 and 0",
        ),
        (
            ["--method", "cfr", "--iterations", "5", "--average", "last"],
            "uniform, linear, quadratic, cubic, quartic, quintic, got 'last'",
        ),
        (["--method", "cfr", "--iterations", "9999999999"], "at most 100,000,000, got"),
        (["--method", "cfr", "--iterations", "5", "--out", "log.txt"], "a regret log must end in .csv"),
        (["--method", "mccfr-pruned", "--iterations", "5"], "method must be one of cfr, "),
        (["--method", "mccfr-chance", "--iterations", "0"], "iterations must be at least 1, got 0"),
        (
            ["--method", "mccfr-chance", "--iterations", "5", "--p", "1"],
            "p must be above 0 and below 1, got 1.0",
        ),
        (["--method", "mccfr-chance", "--iterations", "5", "--simultaneous"], "is not for the theory of"),
    ]
)
def test_wrong_input_is_one_line(options, says, capsys):
    assert run(["theory", "kuhn_poker", *options]) == BAD_INPUT
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert says in complaint
