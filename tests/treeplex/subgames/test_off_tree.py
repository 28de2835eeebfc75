"""``tp.nested`` and ``tp.translate``, and their commands: games, abstractions, reports, files, bad input."""

import json
import re

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import BAD_INPUT, run
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve
from treeplex.games.formats.specs import load_game
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.subgames.off_tree import compare_off_tree

SMALL = "no_limit_leduc(max_raises=[1,1])"
FULL = "no_limit_leduc(bets=[1/2,3/4,1],max_raises=[1,1])"
KEYS = (
    "game abstraction method approach defender tops min_margin exploitability_before "
    "exploitability_after exploitability_joint seconds"
)
TOP_KEYS = ["state", "level", "top", "reach", "alternative", "value", "margin"]


def distances(found):
    return found.exploitability_before, found.exploitability_after, found.exploitability_joint


@pytest.mark.seconds(3)
@over([0, 1])
def test_nested_solving_lies_between_the_blueprint_and_the_joint_optimum(defender):
    found = tp.nested(FULL, SMALL, defender, "maxmargin")
    before, after, joint = distances(found)
    assert -1e-9 <= joint <= after + 1e-9
    assert after < before / 10
    assert tp.translate(FULL, SMALL, defender).exploitability_after > after
    form = number_tree(build_tree(load_game(FULL))).form
    value = solve_lp(form).certificate.value
    gained = form.best_response(1 - defender, found.profile.plans[defender]).total
    assert after == pytest.approx(gained - (value if defender == 1 else -value), abs=1e-9)


@pytest.mark.seconds(3)
@over([(0, "translation"), (1, "resolve")])
def test_a_margin_says_what_an_off_tree_move_gains(defender, method):
    """Where a best response makes the move, some margin is negative; where none is, it gains nothing."""
    translated = method == "translation"
    found = tp.translate(FULL, SMALL, defender) if translated else tp.nested(FULL, SMALL, defender, method)
    assert {top.level for top in found.tops} <= {1, 2}
    for top in found.tops:
        assert top.margin == pytest.approx(top.alternative - top.value, abs=1e-12)
    # The blueprint is an equilibrium: what the opponent gains in all comes by off-tree moves.
    small = solve_lp(number_tree(build_tree(load_game(SMALL))).form).certificate.value
    full = solve_lp(number_tree(build_tree(load_game(FULL))).form).certificate.value
    in_abstraction = (small - full) * (1 if defender == 1 else -1)
    lost = sum(-top.reach * min(top.margin, 0.0) for top in found.tops)
    assert found.exploitability_after <= in_abstraction + lost + 1e-9


@pytest.mark.seconds(3)
def test_abstractions_are_specs_games_problems_and_sizes():
    full = load_game(FULL)
    first, *others = (
        tp.nested(full, small, 0) for small in (SMALL, load_game(SMALL), tp.load(SMALL), "1/2,1", [0.5, 1])
    )
    for other in others:
        assert distances(other) == pytest.approx(distances(first), abs=1e-9)
    assert others[-1].abstraction == f"{full.name} with sizes 0.5, 1"
    assert distances(tp.nested(tp.load(FULL), SMALL, 0)) == distances(first)


@pytest.mark.seconds(3)
def test_blueprints_are_of_the_abstraction():
    profile = tp.solve(SMALL, method="cfr+", iterations=50).profile
    found = tp.nested(FULL, SMALL, 1, blueprint=profile)
    assert distances(found) == distances(tp.nested(FULL, SMALL, 1, blueprint=profile.table()))
    with pytest.raises(ValueError, match="the profile is of another game"):
        tp.nested(FULL, SMALL, 1, blueprint=tp.solve(FULL, method="cfr+", iterations=1).profile)


@pytest.mark.seconds(3)
def test_methods_by_name_and_as_gadgets():
    for defender, name, gadget in ((0, "resolve", Resolve), (1, "maxmargin", Maxmargin)):
        by_name, as_object = tp.nested(FULL, SMALL, defender, name), tp.nested(FULL, SMALL, defender, gadget)
        assert distances(by_name) == distances(as_object)
    by_path = tp.nested(FULL, SMALL, defender, "treeplex.gadgets.published_gadgets:Maxmargin")
    assert np.array_equal(by_path.profile.behaviour[defender], as_object.profile.behaviour[defender])


@pytest.mark.seconds(3)
@over([0, 1])
def test_without_off_tree_moves_the_blueprint_stays(defender):
    for found in (tp.nested(SMALL, SMALL, defender), tp.translate(SMALL, SMALL, defender)):
        assert found.tops == ()
        assert found.min_margin is None
        assert distances(found) == pytest.approx((0, 0, 0), abs=1e-9)


@pytest.mark.seconds(3)
def test_the_comparison_has_the_figures_of_the_single_runs():
    rows = {row.method: row.exploitability for row in compare_off_tree(FULL, SMALL)}
    assert rows["translation"][0] == tp.translate(FULL, SMALL, 0).exploitability_after
    found = tp.nested(FULL, SMALL, 1, "unsafe", approach="expensive")
    assert rows["unsafe (expensive)"][1] == found.exploitability_after


# The commands.


def command(name, *more, abstraction="1/2,1", defender=1):
    return ["answer", FULL, "--by", name, "--abstraction", abstraction, "--defender", str(defender), *more]


@pytest.mark.seconds(3)
@over(["nested", "translation"])
def test_json_has_the_agreed_keys(name, capsys):
    assert run(command(name, "--json")) == SUCCESS
    found = json.loads(capsys.readouterr().out)
    assert " ".join(found) == KEYS
    assert list(found["tops"][0]) == TOP_KEYS
    assert found["min_margin"] == min(top["margin"] for top in found["tops"])
    assert found["approach"] == ("inexpensive" if name == "nested" else None)
    assert found["method"] == ("resolve" if name == "nested" else "translation")
    assert found["exploitability_joint"] <= found["exploitability_after"] < found["exploitability_before"]


def test_the_table_says_what_happened(capsys):
    assert run(command("reach-maxmargin", "--approach", "expensive")) == SUCCESS
    out = capsys.readouterr().out
    assert "answers the rest by reach-maxmargin (expensive)" in out
    assert re.search(r"K:r1\.5c/r5\.25 +2 +3 ", out)
    assert re.search(r"exploitability before +1\.5\d+, uniform", out)


@pytest.mark.seconds(3)
@over(["nested", "translation"])
def test_out_writes_the_strategy(name, tmp_path, capsys):
    path = tmp_path / "played.csv"
    assert run(command(name, "--out", str(path), "--json")) == SUCCESS
    after = json.loads(capsys.readouterr().out)["exploitability_after"]
    problem = tp.load(FULL)
    written = tp.certify(problem.form, tp.read(problem, path))
    value = solve_lp(problem.form).certificate.value
    assert written.upper - value == pytest.approx(after, abs=1e-9)


@pytest.mark.seconds(3)
@over(
    [
        (command("nested", abstraction="1/3"), r"among those of .*: 0\.5, 0\.75, 1; got 1/3"),
        (command("nested", abstraction="no_limit_leduk"), "unknown game 'no_limit_leduk'"),
        (command("nested", abstraction="leduc_poker"), "a poker game with menus of bet sizes, got leduc"),
        (["answer", "kuhn_poker", "--abstraction", "1", "--defender", "1"], "menus of bet sizes, got kuhn"),
        (
            ["answer", "goofspiel", "--by", "translation", "--abstraction", "1", "--defender", "1"],
            "menus of bet sizes, got goof",
        ),
        (command("translation", abstraction="no_limit_leduc(ranks=4)"), "differ in sizes and stacks alone"),
        (command("nested", abstraction="no_limit_leduc(ranks=4)"), "differ in sizes and stacks alone"),
        (command("nested", abstraction=FULL.replace("3/4", "2/3")), "every size of .* must be among those"),
        (command("maxmargn"), "no method 'maxmargn' .* there is maxmargin"),
        (command("numpy:nothing"), "cannot load the gadget 'numpy:nothing'"),
        (command("json:loads"), "Python's own module json, got 'json:loads'"),
        (command("nested", "--approach", "cheap"), "approach must be inexpensive or expensive, got 'cheap'"),
        (command("unsafe"), "unsafe takes the approach expensive"),
        (command("nested", "--scale", "2"), "scale is for the methods with reach-, got 2"),
        (command("reach-resolve", "--scale", "-1"), "scale must be between 0"),
        (
            command("nested", "--strategy", "nosh"),
            "blueprint must be uniform, nash, METHOD:N with METHOD one of cfr",
        ),
        (command("translation", "--missing", "uniform"), "missing is for strategies that are tables"),
        (command("translation", "--out", "strategy.txt"), "must end in .csv or .json or .parquet or .npz"),
        (
            ["answer", FULL, "--defender", "1"],
            "takes --abstraction, for every bet, or --at, for one, got none",
        ),
        (["answer", FULL, "--abstraction", "1", "--at", "c"], "or --at, for one, got both"),
        (["answer", FULL, "--abstraction", "1"], "--abstraction needs --defender, 0 or 1"),
        (command("nested", "--threads", "2"), "--threads is for --at, got it with --abstraction"),
        (command("translation", "--approach", "expensive"), "--by translation has no --approach"),
        (command("translation", "--scale", "2"), "--by translation has no --scale"),
        (["answer", FULL, "--at", "c"], "--at needs --strategy: uniform, nash, METHOD:N or a file"),
        (
            ["answer", FULL, "--at", "c", "--defender", "1"],
            "--defender is for --abstraction, got 1 with --at",
        ),
        (["answer", FULL, "--at", "c", "--by", "translation"], "of one bet stands beside every other method"),
    ]
)
def test_bad_input_is_one_line_and_exit_2(arguments, complaint, capsys):
    assert run(arguments) == BAD_INPUT
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.count("\n") == 1
    assert re.search(complaint, caught.err)
