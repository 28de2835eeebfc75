"""Rules of a user's own where methods are named: solved, kept, raced, measured, listed and refused."""

import sys

import numpy as np
import pytest

import treeplex as tp
from tests.helpers import own_rules
from treeplex.bench.examination.solvers_by_name import solver_named
from treeplex.cli.main import BAD_INPUT, run
from treeplex.games.poker.named import kuhn_poker

RULE = f"{own_rules.__name__}:RM_PLUS"
SOURCE = """
from numba import njit
import treeplex as tp

LEAST = {least}

@njit
def observe(memory, values, value, t, noise):
    for a in range(len(values)):
        memory.regret[a] = max(memory.regret[a] + values[a] - value, LEAST)

@njit
def strategy(memory, play):
    for a in range(len(play)):
        play[a] = max(memory.regret[a], 0.0)

rule = tp.LocalRule(observe, strategy, ("regret",))
"""


@pytest.mark.seconds(3)
def test_a_rule_is_a_method_by_name_or_as_an_object():
    named = tp.solve("kuhn_poker", RULE, iterations=100)
    for method in (own_rules.RM_PLUS, "cfr+"):
        other = tp.solve("kuhn_poker", method, iterations=100).profile
        assert all(map(np.array_equal, named.profile.behaviour, other.behaviour))
    assert (named.method, named.form) == (RULE, "tree")
    solver = solver_named(RULE)
    assert np.array_equal(solver(kuhn_poker(), 100).behaviour[0], named.profile.behaviour[0])


@pytest.mark.seconds(3)
def test_a_rule_races_and_its_regrets_add_up():
    race = tp.race(["kuhn_poker"], ["cfr+", own_rules.RM_PLUS], iterations=40)
    first, second = (runner.result for runner in race.runners)
    assert first.nash_conv == second.nash_conv
    assert race.runners[1].touched(40) == race.runners[0].touched(40)
    theory = tp.theory("kuhn_poker", own_rules.RM_PLUS, 40)
    assert theory.broken == ()
    assert [bound.name for bound in theory.bounds] == [
        f"player {p}: positive immediate regrets" for p in (0, 1)
    ]


@pytest.mark.seconds(5)
def test_a_kept_run_goes_on_with_the_same_rule_alone(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for name, least in (("kept_rule", 0.0), ("edited_rule", -1.0)):
        (tmp_path / f"{name}.py").write_text(SOURCE.format(least=least))
    kept = tmp_path / "run.npz"
    tp.solve("kuhn_poker", "kept_rule:rule", iterations=10, checkpoint=kept)
    resumed = tp.solve("kuhn_poker", "kept_rule:rule", iterations=20, checkpoint=kept)
    assert resumed.nash_conv == tp.solve("kuhn_poker", "kept_rule:rule", iterations=20).nash_conv
    (tmp_path / "kept_rule.py").write_text(SOURCE.format(least=-1.0))
    monkeypatch.delitem(sys.modules, "kept_rule")
    with pytest.raises(tp.BadInputError, match="another run"):
        tp.solve("kuhn_poker", "kept_rule:rule", iterations=30, checkpoint=kept)


def test_rules_are_listed_with_their_options():
    found = tp.methods(own_rules.RM_PLUS).as_json()["methods"][0]
    assert found["name"] == RULE
    assert {form: [one["name"] for one in options] for form, options in found["forms"].items()} == {
        "tree": ["average", "counted", "order"],
        "boards": ["average", "isomorphism", "threads"],
        "buckets": ["average", "threads", "abstraction", "abstracted"],
    }


@pytest.mark.seconds(3)
def test_a_rule_runs_on_boards_and_in_buckets_and_goes_on(tmp_path):
    game, kept, cards = (
        "flop_holdem(ranks=4,suits=2,raises=[1,1])",
        tmp_path / "run.npz",
        tmp_path / "cards.npz",
    )
    tp.abstract(game, "flop:6:ochs", out=cards)
    for how in ({"form": "boards"}, {"abstraction": cards}):
        whole = tp.solve(game, RULE, iterations=15, **how)
        tp.solve(game, RULE, iterations=6, checkpoint=kept, **how)
        resumed = tp.solve(game, RULE, iterations=15, checkpoint=kept, threads=2, **how)
        assert all(map(np.array_equal, resumed.strategy.weight, whole.strategy.weight))
        assert (whole.method, whole.form) == (RULE, how.get("form", "buckets"))
        kept.unlink()
        near = tp.solve(game, "cfr+", iterations=15, **how)
        assert whole.nash_conv == pytest.approx(near.nash_conv, rel=1e-5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--method nosuch:rule", "cannot load the rule 'nosuch:rule': there is no module nosuch"),
        ("--method :rule", "must be module:Name, got ':rule'"),
        (f"--method {RULE} --form public", "runs on tree or boards or buckets, got public"),
        (
            f"--method {RULE} --form boards --set storage=int16",
            "takes average, isomorphism, threads, got storage",
        ),
        (f"--method {RULE} --form boards --average last", "the average 'last' is for cfr+, got"),
        (f"--method {RULE} --set horizon=5", "got horizon 5"),
        (f"--method {RULE} --warm-start x.csv", "a warm start is for cfr"),
    ],
)
def test_refusals(arguments, words, capsys):
    assert run(["solve", "leduc_poker(suits_visible=true)", *arguments.split()]) == BAD_INPUT
    assert words in " ".join(capsys.readouterr().err.split())
