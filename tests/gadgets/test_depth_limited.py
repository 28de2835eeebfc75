"""Depth-limited solving: its game against naive twins, and which continuations are enough on Leduc poker."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.forms import numbered
from treeplex.gadgets.gadget import UNREACHED
from treeplex.gadgets.off_tree.depth_limited import (
    biased,
    biased_continuations,
    depth_limited_game,
    root_values,
    self_generate,
    solve_depth_limited,
)
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.counting.references import LEDUC
from treeplex.games.formats.specs import load_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.trees.game_tree import build_tree

BOTH = [0, 1]
LEDUC_VALUE = float(LEDUC)
ROUNDING = 1e-12
SOLVER = 1e-8


@cache
def cuts_of(spec, defender):
    enumerated = numbered(spec)
    states = PublicStates.of(enumerated.tree)
    return tuple(cut(states, enumerated, [name], defender) for name in states.first_subgames(defender))


@cache
def equilibrium(spec):
    solution = solve_lp(numbered(spec).form)
    assert solution.certificate.nash_conv < 1e-11
    return solution.profile


def random_profile(spec, seed):
    """Return a profile of probabilities with small denominators, an action in four never played."""
    rng = np.random.default_rng(seed)
    treeplexes = numbered(spec).form.treeplexes
    x, y = (t.behaviour(rng.integers(0, 4, t.n_sequences).astype(float)) for t in treeplexes)
    return Profile(treeplexes, (x, y))


def to_opponent(defender, value):
    """Return player 0's value as the opponent's."""
    return value if defender == 1 else -value


def conceded_bound(spec, defender, behaviour):
    """Return a proved bound on what a defender's behaviour concedes."""
    pair = list(equilibrium(spec).behaviour)
    pair[defender] = behaviour
    certificate = certify(numbered(spec).form, Profile(numbered(spec).form.treeplexes, tuple(pair)))
    return certificate.upper if defender == 1 else -certificate.lower


def four_ways(treeplex, behaviour, factor=10):
    """Return a behaviour and its biases towards folds, towards calls and towards raises of all sizes."""
    labels = dict.fromkeys(treeplex.actions[1:])
    kinds = [[label for label in labels if label.startswith(kind)] for kind in "fcr"]
    return biased_continuations(treeplex, behaviour, kinds, factor)


def over_equilibrium(spec, defender, factor=10):
    """Return cuts, an equilibrium and the opponent's four ways to play on from it."""
    blueprint, opponent = equilibrium(spec), 1 - defender
    ways = four_ways(blueprint.treeplexes[opponent], blueprint.behaviour[opponent], factor)
    return cuts_of(spec, defender), blueprint, ways


@st.composite
def cases(draw):
    """Draw a random game's spec, a defender who has subgames in it, and a blueprint."""
    spec = f"random_game(seed={draw(st.integers(0, 5000))},depth={draw(st.integers(3, 6))})"
    defender = draw(st.integers(0, 1))
    try:
        PublicStates.of(numbered(spec).tree).first_subgames(defender)
    except ValueError:
        assume(False)
    return spec, defender, random_profile(spec, draw(st.integers(0, 99)))


# The naive twins.


def expected(enumerated, behaviour, node):
    """Return player 0's expected payoff below a history, move by move."""
    tree = enumerated.tree
    if tree.player[node] == TERMINAL:
        return int(tree.payoff[node]) / tree.payoff_den
    total = 0.0
    for child in np.flatnonzero(tree.parent == node).tolist():
        player = int(tree.player[node])
        if player == CHANCE:
            odds = float(Fraction(int(tree.chance[child]), int(tree.chance[node])))
        else:
            treeplex = enumerated.form.treeplexes[player]
            i = treeplex.infosets.index(tree.keys[player][tree.infoset[node, player]])
            odds = behaviour[player][treeplex.begin[i] + tree.action[child]]
        total += odds * expected(enumerated, behaviour, child)
    return total


@given(case=cases())
def test_values_of_roots_are_those_of_a_walk(case):
    spec, defender, profile = case
    enumerated = numbered(spec)
    own, other = profile.behaviour[defender], profile.behaviour[1 - defender]
    for one in cuts_of(spec, defender):
        twin = [
            to_opponent(defender, expected(enumerated, profile.behaviour, root))
            * enumerated.tree.chance_floats[root]
            for root in one.roots.tolist()
        ]
        np.testing.assert_allclose(root_values(one, own, other), twin, rtol=0, atol=ROUNDING)


@dataclass(frozen=True)
class Held:
    """A game in which chance plays some of a player's infosets, by given odds: a twin that knows no cuts."""

    game: object
    player_held: int
    odds: dict

    def __getattr__(self, name):
        return getattr(self.game, name)

    def player(self, state):
        who = self.game.player(state)
        held = who == self.player_held and self.game.infoset(state, who) in self.odds
        return CHANCE if held else who

    def chance(self, state):
        if self.game.player(state) == CHANCE:
            return self.game.chance(state)
        return self.odds[self.game.infoset(state, self.player_held)]


def least_conceded(spec, defender, blueprint):
    """Return the least that a defender held to a blueprint below the cuts concedes, by one program."""
    treeplex, behaviour = numbered(spec).form.treeplexes[defender], blueprint.behaviour[defender]
    odds = {}
    for i in np.concatenate([one.own.infosets for one in cuts_of(spec, defender)]).tolist():
        row = range(treeplex.begin[i], treeplex.end[i])
        exact = {treeplex.actions[s]: Fraction(behaviour[s]).limit_denominator(1000) for s in row}
        odds[treeplex.infosets[i]] = [(action, p) for action, p in exact.items() if p]
    solution = solve_lp(number_tree(build_tree(Held(load_game(spec), defender, odds))).form)
    assert solution.certificate.nash_conv <= SOLVER
    return to_opponent(defender, solution.certificate.value)


def pure_continuations(spec, defender, limit):
    """Return every pure behaviour of the opponent below the cuts, or nothing if there are too many."""
    treeplex = numbered(spec).form.treeplexes[1 - defender]
    below = np.concatenate([one.other.infosets for one in cuts_of(spec, defender)]).tolist()
    if prod(int(treeplex.end[i] - treeplex.begin[i]) for i in below) > limit:
        return []
    found = []
    for choice in product(*(range(treeplex.begin[i], treeplex.end[i]) for i in below)):
        behaviour = treeplex.uniform()
        for i, s in zip(below, choice, strict=True):
            behaviour[treeplex.begin[i] : treeplex.end[i]] = 0.0
            behaviour[s] = 1.0
        found.append(behaviour)
    return found


# All pure continuations: the depth-limited game is the whole game with the defender held below.


@given(case=cases())
def test_all_pure_continuations_make_random_games_whole(case):
    spec, defender, blueprint = case
    every = pure_continuations(spec, defender, 32)
    assume(every)
    solved = solve_depth_limited(cuts_of(spec, defender), blueprint, every)
    least = least_conceded(spec, defender, blueprint)
    assert solved.value == pytest.approx(least, abs=SOLVER)
    assert conceded_bound(spec, defender, solved.behaviour) == pytest.approx(least, abs=SOLVER)


@over(BOTH)
def test_self_generated_continuations_make_leduc_whole(defender):
    blueprint = random_profile("leduc_poker", 5)
    generated = self_generate(cuts_of("leduc_poker", defender), blueprint)
    assert generated.converged
    assert len(generated.history) > 1
    least = least_conceded("leduc_poker", defender, blueprint)
    assert generated.history[-1].value == pytest.approx(least, abs=SOLVER)
    bound = conceded_bound("leduc_poker", defender, generated.best.behaviour)
    assert bound == pytest.approx(least, abs=SOLVER)


# What holds for any blueprint and any continuations.


@pytest.mark.seconds(3)
@settings(max_examples=15)
@given(case=cases())
def test_more_continuations_give_the_opponent_more_up_to_what_it_can_get(case):
    spec, defender, blueprint = case
    others = [random_profile(spec, seed).behaviour[1 - defender] for seed in (100, 200)]
    continuations = [blueprint.behaviour[1 - defender], *others]
    cuts = cuts_of(spec, defender)
    solved = [solve_depth_limited(cuts, blueprint, continuations[:k]) for k in (1, 2, 3)]
    values = [one.value for one in solved]
    least = least_conceded(spec, defender, blueprint)
    certificate = certify(numbered(spec).form, blueprint)
    sides = sorted(to_opponent(defender, bound) for bound in (certificate.lower, certificate.upper))
    # The opponent's blueprint, trunk and continuation, guarantees the first against anybody; the defender's
    # trunk strategy in the blueprint is one that could have been taken, and concedes the last.
    chain = [sides[0], *values, least, sides[1]]
    assert np.all(np.diff(chain) >= -SOLVER)
    for one in solved:
        assert one.conceded >= least - SOLVER
        assert conceded_bound(spec, defender, one.behaviour) == pytest.approx(one.conceded, abs=ROUNDING)


@settings(max_examples=15)
@given(case=cases())
def test_self_generation_closes_the_gap_in_random_games(case):
    spec, defender, blueprint = case
    generated = self_generate(cuts_of(spec, defender), blueprint, tolerance=SOLVER)
    least = least_conceded(spec, defender, blueprint)
    assert generated.converged
    assert generated.best.conceded == pytest.approx(least, abs=2 * SOLVER)
    assert generated.history[-1].value == pytest.approx(least, abs=2 * SOLVER)


@given(case=cases())
def test_the_behaviour_is_the_blueprints_where_the_solution_does_not_come(case):
    spec, defender, blueprint = case
    cuts = cuts_of(spec, defender)
    solved = solve_depth_limited(cuts, blueprint, [blueprint.behaviour[1 - defender]])
    treeplex, game = blueprint.treeplexes[defender], solved.solution.profile.treeplexes[defender]
    plan = treeplex.plan(solved.behaviour)
    below = {i for one in cuts for i in one.own.infosets.tolist()}
    assert game.n_infosets == treeplex.n_infosets - len(below)
    for i, key in enumerate(treeplex.infosets):
        row = slice(int(treeplex.begin[i]), int(treeplex.end[i]))
        source = blueprint.behaviour[defender][row]
        if i not in below and plan[treeplex.parent[i]] > UNREACHED:
            j = game.infosets.index(key)
            source = solved.solution.profile.behaviour[defender][game.begin[j] : game.end[j]]
        assert np.array_equal(solved.behaviour[row], source)


# Leduc poker, the defender held to an equilibrium below the boards.


@over(BOTH)
def test_the_game_above_leducs_boards(defender):
    form = depth_limited_game(*over_equilibrium("leduc_poker", defender))
    own, other = form.treeplexes[defender], form.treeplexes[1 - defender]
    assert (own.n_infosets, other.n_infosets) == (9, 9 + 45)
    assert other.n_sequences == own.n_sequences + 4 * 45
    assert form.name == "leduc_poker above 15 cuts, 4 continuations"


@over(BOTH, [1, 4])
def test_an_equilibriums_continuation_gives_the_games_value(defender, count):
    cuts, blueprint, ways = over_equilibrium("leduc_poker", defender)
    solved = solve_depth_limited(cuts, blueprint, ways[:count])
    assert solved.solution.certificate.nash_conv < SOLVER
    assert solved.value == pytest.approx(to_opponent(defender, LEDUC_VALUE), abs=1e-9)


@over(BOTH)
def test_one_continuation_is_not_enough(defender):
    cuts, blueprint, ways = over_equilibrium("leduc_poker", defender)
    solved = solve_depth_limited(cuts, blueprint, ways[:1])
    assert solved.conceded - to_opponent(defender, LEDUC_VALUE) > 1e-2
    assert solved.gap > 1e-2


@over(BOTH, [10, 1000])
def test_four_biased_continuations_are_enough(defender, factor):
    solved = solve_depth_limited(*over_equilibrium("leduc_poker", defender, factor))
    bound = conceded_bound("leduc_poker", defender, solved.behaviour)
    assert bound - to_opponent(defender, LEDUC_VALUE) < 1e-8


def test_four_biased_continuations_are_not_enough_in_every_game():
    """In no-limit Leduc the value is still the game's, but it takes responses to pin the trunk down."""
    cuts, blueprint, ways = over_equilibrium("no_limit_leduc", 1)
    value = certify(numbered("no_limit_leduc").form, blueprint).upper
    solved = solve_depth_limited(cuts, blueprint, ways)
    assert solved.value == pytest.approx(value, abs=SOLVER)
    assert solved.conceded - value > 1e-2
    generated = self_generate(cuts, blueprint)
    assert conceded_bound("no_limit_leduc", 1, generated.best.behaviour) - value < 1e-8


@over(BOTH)
def test_biases_of_a_poor_strategy_promise_too_much(defender):
    cuts, blueprint, _ = over_equilibrium("leduc_poker", defender)
    treeplex = blueprint.treeplexes[1 - defender]
    solved = solve_depth_limited(cuts, blueprint, four_ways(treeplex, treeplex.uniform()))
    assert solved.value < to_opponent(defender, LEDUC_VALUE) - 1e-2
    assert solved.conceded > to_opponent(defender, LEDUC_VALUE) + 1e-2


@over(BOTH)
def test_few_best_responses_are_enough(defender):
    cuts, blueprint, _ = over_equilibrium("leduc_poker", defender)
    generated, value = self_generate(cuts, blueprint), to_opponent(defender, LEDUC_VALUE)
    assert generated.converged
    assert len(generated.history) <= 4
    assert generated.history[0].conceded - value > 1e-2
    assert conceded_bound("leduc_poker", defender, generated.best.behaviour) - value < 1e-8
    for k, solved in enumerate(generated.history):
        assert len(solved.continuations) == k + 1
        assert solved.value == pytest.approx(value, abs=1e-9)


def test_one_cut_at_all_boards_is_the_same_game_as_a_cut_at_each():
    enumerated, cuts = numbered("leduc_poker"), cuts_of("leduc_poker", 1)
    blueprint = random_profile("leduc_poker", 2)
    union = cut(PublicStates.of(enumerated.tree), enumerated, [one.name for one in cuts], 1)
    ways = four_ways(blueprint.treeplexes[0], blueprint.behaviour[0])
    values = [solve_depth_limited(which, blueprint, ways).value for which in ([union], cuts)]
    assert values[0] == pytest.approx(values[1], abs=SOLVER)


def test_a_trunk_without_decisions_of_the_defender():
    """Coin Toss: who guesses Heads with probability 1/4 concedes nothing; there is nothing else to solve."""
    x, y = numbered("coin_toss").form.treeplexes
    guess = np.array([1.0, *({"Heads": 0.25, "Tails": 0.75}.get(action, 0.0) for action in y.actions[1:])])
    blueprint = Profile((x, y), (x.uniform(), guess))
    solved = solve_depth_limited(cuts_of("coin_toss", 1), blueprint, [x.uniform()])
    assert np.array_equal(solved.behaviour, guess)
    assert solved.value == pytest.approx(0.0, abs=ROUNDING)
    assert solved.conceded == pytest.approx(0.0, abs=ROUNDING)


# Biases.


def test_a_bias_multiplies_one_action_and_normalises():
    profile = random_profile("leduc_poker", 7)
    treeplex, behaviour = profile.treeplexes[0], profile.behaviour[0]
    more = biased(treeplex, behaviour, "r", 10)
    for lo, hi in zip(treeplex.begin, treeplex.end, strict=True):
        weights = behaviour[lo:hi] * [10 if action == "r" else 1 for action in treeplex.actions[lo:hi]]
        np.testing.assert_allclose(more[lo:hi], weights / weights.sum(), rtol=1e-15)
    assert np.array_equal(more == 0.0, behaviour == 0.0)


def test_a_bias_that_leaves_nothing_leaves_the_infoset():
    treeplex = numbered("kuhn_poker").form.treeplexes[0]
    behaviour, label = treeplex.uniform(), treeplex.actions[1]
    behaviour[1:3] = [1.0, 0.0]
    never = biased(treeplex, behaviour, label, 0)
    assert never[1:3].tolist() == [1.0, 0.0]
    assert all(never[s] == 0.0 for s in range(3, treeplex.n_sequences) if treeplex.actions[s] == label)


@over(
    [
        ("x", 10, 337, "one of .*, got 'x'"),
        ("", 10, 337, "label must be that of an action"),
        ("f", -1, 337, "at least 0 and finite, got -1"),
        ("f", np.inf, 337, "at least 0 and finite, got inf"),
        ("f", np.nan, 337, "at least 0 and finite, got nan"),
        ("f", 10, 3, "337.*3"),
        ("f", 10, 1, "337.*1"),
    ]
)
def test_bad_biases_are_refused(label, factor, size, message):
    with pytest.raises(ValueError, match=message):
        biased(numbered("leduc_poker").form.treeplexes[0], np.ones(size), label, factor)


# Bad input.


def test_bad_cuts_are_refused():
    cuts, blueprint, ways = over_equilibrium("leduc_poker", 1)
    rebuilt = replace(cuts[1], game=number_tree(build_tree(load_game("leduc_poker"))))
    for bad, message in (
        ([], "cuts must hold at least one, got none"),
        ([cuts[0], cuts_of("leduc_poker", 0)[1]], "one defender, got 1 and 0"),
        ([cuts[0], cuts[1], cuts[0]], "disjoint, but 'K:cc/' overlaps 'K:cc/'"),
        ([cuts[0], rebuilt], "of one tree, got 'K:cc/' and 'Q:cc/' of two"),
    ):
        with pytest.raises(ValueError, match=message):
            solve_depth_limited(bad, blueprint, ways)
        with pytest.raises(ValueError, match=message):
            self_generate(bad, blueprint)


def test_bad_continuations_and_blueprints_are_refused():
    cuts, blueprint, (good, *_) = over_equilibrium("leduc_poker", 1)
    for profile, ways, message in (
        (blueprint, [], "continuations must hold at least one, got none"),
        (blueprint, [good, good[:-1]], r"player 0's behaviour must have shape \(337,\), got \(336,\)"),
        (blueprint, [2 * good], "must be at least 0 and sum to 1"),
        (equilibrium("kuhn_poker"), [good], "player 0's strategy is for other infosets"),
    ):
        with pytest.raises(ValueError, match=message):
            depth_limited_game(cuts, profile, ways)
    with pytest.raises(ValueError, match=r"must have shape \(337,\), got \(5,\)"):
        root_values(cuts[0], np.ones(5), good)


def test_bad_parameters_of_self_generation_are_refused():
    cuts, blueprint, _ = over_equilibrium("leduc_poker", 1)
    with pytest.raises(ValueError, match="rounds must be at least 1, got 0"):
        self_generate(cuts, blueprint, rounds=0)
    with pytest.raises(ValueError, match="tolerance must be at least 0 and finite, got -1"):
        self_generate(cuts, blueprint, tolerance=-1)


def test_too_few_rounds_say_so():
    cuts, blueprint, _ = over_equilibrium("leduc_poker", 1)
    generated = self_generate(cuts, blueprint, rounds=1)
    assert len(generated.history) == 1
    assert not generated.converged
