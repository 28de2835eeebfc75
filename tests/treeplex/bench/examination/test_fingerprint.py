"""Fingerprints of our own minimisers: each variant, average and order is named; samplers are not."""

import pytest

from tests.helpers.cells import over
from treeplex.bench.examination.fingerprint import Fingerprint, Nearest, fingerprint
from treeplex.bench.examination.observed import Averaging
from treeplex.core.loading import load
from treeplex.files.openspiel_policy import from_dict
from treeplex.seqform.forms.profile import Profile
from treeplex.solving.solve import solve

FIRST = range(1, 13)
CHOICES = [
    ("cfr", {}, "uniform, after the update", "alternating, player 0 first"),
    ("cfr", {"order": "simultaneous"}, "uniform, after the update", "simultaneous"),
    ("cfr", {"average": "last"}, "last", "alternating, player 0 first"),
    (
        "cfr",
        {"average": "cubic", "counted": "seen"},
        "cubic, as the other player updated against",
        "alternating, player 0 first",
    ),
    ("cfr+", {}, "linear, after the update", "alternating, player 0 first"),
    ("cfr+", {"counted": "before"}, "linear, before the update", "alternating, player 0 first"),
    ("cfr+", {"average": "uniform"}, "uniform, after the update", "alternating, player 0 first"),
    ("lcfr", {"order": "simultaneous"}, "linear, after the update", "simultaneous"),
    ("dcfr", {"counted": "before"}, "quadratic, before the update", "alternating, player 0 first"),
    ("pcfr+", {}, "quadratic, after the update", "alternating, player 0 first"),
    ("pdcfr", {}, "quadratic, after the update", "alternating, player 0 first"),
    ("dcfr+", {}, "quartic, after the update", "alternating, player 0 first"),
    ("pdcfr+", {}, "quintic, after the update", "alternating, player 0 first"),
    ("sapcfr+", {"counted": "before"}, "quadratic, before the update", "alternating, player 0 first"),
    ("hedge", {}, "uniform, after the update", "alternating, player 0 first"),
    ("cfr-br", {}, "linear, after the update", "alternating, player 0 first"),
]


def strategies(problem, method, times=FIRST, **choices):
    return {t: solve(problem, method=method, iterations=t, **choices).profile for t in times}


def test_weights_of_an_average_with_an_offset():
    weights = {(0.0, -1): [0, 1, 1], (1.0, -2): [0, 0, 1], (1.0, 1): [2, 3, 4], (2.0, 0): [1, 4, 9]}
    for (exponent, offset), wanted in weights.items():
        assert [Averaging(exponent, "after", offset).weight(t) for t in (1, 2, 3)] == wanted
    shown = {("after", 0): 5, ("before", 0): 6, ("seen", 0): 5, ("seen", 1): 6}
    for (counted, player), after in shown.items():
        assert Averaging(1.0, counted).shown(player, 0, 5) == after


@pytest.mark.seconds(3)
@over(["kuhn_poker", "leduc_poker"], CHOICES)
def test_our_own_minimisers_are_named(spec, method, choices, averaging, order):
    problem = load(spec)
    found = fingerprint(problem, strategies(problem, method, **choices))
    assert found == Fingerprint(method, averaging, order)


@pytest.mark.seconds(3)
@over(["mccfr-external", "mccfr-outcome", "mccfr-chance"], ["kuhn_poker", "leduc_poker"])
def test_samplers_have_none(method, spec):
    problem = load(spec)
    for seed in range(2):
        assert fingerprint(problem, strategies(problem, method, seed=seed)) is None


@pytest.mark.seconds(2)
def test_one_that_moves_all_of_one_player_and_nothing_of_the_other_may_sample():
    problem = load("matrix_game(payoff=[[0,-1,2],[1,0,-1],[-1,1,0]])")
    found = fingerprint(problem, strategies(problem, "mccfr-external", times=range(1, 5)))
    assert isinstance(found, Nearest)
    assert not found.is_full_width


@pytest.mark.seconds(4)
def test_one_that_moves_everything_at_once_does_not_sample():
    problem = load("kuhn_poker")
    mixed = {
        t: Profile(
            p.treeplexes,
            tuple(0.9 * b + 0.1 * u.uniform() for b, u in zip(p.behaviour, p.treeplexes, strict=True)),
        )
        for t, p in strategies(problem, "cfr", order="simultaneous").items()
    }
    found = fingerprint(problem, mixed)
    assert isinstance(found, Nearest)
    assert found.is_full_width


def test_exact_solvers_and_no_strategies_have_none():
    problem = load("kuhn_poker")
    assert fingerprint(problem, {}) is None
    same = solve(problem).profile
    assert fingerprint(problem, dict.fromkeys(FIRST, same)) is None


def test_of_several_that_agree_one_with_its_usual_weights_is_named():
    problem = load("goofspiel(cards=3)")
    found = fingerprint(problem, strategies(problem, "dcfr"))
    assert found == Fingerprint("dcfr", "quadratic, after the update", "alternating, player 0 first")


def test_a_river_is_told_on_its_form_alone():
    problem = load("example:locked_river")
    found = fingerprint(problem, strategies(problem, "cfr+", form="tree"))
    assert found == Fingerprint("cfr+", "linear, after the update", "alternating, player 0 first")


@pytest.mark.seconds(3)
@over(["cfr", "cfr+"], ["kuhn_poker", "leduc_poker", "liars_dice(dice_sides=3)"])
def test_minimisers_of_openspiel_are_named_ties_followed(name, spec):
    pyspiel = pytest.importorskip("pyspiel")
    problem, native = load(f"openspiel:{spec}"), pyspiel.load_game(spec)
    solver = {"cfr": pyspiel.CFRSolver, "cfr+": pyspiel.CFRPlusSolver}[name](native)
    seen = {}
    for t in FIRST:
        solver.evaluate_and_update_policy()
        seen[t] = from_dict(solver.tabular_average_policy().policy_table(), problem)
    averaging = {"cfr": "uniform, before the update", "cfr+": "linear, before the update"}[name]
    assert fingerprint(problem, seen) == Fingerprint(name, averaging, "alternating, player 0 first")


def test_what_is_no_iteration_and_another_games_strategies_are_refused():
    problem = load("kuhn_poker")
    other = solve("leduc_poker", method="cfr", iterations=1).profile
    with pytest.raises(ValueError, match="at least 1 iteration, got 0"):
        fingerprint(problem, {0: solve(problem).profile})
    with pytest.raises(ValueError, match="another game"):
        fingerprint(problem, {1: other})
