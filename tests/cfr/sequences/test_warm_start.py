"""Warm starts: the profile is the average so far, regrets are what theory allows, and runs go on."""

from dataclasses import replace
from itertools import pairwise
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.running import ran
from tests.helpers.twins.games import random_behaviour
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.sequences import full_width
from treeplex.cfr.sequences.full_width import average_profile
from treeplex.cfr.sequences.warm_start import WarmStart, warm_state
from treeplex.cfr.variant import VARIANTS, Average, Hedge, Matching, Ramp, Variant
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.trees.game_tree import build_tree

MATCHING = [name for name, v in VARIANTS.items() if isinstance(v.minimisers[1], Matching)]
SEEN = replace(VARIANTS["cfr"], order="simultaneous", average=Average(0.0, "seen"))


def random_profile(form, seed):
    rng = np.random.default_rng(seed)
    x, y = (random_behaviour(t, rng) for t in form.treeplexes)
    return Profile(form.treeplexes, (x, y))


def uniform_profile(form):
    x, y = (t.uniform() for t in form.treeplexes)
    return Profile(form.treeplexes, (x, y))


def width(form, run):
    return certify(form, run.average).nash_conv


def gain_of(form, profile, player):
    gain = form.payoff.against(player, profile.plans[1 - player])
    return gain if player == 0 else -gain


def spread(t, gain, i, memo):
    """Return the best and the worst value of an infoset, by recursion."""
    if i not in memo:
        children = [[j for j in range(t.n_infosets) if t.parent[j] == s] for s in range(t.begin[i], t.end[i])]
        ends = [
            [gain[s] + sum(spread(t, gain, j, memo)[k] for j in below) for k in (0, 1)]
            for s, below in zip(range(t.begin[i], t.end[i]), children, strict=True)
        ]
        memo[i] = max(e[0] for e in ends), min(e[1] for e in ends)
    return memo[i]


def discounted(minimiser, iterations):
    """Return what equal steps of 1, and of -1, leave after so many iterations, and the sum of squares."""

    def factor(t, exponent):
        if isinstance(exponent, Ramp):
            exponent = exponent.start + exponent.slope * min(t / exponent.horizon, 1)
        if np.isinf(exponent):
            return 1.0 if exponent > 0 else 0.0
        return t**exponent / (t**exponent + 1)

    up = down = square = 0.0
    for t in range(1, iterations + 1):
        up, down = (up + 1) * factor(t, minimiser.alpha), (down - 1) * factor(t, minimiser.beta)
        square = (square + 1) * factor(t, minimiser.alpha) ** 2
    return up, down, square


def naive(form, profile, player, minimiser, iterations):
    """Return (regrets, potential of each infoset, v' at the root): values from the leaves up by recursion."""
    t, b, gain = form.treeplexes[player], profile.behaviour[player], gain_of(form, profile, player)
    up, down, square = discounted(minimiser, iterations)
    regret, potential, memo = np.zeros(t.n_sequences), np.zeros(t.n_infosets), {}

    def worth(s):
        return gain[s] + sum(earned(i) for i in range(t.n_infosets) if t.parent[i] == s)

    def earned(i):
        row = range(t.begin[i], t.end[i])
        best, worst = spread(t, gain, i, memo)
        potential[i] = square * (len(row) - 1) * (best - worst) ** 2
        size = sqrt(potential[i] / sum(b[s] ** 2 for s in row))
        q = {s: worth(s) for s in row}
        value = max(q[s] - size * b[s] / up for s in row)
        for s in row:
            regret[s] = size * b[s] if b[s] > 0 else (value - q[s]) * down
        return value

    return regret, potential, worth(0)


@over(["kuhn_poker", "random_game(seed=3,depth=6)"], MATCHING, [1, 2, 30])
def test_regrets_are_the_naive_ones(spec, name, iterations, form_of):
    form, variant = form_of(spec), VARIANTS[name]
    for seed in range(5):
        profile = random_profile(form, seed)
        state = warm_state(form, WarmStart(variant, profile, iterations))
        for p in (0, 1):
            regret, _, _ = naive(form, profile, p, variant.minimisers[p], iterations)
            assert state.memories[p].regret == pytest.approx(regret, rel=1e-9, abs=1e-12)


@given(st.integers(0, 10**6), st.sampled_from(MATCHING), st.integers(1, 1000))
def test_the_potential_is_what_regret_matching_allows(seed, name, iterations):
    form = tree_form(build_tree(random_game(seed, 5, 3)))
    profile, variant = random_profile(form, seed), VARIANTS[name]
    state = warm_state(form, WarmStart(variant, profile, iterations))
    for p, t in enumerate(form.treeplexes):
        _, potential, _ = naive(form, profile, p, variant.minimisers[p], iterations)
        square = np.bincount(
            t.infoset_of[1:], np.maximum(state.memories[p].regret[1:], 0.0) ** 2, t.n_infosets
        )
        assert square == pytest.approx(potential, rel=1e-9, abs=1e-12)


def test_leduc_keeps_what_is_promised(form_of):
    """Where v' add up to no more than 0, NashConv is bounded by the potentials alone."""
    form = form_of("leduc_poker")
    profile = average(full_width.prepare(form, VARIANTS["cfr+"]), 1000)
    state = warm_state(form, WarmStart(SEEN, profile, 1000))
    parts = [naive(form, profile, p, Matching(), 1000) for p in (0, 1)]
    assert sum(root for _, _, root in parts) <= 0.0
    for n in (1, 100):
        run = ran(full_width.prepare(form, SEEN), n, state)
        # Counterfactual values in Leduc are within the largest pot either way, chance's part left out.
        steps = [(t.end - t.begin - 1) * 26.0**2 for t in form.treeplexes]
        promised = sum(np.sqrt(part[1] + n * step).sum() for part, step in zip(parts, steps, strict=True))
        assert width(form, run) <= promised / (1000 + n)


@over(["kuhn_poker", "leduc_poker", "coin_toss"], VARIANTS)
def test_the_average_is_the_profile(spec, name, form_of):
    form, variant = form_of(spec), VARIANTS[name]
    profile = random_profile(form, 7)
    state = warm_state(form, WarmStart(variant, profile, 50))
    assert state.iterations == 50
    weight, exponent = 0.0, variant.average.exponent
    for t in range(1, 51):
        if isinstance(exponent, Ramp):
            weight = weight * ((t - 1) / t) ** (exponent.start + exponent.slope * t / exponent.horizon) + 1
        else:
            weight += t**exponent
    for memory, plan in zip(state.memories, profile.plans, strict=True):
        assert memory.total == pytest.approx(weight * plan, rel=1e-12)
    average = certify(form, average_profile(form, state.memories))
    given_ = certify(form, profile)
    assert (average.lower, average.upper) == pytest.approx((given_.lower, given_.upper), abs=1e-11)


def test_the_last_plans_alone_weigh_one(form_of):
    form = form_of("kuhn_poker")
    variant = replace(VARIANTS["cfr"], average=Average(inf))
    profile = random_profile(form, 1)
    for memory, plan in zip(
        warm_state(form, WarmStart(variant, profile, 9)).memories, profile.plans, strict=True
    ):
        assert memory.total == pytest.approx(plan, rel=1e-14)


@over(MATCHING)
def test_the_first_play_is_the_profile_and_follows_from_the_regrets(name, form_of):
    form = form_of("leduc_poker")
    profile = average(full_width.prepare(form, VARIANTS["cfr+"]), 50)
    state = warm_state(form, WarmStart(VARIANTS[name], profile, 50))
    for p, t in enumerate(form.treeplexes):
        memory = state.memories[p]
        assert memory.plan == pytest.approx(profile.plans[p], abs=1e-15)
        positive = np.maximum(memory.regret, 0.0)
        mass = np.bincount(t.infoset_of[1:], positive[1:], t.n_infosets)[t.infoset_of[1:]]
        staked = mass > 0.0
        assert staked.mean() > 0.9
        assert (positive[1:] / np.where(staked, mass, 1.0))[staked] == pytest.approx(
            profile.behaviour[p][1:][staked], abs=1e-12
        )


@over(["cfr", "cfr+"])
def test_a_good_profile_beats_a_cold_start(name, form_of):
    form, variant = form_of("leduc_poker"), VARIANTS[name]
    profile = average(full_width.prepare(form, VARIANTS["cfr+"]), 1000)
    state = warm_state(form, WarmStart(variant, profile, 1000))
    for n, most in ((1, 7e-4), (10, 2.5e-3), (100, 4e-3)):
        warm = width(form, ran(full_width.prepare(form, variant), n, state))
        assert warm <= most
        assert warm <= 0.2 * width(form, ran(full_width.prepare(form, variant), n))


def test_longer_stands_for_more(form_of):
    """From an equilibrium, one iteration does harm in proportion to one over those it stands for."""
    form = form_of("leduc_poker")
    profile = solve_lp(form).profile
    widths = [
        width(
            form,
            ran(
                full_width.prepare(form, VARIANTS["cfr"]),
                1,
                warm_state(form, WarmStart(VARIANTS["cfr"], profile, t)),
            ),
        )
        for t in (10, 100, 1000, 10_000)
    ]
    assert widths[-1] <= 5e-4
    for a, b in pairwise(widths):
        assert 5 <= a / b <= 20


def test_going_on_equals_never_having_stopped(form_of):
    form, variant = form_of("leduc_poker"), VARIANTS["cfr+"]
    state = warm_state(form, WarmStart(variant, random_profile(form, 2), 20))
    whole = ran(full_width.prepare(form, variant), 30, state)
    half = ran(full_width.prepare(form, variant), 15, iterate(full_width.prepare(form, variant), 15, state))
    for mine, theirs in zip(half.state.memories, whole.state.memories, strict=True):
        assert [a.tobytes() for a in mine] == [b.tobytes() for b in theirs]


@over(VARIANTS)
def test_arrays_are_nobody_elses(name, form_of):
    form = form_of("kuhn_poker")
    profile = random_profile(form, 3)
    before = [b.copy() for b in profile.behaviour]
    first, second = (warm_state(form, WarmStart(VARIANTS[name], profile, 5)) for _ in range(2))
    for memory in first.memories:
        arrays = list(memory)
        assert not any(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i])
        for array in arrays:
            array[:] = -1.0
    assert all((a == b).all() for a, b in zip(profile.behaviour, before, strict=True))
    for memory, other in zip(second.memories, first.memories, strict=True):
        assert not any(np.shares_memory(a, b) for a, b in zip(memory, other, strict=True))
        assert memory.total.min() >= 0.0


def test_hedge_weighs_by_the_profile(form_of):
    form, variant = form_of("leduc_poker"), Variant((Hedge(0.5), Hedge(2.0)), average=Average(0.0))
    profile = random_profile(form, 4)
    state = warm_state(form, WarmStart(variant, profile, 400))
    for p, (t, rate) in enumerate(zip(form.treeplexes, (0.5, 2.0), strict=True)):
        regret, seen, b = state.memories[p].regret, state.memories[p].squared_ranges, profile.behaviour[p]
        assert np.isfinite(regret).all()
        for lo, hi, v in zip(t.begin, t.end, seen, strict=True):
            if v == 0.0:  # all actions are worth the same
                assert not regret[lo:hi].any()
                continue
            played = b[lo:hi] > 0.0
            weights = np.exp(rate / sqrt(v) * regret[lo:hi])
            assert (weights / weights[played].sum())[played] == pytest.approx(b[lo:hi][played], rel=1e-9)
            if not played.all():
                assert regret[lo:hi][~played].max() <= regret[lo:hi][played].min()


def test_a_best_responder_answers_the_profile(form_of):
    form = form_of("leduc_poker")
    profile = random_profile(form, 5)
    memory = warm_state(form, WarmStart(VARIANTS["cfr-br"], profile, 10)).memories[1]
    gain = gain_of(form, profile, 1)
    assert memory.plan @ gain == pytest.approx(form.treeplexes[1].best_response(gain).total, abs=1e-12)
    assert not memory.regret.any()
    assert memory.total == pytest.approx(55.0 * profile.plans[1], rel=1e-12)


def test_wrong_input_is_refused(form_of):
    form, other = form_of("kuhn_poker"), form_of("coin_toss")
    with pytest.raises(ValueError, match="iterations must be between 1 and 10,000,000, got 0"):
        warm_state(form, WarmStart(VARIANTS["cfr"], uniform_profile(form), 0))
    with pytest.raises(ValueError, match="other infosets"):
        warm_state(form, WarmStart(VARIANTS["cfr"], uniform_profile(other), 5))


def test_players_without_decisions():
    form = tree_form(build_tree(random_game(0, 0, 1)))
    for variant in VARIANTS.values():
        run = ran(
            full_width.prepare(form, variant),
            3,
            warm_state(form, WarmStart(variant, uniform_profile(form), 2)),
        )
        assert certify(form, run.average).nash_conv <= 1e-13
