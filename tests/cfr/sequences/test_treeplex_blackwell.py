"""PTB+: projections on cones and iterations against least squares; its regret bound; what is refused."""

from dataclasses import replace
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import null_space
from scipy.optimize import lsq_linear

from tests.helpers.cells import over
from tests.helpers.twins.games import Scaled
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.sequences import cfr_d, full_width
from treeplex.cfr.sequences.cfr_d import Decomposition, Exact
from treeplex.cfr.sequences.treeplex_blackwell import cone_arrays, project
from treeplex.cfr.sequences.two_sided_trunk import TwoSidedTrunk
from treeplex.cfr.sequences.warm_start import WarmStart, warm_state
from treeplex.cfr.variant import Average, variant_named
from treeplex.games.poker.named import kuhn_poker, leduc_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import matrix_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.sequence_form import number_tree, tree_form
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_tree import compile_public
from treeplex.solving.methods import engine_of, options_of

PTB = variant_named("ptb+")


@st.composite
def treeplexes(draw, most=8):
    """Draw any treeplex of a few infosets of 1 to 4 actions each."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=0, max_size=most))
    end = np.cumsum([1, *sizes])[1:]
    begin = end - np.array(sizes, dtype=np.int64)
    parent = np.array([draw(st.integers(0, int(b) - 1)) for b in begin], dtype=np.int64)
    n = 1 + sum(sizes)
    keys = tuple(map(str, range(len(sizes))))
    return Treeplex(begin.astype(np.int64), end.astype(np.int64), parent, keys, ("",) * n)


def conserved(treeplex):
    """Return an orthonormal basis N of what conserves flow: the sum over each infoset is that before it."""
    flow = np.zeros((treeplex.n_infosets, treeplex.n_sequences))
    for i in range(treeplex.n_infosets):
        flow[i, treeplex.begin[i] : treeplex.end[i]] = 1.0
        flow[i, treeplex.parent[i]] = -1.0
    return null_space(flow)


def projected(basis, point):
    """Return the nearest point of the cone: ``N N.T (point + m)``, the shortest with m of at least 0."""
    found = lsq_linear(basis.T, -basis.T @ point, (0, np.inf), method="bvls", tol=1e-15)
    return basis @ (basis.T @ (point + found.x))


def compiled_projection(treeplex, point):
    found = point.copy()
    project(cone_arrays(treeplex), found)
    return found


@given(treeplexes(), st.integers(0, 10**6), st.sampled_from([0, 1, 3, 1000]))
def test_the_projection_is_that_by_least_squares(treeplex, seed, unit):
    rng = np.random.default_rng(seed)
    n = treeplex.n_sequences
    point = rng.integers(-unit, unit + 1, n).astype(float) if unit else rng.normal(size=n)
    size = max(1.0, float(np.abs(point).max()))
    np.testing.assert_allclose(
        compiled_projection(treeplex, point), projected(conserved(treeplex), point), rtol=0, atol=1e-11 * size
    )


def check_is_nearest(treeplex, point):
    """Check that a projection is in the cone, and what is left orthogonal to it and in the polar cone."""
    found = compiled_projection(treeplex, point)
    rest, off = point - found, 1e-11 * (1e-3 + np.abs(point).max())
    assert found.min() >= 0.0
    if treeplex.n_infosets:
        sums = np.add.reduceat(found, treeplex.begin)
        np.testing.assert_allclose(sums, found[treeplex.parent], rtol=0, atol=off)
    assert treeplex.best_response(rest).total <= off
    assert abs(rest @ found) <= off * np.linalg.norm(found)
    inside = treeplex.plan(treeplex.uniform()) * 7.0
    np.testing.assert_allclose(compiled_projection(treeplex, inside), inside, rtol=1e-12)
    np.testing.assert_allclose(compiled_projection(treeplex, 4.0 * point), 4.0 * found, rtol=0, atol=4 * off)
    assert not compiled_projection(treeplex, -np.abs(point)).any()


@given(st.integers(0, 10**6), st.floats(-3, 3))
def test_projections_in_games_are_the_nearest_points(seed, digits):
    rng = np.random.default_rng(seed)
    for treeplex in tree_form(build_tree(random_game(seed, 6, 3))).treeplexes:
        check_is_nearest(treeplex, 10.0**digits * rng.normal(size=treeplex.n_sequences))


@pytest.mark.seconds(2)
@over([matrix_game([[k * 7 % 13 for k in range(90)]] * 70), leduc_poker(), kuhn_poker(40)], range(2))
def test_projections_among_many_knots_are_the_nearest_points(game, seed):
    rng = np.random.default_rng(seed)
    for treeplex in tree_form(build_tree(game)).treeplexes:
        check_is_nearest(treeplex, rng.normal(size=treeplex.n_sequences))
        check_is_nearest(treeplex, rng.integers(-2, 3, treeplex.n_sequences).astype(float))


class Naive:
    """PTB+ as its paper has it: losses, their prediction, and projections by least squares."""

    def __init__(self, form, variant):
        self.form, self.variant, self.t = form, variant, 0
        self.point = [np.zeros(n) for n in form.n_sequences]
        self.last = [np.zeros(n) for n in form.n_sequences]
        self.basis = [conserved(t) for t in form.treeplexes]
        self.plan = [t.plan(t.uniform()) for t in form.treeplexes]
        self.total = [np.zeros(n) for n in form.n_sequences]

    def iterate(self):
        self.t += 1
        before = list(self.plan)
        for p in (0, 1):
            seen = before[1 - p] if self.variant.order == "simultaneous" else self.plan[1 - p]
            self._update(p, -self.form.gradient(p, seen))

    def _update(self, p, loss):
        t = self.form.treeplexes[p]
        f = loss.copy()
        f[0] -= self.plan[p] @ loss
        self.point[p] = projected(self.basis[p], self.point[p] - f)
        ahead = projected(self.basis[p], self.point[p] - f)
        self.plan[p] = ahead / ahead[0] if ahead[0] > 1e-12 else t.plan(t.uniform())
        self.total[p] += self.t**self.variant.average.exponent * self.plan[p]
        self.last[p] = f


@pytest.mark.seconds(2)
@over(
    [
        (kuhn_poker(), PTB),
        (leduc_poker(ranks=2, raises=1), PTB),
        (random_game(3, 6), PTB),
        (random_game(3, 6), replace(PTB, order="simultaneous", average=Average(0.0))),
        (matrix_game([[0, -1, 2], [1, 0, -1], [-2, 1, 0]]), PTB),
    ]
)
def test_each_iteration_is_the_naive_one(game, variant):
    form = tree_form(build_tree(game))
    engine, naive = full_width.prepare(form, variant), Naive(form, variant)
    state = engine.start()
    for _ in range(50):
        naive.iterate()
        state = engine.advance(state, 1)
        engine.check(state)
        for p, memory in enumerate(state.memories):
            n = form.n_sequences[p]
            for mine, theirs in (
                (memory.regret[:n], naive.point[p]),
                (memory.regret[n:], -naive.last[p]),
                (memory.plan, naive.plan[p]),
                (memory.total, naive.total[p]),
            ):
                np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-9)


@pytest.mark.seconds(2)
@given(st.integers(0, 10**6), st.sampled_from(["alternating", "simultaneous"]), st.sampled_from([0.0, 2.0]))
def test_regrets_are_within_their_bound(seed, order, exponent):
    """The weighted regret is at most the last weight times R sqrt(sum |f - m|**2), R the longest plan.

    A gain's product with a plan is at most that of the step of the point, which lengthens its square by at
    most ``|f - m|**2``; weights that rise come in by summation by parts (our derivation).
    """
    form = tree_form(build_tree(random_game(seed, 5, 3)))
    engine = full_width.prepare(form, replace(PTB, order=order))
    state = engine.start()
    squares, sums = [0.0, 0.0], [np.zeros(n) for n in form.n_sequences]
    for t in range(1, 31):
        before, state = state, engine.advance(state, 1)
        for p, n in enumerate(form.n_sequences):
            gain, last = state.memories[p].regret[n:], before.memories[p].regret[n:]
            squares[p] += float(np.sum((gain - last) ** 2))
            sums[p] += t**exponent * gain
            treeplex = form.treeplexes[p]
            longest = sqrt(treeplex.best_response(np.ones(n)).total)
            regret, bound = treeplex.best_response(sums[p]).total, longest * sqrt(squares[p])
            assert regret <= t**exponent * bound + 1e-9
            assert np.linalg.norm(state.memories[p].regret[:n]) <= sqrt(squares[p]) + 1e-9


@over([("kuhn_poker", Fraction(-1, 18), 1e-7), ("leduc_poker(ranks=2,raises=1)", None, 1e-3)])
def test_it_converges(spec, value, width, form_of):
    form = form_of(spec)
    certificate = certify(form, average(full_width.prepare(form, PTB), 1000))
    assert value is None or certificate.contains(value)
    assert certificate.nash_conv <= width


def test_it_knows_no_unit():
    one, other = (
        iterate(full_width.prepare(tree_form(build_tree(game)), PTB), 20)
        for game in (leduc_poker(ranks=2, raises=1), Scaled(leduc_poker(ranks=2, raises=1), 1000))
    )
    for p in (0, 1):
        np.testing.assert_allclose(other.memories[p].plan, one.memories[p].plan, rtol=0, atol=1e-9)


def test_players_without_decisions():
    form = tree_form(build_tree(random_game(0, 0, 1)))
    assert certify(form, average(full_width.prepare(form, PTB), 3)).nash_conv <= 1e-13


def test_damaged_states_are_refused(form_of):
    form = form_of("kuhn_poker")
    engine = full_width.prepare(form, PTB)
    state = engine.advance(engine.start(), 5)
    memory = state.memories[0]
    for regret, says in (
        (memory.regret[:-1], r"player 0's regret must have shape \(26,\), got \(25,\)"),
        (np.where(np.arange(26) == 3, -1.0, memory.regret), "player 0's regret must be between 0 and"),
        (np.where(np.arange(26) == 20, np.nan, memory.regret), "player 0's regret must be between"),
    ):
        with pytest.raises(ValueError, match=says):
            engine.check(replace(state, memories=(memory._replace(regret=regret), state.memories[1])))


def test_it_is_for_whole_games_on_the_sequence_form():
    game = number_tree(build_tree(kuhn_poker()))
    with pytest.raises(ValueError, match=r"PTB\+ runs on the tree, got a public tree"):
        vector_cfr.prepare(compile_public(kuhn_poker()), PTB)
    trunk, config = TwoSidedTrunk.of(game), Decomposition(variant_named("ptb+", counted="seen"), Exact())
    with pytest.raises(ValueError, match=r"PTB\+ is for whole games, got the trunk of CFR-D"):
        cfr_d.prepare(trunk, config)
    profile = average(full_width.prepare(game.form, PTB), 1)
    with pytest.raises(ValueError, match=r"PTB\+ has no warm start"):
        warm_state(game.form, WarmStart(PTB, profile, 5))
    for form in ("public", "boards", "split", "buckets", "table"):
        with pytest.raises(ValueError, match=rf"ptb\+ runs on tree, got {form}"):
            options_of("ptb+", form)
    with pytest.raises(ValueError, match=r"average must be one of"):
        engine_of(None, "ptb+", "tree", {"average": "none"})
