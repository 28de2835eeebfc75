"""Theorems on subgames solved again: both sides of each inequality, where it is tight, and what breaks it."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.helpers.twins.games import best_response, leaves, probabilities
from treeplex.cfr.engine import average
from treeplex.cfr.sequence_form import full_width
from treeplex.cfr.variants.variant import VARIANTS
from treeplex.gadgets.core.alternatives import BlueprintAlternatives, EstimatedAlternatives
from treeplex.gadgets.core.gifts import EstimatedGifts, LowerBoundGifts
from treeplex.gadgets.methods.maxmargin import Maxmargin
from treeplex.gadgets.methods.resolve import Resolve
from treeplex.gadgets.methods.unsafe import Unsafe
from treeplex.gadgets.solving.composition import compose, report
from treeplex.gadgets.solving.joint import joint_optimum
from treeplex.gadgets.solving.subgame import EquilibriumOf, Lexicographic
from treeplex.gadgets.solving.theorems import (
    at_top,
    best_response_sequences,
    estimate_error_bound,
    reach_margin_bounds,
    resolve_error_bound,
)
from treeplex.games.small.random_game import random_game
from treeplex.games.specs.specs import load_game
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.tree_form import number_tree
from treeplex.seqform.lp.solve import solve_lp
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.trees.game_tree import build_tree

ZERO = 1e-9
"""No slack is below minus this, and a bound is tight when its slack is no larger."""
REACH = BlueprintAlternatives(LowerBoundGifts())
SAFE = {
    "maxmargin": EquilibriumOf(Maxmargin()),
    "reach-maxmargin": EquilibriumOf(Maxmargin(REACH)),
    "resolve": EquilibriumOf(Resolve()),
    "reach-resolve": EquilibriumOf(Resolve(REACH)),
    "lexicographic": Lexicographic(),
    "reach-lexicographic": Lexicographic(REACH),
}
LEDUCS = ("leduc_poker", "leduc_poker(bets=[8,8])", "leduc_poker(bets=[10,4])")
FIGURE_4 = "coin_toss(forfeit=false,subgames=2)"


@cache
def enumerated_game(spec):
    return number_tree(build_tree(load_game(spec)))


@cache
def equilibrium(spec):
    return solve_lp(enumerated_game(spec).form)


@cache
def cuts_of(spec, defender):
    enumerated = enumerated_game(spec)
    states = PublicStates.of(enumerated.tree)
    return [cut(states, enumerated, [name], defender) for name in states.first_subgames(defender)]


def subgames_of(spec, defender, blueprint):
    return [Subgame.of(piece, blueprint) for piece in cuts_of(spec, defender)]


def solved(solver, subgames):
    return [solver.solve(subgame) for subgame in subgames]


def exploitability(spec, defender, profile):
    value = float(equilibrium(spec).certificate.value)
    won = enumerated_game(spec).form.best_response(1 - defender, profile.plans[defender]).total
    return won - (value if defender == 1 else -value)


def composed_exploitability(spec, defender, blueprint, solver):
    solutions = solved(solver, subgames_of(spec, defender, blueprint))
    return exploitability(spec, defender, compose(blueprint, solutions))


def random_behaviour(treeplex, rng):
    behaviour = treeplex.uniform()
    for lo, hi in zip(treeplex.begin, treeplex.end, strict=True):
        behaviour[lo:hi] = rng.dirichlet(np.ones(hi - lo))
    return behaviour


@cache
def blueprint_of(spec, name):
    """Return ``uniform``, ``random:SEED``, ``cfr+:N`` or ``near:SEED:NOISE``, an equilibrium with noise."""
    kind, *keys = name.split(":")
    form = enumerated_game(spec).form
    if kind == "cfr+":
        return average(full_width.prepare(form, VARIANTS["cfr+"]), int(keys[0]))
    if kind == "uniform":
        return Profile(form.treeplexes, tuple(t.uniform() for t in form.treeplexes))
    rng = np.random.default_rng(int(keys[0]))
    noise = tuple(random_behaviour(t, rng) for t in form.treeplexes)
    if kind == "random":
        return Profile(form.treeplexes, noise)
    share, nash = float(keys[1]), equilibrium(spec).profile.behaviour
    return Profile(
        form.treeplexes, tuple((1 - share) * n + share * b for n, b in zip(nash, noise, strict=True))
    )


def coin_toss_blueprint(spec, guesses, play=0.5):
    """Return a profile of Coin Toss: player 1's guesses in every subgame, and how often player 0 plays."""
    own, other = enumerated_game(spec).form.treeplexes
    return Profile(
        (own, other), (np.array([1, *(1 - play, play) * 2]), np.array([1, *guesses * other.n_infosets]))
    )


def guesses_of(spec, solutions):
    """Return player 1's probability of guessing Heads in each subgame."""
    composed = compose(solutions[0].subgame.blueprint, solutions)
    return composed.behaviour[1][enumerated_game(spec).form.treeplexes[1].begin].tolist()


def gifts_of(subgames):
    return sum(int((LowerBoundGifts().of(subgame) > ZERO).sum()) for subgame in subgames)


def check_everything(spec, blueprints, methods):
    """Hold every safe method to its bounds on both seats; count the checks, the tight ones and the gifts."""
    counts = Counter()
    for name, defender in product(blueprints, (0, 1)):
        blueprint = blueprint_of(spec, name)
        subgames = subgames_of(spec, defender, blueprint)
        counts["gifts"] += gifts_of(subgames)
        for method in methods:
            solutions = solved(SAFE[method], subgames)
            margins = [row.reach * row.margin for row in report(solutions, compose(blueprint, solutions))]
            assert min(margins) >= -ZERO, (name, defender, method)  # or else the theorem says nothing
            checks = reach_margin_bounds(solutions)
            safety = resolve_error_bound(solutions)
            assert safety.allowed <= ZERO, (name, defender, method)
            for check in (*checks, safety):
                assert check.slack >= -ZERO, (name, defender, method, check)
            counts["checks"] += len(checks)
            counts["tight"] += sum(c.slack <= ZERO and c.allowed < -1e-6 for c in checks)
    return counts


def test_theorem_1_is_tight_on_coin_toss():
    blueprint = coin_toss_blueprint("coin_toss", (1 / 2, 1 / 4, 1 / 4))
    solutions = solved(SAFE["reach-maxmargin"], subgames_of("coin_toss", 1, blueprint))
    assert solutions[0].behaviour == pytest.approx([1, 1 / 2, 1 / 2, 0], abs=ZERO)
    assert exploitability("coin_toss", 1, compose(blueprint, solutions)) == pytest.approx(1 / 4, abs=ZERO)
    (check,) = reach_margin_bounds(solutions)  # with Heads every best response sells
    assert check.name == "Tails:Play in :Play"
    assert (check.left, check.start, check.allowed) == pytest.approx((1 / 4, 1 / 2, -1 / 2 * 1 / 2), abs=ZERO)
    assert check.slack == pytest.approx(0, abs=ZERO)


def with_printed_weights(solutions):
    """Return the checks with the weight that the paper prints: the opponent's part instead of the others'."""
    tops = {at_top(s.subgame.cut, t): (s.subgame, t) for s in solutions for t in range(len(s.subgame.reach))}
    false = []
    for check in reach_margin_bounds(solutions):
        subgame, t = tops[check.name]
        histories = np.count_nonzero(subgame.cut.root_top == t)
        weight = histories * subgame.opponent_reach[t] / subgame.reach[t]
        false.append(replace(check, allowed=weight * check.allowed))
    return false


@pytest.mark.parametrize(("play", "slack"), [(0, 1 / 4), (1 / 2, 0), (3 / 4, -1 / 8), (1, -1 / 4)])
def test_the_weight_that_the_paper_prints_depends_on_what_it_must_not_and_fails(play, slack):
    blueprint = coin_toss_blueprint("coin_toss", (1 / 2, 1 / 4, 1 / 4), play)
    solutions = solved(SAFE["reach-maxmargin"], subgames_of("coin_toss", 1, blueprint))
    (false,) = with_printed_weights(solutions)
    assert false.slack == pytest.approx(slack, abs=ZERO)


def test_the_weight_that_the_paper_prints_fails_in_leduc():
    subgames = subgames_of("leduc_poker", 1, blueprint_of("leduc_poker", "cfr+:10"))
    solutions = solved(SAFE["maxmargin"], subgames)
    assert min(check.slack for check in with_printed_weights(solutions)) < -1e-1


@pytest.mark.parametrize("spec", LEDUCS)
def test_bounds_hold_on_leduc(spec):
    methods = ("maxmargin", "reach-maxmargin", "resolve", "reach-resolve")
    counts = check_everything(spec, ("cfr+:10", "near:0:0.05"), methods)
    assert counts["checks"] >= 200
    assert counts["tight"] >= 50


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "gifts"), list(zip(LEDUCS, (0, 200, 200), strict=True)))
def test_thousands_of_bounds_hold_on_leduc(spec, gifts):
    blueprints = ["uniform", "random:1", "random:2", "cfr+:3", "cfr+:10", "cfr+:30", "cfr+:100"]
    blueprints += [f"near:{seed}:{noise}" for noise in (0.02, 0.05, 0.1) for seed in range(3)]
    counts = check_everything(spec, blueprints, SAFE)
    assert counts["checks"] >= 2_000
    assert counts["tight"] >= 400
    assert counts["gifts"] >= gifts


@pytest.mark.parametrize(("spec", "least"), list(zip(LEDUCS, (0, 9, 12), strict=True)))
def test_only_bets_that_make_folding_good_leave_gifts_near_equilibrium(spec, least):
    found = [
        gifts_of(subgames_of(spec, defender, blueprint_of(spec, f"near:{seed}:{noise}")))
        for seed, noise, defender in product(range(4), (0.02, 0.05, 0.1), (0, 1))
    ]
    assert min(found) == least
    assert (max(found) > 0) == (least > 0)


@pytest.mark.parametrize("spec", LEDUCS[1:])
@pytest.mark.parametrize("defender", [0, 1])
def test_gifts_improve_on_maxmargin_on_average(spec, defender):
    means = [
        np.mean(
            [
                composed_exploitability(spec, defender, blueprint_of(spec, f"near:{seed}:0.05"), SAFE[method])
                for seed in range(4)
            ]
        )
        for method in ("reach-maxmargin", "maxmargin")
    ]
    assert means[0] < means[1]


@pytest.mark.parametrize(
    ("spec", "name", "defender", "ratio"),
    [("leduc_poker", "cfr+:30", 1, 2), ("leduc_poker(bets=[8,8])", "near:0:0.05", 1, 1.2)],
)
def test_gifts_times_three_are_unsafe(spec, name, defender, ratio):
    """Gifts of all actions, three times over: the strategy gets worse than its blueprint."""
    blueprint = blueprint_of(spec, name)
    solutions = solved(
        EquilibriumOf(Resolve(BlueprintAlternatives(EstimatedGifts(3)))),
        subgames_of(spec, defender, blueprint),
    )
    before = exploitability(spec, defender, blueprint)
    assert exploitability(spec, defender, compose(blueprint, solutions)) > ratio * before
    assert min(check.slack for check in reach_margin_bounds(solutions)) < -1e-3
    assert resolve_error_bound(solutions).slack < -1e-3


@pytest.mark.parametrize(
    ("scale", "heads", "expected"),
    [(0, 1 / 2, 1 / 4), (1, 3 / 8, 1 / 8), (1.5, 5 / 16, 1 / 16), (2, 1 / 4, 0), (3, 1 / 8, 1 / 8)],
)
def test_figure_4_with_scaled_gifts(scale, heads, expected):
    blueprint = coin_toss_blueprint(FIGURE_4, (1 / 2, 1 / 2))
    subgames = subgames_of(FIGURE_4, 1, blueprint)
    solver = EquilibriumOf(Maxmargin(BlueprintAlternatives(LowerBoundGifts(scale))))
    solutions = solved(solver, subgames)
    assert guesses_of(FIGURE_4, solutions) == pytest.approx([heads, heads], abs=ZERO)
    assert exploitability(FIGURE_4, 1, compose(blueprint, solutions)) == pytest.approx(expected, abs=ZERO)
    slack = min(check.slack for check in reach_margin_bounds(solutions))
    assert slack == pytest.approx(0 if scale <= 2 else -1 / 4, abs=ZERO)


def test_figure_4_with_the_whole_gift_in_one_subgame():
    blueprint = coin_toss_blueprint(FIGURE_4, (1 / 2, 1 / 2))
    solver = EquilibriumOf(Maxmargin(BlueprintAlternatives(LowerBoundGifts(2))))
    first = solved(solver, subgames_of(FIGURE_4, 1, blueprint)[:1])
    assert guesses_of(FIGURE_4, first) == pytest.approx([1 / 4, 1 / 2], abs=ZERO)
    assert exploitability(FIGURE_4, 1, compose(blueprint, first)) == pytest.approx(1 / 8, abs=ZERO)


@pytest.mark.parametrize(("n", "expected"), [(0, 1 / 4), (1, 0), (2, 1 / 4)])
def test_figure_4_with_always_tails(n, expected):
    """With the whole gift always Tails solves Resolve: perfect in one subgame, useless in both."""
    blueprint = coin_toss_blueprint(FIGURE_4, (1 / 2, 1 / 2))
    solver = EquilibriumOf(Resolve(BlueprintAlternatives(LowerBoundGifts(2))))
    solutions = solved(solver, subgames_of(FIGURE_4, 1, blueprint))
    tails = np.array([1, 0, 1, 0, 1.0])
    chosen = [
        replace(s, behaviour=tails if k < n else blueprint.behaviour[1]) for k, s in enumerate(solutions)
    ]
    assert exploitability(FIGURE_4, 1, compose(blueprint, chosen)) == pytest.approx(expected, abs=ZERO)
    assert resolve_error_bound(chosen).allowed == 0


@pytest.mark.parametrize(
    ("spec", "guesses", "sides"),
    [
        ("coin_toss", (1 / 2, 1 / 4, 1 / 4), (3 / 4, 1 / 2, 1 / 4)),
        (FIGURE_4, (1 / 2, 1 / 2), (3 / 4, 1 / 4, 1 / 2)),
    ],
)
def test_errors_of_resolve_add_up_when_player_1_always_guesses_heads(spec, guesses, sides):
    """Tight on both; and in Figure 4 the largest error of a subgame alone, 1/4, would not do."""
    blueprint = coin_toss_blueprint(spec, guesses)
    heads = np.array([1.0, *(1, *(0,) * (len(guesses) - 1)) * len(cuts_of(spec, 1))])
    solutions = solved(SAFE["resolve"], subgames_of(spec, 1, blueprint))
    check = resolve_error_bound([replace(solution, behaviour=heads) for solution in solutions])
    assert (check.left, check.start, check.allowed) == pytest.approx(sides, abs=ZERO)


@pytest.mark.parametrize("defender", [0, 1])
@pytest.mark.parametrize("name", ["uniform", "near:1:0.05"])
def test_no_strategy_exceeds_its_errors(defender, name):
    blueprint, rng = blueprint_of("leduc_poker", name), np.random.default_rng(7)
    solutions = solved(SAFE["resolve"], subgames_of("leduc_poker", defender, blueprint))
    for _ in range(20):
        behaviour = random_behaviour(blueprint.treeplexes[defender], rng)
        check = resolve_error_bound([replace(solution, behaviour=behaviour) for solution in solutions])
        assert check.allowed > 0.1
        assert check.slack >= -ZERO


@pytest.mark.parametrize("delta", [0.1, 0.25, 0.5])
def test_estimates_off_by_delta_cost_at_most_half_of_it_in_coin_toss(delta):
    blueprint = coin_toss_blueprint("coin_toss", (1 / 2, 1 / 4, 1 / 4))
    subgames = subgames_of("coin_toss", 1, blueprint)
    joint, worst = joint_optimum(subgames), 0.0
    exact = joint.estimates(subgames[0])
    assert list(exact.values()) == pytest.approx([1 / 2, -1 / 2], abs=ZERO)
    for signs in product((-1, 1), repeat=2):
        estimates = {key: v + sign * delta for (key, v), sign in zip(exact.items(), signs, strict=True)}
        solutions = solved(EquilibriumOf(Maxmargin(EstimatedAlternatives(estimates))), subgames)
        check = estimate_error_bound(solutions, joint)
        assert check.allowed == pytest.approx(2 * delta, abs=ZERO)
        worst = max(worst, check.left - check.start)
    assert worst == pytest.approx(delta / 2, abs=ZERO)


@pytest.mark.parametrize("defender", [0, 1])
@pytest.mark.parametrize("name", ["uniform", "cfr+:3"])
def test_exact_estimates_give_the_joint_optimum_and_noise_costs_at_most_twice_itself(defender, name):
    subgames = subgames_of("leduc_poker", defender, blueprint_of("leduc_poker", name))
    joint, rng = joint_optimum(subgames), np.random.default_rng(3)
    exact = {key: value for subgame in subgames for key, value in joint.estimates(subgame).items()}
    costs = []
    for delta in (0, 0, 0.5, 0.5, 0.5):
        noisy = {key: value + rng.uniform(-delta, delta) for key, value in exact.items()}
        check = estimate_error_bound(
            solved(EquilibriumOf(Maxmargin(EstimatedAlternatives(noisy))), subgames), joint
        )
        assert 1.9 * delta <= check.allowed <= 2 * delta
        assert check.slack >= -ZERO
        costs.append(check.left - check.start)
    assert costs[:2] == pytest.approx([0, 0], abs=ZERO)
    assert min(costs[2:]) > 1e-3


@pytest.mark.parametrize("defender", [0, 1])
def test_from_an_equilibrium_every_safe_method_keeps_it_and_unsafe_does_not(defender):
    nash = equilibrium("leduc_poker").profile
    for solver in SAFE.values():
        assert composed_exploitability("leduc_poker", defender, nash, solver) <= ZERO
    assert composed_exploitability("leduc_poker", defender, nash, EquilibriumOf(Unsafe())) > 1e-3


def random_subgames(seed, defender):
    """Return the usual subgames of a random game with a random blueprint."""
    enumerated = number_tree(build_tree(random_game(seed, depth=6)))
    states, rng = PublicStates.of(enumerated.tree), np.random.default_rng(seed)
    try:
        names = states.first_subgames(defender)
    except ValueError:
        assume(False)
    blueprint = Profile(
        enumerated.form.treeplexes, tuple(random_behaviour(t, rng) for t in enumerated.form.treeplexes)
    )
    return [Subgame.of(cut(states, enumerated, [name], defender), blueprint) for name in names]


@given(st.integers(0, 10**6), st.integers(0, 1))
def test_bounds_hold_in_random_games(seed, defender):
    subgames = random_subgames(seed, defender)
    for method in ("reach-maxmargin", "reach-resolve"):
        solutions = solved(SAFE[method], subgames)
        for check in (*reach_margin_bounds(solutions), resolve_error_bound(solutions)):
            assert check.slack >= -ZERO, check
    joint, rng = joint_optimum(subgames), np.random.default_rng(seed)
    for delta in (0, 1):
        estimates = {
            key: value + rng.uniform(-delta, delta)
            for subgame in subgames
            for key, value in joint.estimates(subgame).items()
        }
        solutions = solved(EquilibriumOf(Maxmargin(EstimatedAlternatives(estimates))), subgames)
        assert estimate_error_bound(solutions, joint).slack >= -ZERO


@given(st.integers(0, 10**6), st.integers(0, 1))
def test_both_sides_follow_from_the_rules(seed, defender):
    subgames = random_subgames(seed, defender)
    solutions = solved(SAFE["reach-maxmargin"], subgames)
    ends, treeplex = leaves(random_game(seed, depth=6)), subgames[0].cut.own.treeplex

    def won(chosen):
        behaviour = subgames[0].blueprint.behaviour[defender].copy()
        for solution in chosen:
            behaviour[solution.subgame.cut.inside] = solution.behaviour[solution.subgame.cut.inside]
        value, _ = best_response(ends, 1 - defender, probabilities(treeplex, behaviour))
        return float(value)

    rows = report(solutions, compose(subgames[0].blueprint, solutions))
    gained = {f"{row.top} in {row.subgame}": row.reach * row.margin for row in rows}
    start = {
        f"{top} in {s.subgame.cut.name}": won([other for other in solutions if other is not s])
        for s in solutions
        for top in s.subgame.cut.tops
    }
    for check in reach_margin_bounds(solutions):
        assert check.left == pytest.approx(won(solutions), abs=ZERO)
        assert check.start == pytest.approx(start[check.name], abs=ZERO)
        assert check.allowed == pytest.approx(-gained[check.name], abs=ZERO)


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
    subgames = subgames_of("leduc_poker", 0, blueprint_of("leduc_poker", "uniform"))
    unsafe = solved(EquilibriumOf(Unsafe()), subgames[:2])
    joint = joint_optimum(subgames)
    bounds = (
        reach_margin_bounds,
        resolve_error_bound,
        lambda solutions: estimate_error_bound(solutions, joint),
    )
    for bound in bounds:
        with pytest.raises(ValueError, match="needs at least one solution, got none"):
            bound(())
        with pytest.raises(ValueError, match="about alternative values: unsafe has none in 'K:cc/'"):
            bound(unsafe)
        other = subgames_of("leduc_poker", 0, blueprint_of("leduc_poker", "random:1"))
        with pytest.raises(ValueError, match="all subgames must have one blueprint"):
            bound(solved(SAFE["maxmargin"], [subgames[0], other[1]]))
