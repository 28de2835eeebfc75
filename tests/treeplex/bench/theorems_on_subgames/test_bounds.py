"""Both sides of bounds on composed strategies: twins from the rules, Coin Toss, and what is refused."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.helpers.twins.games import best_response, leaves, probabilities
from treeplex.bench.theorems.prepared import distance_to_value
from treeplex.bench.theorems.solved_bounds import (
    at_top,
    best_response_sequences,
    entered_tops,
    estimate_error,
    reach_margin_bounds,
    subgame_errors,
)
from treeplex.bench.theorems.solved_subgames import SOLVERS, blueprint, solutions, solved, subgames
from treeplex.gadgets.joint_optimum import joint_optimum
from treeplex.gadgets.subgame_solvers import compose, report
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.trees.game_tree import build_tree

ZERO = 1e-9


def test_theorem_1_is_tight_on_coin_toss():
    start = "guess:1/2,1/4,1/4"
    found = solutions("coin_toss", 1, start, "reach-maxmargin")
    composed = compose(blueprint("coin_toss", start), found)
    assert found[0].behaviour == pytest.approx([1, 1 / 2, 1 / 2, 0], abs=ZERO)
    assert distance_to_value("coin_toss", 1, composed) == pytest.approx(1 / 4, abs=ZERO)
    heads, tails = entered_tops(found)
    assert (heads.taken, tails.taken) == (False, True)  # with heads every best response sells
    assert (tails.composed, tails.without, tails.gained) == pytest.approx((1 / 4, 1 / 2, 1 / 4), abs=ZERO)
    (check,) = reach_margin_bounds(found)
    assert check.at == "Tails:Play in :Play"
    assert check.slack("<=") == pytest.approx(0, abs=ZERO)


def random_case(seed, defender):
    """Return a random game's spec, its usual subgames with a random blueprint, and their solutions."""
    spec, start = f"random_game(seed={seed},depth=6,actions=3)", f"random:{seed}"
    pieces = subgames(spec, defender, start)
    assume(pieces)
    return pieces, solutions(spec, defender, start, "reach-maxmargin")


@given(st.integers(0, 10**6), st.integers(0, 1))
def test_both_sides_follow_from_the_rules(seed, defender):
    pieces, found = random_case(seed, defender)
    ends, treeplex = leaves(random_game(seed, depth=6)), pieces[0].cut.own.treeplex

    def won(chosen):
        behaviour = pieces[0].blueprint.behaviour[defender].copy()
        for solution in chosen:
            behaviour[solution.subgame.cut.inside] = solution.behaviour[solution.subgame.cut.inside]
        value, _ = best_response(ends, 1 - defender, probabilities(treeplex, behaviour))
        return float(value)

    rows = report(found, compose(pieces[0].blueprint, found))
    gained = {f"{row.top} in {row.subgame}": row.reach * row.margin for row in rows}
    without = {
        at_top(s.subgame.cut, t): won([other for other in found if other is not s])
        for s in found
        for t in range(len(s.subgame.cut.tops))
    }
    for top in entered_tops(found):
        assert top.composed == pytest.approx(won(found), abs=ZERO)
        assert top.without == pytest.approx(without[top.at], abs=ZERO)
        assert top.gained == pytest.approx(gained[top.at], abs=ZERO)
    negative = sum(max(-gain, 0.0) for gain in gained.values())
    assert sum(subgame_errors(found)) == pytest.approx(negative, abs=ZERO)


@given(st.integers(0, 10**6), st.integers(0, 1))
def test_best_responses_are_those_that_enumeration_finds(seed, player):
    treeplex = number_tree(build_tree(random_game(seed))).form.treeplexes[player]
    sets = [range(lo, hi) for lo, hi in zip(treeplex.begin, treeplex.end, strict=True)]
    assume(np.prod([len(s) for s in sets]) <= 1_000)
    gradient = np.random.default_rng(seed).integers(-1, 2, treeplex.n_sequences).astype(float)
    plans = []
    for chosen in product(*sets):
        behaviour = np.zeros(treeplex.n_sequences)
        behaviour[[0, *chosen]] = 1
        plans.append(treeplex.plan(behaviour))
    worth = np.array(plans) @ gradient
    best = np.array(plans)[worth == worth.max()].any(axis=0)
    found = best_response_sequences(treeplex, treeplex.best_response(gradient))
    assert found.tolist() == best.tolist()


def test_what_has_no_bounds_is_refused():
    pieces = subgames("leduc_poker(raises=1)", 0, "uniform")
    other = subgames("leduc_poker(raises=1)", 0, "random:1")
    unsafe = solved(SOLVERS["unsafe"], pieces[:2])
    for bound in (reach_margin_bounds, subgame_errors):
        with pytest.raises(ValueError, match="needs at least one solution, got none"):
            bound(())
        with pytest.raises(ValueError, match="all subgames must have one blueprint"):
            bound(solved(SOLVERS["maxmargin"], (pieces[0], other[1])))
    joint = joint_optimum(pieces)
    for bound in (reach_margin_bounds, subgame_errors, lambda found: estimate_error(found, joint)):
        with pytest.raises(ValueError, match="about alternative values: unsafe has none in 'K:cc/'"):
            bound(unsafe)
