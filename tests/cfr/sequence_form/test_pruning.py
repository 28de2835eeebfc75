"""CFR with regret-based pruning: against a recursion that remembers all it missed; its theory; resumed."""

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from tests.helpers.twins import Wrapped, die, leaves, moves_of, random_behaviour
from treeplex.cfr.sequence_form.full_width import minimise
from treeplex.cfr.sequence_form.pruning import PATIENCE, earning_bounds, minimise_pruned, start_pruned
from treeplex.cfr.theory.ledger import regrets_of
from treeplex.cfr.variants.variant import VARIANTS
from treeplex.games.holdem.named import kuhn_poker, leduc_poker
from treeplex.games.specs.specs import load_game
from treeplex.games.zoo.matrix_game import matrix_game
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.tree_form import tree_form
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_compiler import compile_public


@dataclass(frozen=True)
class Generic(Wrapped):
    """Another game's payoffs, each a little off, so that no two actions are worth exactly the same."""

    def payoff(self, state):
        return self.game.payoff(state) + Fraction(die(10**6, state), 10**7)


@dataclass(frozen=True)
class Shifted(Wrapped):
    """Another game in which player 0 pays the other so much more at every leaf."""

    amount: int

    def payoff(self, state):
        return self.game.payoff(state) - self.amount


@dataclass
class Missed:
    """A pruned move: its regret when pruned, all of the opponent's strategies since, and what they allow."""

    regret: float
    tables: list
    earned: float = 0.0
    allowed: float = 0.0


class NaivePruned:
    """The method as it is told: dictionaries by (infoset, action), and every strategy missed is kept."""

    def __init__(self, game, form):
        self.form = form
        self.ends = [(float(e.weight * e.payoff), e.past) for e in leaves(game)]
        self.bounds = earning_bounds(form, 0).toarray(), earning_bounds(form, 1).toarray()
        self.below = [defaultdict(dict), defaultdict(dict)]
        for _, pasts in self.ends:
            for below, past in zip(self.below, pasts, strict=True):
                for depth, (key, action) in enumerate(past):
                    below[past[:depth]].setdefault(key, {})[action] = None
        self.numbers = [moves_of(t) for t in form.treeplexes]
        self.regret, self.total = ([defaultdict(float), defaultdict(float)] for _ in range(2))
        self.missed = [{}, {}]
        self.ended = 0

    def row(self, p, key, actions):
        weights = {
            a: max(self.regret[p][key, a], 0.0) if (key, a) not in self.missed[p] else 0.0 for a in actions
        }
        mass = sum(weights.values())
        return {a: w / mass if mass > 0 else 1 / len(weights) for a, w in weights.items()}

    def table(self, p):
        return {
            (key, a): x
            for keys in list(self.below[p].values())
            for key, actions in keys.items()
            for a, x in self.row(p, key, actions).items()
        }

    def gains(self, p, tables):
        gain = defaultdict(float)
        for table in tables:
            for payoff, pasts in self.ends:
                reach = 1.0
                for move in pasts[1 - p]:
                    reach *= table[move]
                gain[pasts[p]] += (payoff if p == 0 else -payoff) * reach
        return gain

    def iterate(self):
        for p in (0, 1):
            self.learn(p)
            self.count(p, (), 1.0)

    def learn(self, p):
        table = self.table(1 - p)
        behaviour = np.ones(self.form.treeplexes[1 - p].n_sequences)
        for move, s in self.numbers[1 - p].items():
            behaviour[s] = table[move]
        most = self.bounds[p] @ self.form.treeplexes[1 - p].plan(behaviour)
        gain, late, idle = self.gains(p, [table]), [], []

        def worth(past):
            return gain[past] + sum(visit(past, key) for key in self.below[p].get(past, {}))

        def visit(past, key):
            row = self.row(p, key, self.below[p][past][key])
            values = {a: worth((*past, (key, a))) for a in row if (key, a) not in self.missed[p]}
            value = sum(row[a] * v for a, v in values.items())
            for a, v in values.items():
                self.regret[p][key, a] += v - value
            mass = sum(max(self.regret[p][key, a], 0.0) for a in values)
            for a in row:
                can = most[self.numbers[p][key, a]]
                if a not in values:
                    missed = self.missed[p][key, a]
                    missed.tables.append(table)
                    missed.earned += value
                    missed.allowed += can
                    if missed.regret - missed.earned + missed.allowed > 0 or mass == 0:
                        late.append((*past, (key, a)))
                elif mass > 0 and self.below[p].get((*past, (key, a))):
                    r = self.regret[p][key, a]
                    if r < 0 and r + PATIENCE * (can - value) <= 0:
                        idle.append((*past, (key, a)))
            return value

        worth(())
        for past in late:
            self.catch_up(p, past)
        for past in sorted(idle, key=len):
            if not any(move in self.missed[p] for move in past):
                self.prune(p, past)

    def prune(self, p, past):
        for longer in [s for s in self.below[p] if s[: len(past)] == past and len(s) > len(past)]:
            if longer[-1] in self.missed[p]:
                self.catch_up(p, longer)
        for end in {s for _, pasts in self.ends for s in [pasts[p]] if s[: len(past)] == past}:
            assert end == past or end[-1] not in self.missed[p]
        self.missed[p][past[-1]] = Missed(self.regret[p][past[-1]], [])

    def catch_up(self, p, past):
        self.ended += 1
        missed = self.missed[p].pop(past[-1])
        gain = self.gains(p, missed.tables)

        def best(past):
            total = gain[past]
            for key, actions in self.below[p].get(past, {}).items():
                values = {a: best((*past, (key, a))) for a in actions}
                for a, v in values.items():
                    self.regret[p][key, a] += v - max(values.values())
                total += max(values.values())
            return total

        self.regret[p][past[-1]] = missed.regret - missed.earned + best(past)

    def count(self, p, past, reach):
        for key, actions in self.below[p].get(past, {}).items():
            for a, x in self.row(p, key, actions).items():
                self.total[p][key, a] += reach * x
                self.count(p, (*past, (key, a)), reach * x)

    def compare(self, state):
        for p in (0, 1):
            memory = state.memories[p]
            for move, s in self.numbers[p].items():
                missed = self.missed[p].get(move)
                assert memory.pruned[s] == (missed is not None)
                regret = self.regret[p][move] if missed is None else missed.regret - missed.earned
                assert memory.regret[s] == pytest.approx(regret, abs=1e-10)
                assert memory.total[s] == pytest.approx(self.total[p][move], abs=1e-10)
                if missed is not None:
                    # No smaller than what the plans allowed, which is what counts where it matters.
                    assert memory.allowed[s] >= missed.allowed - 1e-10


def course(game, iterations):
    """Compare iteration by iteration; return how many prunings ended."""
    form = tree_form(build_tree(game))
    naive, state = NaivePruned(game, form), None
    for _ in range(iterations):
        naive.iterate()
        state = minimise_pruned(form, 1, state).state
        naive.compare(state)
    return naive.ended


@pytest.mark.parametrize(
    ("game", "iterations", "prunes"),
    [
        (kuhn_poker(), 300, False),
        (kuhn_poker(4), 150, True),
        (leduc_poker(ranks=2, raises=1), 40, True),
        (load_game("random_game(seed=3,depth=6)"), 150, True),
        (load_game("coin_toss"), 30, False),
        (matrix_game([[0, -1, 2], [1, 0, -1], [-2, 1, 0]]), 30, False),
    ],
    ids=lambda g: g.name if hasattr(g, "name") else "",
)
def test_each_iteration_is_the_naive_one(game, iterations, prunes):
    ended = course(Generic(game), iterations)
    if prunes:
        assert ended > 0


@given(st.integers(0, 10**6))
def test_random_games_iterate_as_the_naive_one(seed):
    course(Generic(random_game(seed, 5, 3)), 15)


@pytest.mark.parametrize("amount", [-20, 20])
def test_who_always_pays_prunes_too(amount):
    """What the infoset earned since is then negative, and a pruned regret less that positive."""
    positive = 0
    for seed in range(2000, 2012):
        game = Generic(Shifted(random_game(seed, 6, 3), amount))
        assert course(game, 20) >= 0
        form = tree_form(build_tree(game))
        memory = minimise_pruned(form, 20).state.memories[int(amount < 0)]
        positive += (memory.regret[memory.pruned] > 0.0).sum()
        assert not memory.play[memory.pruned].any()
    assert positive > 0


def test_uniform_play_prunes_nothing(form_of):
    """Where no regret is positive any more, every action is played, and all must be up to date."""
    form = form_of("leduc_poker")
    state = minimise_pruned(form, 200).state
    t, memory = form.treeplexes[0], state.memories[0]
    s = int(np.flatnonzero(memory.pruned)[0])
    i = t.infoset_of[s]
    others = [r for r in range(t.begin[i], t.end[i]) if not memory.pruned[r]]
    memory.regret[others] = -1e3
    later = minimise_pruned(form, 1, state).state.memories[0]
    assert later.mass[i] == 0.0
    assert not later.pruned[t.begin[i] : t.end[i]].any()
    assert later.plan[t.begin[i] : t.end[i]] == pytest.approx(
        later.plan[t.parent[i]] / (t.end[i] - t.begin[i])
    )


def infinite(form):
    """Return bounds that exclude nothing."""
    n0, n1 = (t.n_sequences for t in form.treeplexes)

    def rows(n, m):
        return csr_array((np.full(n, np.inf), np.zeros(n, dtype=int), np.arange(n + 1)), shape=(n, m))

    return rows(n0, n1), rows(n1, n0)


@pytest.mark.parametrize(
    "spec", ["kuhn_poker", "leduc_poker", "no_limit_leduc", "random_game(seed=3,depth=6)", "coin_toss"]
)
def test_without_pruning_it_is_cfr_to_the_last_bit(form_of, spec):
    form = form_of(spec)
    run, plain = minimise_pruned(form, 60, bounds=infinite(form)), minimise(form, VARIANTS["cfr"], 60)
    for mine, theirs in zip(run.state.memories, plain.state.memories, strict=True):
        assert not mine.pruned.any()
        for what in ("regret", "play", "mass", "plan", "total"):
            assert getattr(mine, what)[1:].tobytes() == getattr(theirs, what)[1:].tobytes()
    for a, b in zip(run.profile.behaviour, plain.profile.behaviour, strict=True):
        assert a.tobytes() == b.tobytes()


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_no_sequence_earns_more_than_its_bound(seed, draw):
    form = tree_form(build_tree(random_game(seed, 6, 3)))
    bounded(form, draw)


@pytest.mark.parametrize("spec", ["kuhn_poker(ranks=4)", "leduc_poker", "coin_toss", "no_limit_leduc"])
def test_no_sequence_earns_more_than_its_bound_at_poker(form_of, spec):
    for draw in range(20):
        bounded(form_of(spec), draw)


def bounded(form, draw):
    rng = np.random.default_rng(draw)
    for p in (0, 1):
        t, other = form.treeplexes[p], form.treeplexes[1 - p]
        plan = other.plan(random_behaviour(other, rng))
        gain = form.payoff.against(p, plan) * (1 if p == 0 else -1)
        assert np.all(t.best_response(gain).q <= earning_bounds(form, p) @ plan + 1e-12)


def test_a_bound_knows_who_comes_there():
    """Player 0 learns of a bet and may answer it: against who never bets, that is worth nothing."""
    form = tree_form(build_tree(kuhn_poker()))
    t, other = form.treeplexes
    never = np.ones(other.n_sequences)
    for (_, action), s in moves_of(other).items():
        never[s] = float(action != "r")
    answers = [s for s in range(1, t.n_sequences) if t.depth[s] == 2]
    assert answers
    assert not (earning_bounds(form, 0) @ other.plan(never))[answers].any()


@pytest.mark.parametrize(
    "spec", ["kuhn_poker(ranks=4)", "leduc_poker", "random_game(seed=3,depth=6)", "coin_toss"]
)
def test_regret_is_at_most_what_was_booked(form_of, spec):
    """Of the plans that were really played, against the sum of positive immediate regrets."""
    form, state, iterations, pruned = form_of(spec), None, 150, 0
    plans = [[m.plan] for m in start_pruned(form).memories]
    for t in range(1, iterations + 1):
        state = minimise_pruned(form, 1, state).state
        for kept, memory in zip(plans, state.memories, strict=True):
            kept.append(memory.plan)
            pruned += memory.pruned.sum()
        if t % 10:
            continue
        regrets = regrets_of(form, plans[0], plans[1][:-1], [1.0] * t, "alternating")
        for p, true in enumerate((regrets.regret_0, regrets.regret_1)):
            memory, tp = state.memories[p], form.treeplexes[p]
            most = memory.regret + np.where(memory.pruned, memory.allowed, 0.0)
            assert np.all(most[memory.pruned] <= 0.0)
            booked = np.maximum.reduceat(np.maximum(most, 0.0), tp.begin).sum()
            assert true <= booked + 1e-9
        # Burch, Moravcik and Schmid 2019: what folk theorems need of alternating updates.
        assert regrets.least_step >= -1e-12
    assert pruned > 0 or spec == "coin_toss"


def test_leduc_converges_like_cfr_and_touches_less(form_of):
    form, state, done = form_of("leduc_poker"), None, 0
    for iterations, width in ((1000, 0.03), (10_000, 0.005)):
        run = minimise_pruned(form, iterations - done, state)
        state, done = run.state, iterations
        plain = certify(form, minimise(form, VARIANTS["cfr"], iterations).profile).nash_conv
        pruned = certify(form, run.profile).nash_conv
        assert pruned <= width
        assert pruned <= 1.5 * plain
        assert run.possible == 2 * form.payoff.nnz * (9000 if iterations == 10_000 else 1000)
        assert run.touched < 0.9 * run.possible


def test_larger_trees_are_pruned_more(form_of):
    form = form_of("leduc_poker(ranks=5,raises=4)")
    bounds = earning_bounds(form, 0), earning_bounds(form, 1)
    first = minimise_pruned(form, 300, bounds=bounds)
    later = minimise_pruned(form, 300, first.state, bounds)
    assert later.touched < first.touched < first.possible
    assert later.touched < 0.6 * later.possible


@pytest.mark.parametrize("spec", ["kuhn_poker(ranks=4)", "leduc_poker", "random_game(seed=3,depth=6)"])
@pytest.mark.parametrize("seed", range(4))
def test_going_on_is_the_same_to_the_last_bit(form_of, spec, seed):
    form = form_of(spec)
    whole = minimise_pruned(form, 120)
    cuts = np.sort(np.random.default_rng(seed).choice(np.arange(1, 120), 3, replace=False))
    state, done, touched = None, 0, 0
    for stop in [*cuts.tolist(), 120]:
        run = minimise_pruned(form, stop - done, state)
        state, done, touched = run.state, stop, touched + run.touched
    assert state.iterations == whole.state.iterations == 120
    assert touched == whole.touched
    for mine, theirs in zip(state.memories, whole.state.memories, strict=True):
        assert [a.tobytes() for a in mine] == [b.tobytes() for b in theirs]
    for a, b in zip(run.profile.behaviour, whole.profile.behaviour, strict=True):
        assert a.tobytes() == b.tobytes()


def test_the_state_handed_in_is_not_changed(form_of):
    form = form_of("leduc_poker")
    state = minimise_pruned(form, 50).state
    before = [a.copy() for memory in state.memories for a in memory]
    minimise_pruned(form, 50, state)
    assert all((a == b).all() for a, b in zip([a for m in state.memories for a in m], before, strict=True))


def test_wrong_input_is_refused(form_of):
    form, other = form_of("kuhn_poker"), form_of("leduc_poker")
    with pytest.raises(ValueError, match="at least 1, got 0"):
        minimise_pruned(form, 0)
    with pytest.raises(ValueError, match="player 0's regret must have shape"):
        minimise_pruned(form, 1, start_pruned(other))
    good = start_pruned(form)
    short = replace(good, memories=(good.memories[0]._replace(mass=np.zeros(1)), good.memories[1]))
    with pytest.raises(ValueError, match="player 0's mass must have shape"):
        minimise_pruned(form, 1, short)
    with pytest.raises(ValueError, match="player 0's bounds must have shape"):
        minimise_pruned(form, 1, bounds=infinite(other))
    deep = tree_form(build_tree(random_game(1022, 5, 3)))
    t = deep.treeplexes[0]
    inner = next(s for s in t.parent if s > 0 and t.parent_of[s] > 0)
    for sequences, what in (
        ([0], "always played"),
        ([-1], "nothing follows"),
        ([inner, t.parent_of[inner]], "below"),
    ):
        start = start_pruned(deep)
        start.memories[0].pruned[sequences] = True
        with pytest.raises(ValueError, match=what):
            minimise_pruned(deep, 1, start)
    factored = sequence_form(compile_public(kuhn_poker(5)), factored=True)
    with pytest.raises(ValueError, match="one sparse matrix"):
        minimise_pruned(factored, 1)


def test_players_without_decisions():
    form = tree_form(build_tree(random_game(0, 0, 1)))
    run = minimise_pruned(form, 3)
    assert certify(form, run.profile).nash_conv <= 1e-13
