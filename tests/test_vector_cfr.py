"""Vector CFR+ and the gains on public trees against recursion, known values and itself."""

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from public_twins import NaiveCfrPlus, NaiveTree, public_tree, random_deal, random_strategies, random_tree

from cfr.vector_cfr import vector_cfr_plus
from cfr.vector_gains import vector_gains
from games.protocol import TERMINAL
from games.specs import load_game
from seqform.deal import Deal
from seqform.public_compiler import compile_public

seeds = st.integers(0, 2**32 - 1)


@pytest.fixture(scope="module")
def kuhn():
    return compile_public(load_game("kuhn_poker"))


@pytest.fixture(scope="module")
def leduc():
    return compile_public(load_game("leduc_poker"))


def magnitude(tree):
    """Return the scale of rounding errors: the sum of all payoffs' sizes."""
    naive = NaiveTree(tree)
    return 1.0 + sum(np.abs(naive.leaf(n)).sum() for n in tree.nodes_of(TERMINAL))


@given(seeds)
def test_gains_equal_naive_best_responses(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng)
    strategies = random_strategies(tree, rng)
    expected = NaiveTree(tree).gains(strategies)
    np.testing.assert_allclose(vector_gains(tree, strategies), expected, atol=1e-12 * magnitude(tree))


@given(seeds)
def test_iterations_equal_the_naive_ones(seed):
    tree = random_tree(np.random.default_rng(seed))
    scale = magnitude(tree)
    naive = NaiveCfrPlus(tree, noise=1e-13 * scale)
    for t in range(1, 4):
        naive.iterate(t)
    result = vector_cfr_plus(tree, 3)
    for p in (0, 1):
        for ours, theirs, node in zip(
            result.strategies[p], naive.average()[p], tree.nodes_of(p), strict=True
        ):
            live = tree.deals[tree.deal[node]].alive[p]
            np.testing.assert_allclose(ours[live], theirs[live], atol=1e-9)


@given(seeds)
def test_every_row_is_a_distribution(seed):
    tree = random_tree(np.random.default_rng(seed))
    result = vector_cfr_plus(tree, 2)
    for p in (0, 1):
        for x, node in zip(result.strategies[p], tree.nodes_of(p), strict=True):
            assert x.shape == (len(tree.hands[p]), len(tree.children[node]))
            assert (x >= 0).all()
            np.testing.assert_allclose(x.sum(axis=1), 1.0, atol=1e-14)
            dead = ~tree.deals[tree.deal[node]].alive[p]
            assert (x[dead] == 1 / x.shape[1]).all()


def test_kuhn_after_1000_iterations(kuhn):
    """The order of updates and the weights are those of LiteEFG 1.0, which has 1.48170e-4."""
    result = vector_cfr_plus(kuhn, 1000)
    lower, upper, value = NaiveTree(kuhn).gains(result.strategies)
    assert upper - lower == pytest.approx(1.48170e-4, abs=5e-10)
    assert lower <= -1 / 18 <= upper
    assert tuple(result.gains) == pytest.approx((lower, upper, value), abs=1e-13)


@pytest.mark.parametrize("spec", ["leduc_poker", "leduc_poker(suits_visible=true)"])
def test_leduc_approaches_its_value(spec):
    gains = vector_cfr_plus(compile_public(load_game(spec)), 2000).gains
    assert gains.lower < -0.085606424078 < gains.upper
    assert gains.nash_conv < 3e-4
    assert gains.lower <= gains.value <= gains.upper


def test_hands_of_invisible_suits_are_played_like_visible_ones(leduc):
    """The two deals of Leduc, without keys and with them, are one game; so are its iterations."""
    seen = vector_cfr_plus(compile_public(load_game("leduc_poker(suits_visible=true)")), 30)
    assert tuple(seen.gains) == pytest.approx(tuple(vector_cfr_plus(leduc, 30).gains), abs=1e-12)


def test_going_on_from_a_state_equals_one_long_run_bit_by_bit(leduc):
    whole = vector_cfr_plus(leduc, 50)
    part = vector_cfr_plus(leduc, 20)
    kept = [flat.copy() for pair in (part.state.regret, part.state.total) for flat in pair]
    rest = vector_cfr_plus(leduc, 30, state=part.state, every=7)
    assert rest.iterations == whole.iterations == 50
    assert rest.gains == whole.gains
    for p in (0, 1):
        assert np.array_equal(rest.state.regret[p], whole.state.regret[p])
        assert np.array_equal(rest.state.total[p], whole.state.total[p])
        assert all(map(np.array_equal, rest.strategies[p], whole.strategies[p]))
    still = [flat for pair in (part.state.regret, part.state.total) for flat in pair]
    assert all(map(np.array_equal, kept, still))


def test_a_target_stops_at_the_first_look_that_meets_it(kuhn):
    looks = []
    result = vector_cfr_plus(
        kuhn, 1000, target=0.01, every=10, progress=lambda t, gains: looks.append((t, gains.nash_conv))
    )
    assert [t for t, _ in looks] == list(range(10, result.iterations + 1, 10))
    assert all(width > 0.01 for _, width in looks[:-1])
    assert looks[-1] == (result.iterations, result.gains.nash_conv)
    assert result.gains.nash_conv <= 0.01
    assert result.iterations < 1000


def certain(n=1):
    """Deal n hands a player, all alike."""
    one, none = np.ones(n, dtype=np.int64), np.zeros((n, 0), dtype=np.int32)
    mate = np.full(n, -1, dtype=np.int32)
    return Deal((one, one), (none, none), (none, none), mate, one * 0, (one, one), n * n)


def test_where_the_average_does_not_come_it_is_the_current_strategy():
    """Player 0 leaves at once, since player 1's reply is bad; what it would do later is still sensible."""
    rows = [
        (-1, 0, 0, False, 0),
        (0, TERMINAL, 0, False, 9),
        (0, 1, 0, False, 0),
        (2, 0, 0, False, 0),
        (3, TERMINAL, 0, False, -1),
        (3, TERMINAL, 0, False, 3),
    ]
    result = vector_cfr_plus(public_tree(rows, [certain()]), 10)
    assert result.strategies[0][0].tolist() == [[1.0, 0.0]]
    assert result.strategies[0][1].tolist() == [[0.0, 1.0]]
    assert tuple(result.gains) == (9.0, 9.0, 9.0)


def test_exact_ties_stay_uniform():
    """Sums of thirds and tenths differ in their last bits, not in what they mean."""
    answers = [(1, TERMINAL, 0, False, 1), (1, TERMINAL, 0, False, 3), (1, TERMINAL, 0, False, 3)]
    rows = [(-1, 0, 0, False, 0), (0, 1, 0, False, 0), *answers]
    rows += [(0, 1, 0, False, 0), *((5, *rest) for _, *rest in reversed(answers))]
    result = vector_cfr_plus(public_tree(rows, [certain(3)], stake_den=10), 50)
    assert (result.strategies[0][0] == 0.5).all()


def test_players_without_decisions():
    rng = np.random.default_rng(5)
    deal = random_deal(rng, (3, 4), 2)
    leaf_only = vector_cfr_plus(public_tree([(-1, TERMINAL, 0, True, 4)], [deal]), 2)
    assert leaf_only.strategies == ((), ())
    assert leaf_only.gains.nash_conv == pytest.approx(0.0, abs=1e-15)
    alone = public_tree([(-1, 1, 0, False, 0), (0, TERMINAL, 0, True, 4), (0, TERMINAL, 0, False, 1)], [deal])
    result = vector_cfr_plus(alone, 3)
    assert result.strategies[0] == ()
    assert result.gains.nash_conv == pytest.approx(0.0, abs=1e-12)


def test_results_are_frozen(kuhn):
    result = vector_cfr_plus(kuhn, 1)
    with pytest.raises(FrozenInstanceError):
        result.seconds = 0.0
    with pytest.raises(FrozenInstanceError):
        result.state.iterations = 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"iterations": 0}, "at least 1, got 0"),
        ({"every": 0}, "at least 1, got 1 and 0"),
        ({"target": -1.0}, "target must be at least 0, got -1.0"),
        ({"target": float("nan")}, "target must be at least 0, got nan"),
    ],
)
def test_numbers_out_of_range_are_refused(kuhn, wrong, message):
    with pytest.raises(ValueError, match=message):
        vector_cfr_plus(kuhn, **{"iterations": 1, **wrong})


def test_iterations_must_be_whole(kuhn):
    with pytest.raises(TypeError, match="float"):
        vector_cfr_plus(kuhn, 1.5)


def test_a_state_of_another_tree_is_refused(kuhn, leduc):
    state = vector_cfr_plus(kuhn, 1).state
    with pytest.raises(ValueError, match="state must be of the same tree"):
        vector_cfr_plus(leduc, 1, state=state)
    with pytest.raises(ValueError, match="state must be of the same tree"):
        vector_cfr_plus(kuhn, 1, state=replace(state, iterations=-1))


def test_strategies_that_do_not_fit_are_refused(kuhn):
    good = vector_cfr_plus(kuhn, 1).strategies
    with pytest.raises(ValueError, match="player 0 has 2 decision nodes, got 1 strategies"):
        vector_gains(kuhn, (good[0][:1], good[1]))
    with pytest.raises(ValueError, match=r"the strategy at ':' must be \(3, 2\), got \(2, 2\)"):
        vector_gains(kuhn, ((good[0][0][:2], good[0][1]), good[1]))
    for row in ([0.5, 0.6], [-0.5, 1.5], [np.nan, 1.0]):
        bad = good[0][0].copy()
        bad[1] = row
        with pytest.raises(ValueError, match="must be a distribution"):
            vector_gains(kuhn, ((bad, good[0][1]), good[1]))
