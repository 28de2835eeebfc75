"""Repairs by infoset: against a program, against replacements, and what comes first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from tests.helpers.cells import over
from tests.helpers.forms import compiled, public_form
from tests.helpers.profiles import drawn_profile
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker, leduc_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.certify.losses import losses
from treeplex.seqform.certify.repairs import lowest, repairs
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.programs.lp_solution import solve_lp

RANDOM = st.builds(random_game, st.integers(0, 10**6), st.integers(0, 5), st.integers(1, 4))
SEEDS = st.integers(0, 10**9)
KUHN = compiled(kuhn_poker())


def replaced(form, profile, player, i, mixture):
    """Return a profile with another behaviour at one infoset."""
    behaviour = [b.copy() for b in profile.behaviour]
    t = form.treeplexes[player]
    behaviour[player][t.begin[i] : t.end[i]] = mixture
    return Profile(form.treeplexes, tuple(behaviour))


def places(form):
    return [(player, i) for player, t in enumerate(form.treeplexes) for i in range(t.n_infosets)]


def least_nash_conv(form, profile, player, i):
    """Return the least NashConv over behaviours at an infoset, by one program."""
    own, other = form.treeplexes[player], form.treeplexes[1 - player]
    lo, hi = int(own.begin[i]), int(own.end[i])
    plans = [replaced(form, profile, player, i, corner).plans[player] for corner in np.eye(hi - lo)]
    gradients = np.array([form.gradient(1 - player, plan) for plan in plans])  # (A, S)
    # Columns: w, the value of each infoset of the other, and of its root; a row for each of its sequences.
    n, m = hi - lo, other.n_infosets
    rows, bound = [], []
    for s in range(other.n_sequences):
        row = np.zeros(n + m + 1)
        row[:n] = gradients[:, s]
        row[n : n + m] = other.parent == s
        row[n + other.infoset_of[s] if s else n + m] -= 1.0
        rows.append(row)
        bound.append(0.0)
    program = linprog(
        [*[0.0] * (n + m), 1.0],
        A_ub=rows,
        b_ub=bound,
        A_eq=[[*[1.0] * n, *[0.0] * (m + 1)]],
        b_eq=[1.0],
        bounds=[*[(0.0, 1.0)] * n, *[(None, None)] * (m + 1)],
    )
    mine = form.best_response(player, profile.plans[1 - player]).total
    return mine + program.fun


@given(RANDOM, SEEDS)
def test_a_repair_is_what_a_program_finds_and_what_its_behaviour_does(game, seed):
    form = compiled(game)
    profile = drawn_profile(form, seed)
    width, scale = certify(form, profile).nash_conv, max(form.largest)
    found = {(one.loss.player, one.loss.infoset): one for one in repairs(form, profile, 10**6)}
    for player, i in places(form):
        key = form.treeplexes[player].infosets[i]
        one = found.get((player, key))
        repair = one.repair if one else 0.0
        assert width - repair == pytest.approx(least_nash_conv(form, profile, player, i), abs=1e-9 * scale)
        if one:
            after = replaced(form, profile, player, i, [*one.instead.values()])
            assert certify(form, after).nash_conv == pytest.approx(width - repair, abs=1e-11 * scale)


@given(RANDOM, SEEDS, st.integers(1, 4))
def test_a_short_list_is_the_head_of_the_long_one(game, seed, most):
    form = compiled(game)
    profile = drawn_profile(form, seed)
    long, short = repairs(form, profile, 10**6), repairs(form, profile, most)
    assert [one.repair for one in short] == [one.repair for one in long[:most]]
    assert [one.repair for one in long] == sorted((one.repair for one in long), reverse=True)
    lost = {(one.player, one.infoset): one.loss for one in losses(form, profile)}
    assert {(one.loss.player, one.loss.infoset): one.loss.loss for one in long if one.loss.loss} == lost


@pytest.mark.seconds(3)
@over([kuhn_poker(), kuhn_poker(ranks=5), leduc_poker(ranks=2)])
def test_one_mistake_in_an_optimum_has_the_largest_repair_and_seldom_the_largest_loss(game):
    form = public_form(game)
    optimum = solve_lp(form).profile
    n_wrong = first_lost = 0
    for player, i in places(form):
        t = form.treeplexes[player]
        spoilt = replaced(form, optimum, player, i, 1.0 / (t.end[i] - t.begin[i]))
        width = certify(form, spoilt).nash_conv
        if width > 1e-9:
            n_wrong += 1
            found = {(one.loss.player, one.loss.infoset): one.repair for one in repairs(form, spoilt, 10**6)}
            assert found[player, t.infosets[i]] == pytest.approx(width, abs=1e-10)
            assert max(found.values()) == pytest.approx(width, abs=1e-10)
            lost = losses(form, spoilt)[0]
            first_lost += (lost.player, lost.infoset) == (player, t.infosets[i])
    assert 0 < first_lost < n_wrong / 2


def test_an_optimum_has_no_repairs():
    assert all(one.repair == 0.0 for one in repairs(KUHN, solve_lp(KUHN).profile))


OFFSETS, FACTORS = st.sampled_from([0.0, -1.0, 1e6]), st.sampled_from([1.0, 1e-8, 1e4])


@given(st.integers(1, 5), st.integers(2, 4), SEEDS, OFFSETS, FACTORS)
def test_the_lowest_point_is_below_every_other_and_its_value_the_largest_there(
    n, actions, seed, offset, factor
):
    rng = np.random.default_rng(seed)
    cuts = offset + factor * rng.normal(size=(n, actions)).round(1)
    point, value = lowest(cuts)
    error = 1e-9 * factor + 1e-15 * abs(offset)
    assert point.min() >= 0.0
    assert point.sum() == pytest.approx(1.0, abs=1e-14)
    assert (cuts @ point).max() == pytest.approx(value, abs=error)
    others = rng.dirichlet(np.full(actions, 0.3), 200)
    assert ((others @ cuts.T).max(axis=1) >= value - error).all()


def test_a_mistake_that_is_small_beside_the_payoffs_is_repaired():
    b = 10**7
    form = compiled(
        load_game(f"matrix_game(payoff=[[{b},{b - 1},{b + 2}],[{b + 1},{b},{b - 1}],[{b - 2},{b + 1},{b}]])")
    )
    spoilt = replaced(form, solve_lp(form).profile, 0, 0, [0.9, 0.05, 0.05])
    width = certify(form, spoilt).nash_conv
    assert width > 0.8
    assert repairs(form, spoilt, 1)[0].repair == pytest.approx(width, abs=1e-6)
