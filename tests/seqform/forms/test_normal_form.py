"""Reduced pure strategies and normal forms against brute force over all pure strategies."""

import re
from fractions import Fraction
from math import log10

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.twins.pure_strategies import follows, leaves, pure_strategies
from treeplex.games.formats.specs import load_game
from treeplex.seqform.forms.normal_form import MOST_ENTRIES, n_pure, n_reduced, reduced_strategies

TINY = (
    "kuhn_poker",
    "coin_toss",
    "dummy_pennies",
    *(f"random_game(seed={seed},depth=4,actions=2)" for seed in range(6)),
    *(f"random_game(seed={seed},depth=3,actions=3)" for seed in range(6)),
)
BEYOND_BRUTE_FORCE = 2_000
"""Pure strategies of a player; of the games above none has more."""
EACH_GAME = [*TINY, "goofspiel"]


@pytest.fixture(scope="module")
def kuhn():
    return tp.normal_form("kuhn_poker")


def chosen(treeplex, plan):
    """The choices of a plan as a dictionary, those alone to which it leads."""
    return {treeplex.infosets[treeplex.infoset_of[s]]: treeplex.actions[s] for s in np.flatnonzero(plan)[1:]}


@over(EACH_GAME)
def test_reduced_strategies_are_the_classes_of_pure_ones_that_allow_the_same_leaves(spec):
    game, form = load_game(spec), tp.load(spec).form
    ends = [path for path, _ in leaves(game)]
    for player, treeplex in enumerate(form.treeplexes):
        pure = pure_strategies(game, player)
        assert len(pure) <= BEYOND_BRUTE_FORCE
        assert len(pure) == n_pure(treeplex)
        classes = {tuple(follows(path, player, strategy) for path in ends) for strategy in pure}
        plans = reduced_strategies(treeplex)
        assert len(plans) == len(np.unique(plans, axis=0)) == n_reduced(treeplex) == len(classes)


@over(TINY)
def test_every_pair_of_pure_strategies_gets_the_entry_of_its_row_and_column(spec):
    game, nf = load_game(spec), tp.normal_form(spec)
    ends = list(leaves(game))
    worth = np.array([u for _, u in ends], dtype=object)
    allowed = []
    for player, treeplex in enumerate(nf.form.treeplexes):
        partial = [chosen(treeplex, plan) for plan in nf.plans[player]]
        pure = pure_strategies(game, player)
        index = [[k for k, p in enumerate(partial) if p.items() <= s.items()] for s in pure]
        assert all(len(k) == 1 for k in index), "each pure strategy has one reduced one"
        rows = np.array([[int(follows(path, player, s)) for path, _ in ends] for s in pure], dtype=object)
        allowed.append((rows, [k[0] for k in index]))
    (first, rows), (second, cols) = allowed
    assert np.array_equal((first * worth) @ second.T, nf.matrix[np.ix_(rows, cols)])


def test_kuhn_poker(kuhn):
    assert kuhn.shape == (27, 64)
    assert kuhn.n_pure == (64, 64)
    assert repr(kuhn) == "NormalForm(kuhn_poker: 27 x 64 reduced pure strategies)"
    assert kuhn.names[0][0] == "J: c, Q: c, K: c, J:cr f, Q:cr f, K:cr f"
    assert kuhn.table().loc[kuhn.names[0][0], kuhn.names[1][0]] == 0
    assert tp.solve(kuhn.as_game(), exact=True).exact_value == Fraction(-1, 18)


def test_counts_follow_from_the_tree_alone():
    own, other = tp.load("kuhn_poker(ranks=13)").form.treeplexes
    assert (n_pure(own), n_reduced(own)) == (2**26, 3**13)
    assert (n_pure(other), n_reduced(other)) == (2**26, 2**26)
    own, other = tp.load("leduc_poker").form.treeplexes
    assert n_pure(own) == n_pure(other) == 2**96 * 3**48
    assert [round(log10(n_reduced(t)), 1) for t in (own, other)] == [14.0, 26.7]


def test_a_mixed_strategy_has_the_mean_of_its_plans(kuhn):
    rng = np.random.default_rng(1)
    p, q = rng.dirichlet(np.ones(27)), rng.dirichlet(np.ones(64))
    x, y = kuhn.plan(0, p), kuhn.plan(1, q)
    assert p @ kuhn.payoffs @ q == pytest.approx(x @ kuhn.form.payoff.against(0, y), abs=1e-15)
    with pytest.raises(ValueError, match=r"^a mixed strategy must have shape \(27,\), got \(64,\)$"):
        kuhn.plan(0, q)


def test_a_game_without_decisions_has_one_entry():
    nf = tp.normal_form("random_game(seed=0,depth=0)")
    assert nf.shape == nf.n_pure == (1, 1)
    assert nf.names == (("",), ("",))
    assert nf.matrix[0, 0] == next(leaves(load_game("random_game(seed=0,depth=0)")))[1]


@over([("leduc_poker", "104,653,580,078,125 x about 10^26.7"), ("kuhn_poker(ranks=6)", "729 x 4,096")])
def test_too_large_a_matrix_is_refused_before_it_is_written(spec, counts):
    most = f"a normal form may have at most {MOST_ENTRIES:,} entries"
    with pytest.raises(
        ValueError, match=f"^{re.escape(f'{spec} has {counts} reduced pure strategies; {most}')}$"
    ):
        tp.normal_form(spec)
