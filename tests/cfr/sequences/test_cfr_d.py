"""CFR-D: against a recursion over histories, against the variants' own runs, and what theory says of it."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.running import ran
from tests.helpers.twins.games import random_behaviour
from tests.helpers.twins.naive_cfr import Generic, NaiveCfr
from treeplex.cfr.engine import iterate
from treeplex.cfr.sequences import cfr_d as decomposition
from treeplex.cfr.sequences import full_width
from treeplex.cfr.sequences.cfr_d import Decomposition, Exact, Iterated
from treeplex.cfr.sequences.two_sided_trunk import TwoSidedTrunk
from treeplex.cfr.variant import VARIANTS, Average, variant_named
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker, leduc_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.solving.resolved_trunk import finish, solve_again

SMALL_LEDUC = "leduc_poker(ranks=2,raises=1)"
ORDERS = ("simultaneous", "alternating")
SEEDS = st.integers(0, 10**6)
EVERY = [
    replace(v, order=order, average=replace(v.average, counted="seen"))
    for v in VARIANTS.values()
    for order in ORDERS
]


def seen(name, order="simultaneous", exponent=None):
    variant = variant_named(name, counted="seen", order=order)
    return variant if exponent is None else replace(variant, average=Average(exponent, "seen"))


def decomposed(trunk, variant, solver, iterations, state=None):
    """Return a trunk's average, its state beside it, after some more iterations."""
    engine = decomposition.prepare(trunk, Decomposition(variant, solver))
    return engine.strategy(iterate(engine, iterations, state))


def numbered(game):
    return number_tree(build_tree(load_game(game) if isinstance(game, str) else game))


def usual_trunk(game):
    """Cut a random game where games are usually cut, or try another one."""
    try:
        return TwoSidedTrunk.of(game)
    except ValueError:
        assume(False)


# The parts of a game.


@over(
    [
        ("leduc_poker", 15, (22, 22), (45, 45)),
        ("kuhn_poker", 2, (7, 1), (6, 6)),
        ("coin_toss", 1, (5, 1), (2, 1)),
    ]
)
def test_games_are_cut_where_they_usually_are(spec, cuts, sequences, tops):
    trunk = TwoSidedTrunk.of(numbered(spec))
    assert len(trunk.cuts) == cuts
    assert tuple(t.n_sequences for t in trunk.form.treeplexes) == sequences
    assert tuple(len(e) for e in trunk.entry) == tops
    assert trunk.tops(0, cuts - 1).stop == tops[0]


@given(SEEDS)
def test_what_is_paid_is_paid_in_the_trunk_or_in_a_subgame(seed):
    trunk = usual_trunk(numbered(random_game(seed, 6, 3)))
    rng = np.random.default_rng(seed)
    form = trunk.game.form
    whole = Profile(form.treeplexes, tuple(random_behaviour(t, rng) for t in form.treeplexes))
    x, y = whole.plans
    above, inside = split(trunk, whole)
    plans = above.plans
    paid = plans[0] @ trunk.form.payoff.against(0, plans[1])
    for k, (piece, play) in enumerate(zip(trunk.cuts, inside, strict=True)):
        reach = tuple(plans[p][trunk.entry[p][trunk.tops(p, k)]] for p in (0, 1))
        paid += play[0] @ piece.form(reach).payoff.against(0, play[1])
        for p in (0, 1):
            plan = (x, y)[1 - p]
            expected = piece.views[p].top_values(plan, form.best_response(p, plan))
            values = piece.top_values(p, reach[1 - p], play[1 - p])
            assert values == pytest.approx(expected, abs=1e-13)
    assert paid == pytest.approx(x @ form.payoff.against(0, y), abs=1e-12)


def split(trunk, whole):
    """Return a profile's part in the trunk, and both players' plans inside each subgame."""
    above, inside = [], [[] for _ in trunk.cuts]
    for p, (t, b) in enumerate(zip(trunk.game.form.treeplexes, whole.behaviour, strict=True)):
        kept = np.isin(t.infoset_of, trunk.infosets[p])
        above.append(np.concatenate(([1.0], b[kept])))
        for piece, plans in zip(trunk.cuts, inside, strict=True):
            forest = piece.views[p].other
            plans.append(piece.parts[p].treeplex.plan(np.concatenate(([1.0], b[forest.sequences]))))
    return Profile(trunk.form.treeplexes, tuple(above)), inside


@given(SEEDS)
def test_a_trunk_profile_is_found_again_in_the_whole_game(seed):
    trunk = usual_trunk(numbered(random_game(seed, 6, 3)))
    rng = np.random.default_rng(seed)
    above = Profile(trunk.form.treeplexes, tuple(random_behaviour(t, rng) for t in trunk.form.treeplexes))
    back, _ = split(trunk, trunk.whole(above))
    for p in (0, 1):
        assert np.array_equal(back.behaviour[p], above.behaviour[p])


# Nothing cut off, nothing changed.


@over(EVERY, ["kuhn_poker", SMALL_LEDUC])
def test_without_cuts_it_is_the_variant_itself(variant, spec):
    game = numbered(spec)
    run = decomposed(TwoSidedTrunk.of(game, ()), variant, Exact(), 10)
    same = ran(full_width.prepare(game.form, variant), 10)
    for p in (0, 1):
        for mine, theirs in zip(run.state.memories[p], same.state.memories[p], strict=True):
            assert np.array_equal(mine, theirs)
    x, y = same.average.plans
    gap = game.form.best_response(0, y).total + game.form.best_response(1, x).total
    assert sum(run.bounds) == pytest.approx(gap, abs=1e-13)


@over(ORDERS, [(Exact(), 3), (Iterated(1), 12)])
def test_subgames_that_are_leaves_change_nothing(order, solver, iterations):
    game = numbered(Generic(kuhn_poker()))
    states = PublicStates.of(game.tree)
    ends = {states.names[k] for k in states.state[game.tree.player == TERMINAL].tolist()}
    trunk, variant = TwoSidedTrunk.of(game, sorted(ends)), seen("cfr+", order)
    assert trunk.form.payoff.nnz == 0
    run, same = (
        decomposed(trunk, variant, solver, iterations),
        ran(full_width.prepare(game.form, variant), iterations),
    )
    for p in (0, 1):
        for mine, theirs in zip(run.state.memories[p], same.state.memories[p], strict=True):
            assert mine == pytest.approx(theirs, abs=1e-12)


# The naive twin.


class Node(tuple):
    """A node of the recursion that knows its public state and what each player knows there."""

    public: str
    known: tuple[str, str]


class NaiveDecomposition(NaiveCfr):
    """CFR-D as it is told: the trunk by recursion over histories, each subgame by whatever solves it.

    Below a cut ``strategy`` answers by what was found last: the player who learns by its best response, the
    other by the subgame's solution.
    """

    def __init__(self, game, variant, names, solve):
        self.names, self.solve, self.inside, self.learner = names, solve, {}, None
        self.tops = [defaultdict(float), defaultdict(float)]
        super().__init__(game, variant)

    def _written_out(self, state):
        node = Node(super()._written_out(state))
        node.public, node.known = self.game.public(state), tuple(self.game.infoset(state, p) for p in (0, 1))
        return node

    def iterate(self):
        self.iterations += 1
        if self.variant.order == "simultaneous":
            self._solve_all()
            fresh = [self._seen_by(p) for p in (0, 1)]
            for p in (0, 1):
                self._update(p, fresh[p])
            return
        for p in (0, 1):
            self._solve_all()
            self._update(p, self._seen_by(p))

    def strategy(self, player, key, actions):
        if (player, key) not in self.inside:
            return super().strategy(player, key, actions)
        best, solution = self.inside[player, key]
        return best if player == self.learner else solution

    def _roots(self, node, weight, own, found):
        """Collect, by public state, where subgames begin: node, chance's part, each player's reach."""
        who, key, below, _ = node
        if node.public in self.names:
            found[node.public].append((node, weight, own))
            return
        row = super().strategy(who, key, [a for a, _, _ in below]) if who in (0, 1) else None
        for a, w, child in below:
            if who == CHANCE:
                self._roots(child, weight * w, own, found)
            else:
                reach = [own[p] * (row[a] if p == who else 1.0) for p in (0, 1)]
                self._roots(child, weight, reach, found)

    def _solve_all(self):
        self.inside, found = {}, defaultdict(list)
        self._roots(self.root, 1.0, [1.0, 1.0], found)
        for roots in found.values():
            solution = self.solve(self.game, roots)
            self.inside |= {key: (None, row) for key, row in solution.items()}
            best = {}
            for p in (0, 1):
                histories = defaultdict(dict)
                self.learner = None
                for node, weight, own in roots:
                    self._gather(node, p, weight * own[1 - p], histories)
                for key, action in self._best(histories, p).items():
                    best[p, key] = {a: float(a == action) for a in solution[p, key]}
            self.inside |= {key: (best[key], row) for key, row in solution.items()}
        weight = self.iterations**self.variant.average.exponent
        for p in (0, 1) if self.variant.order == "simultaneous" else (self.moving,):
            self.learner = p
            for name, roots in found.items():
                for node, chance, own in roots:
                    value = self._walk(node, p, chance * own[1 - p], defaultdict(lambda: defaultdict(float)))
                    self.tops[p][name, node.known[p]] += weight * value

    moving = 0

    def _seen_by(self, player):
        self.learner, self.moving = player, 1 - player
        fresh = self._observed(player)
        self.learner = None
        return {key: row for key, row in fresh.items() if (player, key) not in self.inside}

    def _average(self, node, *rest):
        if node.public not in self.names:
            super()._average(node, *rest)

    def check(self, run):
        self.compare(run.trunk.form, run.state)
        for p in (0, 1):
            keys = [(piece.name, top) for piece in run.trunk.cuts for top in piece.views[p].tops]
            assert set(keys) == set(self.tops[p])
            expected = [self.tops[p][key] for key in keys]
            assert run.state.tops[p] == pytest.approx(expected, rel=1e-11, abs=1e-12)


class NaiveSubgame(NaiveCfr):
    """A subgame by the recursion of the whole-game minimisers, its roots below one move of chance."""

    def __init__(self, game, variant, roots):
        self.roots = [(k, w * own[0] * own[1], node) for k, (node, w, own) in enumerate(roots)]
        super().__init__(game, variant)

    def _written_out(self, state):
        return CHANCE, None, self.roots, 0


def infosets_below(node, found):
    """Collect {(player, key): actions}."""
    who, key, below, _ = node
    if who in (0, 1):
        found[who, key] = [a for a, _, _ in below]
    for _, _, child in below:
        infosets_below(child, found)
    return found


def by_iterations(iterations):
    """Return a naive solver: so many iterations of CFR+, its average, uniform where nothing was averaged."""

    def solve(game, roots):
        naive = NaiveSubgame(game, VARIANTS["cfr+"], roots)
        for _ in range(iterations):
            naive.iterate()
        solution = {}
        for p, key in infosets_below(naive.root, {}):
            total = naive.total[p][key]
            mass = sum(total.values())
            solution[p, key] = {a: v / mass if mass > 0 else 1 / len(total) for a, v in total.items()}
        return solution

    return solve


def by_looking(game, roots):
    """Solve subgames in which one player decides once: each infoset takes what earns most."""
    solution, worth = {}, defaultdict(lambda: defaultdict(float))
    for node, weight, own in roots:
        who, key, below, _ = node
        for a, _, child in below:
            assert child[0] == TERMINAL
            payoff = child[3] if who == 0 else -child[3]
            worth[who, key][a] += weight * own[1 - who] * payoff
    for key, values in worth.items():
        solution[key] = {a: float(v == max(values.values())) for a, v in values.items()}
    return solution


def check_iterations(trunk, naive, solver, iterations):
    """Hold the twin against the run after each iteration."""
    state = None
    for _ in range(iterations):
        naive.iterate()
        run = decomposed(trunk, naive.variant, solver, 1, state)
        naive.check(run)
        state = run.state


def check_game(game, variant, inside, iterations):
    """Cut a game as usual; subgames are solved by some iterations."""
    trunk = usual_trunk(numbered(game))
    naive = NaiveDecomposition(game, variant, {c.name for c in trunk.cuts}, by_iterations(inside))
    check_iterations(trunk, naive, Iterated(inside), iterations)


@over(["cfr", "cfr+", "dcfr", "pcfr+", "hedge"], ORDERS)
def test_each_iteration_is_the_naive_one(name, order):
    check_game(Generic(kuhn_poker()), seen(name, order), 4, 6)


@over(ORDERS)
def test_each_iteration_on_leduc_is_the_naive_one(order):
    check_game(Generic(leduc_poker(ranks=2, raises=1)), seen("cfr+", order), 3, 6)


@settings(max_examples=15)
@given(SEEDS, st.sampled_from(ORDERS))
def test_random_games_iterate_as_the_naive_one(seed, order):
    check_game(Generic(random_game(seed, 5, 3)), seen("cfr", order), 2, 3)


@over(ORDERS)
def test_subgames_of_one_decision_are_solved_as_by_looking(order):
    game = Generic(kuhn_poker())
    tree = build_tree(game)
    names = [n for n in tree.public_keys if n in decisions_once(game)]
    assert len(names) == 2
    naive = NaiveDecomposition(game, seen("hedge", order), set(names), by_looking)
    check_iterations(TwoSidedTrunk.of(number_tree(tree), names), naive, Exact(), 10)


def decisions_once(game):
    """Return the public states of decisions that all end the game."""
    found, stack = set(), [game.root()]
    while stack:
        state = stack.pop()
        if game.player(state) == TERMINAL:
            continue
        moves = [a for a, _ in game.chance(state)] if game.player(state) == CHANCE else game.actions(state)
        children = [game.child(state, a) for a in moves]
        if game.player(state) >= 0 and all(game.player(c) == TERMINAL for c in children):
            found.add(game.public(state))
        stack += children
    return found


# Subgames solved again.


@over(
    [
        ("simultaneous", Exact(), Resolve),
        ("simultaneous", Iterated(10), Maxmargin),
        ("alternating", Iterated(10), Resolve),
    ]
)
def test_the_composed_strategy_keeps_what_the_trunk_promised(order, solver, make):
    trunk, state, found = TwoSidedTrunk.of(numbered("kuhn_poker")), None, []
    for more in (5, 25):
        run = decomposed(trunk, seen("cfr+", order), solver, more, state)
        state, done = run.state, finish(run, make)
        assert done.method == f"estimated-{make.base}"
        check_promise(done)
        found.append(done.certificate.nash_conv)
    assert found[1] < found[0] / 3


def check_promise(done):
    """Hold the proved NashConv, less its rounding, against what the run stored."""
    assert max(done.excess) <= 1e-10
    proved = done.certificate.nash_conv - 2 * done.certificate.rounding
    assert proved <= done.bound + 1e-13


@pytest.mark.seconds(3)
@over(ORDERS)
def test_leduc_from_its_trunk(order):
    trunk, state, found = TwoSidedTrunk.of(numbered("leduc_poker")), None, []
    for more in (5, 25):
        run = decomposed(trunk, seen("cfr+", order), Iterated(50), more, state)
        state, done = run.state, finish(run)
        check_promise(done)
        found.append(done.certificate.nash_conv)
    assert found[1] < found[0] / 3
    assert found[1] < 0.2


@settings(max_examples=10)
@given(SEEDS, st.sampled_from(ORDERS), st.sampled_from([Exact(), Iterated(3)]))
def test_random_games_keep_the_promise(seed, order, solver):
    trunk = usual_trunk(numbered(random_game(seed, 5, 3)))
    done = finish(decomposed(trunk, seen("cfr+", order), solver, 3))
    check_promise(done)


def test_one_subgame_is_solved_again_without_the_others():
    run = decomposed(TwoSidedTrunk.of(numbered(SMALL_LEDUC)), seen("cfr+"), Iterated(20), 10)
    whole, done = run.trunk.whole(run.profile), finish(run)
    for p in (0, 1):
        solved = solve_again(run, 1, p)
        inside = solved.subgame.cut.inside
        assert np.array_equal(solved.behaviour[~inside], whole.behaviour[p][~inside])
        assert np.array_equal(solved.behaviour[inside], done.profile.behaviour[p][inside])


# States.


@over([Exact(), Iterated(7)], ORDERS)
def test_going_on_is_never_having_stopped(solver, order):
    trunk, variant = TwoSidedTrunk.of(numbered("kuhn_poker")), seen("dcfr", order)
    once = decomposed(trunk, variant, solver, 5)
    half = decomposed(trunk, variant, solver, 2)
    kept = [array.copy() for memory in half.state.memories for array in memory]
    twice = decomposed(trunk, variant, solver, 3, half.state)
    assert twice.state.iterations == 5
    assert twice.state.earned == once.state.earned
    for p in (0, 1):
        assert np.array_equal(once.state.tops[p], twice.state.tops[p])
        for one, two in zip(once.state.memories[p], twice.state.memories[p], strict=True):
            assert np.array_equal(one, two)
    now = [array for memory in half.state.memories for array in memory]
    assert all(np.array_equal(a, b) for a, b in zip(kept, now, strict=True))


def numbers_in(thing):
    """Count the floats that something holds, whatever it is."""
    if isinstance(thing, np.ndarray):
        return thing.size
    if isinstance(thing, tuple | list):
        return sum(map(numbers_in, thing))
    return 1 if isinstance(thing, float) else 0


@over(["kuhn_poker", "leduc_poker(raises=1)", "leduc_poker"])
def test_what_is_kept_is_linear_in_the_trunk_and_the_tops(spec):
    trunk = TwoSidedTrunk.of(numbered(spec))
    held = []
    for iterations in (1, 5):
        state = decomposed(trunk, seen("cfr+"), Iterated(2), iterations).state
        held.append(sum(numbers_in(value) for value in vars(state).values()))
    sequences = sum(t.n_sequences for t in trunk.form.treeplexes)
    assert held[0] == held[1] <= 5 * sequences + sum(map(len, trunk.entry)) + 2
    if spec == "leduc_poker":
        assert held[0] < sum(t.n_sequences for t in trunk.game.form.treeplexes) / 2


# Borders.


def test_bad_arguments_are_named():
    game = numbered("kuhn_poker")
    trunk, variant = TwoSidedTrunk.of(game), seen("cfr+")
    with pytest.raises(ValueError, match="iterations must be at least 1, got 0"):
        decomposed(trunk, variant, Exact(), 0)
    with pytest.raises(ValueError, match="iterations must be at least 1, got 0"):
        Iterated(0)
    with pytest.raises(ValueError, match="must count the plans seen, got 'after'"):
        decomposed(trunk, VARIANTS["cfr+"], Exact(), 1)
    run = decomposed(trunk, variant, Exact(), 1)
    with pytest.raises(ValueError, match="must have shape"):
        decomposed(TwoSidedTrunk.of(numbered("leduc_poker")), variant, Exact(), 1, run.state)
    short = replace(run.state, tops=(run.state.tops[0][1:], run.state.tops[1]))
    with pytest.raises(ValueError, match=r"player 0's values at tops must have shape \(6,\), got \(5,\)"):
        decomposed(trunk, variant, Exact(), 1, short)
    for k, defender in ((2, 0), (-1, 0), (0, 2)):
        with pytest.raises(ValueError, match="cuts are numbered from 0 to 1"):
            solve_again(run, k, defender)


def test_bad_cuts_are_named():
    game = numbered("kuhn_poker")
    first = TwoSidedTrunk.of(game).cuts[0].name
    with pytest.raises(ValueError, match="has no public state 'nowhere'"):
        TwoSidedTrunk.of(game, ["nowhere"])
    with pytest.raises(ValueError, match="must be disjoint"):
        TwoSidedTrunk.of(game, [first, first])
    with pytest.raises(ValueError, match="must be disjoint"):
        TwoSidedTrunk.of(game, [":", ":r"])
    with pytest.raises(ValueError, match="nobody decides after the first decision"):
        TwoSidedTrunk.of(numbered(load_game("random_game(seed=2,depth=6)")))
