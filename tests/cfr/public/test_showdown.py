"""The values at the leaves of a public tree against dense products, hand by hand."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.twins.public_tree import (
    NaiveTree,
    public_tree,
    random_deal,
    random_strategies,
    vector_gains,
)
from treeplex.cfr.public.public_arrays import LEAVES, first_rows, live_hands, vector_arrays
from treeplex.cfr.public.public_gains import leaf_values, plan_of
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.seqform.trees.tree_arrays import TreeDeal

seeds = st.integers(0, 2**32 - 1)


def two_moves(deal, leaves):
    """Build the tree in which each player moves once; ``leaves[a][b]`` is (showdown, stake)."""
    rows = [(-1, 0, 0, False, 0)]
    for answers in leaves:
        node = len(rows)
        rows.append((0, 1, 0, False, 0))
        rows += [(node, TERMINAL, 0, showdown, stake) for showdown, stake in answers]
    return public_tree(rows, [deal], stake_den=3)


def random_leaves(rng):
    """Draw up to four answers to each of up to three moves: full and partly filled blocks."""
    moves = [rng.integers(1, LEAVES + 1) for _ in range(rng.integers(1, 4))]
    return [[(bool(rng.random() < 0.6), int(rng.integers(-9, 10))) for _ in range(n)] for n in moves]


def by_action(side, tree, node, flat):
    """Return a node's rows as (hands, actions), zero for dead hands."""
    player = tree.player[node]
    hands = live_hands(side, tree.deal[node])
    out = np.zeros((len(tree.hands[player]), len(tree.children[node])))
    for a in range(out.shape[1]):
        start = side.rows.start[first_rows(side)[node] + a]
        out[hands, a] = flat[start : start + len(hands)]
    return out


def flat_plans(tree, arrays, strategies):
    """Return both players' plans in rows."""
    plans = []
    for p in (0, 1):
        side = arrays.sides[p]
        flat = np.zeros(side.rows.start[-1])
        for node, x in zip(tree.nodes_of(p), strategies[p], strict=True):
            hands = live_hands(side, tree.deal[node])
            for a in range(x.shape[1]):
                start = side.rows.start[first_rows(side)[node] + a]
                flat[start : start + len(hands)] = x[hands, a]
        plans.append(plan_of(side, flat))
    return plans


def assert_dense(tree, rng):
    """Compare both players' values at each action with dense products."""
    arrays, naive = vector_arrays(tree), NaiveTree(tree)
    strategies = random_strategies(tree, rng)
    plans = flat_plans(tree, arrays, strategies)
    values = [leaf_values(arrays, p, plans[1 - p]) for p in (0, 1)]
    earned = np.zeros_like(strategies[0][0])
    scale = 1.0
    for a, node in enumerate(tree.children[0].tolist()):
        payoffs = [naive.leaf(leaf) for leaf in tree.children[node]]
        scale = max(scale, *(np.abs(m).sum() for m in payoffs))
        earned[:, a] = sum(m @ strategies[1][a][:, b] for b, m in enumerate(payoffs))
        conceded = np.array([-m.T @ strategies[0][0][:, a] for m in payoffs]).T
        np.testing.assert_allclose(
            by_action(arrays.sides[1], tree, node, values[1]), conceded, atol=1e-12 * scale
        )
    np.testing.assert_allclose(by_action(arrays.sides[0], tree, 0, values[0]), earned, atol=1e-12 * scale)
    assert plans[0] @ values[0] == pytest.approx(-plans[1] @ values[1], abs=1e-12 * scale)


@given(seeds, st.integers(0, 3), st.sampled_from([5, 10**30]))
def test_values_equal_dense_products(seed, n_keys, largest):
    rng = np.random.default_rng(seed)
    deal = random_deal(rng, tuple(rng.integers(1, 9, 2)), n_keys)
    factor = largest // 5
    deal = replace(
        deal,
        weight=tuple(w * factor for w in deal.weight),
        share=tuple(s * factor for s in deal.share),
        same=deal.same * factor**2,
        den=deal.den * factor**2,
    )
    assert_dense(two_moves(deal, random_leaves(rng)), rng)


def card_deal(rng, n_cards=7):
    """Deal two cards each from a small deck, with ranges and strengths drawn."""
    hands = np.array(list(combinations(range(n_cards), 2)), dtype=np.int32)
    weight = [rng.integers(0, 4, len(hands)).astype(object) for _ in range(2)]
    strength = rng.integers(0, 5, len(hands))
    return TreeDeal(
        weight=tuple(weight),
        key=(hands, hands),
        share=tuple(np.repeat(w[:, None], 2, axis=1) for w in weight),
        mate=np.arange(len(hands), dtype=np.int32),
        same=weight[0] * weight[1],
        strength=(strength, strength),
        den=7,
    )


@given(seeds)
def test_two_card_hands_meet_only_when_they_share_no_card(seed):
    rng = np.random.default_rng(seed)
    deal = card_deal(rng)
    tree = two_moves(deal, [[(True, 2), (False, 5)]])
    arrays = vector_arrays(tree)
    values = leaf_values(arrays, 0, np.ones(arrays.sides[1].rows.start[-1]))
    expected = np.zeros(len(deal.mate))
    for g, mine in enumerate(deal.key[0]):
        for h, theirs in enumerate(deal.key[1]):
            if not set(mine) & set(theirs):
                weight = deal.weight[0][g] * deal.weight[1][h] / deal.den
                sign = np.sign(deal.strength[0][g] - deal.strength[1][h])
                expected[g] += weight * (2 * sign + 5) / tree.stake_den
    np.testing.assert_allclose(by_action(arrays.sides[0], tree, 0, values)[:, 0], expected, atol=1e-12)


@given(seeds)
def test_the_better_hand_always_is_a_fold_and_a_tie_is_nothing(seed):
    rng = np.random.default_rng(seed)
    deal = replace(card_deal(rng), mate=np.full(21, -1, dtype=np.int32))
    ties = np.zeros(21, dtype=np.int64)
    for ours, sign in ((ties, 0.0), (ties + 1, 1.0), (ties - 1, -1.0)):
        tree = two_moves(replace(deal, strength=(ours, ties)), [[(True, 4)], [(False, 4)]])
        arrays = vector_arrays(tree)
        values = leaf_values(arrays, 0, flat_plans(tree, arrays, random_strategies(tree, rng))[1])
        showdown, fold = by_action(arrays.sides[0], tree, 0, values).T
        np.testing.assert_allclose(showdown, sign * fold, atol=1e-12)


@over([0, 1])
def test_a_board_that_kills_all_hands_of_a_player_is_worth_nothing(dead):
    deal = card_deal(np.random.default_rng(1))
    nothing = [deal.weight[0], deal.weight[1]]
    nothing[dead] = nothing[dead] * 0
    shares = tuple(np.repeat(w[:, None], 2, axis=1) for w in nothing)
    buried = replace(deal, weight=tuple(nothing), share=shares, same=nothing[0] * nothing[1])
    rows = [(-1, 0, 0, False, 0), (0, CHANCE, 0, False, 0), (1, 1, 1, False, 0)]
    rows += [(2, TERMINAL, 1, showdown, 3) for showdown in (True, False)]
    tree = public_tree(rows, [deal, buried])
    gains = vector_gains(tree, random_strategies(tree, np.random.default_rng(2)))
    assert tuple(gains) == (0.0, 0.0, 0.0)


def test_a_hand_that_rises_from_the_dead_is_refused():
    deal = card_deal(np.random.default_rng(3))
    alive = np.flatnonzero(deal.weight[1] != 0)[0]
    weight = deal.weight[1].copy()
    weight[alive] = 0
    before = replace(deal, weight=(deal.weight[0], weight))
    rows = [(-1, CHANCE, 0, False, 0), (0, TERMINAL, 1, True, 1)]
    with pytest.raises(ValueError, match=f"player 1's hand 'h{alive}' lives in deal 1"):
        vector_arrays(public_tree(rows, [before, deal]))
