"""Regret logs: regrets by naive enumeration, every bound; what theorems say of them is measured elsewhere."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.running import ran
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.sequences import full_width
from treeplex.cfr.sequences.sequence_learning import Discount
from treeplex.cfr.theory.regret_bounds import (
    bounds,
    discounted_bound,
    hedge_bound,
    hedge_bound_before,
    same_actions,
)
from treeplex.cfr.theory.regret_log import COLUMNS, regret_log, regrets_of
from treeplex.cfr.variant import VARIANTS, Average, Matching, Variant
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import small_holdem
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.certify.inequality import Inequality
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_tree import compile_public

KUHN = "kuhn_poker"
SMALL_LEDUC = "leduc_poker(ranks=2,raises=1)"
LEDUC = "leduc_poker"
SKEWED = "matrix_game(payoff=[[0,-1,2],[1,0,-1],[-2,1,1/3]])"
CHASE = "matrix_game(payoff=[[2,-1],[-1,1]])"
ORDERS = ("alternating", "simultaneous")
EXPONENTS = (0.0, 1.0, 2.0)
FAMILY = [
    replace(v, order=order, average=Average(e, "seen"))
    for v in VARIANTS.values()
    for order in ORDERS
    for e in EXPONENTS
]
SPREAD = {KUHN: 4.0, SMALL_LEDUC: 14.0, LEDUC: 26.0, SKEWED: 4.0, CHASE: 3.0}
"""The largest payoff less the smallest."""


def spread_of(tree):
    ends = [int(u) for u, p in zip(tree.payoff, tree.player, strict=True) if p == TERMINAL]
    return (max(ends) - min(ends)) / tree.payoff_den


@given(
    st.integers(0, 10**6),
    st.sampled_from(sorted(VARIANTS)),
    st.sampled_from(ORDERS),
    st.sampled_from(EXPONENTS),
)
def test_the_bounds_hold_on_random_games(seed, name, order, exponent):
    tree = build_tree(random_game(seed, 6, 3))
    form, spread = tree_form(tree), spread_of(tree)
    log = regret_log(form, replace(VARIANTS[name], order=order, average=Average(exponent, "seen")), 8)
    for bound in bounds(form, log, spread):
        assert bound.left <= bound.right + 1e-12 * spread * log.last.weight, bound


@over(ORDERS)
def test_the_identity_holds_for_factored_payoffs(order):
    form = sequence_form(compile_public(small_holdem()), factored=True)
    assert len(form.payoff.link)
    log = regret_log(form, replace(VARIANTS["dcfr"], order=order, average=Average(2.0, "seen")), 10)
    assert max(row.residual for row in log.rows) <= 1e-11
    assert np.abs(log.own_nash_conv - [row.nash_conv for row in log.rows]).max() <= 1e-11


def test_regrets_are_those_of_all_pure_plans(form_of):
    """A naive twin: every pure plan of Kuhn poker against a dense payoff matrix."""
    form, rng = form_of(KUHN), np.random.default_rng(1)
    a = form.payoff.base.csr.toarray()
    pure = []
    for t in form.treeplexes:
        choices = itertools.product(*(range(lo, hi) for lo, hi in zip(t.begin, t.end, strict=True)))
        pure.append(np.array([t.plan(np.isin(np.arange(t.n_sequences), [0, *c]) * 1.0) for c in choices]))
    x, y = (p[rng.integers(len(p), size=(6, 3))].mean(axis=1) for p in pure)
    w = rng.random(5)
    for order, seen in (("alternating", x[1:]), ("simultaneous", x[:5])):
        got = regrets_of(form, x if order == "alternating" else x[:5], y[:5], w, order)
        first = (pure[0] @ a @ (w @ y[:5])).max() - np.einsum("t,ti,ij,tj", w, x[:5], a, y[:5])
        second = -(pure[1] @ a.T @ (w @ seen)).min() + np.einsum("t,ti,ij,tj", w, seen, a, y[:5])
        gap = (pure[0] @ a @ (w @ y[:5])).max() - (pure[1] @ a.T @ (w @ seen)).min()
        assert got.regret_0 == pytest.approx(first, abs=1e-13)
        assert got.regret_1 == pytest.approx(second, abs=1e-13)
        assert got.nash_conv == pytest.approx(gap / w.sum(), abs=1e-13)
        assert got.residual <= 1e-14


def test_regrets_of_one_sign_do_not_make_an_equilibrium(form_of):
    """Both regrets are -1 an iteration, yet the average is far from equilibrium: the improvement is missing.

    Player 0 alternates, player 1 copies (Farina, Kroer and Sandholm 2019).
    """
    form = form_of(CHASE)
    e = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])
    plans = e[np.arange(101) % 2]
    got = regrets_of(form, plans, plans[:100], [1.0] * 100, "alternating")
    assert got.regret_0 / 100 == -1.0
    assert got.regret_1 / 100 == -1.0
    assert got.nash_conv == 0.5
    assert got.implied == 0.5
    assert got.improvement == -250.0
    assert got.least_step == -3.0


def test_the_identity_breaks_where_the_second_player_is_said_to_have_seen_the_old_plans(form_of):
    form = form_of(KUHN)
    weights, (xs, ys) = played(form, VARIANTS["cfr+"], 40)
    right = regrets_of(form, xs, ys[:-1], weights, "alternating")
    wrong = regrets_of(form, xs[:-1], ys[:-1], weights, "simultaneous")
    assert abs(right.nash_conv - wrong.implied) > 1e-3


def played(form, variant, iterations):
    """Return the weights t and all plans, T + 1 of each player."""
    state, plans = None, []
    for _ in range(iterations):
        state = iterate(full_width.prepare(form, variant), 1, state)
        plans.append([memory.plan for memory in state.memories])
    first = [t.plan(t.uniform()) for t in form.treeplexes]
    return np.arange(1.0, iterations + 1), list(zip(first, *plans, strict=True))


@over([KUHN, SMALL_LEDUC], [("cfr", 1.0), ("lcfr", 31.0)])
def test_the_compiled_regrets_are_those_of_the_log(spec, name, scale, form_of):
    """Linear discounts leave the sum of t r_t over T + 1."""
    log = regret_log(form_of(spec), VARIANTS[name], 30, every=30)
    for p in (0, 1):
        assert scale * log.state.memories[p].regret[1:] == pytest.approx(log.immediate(p)[1:], abs=1e-11)


def test_hedge_plays_the_exponential_of_the_log_at_the_rates_that_its_bound_supposes(form_of):
    form, t = form_of(KUHN), 30
    log = regret_log(form, VARIANTS["hedge"], t, every=t)
    for p, treeplex in enumerate(form.treeplexes):
        memory = log.state.memories[p]
        for i, (lo, hi) in enumerate(zip(treeplex.begin, treeplex.end, strict=True)):
            seen = (np.ptp(log.steps[p][:, lo:hi], axis=1) ** 2).sum()
            assert memory.squared_ranges[i] == pytest.approx(seen, rel=1e-12)
            rate = VARIANTS["hedge"].minimisers[p].rate / math.sqrt(seen)
            odds = np.exp(log.immediate(p)[lo:hi] * rate)
            got = memory.play[lo:hi] / memory.play[lo:hi].sum()
            assert got == pytest.approx(odds / odds.sum(), rel=1e-12)


@pytest.mark.seconds(3)
@over(FAMILY, [KUHN, LEDUC, SKEWED])
def test_every_bound_holds(variant, spec, form_of):
    form = form_of(spec)
    found = bounds(form, regret_log(form, variant, 50, every=50), SPREAD[spec])
    for bound in found:
        assert bound.ratio >= 1.0 - 1e-12, bound
    assert len({bound.name for bound in found}) == len(found)


def test_spreads_are_what_the_trees_say():
    for spec, spread in SPREAD.items():
        assert spread_of(build_tree(load_game(spec))) == spread


def test_cfr_on_kuhn_has_the_textbook_bounds(form_of):
    """4 sqrt(2 T) for each of 6 infosets; by own actions 2 sqrt(3) for player 0, sqrt(6) for player 1."""
    form = form_of(KUHN)
    log = regret_log(form, replace(VARIANTS["cfr"], order="simultaneous"), 50, every=50)
    found = {bound.name: bound for bound in bounds(form, log, 4.0)}
    local = 4.0 * math.sqrt(2 * 50)
    for p, m in enumerate((2 * math.sqrt(3), math.sqrt(6))):
        assert same_actions(form.treeplexes[p]) == pytest.approx(m)
        assert found[f"player {p}: a priori"].right == pytest.approx(6 * local)
        assert found[f"player {p}: a priori, by own actions"].right == pytest.approx(m * local)
        assert found[f"player {p}: steps seen"].right < m * local
    assert found["NashConv: regrets"].ratio == pytest.approx(1.0)
    total = (2 * math.sqrt(3) + math.sqrt(6)) * local / 50
    assert found["NashConv: a priori"].right == pytest.approx(total)


def names(form, variant, spread=None, state=None):
    return {bound.name for bound in bounds(form, regret_log(form, variant, 5, state), spread)}


def test_nothing_is_said_that_is_not_proved(form_of):
    form = form_of(KUHN)
    sums = {f"player {p}: positive immediate regrets" for p in (0, 1)}
    seen = {f"player {p}: steps seen" for p in (0, 1)}
    assert names(form, VARIANTS["pdcfr"], 4.0) == sums
    assert names(form, VARIANTS["pcfr+"]) == sums | seen
    assert names(form, VARIANTS["hedge"]) == sums | seen
    assert names(form, replace(VARIANTS["hedge"], average=Average(1.0)), 4.0) == sums
    assert names(form, VARIANTS["cfr-br"]) == sums | {"player 0: steps seen", "NashConv: regrets"}
    later = iterate(full_width.prepare(form, VARIANTS["cfr"]), 3)
    assert names(form, VARIANTS["cfr"], 4.0, later) == sums | {"NashConv: regrets"}


@given(
    st.integers(0, 10**6),
    st.sampled_from([-math.inf, 0.0, 0.5, 1.0, 1.5, math.inf]),
    st.sampled_from([0.0, 1.0, 1.5, math.inf]),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from([0.0, 1.0, 2.0, 3.5]),
)
def test_the_bound_on_discounted_regret_matching_holds_against_any_values(
    seed, beta, alpha, prediction, exponent
):
    """A naive learner at one infoset against random and against spiteful values."""
    prediction = prediction if beta == -math.inf else 0.0
    rng, (count, n) = np.random.default_rng(seed), (40, 3)
    spiteful = seed % 2
    weights = np.arange(1.0, count + 1) ** exponent
    down, up = (factors(e, count) for e in (beta, alpha))
    regret, step, total = np.zeros(n), np.zeros(n), np.zeros(n)
    norms, falls = np.zeros((count, 1)), np.zeros((count, 1))
    for t in range(count):
        guess = prediction * step
        odds = np.maximum(regret + guess, 0.0)
        play = odds / odds.sum() if odds.sum() > 0 else np.full(n, 1 / n)
        values = rng.normal(size=n) * rng.random() - spiteful * 2.0 * (play == play.max())
        step = values - play @ values
        total += weights[t] * step
        regret = regret + step
        regret *= np.where(regret > 0, up[t], down[t])
        norms[t], falls[t] = np.linalg.norm(step - guess), max(-step.min(), 0.0)
    bound = discounted_bound(Discount(up, down, prediction), weights, norms, falls)[0]
    assert total.max() <= bound * (1.0 + 1e-12)


def factors(exponent, count):
    if math.isinf(exponent):
        return np.full(count, float(exponent > 0))
    t = np.arange(1.0, count + 1)
    return t**exponent / (t**exponent + 1.0)


def test_the_general_bound_becomes_the_known_ones():
    t = np.arange(1.0, 31.0)
    norms = np.random.default_rng(3).random((30, 4))
    for name, exponent, expected in [
        ("cfr", 0.0, np.sqrt((norms**2).sum(axis=0))),
        ("cfr+", 0.0, np.sqrt((norms**2).sum(axis=0))),
        ("cfr+", 2.0, 900.0 * np.sqrt((norms**2).sum(axis=0))),
        ("lcfr", 1.0, np.sqrt(((t[:, None] * norms) ** 2).sum(axis=0))),
    ]:
        m = VARIANTS[name].minimisers[0]
        discount = Discount(factors(m.alpha, 30), factors(m.beta, 30), 0.0)
        assert discounted_bound(discount, t**exponent, norms, norms) == pytest.approx(expected, rel=1e-12)


@over([0.5, 2.0, 12.0])
def test_the_bound_on_hedge_is_its_formula(rate):
    """The first rate is that of the first play that needs one; nothing costs more than its range."""
    ranges, actions = np.array([[0.0, 2.0]] + [[1.0, 2.0]] * 4), np.array([2.0, 3.0])
    factors = [1.0, 1.0, 1 / math.sqrt(2), 1 / math.sqrt(3)]
    late = math.log(2) * math.sqrt(3) / rate + sum(min(1.0, rate * f / 8) for f in factors)
    factors.append(0.5)
    early = 2.0 * (math.log(3) * 2.0 / rate + sum(min(1.0, rate * f / 8) for f in factors))
    assert hedge_bound(rate, ranges, actions) == pytest.approx([late, early])


def test_the_bound_on_hedge_is_the_range_where_only_the_last_step_has_one():
    ranges = np.array([[0.0, 0.0], [0.0, 0.0], [3.0, 0.0]])
    assert hedge_bound(2.0, ranges, np.array([2.0, 2.0])).tolist() == [3.0, 0.0]


@given(
    st.integers(0, 10**6),
    st.sampled_from([0.1, 0.5, 1.0, 2.0, 4.0, 30.0]),
    st.sampled_from([0.0, 0.3, 3.0]),
    st.sampled_from(["random", "spiteful", "trend"]),
)
def test_the_bounds_on_hedge_hold_against_any_values(seed, rate, wildness, values_are):
    """A naive learner at one infoset against values of any size, none at first."""
    rng, (count, n) = np.random.default_rng(seed), (40, int(2 + seed % 3))
    regret, seen, ranges = np.zeros(n), 0.0, np.zeros((count, 1))
    for t in range(count):
        odds = np.exp((regret - regret.max()) * (rate / math.sqrt(seen) if seen > 0.0 else 0.0))
        play = odds / odds.sum()
        values = np.arange(n) * 1.0 if values_are == "trend" else rng.normal(size=n) * rng.random()
        if values_are == "spiteful":
            values -= 2.0 * (play == play.max())
        values *= (t >= seed % 5) * math.exp(wildness * rng.normal())
        regret = regret + values - play @ values
        ranges[t] = np.ptp(values)
        seen += ranges[t, 0] ** 2
        bound = hedge_bound(rate, ranges[: t + 1], np.array([float(n)]))[0]
        assert regret.max() <= bound * (1.0 + 1e-12)
        assert bound <= hedge_bound_before(rate, seen, float(n)) * (1.0 + 1e-12)


def test_hedge_has_its_bounds_before_and_after(form_of):
    """Twelve infosets of two actions: 50 steps, none wider than 4."""
    form = form_of(KUHN)
    variant = replace(VARIANTS["hedge"], order="simultaneous")
    found = {b.name: b for b in bounds(form, regret_log(form, variant, 50, every=50), 4.0)}
    rate = variant.minimisers[0].rate
    whole = 4.0 * math.sqrt(50) * (math.log(2) / rate + rate * math.sqrt(2) / 4 + 2 + math.sqrt(2))
    for p in (0, 1):
        assert found[f"player {p}: a priori"].right == pytest.approx(6 * whole)
        assert found[f"player {p}: steps seen"].right < found[f"player {p}: a priori"].right
    assert found["NashConv: a priori"].right == pytest.approx(12 * whole / 50)


def test_a_ratio_is_infinite_where_there_is_nothing_to_bound():
    assert Inequality("", "", -1.0, 2.0).ratio == math.inf
    assert Inequality("", "", 4.0, 2.0).ratio == 0.5


def test_logs_go_on_from_a_state(form_of):
    form, variant = form_of(SMALL_LEDUC), VARIANTS["dcfr"]
    whole, first = regret_log(form, variant, 20), regret_log(form, variant, 12)
    second = regret_log(form, variant, 8, first.state, every=3)
    straight = ran(full_width.prepare(form, variant), 20)
    for p in (0, 1):
        assert np.array_equal(second.state.memories[p].total, straight.state.memories[p].total)
        assert np.array_equal(np.vstack((first.steps[p], second.steps[p])), whole.steps[p])
    assert second.iteration.tolist() == [15, 18, 20]
    assert second.last.residual <= 1e-12
    assert second.last.improvement + first.last.improvement == pytest.approx(whole.last.improvement)
    assert second.last.weight == whole.last.weight - first.last.weight


def test_the_own_average_is_certified(form_of):
    form, variant = form_of(KUHN), VARIANTS["cfr+"]
    log = regret_log(form, variant, 30, every=10)
    for done, own in zip(log.iteration, log.own_nash_conv, strict=True):
        assert own == certify(form, average(full_width.prepare(form, variant), int(done))).nash_conv


def test_the_table_has_the_columns_that_are_documented(form_of):
    log = regret_log(form_of(KUHN), VARIANTS["cfr"], 7, every=3)
    table = log.table()
    assert tuple(table.columns) == COLUMNS
    assert table["iteration"].tolist() == [3, 6, 7]
    assert table["regret_1"].tolist() == [row.regret_1 for row in log.rows]
    assert table["own_nash_conv"].tolist() == log.own_nash_conv.tolist()
    header, *lines = log.csv().splitlines()
    assert header == ",".join(COLUMNS)
    assert [[float(cell) for cell in line.split(",")] for line in lines] == table.to_numpy().tolist()


def test_games_in_which_nobody_decides_have_empty_logs():
    form = tree_form(build_tree(random_game(0, 0, 2)))
    assert form.n_infosets == (0, 0)
    log = regret_log(form, VARIANTS["cfr"], 3)
    assert log.last.residual == 0.0
    assert all(bound.ratio == math.inf for bound in bounds(form, log, 1.0))


def test_what_is_out_of_range_is_refused(form_of):
    form = form_of(CHASE)
    x = [t.plan(t.uniform()) for t in form.treeplexes]
    with pytest.raises(ValueError, match="at least 1, got 3 and 0"):
        regret_log(form, VARIANTS["cfr"], 3, every=0)
    with pytest.raises(ValueError, match="at least 1, got 0 and 1"):
        regret_log(form, VARIANTS["cfr"], 0)
    with pytest.raises(ValueError, match="finite, got those of the exponent inf"):
        regret_log(form, Variant((Matching(), Matching()), average=Average(math.inf)), 3)
    with pytest.raises(
        ValueError, match="2 weights need 3 plans of player 0 and 2 of player 1 in alternating"
    ):
        regrets_of(form, [x[0]] * 2, [x[1]] * 2, [1.0, 1.0], "alternating")
    for weights in ([1.0, -1.0], [0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0]):
        with pytest.raises(ValueError, match="weights must be finite"):
            regrets_of(form, [x[0]] * 2, [x[1]] * 2, weights, "simultaneous")
    log = regret_log(form, VARIANTS["cfr"], 2)
    for spread in (-1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="spread must be finite"):
            bounds(form, log, spread)
