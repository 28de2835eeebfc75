"""AIVAT's estimates on game trees: their mean, what luck they leave, and the same hand by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treeplex as tp
from treeplex.bench.estimators.report import trials
from treeplex.examples.estimators import aivat as by_hand
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.aivat import Classes, aivat, history_values, reaches

SPECS = ["kuhn_poker", "coin_toss", "goofspiel", "leduc_poker(ranks=2,raises=1)"]


@pytest.mark.seconds(2)
@pytest.mark.parametrize("spec", SPECS)
def test_estimates_are_those_made_hand_by_hand(spec) -> None:
    for trial in trials(spec, seed=3):
        found = trial.reference
        rows = by_hand(trial.setting(), trial.hands[:200])
        places = np.searchsorted(found.leaves, trial.leaves)
        for row, k in zip(rows, places.tolist(), strict=False):
            assert row[0] == pytest.approx(found.base[k], abs=1e-12)
            assert sum(row) == pytest.approx(found.estimate[k], abs=1e-11)


RARE = """EFG 2 R "rare twice" { "0" "1" }
c "" 1 "" { "a" 1/{n} "b" {m}/{n} } 0
c "" 2 "" { "a" 1/{n} "b" {m}/{n} } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { 2, -2 }
t "" 3 "" { 3, -3 }
"""


def test_values_where_chance_is_too_rare_for_floats(tmp_path) -> None:
    file, n = tmp_path / "rare.efg", 10**200
    file.write_text(RARE.replace("{n}", str(n)).replace("{m}", str(n - 1)))
    problem = tp.load(file)
    plans = tuple(t.plan(t.uniform()) for t in problem.form.treeplexes)
    assert history_values(problem.enumerated, plans).tolist() == [3.0, 2.0, 1.0, 2.0, 3.0]


def unknown_luck(trial, player: int) -> float:
    """Return the variance that a player's own random choices make, values of histories being exact.

    The sum over sets of histories that those with unknown strategies cannot tell apart, where the player
    acts, of the variance of the value after the action, times how likely they are.
    """
    tree, odds = trial.game.tree, reaches(trial.game, trial.plans)
    classes = Classes.among(trial.game, trial.known)
    worth = np.bincount(classes.before, odds * trial.values)
    moved = np.flatnonzero((tree.parent >= 0) & (tree.player[tree.parent] == player))
    mass = np.bincount(classes.before, odds)
    found = 0.0
    for above in np.unique(classes.of[tree.parent[moved]]).tolist():
        sets = np.unique(classes.before[moved[classes.of[tree.parent[moved]] == above]])
        sets = sets[mass[sets] > 0.0]
        if len(sets):
            values, weight = worth[sets] / mass[sets], mass[sets]
            found += float(weight @ (values - weight @ values / weight.sum()) ** 2)
    return found


@given(st.integers(0, 10**6))
def test_the_mean_is_the_value_and_exact_values_leave_the_luck_of_the_unknown(seed) -> None:
    for trial in trials(f"random_game(seed={seed},depth=4)", seed):
        found, odds = trial.reference, reaches(trial.game, trial.plans)
        mean = odds[found.leaves] @ found.estimate
        assert mean == pytest.approx(trial.value, abs=trial.tolerance)
        spread = odds[found.leaves] @ (found.estimate - mean) ** 2
        if trial.exact:
            chosen = sum(unknown_luck(trial, p) for p in (0, 1) if not trial.known[p])
            assert spread == pytest.approx(chosen, abs=1e-6 * trial.tolerance / 1e-9)


def test_variance_on_leduc_between_equilibria() -> None:
    """With both plans known nothing is left, with one a part of the other's luck."""
    problem = tp.load("leduc_poker")
    game = problem.enumerated
    x, y = tp.solve(problem, "cfr+", iterations=200).strategy.transfer(game.form.treeplexes).plans
    leaves, odds = game.tree.leaves, reaches(game, (x, y))
    values = history_values(game, (x, y))
    ratios = []
    for plans in ((x, y), (x, None), (None, y), (None, None)):
        found = aivat(game, plans, values)
        usual = odds[leaves] @ (found.payoff - values[0]) ** 2
        ratios.append(odds[leaves] @ (found.estimate - values[0]) ** 2 / usual)
    assert ratios[0] == pytest.approx(0.0, abs=1e-12)
    assert 0.0 < ratios[1] < ratios[3] < 1.0
    assert 0.0 < ratios[2] < ratios[3]


def test_classes_hold_what_the_unknown_cannot_tell_apart() -> None:
    game = tp.load("kuhn_poker").enumerated
    both = Classes.among(game, (True, True))
    none = Classes.among(game, (False, False))
    assert len(np.unique(none.of)) == game.tree.n_nodes  # who sees all cards can tell all histories apart
    assert len(np.unique(both.of)) == 1 + len(np.unique(game.tree.public[1:]))
    assert len(np.unique(both.before)) < len(np.unique(both.of)) + 1


def test_wrong_shapes_are_refused() -> None:
    game = tp.load("kuhn_poker").enumerated
    with pytest.raises(BadInputError, match="must be 55 finite numbers here, got shape"):
        aivat(game, (None, None), np.zeros(3))
    with pytest.raises(BadInputError, match="finite numbers"):
        aivat(game, (np.full(game.form.n_sequences[0], np.nan), None), np.zeros(game.tree.n_nodes))
