"""Minimisers and gains on public trees against recursion, sequence forms, known values and themselves."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.running import gains_after, ran
from tests.helpers.twins.public_tree import (
    NaiveCfrPlus,
    NaiveTree,
    public_tree,
    random_deal,
    random_strategies,
    random_tree,
    vector_gains,
)
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.public.public_arrays import first_rows, live_hands, vector_arrays
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import PLUS, VARIANTS, Average, BestResponding, Hedge, Matching, Variant
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker, leduc_poker, small_holdem
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.trees.public_tree import compile_public
from treeplex.seqform.trees.tree_arrays import TreeDeal

seeds = st.integers(0, 2**32 - 1)
CFR_PLUS = VARIANTS["cfr+"]


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
    result = ran(vector_cfr.prepare(tree, CFR_PLUS), 3)
    for p in (0, 1):
        for ours, theirs, node in zip(result.average[p], naive.average()[p], tree.nodes_of(p), strict=True):
            live = tree.deals[tree.deal[node]].alive[p]
            np.testing.assert_allclose(ours[live], theirs[live], atol=1e-9)


@given(seeds)
def test_every_row_is_a_distribution(seed):
    tree = random_tree(np.random.default_rng(seed))
    result = ran(vector_cfr.prepare(tree, CFR_PLUS), 2)
    for p in (0, 1):
        for x, node in zip(result.average[p], tree.nodes_of(p), strict=True):
            assert x.shape == (len(tree.hands[p]), len(tree.children[node]))
            assert (x >= 0).all()
            np.testing.assert_allclose(x.sum(axis=1), 1.0, atol=1e-14)
            dead = ~tree.deals[tree.deal[node]].alive[p]
            assert (x[dead] == 1 / x.shape[1]).all()


def test_kuhn_after_1000_iterations(kuhn):
    """The order of updates and the weights are those of LiteEFG 1.0, which has 1.48170e-4."""
    result = ran(vector_cfr.prepare(kuhn, CFR_PLUS), 1000)
    lower, upper, value = NaiveTree(kuhn).gains(result.average)
    assert upper - lower == pytest.approx(1.48170e-4, abs=5e-10)
    assert lower <= -1 / 18 <= upper
    assert tuple(vector_gains(kuhn, result.average)) == pytest.approx((lower, upper, value), abs=1e-13)


@over(["leduc_poker", "leduc_poker(suits_visible=true)"])
def test_leduc_approaches_its_value(spec):
    gains = gains_after(vector_cfr.prepare(compile_public(load_game(spec)), CFR_PLUS), 2000)
    assert gains.lower < -0.085606424078 < gains.upper
    assert gains.nash_conv < 3e-4
    assert gains.lower <= gains.value <= gains.upper


MIXED = Variant((Matching(2.0, -1.0, 0.5), Hedge(0.7)), "alternating", Average(1.5, "seen"))
AVERAGES = [Average(0.0, "before"), Average(2.0), Average(1.0, "seen"), Average(inf)]
FAMILY = [
    *(replace(v, order=o) for v in VARIANTS.values() for o in ("alternating", "simultaneous")),
    *(replace(CFR_PLUS, order=o, average=a) for o in ("alternating", "simultaneous") for a in AVERAGES),
    replace(VARIANTS["hedge"], average=Average(inf, "before")),
    MIXED,
    replace(MIXED, order="simultaneous"),
    Variant((BestResponding(), PLUS)),
]


def generic(game):
    """Return a game's public tree with each stake a little off, so that no two actions tie."""
    tree = compile_public(game)
    noise = np.random.default_rng(0).integers(0, 10**4, tree.n_nodes).astype(object)
    return replace(tree, stake=tree.stake.astype(object) * 10**5 + noise, stake_den=tree.stake_den * 10**5)


def as_sequences(tree, side, player, flat):
    """Return rows in the order of the sequence form, the empty sequence left out."""
    first_row, parts = first_rows(side), []
    for node in tree.nodes_of(player).tolist():
        hands = live_hands(side, tree.deal[node])
        starts = [side.rows.start[first_row[node] + a] for a in range(len(tree.children[node]))]
        rows = np.array([flat[s : s + len(hands)] for s in starts])
        parts.append(rows[:, np.argsort(hands)].T.ravel())
    return np.concatenate(parts)


def assert_one_algorithm(tree, variant, iterations):
    """Run a variant on both forms of a tree and compare what they remember after each iteration."""
    form, arrays = sequence_form(tree), vector_arrays(tree)
    on_form, on_tree = full_width.prepare(form, variant), vector_cfr.prepare(tree, variant)
    plain = vector = None
    for t in range(1, iterations + 1):
        plain, vector = iterate(on_form, 1, plain), iterate(on_tree, 1, vector)
        for p, side in enumerate(arrays.sides):
            if isinstance(variant.minimisers[p], Hedge):
                ours = as_sequences(tree, side, p, vector.memories[p].squared_ranges)[
                    form.treeplexes[p].begin - 1
                ]
                theirs = plain.memories[p].squared_ranges
                np.testing.assert_allclose(np.sqrt(ours), np.sqrt(theirs), rtol=0, atol=1e-12)
            for what, scale in (("regret", 1.0), ("total", variant.average.total(t))):
                ours = as_sequences(tree, side, p, getattr(vector.memories[p], what))
                theirs = getattr(plain.memories[p], what)[1:]
                np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12 * scale)


@pytest.mark.seconds(3)
@over([generic(kuhn_poker(5)), generic(leduc_poker(raises=1))], FAMILY)
def test_each_variant_is_the_loop_on_the_sequence_form(tree, variant):
    assert_one_algorithm(tree, variant, 6)


HOLDEM = [
    v
    for v in FAMILY
    if not any(isinstance(m, BestResponding) or getattr(m, "prediction", 0) for m in v.minimisers)
]


@over(HOLDEM)
def test_variants_are_the_loop_on_the_sequence_form_in_holdem(variant):
    """Hands that no partner is left for tie exactly, which decides best responses and predictions."""
    assert_one_algorithm(generic(small_holdem("As Kh Qs Jh", 5)), variant, 3)


def same_bits(one, other):
    pairs = zip(one.state.memories, other.state.memories, strict=True)
    assert all(a.tobytes() == b.tobytes() for m, n in pairs for a, b in zip(m, n, strict=True))
    assert one.state.iterations == other.state.iterations
    for p in (0, 1):
        assert all(map(np.array_equal, one.average[p], other.average[p]))


@over(FAMILY)
def test_going_on_from_a_state_equals_one_long_run_bit_by_bit(variant, leduc):
    engine = vector_cfr.prepare(leduc, variant)
    part, whole = ran(engine, 1), ran(engine, 20)
    kept = [a.copy() for memory in part.state.memories for a in memory]
    for slices in ([19], [1, 2, 16]):
        state = part.state
        for iterations in slices:
            run = ran(engine, iterations, state)
            state = run.state
        same_bits(run, whole)
    assert all(map(np.array_equal, kept, (a for memory in part.state.memories for a in memory)))


def test_the_last_plans_are_no_average(leduc):
    variant = replace(CFR_PLUS, average=Average(inf))
    engine = vector_cfr.prepare(leduc, variant)
    state = iterate(engine, 30)
    for memory in state.memories:
        assert 0.5 < memory.total.max() <= 1.0
    assert engine.gains(state).nash_conv > 2 * gains_after(vector_cfr.prepare(leduc, CFR_PLUS), 30).nash_conv


@over(VARIANTS)
def test_variants_narrow_on_a_river(name):
    tree = compile_public(small_holdem(bets=(0.5, 1)))
    few, many = (gains_after(vector_cfr.prepare(tree, VARIANTS[name]), n) for n in (3, 300))
    assert many.nash_conv < 0.1 * few.nash_conv


@over([leduc_poker(), small_holdem()])
def test_hedge_knows_no_unit(game):
    tree = compile_public(game)
    one, other = (
        ran(vector_cfr.prepare(t, VARIANTS["hedge"]), 100)
        for t in (tree, replace(tree, stake=tree.stake * 1000))
    )
    for p in (0, 1):
        x, y = (run.state.memories[p].strategy for run in (one, other))
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-9)


def certain(n=1):
    """Deal n hands a player, all alike."""
    one, none = np.ones(n, dtype=np.int64), np.zeros((n, 0), dtype=np.int32)
    mate = np.full(n, -1, dtype=np.int32)
    return TreeDeal((one, one), (none, none), (none, none), mate, one * 0, (one, one), n * n)


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
    tree = public_tree(rows, [certain()])
    result = ran(vector_cfr.prepare(tree, CFR_PLUS), 10)
    assert result.average[0][0].tolist() == [[1.0, 0.0]]
    assert result.average[0][1].tolist() == [[0.0, 1.0]]
    assert tuple(vector_gains(tree, result.average)) == (9.0, 9.0, 9.0)


@over(["cfr+", "hedge"])
def test_exact_ties_stay_uniform(name):
    """Sums of thirds and tenths differ in their last bits, not in what they mean."""
    answers = [(1, TERMINAL, 0, False, 1), (1, TERMINAL, 0, False, 3), (1, TERMINAL, 0, False, 3)]
    rows = [(-1, 0, 0, False, 0), (0, 1, 0, False, 0), *answers]
    rows += [(0, 1, 0, False, 0), *((5, *rest) for _, *rest in reversed(answers))]
    tree = public_tree(rows, [certain(3)], stake_den=10)
    result = ran(vector_cfr.prepare(tree, VARIANTS[name]), 50)
    assert (result.average[0][0] == 0.5).all()
    assert (
        average(full_width.prepare(sequence_form(tree), VARIANTS[name]), 50).behaviour[0][1:] == 0.5
    ).all()


def test_players_without_decisions():
    rng = np.random.default_rng(5)
    deal = random_deal(rng, (3, 4), 2)
    tree = public_tree([(-1, TERMINAL, 0, True, 4)], [deal])
    leaf_only = ran(vector_cfr.prepare(tree, CFR_PLUS), 2)
    assert leaf_only.average == ((), ())
    assert vector_gains(tree, leaf_only.average).nash_conv == pytest.approx(0.0, abs=1e-15)
    alone = public_tree([(-1, 1, 0, False, 0), (0, TERMINAL, 0, True, 4), (0, TERMINAL, 0, False, 1)], [deal])
    result = ran(vector_cfr.prepare(alone, CFR_PLUS), 3)
    assert result.average[0] == ()
    assert vector_gains(alone, result.average).nash_conv == pytest.approx(0.0, abs=1e-12)


def test_iterations_must_be_positive(kuhn):
    with pytest.raises(ValueError, match="at least 1, got 0"):
        iterate(vector_cfr.prepare(kuhn, CFR_PLUS), 0)


def test_a_state_of_another_tree_is_refused(kuhn, leduc):
    state = iterate(vector_cfr.prepare(kuhn, CFR_PLUS), 1)
    with pytest.raises(ValueError, match=r"player 0's regret must have shape \(\d+,\), got \(40,\)"):
        ran(vector_cfr.prepare(leduc, CFR_PLUS), 1, state)
    first, second = state.memories
    for wrong in (
        (first._replace(squared_ranges=np.zeros(1)), second),
        (first._replace(total=np.zeros(0)), second),
    ):
        with pytest.raises(ValueError, match=r"player 0's (squared_ranges|total) must have shape"):
            ran(vector_cfr.prepare(kuhn, CFR_PLUS), 1, replace(state, memories=wrong))
    bare = iterate(vector_cfr.prepare(kuhn, MIXED), 1)
    bare = replace(bare, memories=(first, second))
    with pytest.raises(ValueError, match="player 1's squared_ranges must have shape"):
        ran(vector_cfr.prepare(kuhn, MIXED), 1, bare)
    with pytest.raises(ValueError, match="iterations must not be negative, got -1"):
        ran(vector_cfr.prepare(kuhn, CFR_PLUS), 1, replace(state, iterations=-1))
