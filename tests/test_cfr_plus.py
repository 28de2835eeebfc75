"""CFR+ on sequence forms: against a recursion over histories; resumed, factored, certified."""

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import CFR_PLUS_KUHN_1000, LEDUC
from twins import Wrapped, die

from cfr.cfr_plus import cfr_plus, start
from games.matrix_game import matrix_game
from games.poker_zoo import kuhn_poker, leduc_poker, small_holdem
from games.protocol import CHANCE, TERMINAL
from games.random_game import random_game
from games.specs import load_game
from seqform.certificate import certify
from seqform.game_tree import build_tree
from seqform.public_compiler import compile_public
from seqform.public_form import sequence_form
from seqform.rational_optimum import rational_optimum
from seqform.tree_form import tree_form


@dataclass(frozen=True)
class Generic(Wrapped):
    """Another game's payoffs, each a little off, so that no two actions are worth exactly the same.

    Where they are, which of them regret matching takes hangs on the last bit of a sum.
    """

    def payoff(self, state):
        return self.game.payoff(state) + Fraction(die(10**6, state), 10**7)


class NaiveCfrPlus:
    """CFR+ as it is told: walk all histories, keep everything in dictionaries by infoset and action."""

    def __init__(self, game):
        self.game = game
        self.regret = [defaultdict(lambda: defaultdict(float)) for _ in (0, 1)]
        self.total = [defaultdict(lambda: defaultdict(float)) for _ in (0, 1)]
        self.iterations = 0
        self.root = self._written_out(game.root())

    def _written_out(self, state):
        """Return nested tuples (player, key, [(label, weight, child)], payoff)."""
        game, player = self.game, self.game.player(state)
        if player == TERMINAL:
            return player, None, [], float(game.payoff(state))
        if player == CHANCE:
            outcomes = [(a, float(w), self._written_out(game.child(state, a))) for a, w in game.chance(state)]
            return player, None, outcomes, 0
        below = [(a, None, self._written_out(game.child(state, a))) for a in game.actions(state)]
        return player, game.infoset(state, player), below, 0

    def strategy(self, player, key, actions):
        regrets = self.regret[player][key]
        mass = sum(regrets[a] for a in actions)
        return {a: regrets[a] / mass if mass > 0 else 1 / len(actions) for a in actions}

    def iterate(self):
        self.iterations += 1
        for player in (0, 1):
            fresh = defaultdict(lambda: defaultdict(float))
            self._walk(self.root, player, 1.0, fresh)
            for key, regrets in fresh.items():
                for a, r in regrets.items():
                    self.regret[player][key][a] = max(self.regret[player][key][a] + r, 0.0)
            self._average(self.root, player, 1.0, set())

    def _walk(self, node, player, others, fresh):
        """Return the counterfactual value; add regrets of all histories of an infoset before any is used."""
        who, key, below, payoff = node
        if who == TERMINAL:
            return others * (payoff if player == 0 else -payoff)
        if who == CHANCE:
            return sum(self._walk(child, player, others * w, fresh) for _, w, child in below)
        row = self.strategy(who, key, [a for a, _, _ in below])
        if who != player:
            return sum(self._walk(child, player, others * row[a], fresh) for a, _, child in below)
        values = {a: self._walk(child, player, others, fresh) for a, _, child in below}
        value = sum(row[a] * values[a] for a in row)
        for a in row:
            fresh[key][a] += values[a] - value
        return value

    def _average(self, node, player, own, seen):
        who, key, below, _ = node
        row = self.strategy(who, key, [a for a, _, _ in below]) if who == player else None
        if who == player and key not in seen:
            seen.add(key)
            for a in row:
                self.total[player][key][a] += self.iterations * own * row[a]
        for a, _, child in below:
            self._average(child, player, own * row[a] if row else own, seen)

    def compare(self, form, state):
        for p, t in enumerate(form.treeplexes):
            for key, lo, hi in zip(t.infosets, t.begin, t.end, strict=True):
                for s in range(lo, hi):
                    a = t.actions[s]
                    assert state.regret[p][s] == pytest.approx(self.regret[p][key][a], abs=1e-12)
                    assert state.total[p][s] == pytest.approx(self.total[p][key][a], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("game", "iterations"),
    [
        (kuhn_poker(), 60),
        (kuhn_poker(4), 30),
        (leduc_poker(ranks=2, raises=1), 15),
        (load_game("coin_toss"), 40),
        (matrix_game([[0, -1, 2], [1, 0, -1], [-2, 1, 0]]), 60),
    ],
    ids=lambda g: g.name if hasattr(g, "name") else "",
)
def test_each_iteration_is_the_naive_one(game, iterations):
    game = Generic(game)
    form = tree_form(build_tree(game))
    naive, state = NaiveCfrPlus(game), None
    for _ in range(iterations):
        naive.iterate()
        state = cfr_plus(form, 1, state).state
        naive.compare(form, state)


@given(st.integers(0, 10**6))
def test_random_games_iterate_as_the_naive_one(seed):
    game = Generic(random_game(seed, 5, 3))
    form = tree_form(build_tree(game))
    naive, state = NaiveCfrPlus(game), None
    for _ in range(5):
        naive.iterate()
        state = cfr_plus(form, 1, state).state
        naive.compare(form, state)


def test_leduc_is_the_naive_one_after_some_iterations():
    game = Generic(leduc_poker(raises=1))
    naive, form = NaiveCfrPlus(game), tree_form(build_tree(game))
    for _ in range(8):
        naive.iterate()
    naive.compare(form, cfr_plus(form, 8).state)


def test_nash_conv_on_kuhn_is_the_published_one(form_of):
    form = form_of("kuhn_poker")
    widths = [certify(form, cfr_plus(form, n).profile).nash_conv for n in (999, 1000, 1001)]
    assert widths[1] == pytest.approx(CFR_PLUS_KUHN_1000, rel=4e-6)
    # One iteration off shows.
    assert abs(widths[0] - CFR_PLUS_KUHN_1000) > 1e-7
    assert abs(widths[2] - CFR_PLUS_KUHN_1000) > 1e-7


@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker", "coin_toss", "random_game(seed=3,depth=6)"])
@pytest.mark.parametrize("stops", [[1], [7, 8], [1, 2, 3, 4]])
def test_going_on_is_the_same_to_the_last_bit(form_of, spec, stops):
    form = form_of(spec)
    whole = cfr_plus(form, 30)
    state, done = None, 0
    for stop in [*stops, 30]:
        run = cfr_plus(form, stop - done, state)
        state, done = run.state, stop
    assert state.iterations == whole.state.iterations == 30
    for name in ("regret", "total", "plan"):
        for a, b in zip(getattr(state, name), getattr(whole.state, name), strict=True):
            assert a.tobytes() == b.tobytes()
    for a, b in zip(run.profile.behaviour, whole.profile.behaviour, strict=True):
        assert a.tobytes() == b.tobytes()


def test_the_state_handed_in_is_not_changed(form_of):
    form = form_of("kuhn_poker")
    state = cfr_plus(form, 5).state
    before = [a.copy() for a in (*state.regret, *state.total, *state.plan)]
    cfr_plus(form, 20, state)
    assert all(
        (a == b).all() for a, b in zip((*state.regret, *state.total, *state.plan), before, strict=True)
    )
    assert state.iterations == 5


@pytest.mark.parametrize(
    "game",
    [kuhn_poker(5), kuhn_poker(30), leduc_poker(raises=1), leduc_poker()],
    ids=lambda g: g.name,
)
def test_running_sums_take_the_same_course(game):
    tree = compile_public(game)
    noise = np.random.default_rng(0).integers(0, 10**4, tree.n_nodes).astype(object)
    tree = replace(tree, stake=tree.stake.astype(object) * 10**5 + noise, stake_den=tree.stake_den * 10**5)
    runs = [cfr_plus(sequence_form(tree, factored=f), 20) for f in (False, True)]
    for a, b in zip(runs[0].profile.behaviour, runs[1].profile.behaviour, strict=True):
        assert a == pytest.approx(b, abs=1e-9)


@pytest.mark.parametrize(
    "game",
    [kuhn_poker(5), leduc_poker(), small_holdem(), small_holdem("As Kh Qs Jh", 5)],
    ids=lambda g: g.name,
)
def test_running_sums_converge_too(game):
    form = sequence_form(compile_public(game), factored=True)
    certificate = certify(form, cfr_plus(form, 500).profile)
    assert certificate.nash_conv <= 2e-2
    assert certificate.contains(rational_optimum(form).value)


@pytest.mark.parametrize(
    ("spec", "value", "iterations", "width"),
    [
        ("leduc_poker", LEDUC, 1000, 1e-3),
        ("kuhn_poker(ranks=4)", Fraction(-1, 24), 2000, 1e-3),
        ("coin_toss", Fraction(0), 1000, 1e-2),
        ("matrix_game(payoff=[[2,-1],[-1,1]])", Fraction(1, 5), 1000, 1e-2),
    ],
)
def test_the_certificate_holds_the_exact_value_and_narrows(form_of, spec, value, iterations, width):
    form = form_of(spec)
    widths = []
    for n in (10, 100, iterations):
        certificate = certify(form, cfr_plus(form, n).profile)
        assert certificate.contains(value)
        widths.append(certificate.nash_conv)
    assert widths[-1] <= width
    assert widths[2] < widths[1] < widths[0]


@given(st.integers(0, 10**6))
def test_certificates_of_random_games_hold_the_value(seed):
    form = tree_form(build_tree(random_game(seed, 5, 3)))
    assert certify(form, cfr_plus(form, 50).profile).contains(rational_optimum(form).value)


def test_averages_are_plans_weighted_by_the_iteration(form_of):
    """After two iterations the average is (1 x1 + 2 x2) / 3 in plans, normalised infoset by infoset."""
    form = form_of("leduc_poker")
    one = cfr_plus(form, 1)
    two = cfr_plus(form, 1, one.state)
    for p, t in enumerate(form.treeplexes):
        total = one.state.plan[p] + 2 * two.state.plan[p]
        assert two.state.total[p] == pytest.approx(total, rel=1e-14)
        assert two.profile.behaviour[p] == pytest.approx(t.behaviour(total), rel=1e-14)
        assert np.add.reduceat(two.profile.behaviour[p], t.begin) == pytest.approx(1)


def test_the_state_before_the_first_iteration(form_of):
    form = form_of("kuhn_poker")
    state = start(form)
    assert state.iterations == 0
    for p, t in enumerate(form.treeplexes):
        assert not state.regret[p].any()
        assert not state.total[p].any()
        assert state.plan[p] == pytest.approx(t.plan(t.uniform()))
    fresh, started = cfr_plus(form, 3), cfr_plus(form, 3, state)
    assert all((a == b).all() for a, b in zip(fresh.state.plan, started.state.plan, strict=True))


@pytest.mark.parametrize("iterations", [0, -1])
def test_iterations_must_be_positive(form_of, iterations):
    with pytest.raises(ValueError, match=f"at least 1, got {iterations}"):
        cfr_plus(form_of("kuhn_poker"), iterations)


def test_the_state_of_another_game_is_refused(form_of):
    state = start(form_of("coin_toss"))
    with pytest.raises(ValueError, match="state"):
        cfr_plus(form_of("kuhn_poker"), 1, state)


def test_players_without_decisions():
    form = tree_form(build_tree(random_game(0, 0, 1)))
    run = cfr_plus(form, 3)
    assert certify(form, run.profile).nash_conv <= 1e-13
