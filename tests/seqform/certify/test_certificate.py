"""The certificate: its interval against exact best responses, its widening, and what it refuses."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.forms import compiled, public_form
from tests.helpers.profiles import drawn_profile, uniform_profile
from tests.helpers.twins.drawn import Drawn, leaf
from tests.helpers.twins.games import Uneven, bounds, die
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import matrix_game
from treeplex.seqform.certify.certificate import (
    Certificate,
    certify,
    certify_exactly,
    exact_bounds,
    exact_plan,
)
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.programs.rational_optimum import rational_optimum

RANDOM = st.builds(random_game, st.integers(0, 10**6), st.integers(0, 6), st.integers(1, 4))
SEEDS = st.integers(0, 10**9)


def check_interval(game, form, profile):
    """Check that the proved interval contains the exact guarantees and is wider by its rounding at most."""
    value, lower, upper = bounds(game, form, profile.behaviour)
    certificate = certify(form, profile)
    assert certificate.lower <= lower
    assert upper <= certificate.upper
    assert certificate.lower <= certificate.value <= certificate.upper
    slack = 2 * Fraction(certificate.rounding) + Fraction(1, 10**300)
    assert upper - slack <= certificate.upper <= upper + slack + abs(upper) / 2**50
    assert lower - slack - abs(lower) / 2**50 <= certificate.lower <= lower + slack
    assert abs(Fraction(certificate.value) - value) <= slack
    return certificate


@given(RANDOM, SEEDS)
def test_the_interval_is_the_exact_one_rounded_outward(game, seed):
    form = compiled(game)
    certificate = check_interval(game, form, drawn_profile(form, seed))
    assert certificate.nash_conv == pytest.approx(sum(certificate.gains))
    assert certificate.rounding <= 1e-12


@given(RANDOM, SEEDS, st.sampled_from([3, 8, 16]), st.sampled_from([-16, -160, -320]))
def test_the_interval_holds_for_payoffs_and_probabilities_of_every_size(game, seed, reach, smallest):
    game = Uneven(game, reach, seed)
    form = compiled(game)
    check_interval(game, form, drawn_profile(form, seed, smallest))


@given(RANDOM, SEEDS)
def test_the_value_of_the_game_is_inside(game, seed):
    form = compiled(game)
    value = rational_optimum(form).value
    profile = drawn_profile(form, seed)
    assert certify(form, profile).contains(value)
    exact = certify_exactly(form, profile)
    assert exact.lower <= value <= exact.upper


@over(["kuhn_poker(ranks=4)", "coin_toss", "leduc_poker(raises=1)"], range(3))
def test_named_games(spec, seed, form_of):
    check_interval(load_game(spec), form_of(spec), drawn_profile(form_of(spec), seed, -3))


def test_losing_plans_of_many_small_terms():
    """The two rows cancel all but exactly, over 300 columns of a million points and six decimals."""
    n = 300
    row = [Fraction(die(2 * 10**12, k) - 10**12, 10**6) for k in range(n)]
    game = matrix_game([row, [-a for a in row]])
    form = compiled(game)
    behaviour = (np.array([1, 0.5, 0.5]), drawn_profile(form, 0).behaviour[1])
    check_interval(game, form, Profile(form.treeplexes, behaviour))


@pytest.mark.seconds(3)
def test_factored_payoffs_are_widened_enough():
    """Running sums cancel: what player 0 earns is a small difference of large sums."""
    game = kuhn_poker(30)
    form = public_form(game, factored=True)
    assert len(form.payoff.link) > 0
    for seed in range(3):
        check_interval(game, form, drawn_profile(form, seed, -12))


def descent(depth, prize):
    """Player 1 goes on or stops, again and again; going on to the end pays player 0 a fortune."""
    node = leaf(prize)
    for step in reversed(range(depth)):
        node = (1, f"{step}", ("on", node), ("stop", leaf(0)))
    return Drawn(*node)


@over([(2, 1e-162, 1), (2, 1e-162, 10**16), (3, 1e-108, 10**100), (4, 1e-80, 10**16), (50, 1e-10, 10**300)])
def test_plans_below_the_smallest_float(depth, probability, prize):
    """A reach that floats round to zero, or to few bits, still earns the exact player something."""
    game = descent(depth, prize)
    form = compiled(game)
    behaviour = np.array([1.0, *([probability, 1.0] * depth)])
    profile = Profile(form.treeplexes, (np.ones(1), behaviour))
    _, lower, upper = bounds(game, form, profile.behaviour)
    certificate = certify(form, profile)
    assert lower == 0
    assert upper > 0
    assert certificate.lower <= 0
    assert certificate.upper >= upper


# The exact certificate


@given(RANDOM, SEEDS, st.sampled_from([0, -8, -160, -320]))
def test_exact_plans_are_exact_and_close(game, seed, smallest):
    """Each reach is that of the floats up to their last bits; none that is positive becomes 0."""
    form = compiled(game)
    profile = drawn_profile(form, seed, smallest)
    for t, behaviour in zip(form.treeplexes, profile.behaviour, strict=True):
        plan, due = exact_plan(t, behaviour), [Fraction(1)]
        assert plan.num[0] == plan.den
        assert all(isinstance(n, int) and n >= 0 for n in plan.num)
        for lo, hi, parent in zip(t.begin, t.end, t.parent, strict=True):
            assert sum(plan.num[lo:hi]) == plan.num[parent]
            row = [Fraction(b) for b in behaviour[lo:hi].tolist()]
            due += [due[parent] * b / sum(row) for b in row]
        last_bits = Fraction(4 * (1 + int(max(t.depth))), 2**52)
        for n, reach in zip(plan.num, due, strict=True):
            assert abs(Fraction(n, plan.den) - reach) <= last_bits * reach


@given(RANDOM, SEEDS, st.sampled_from([0, -8, -160]))
def test_exact_bounds_are_the_naive_ones(game, seed, smallest):
    form = compiled(game)
    profile = drawn_profile(form, seed, smallest)
    plans = [exact_plan(t, b) for t, b in zip(form.treeplexes, profile.behaviour, strict=True)]
    exact = []
    for t, plan in zip(form.treeplexes, plans, strict=True):
        behaviour = [Fraction(b) for b in t.uniform().tolist()]
        for lo, hi, parent in zip(t.begin, t.end, t.parent, strict=True):
            if plan.num[parent]:
                behaviour[lo:hi] = [Fraction(n, plan.num[parent]) for n in plan.num[lo:hi]]
        exact.append(np.array(behaviour, dtype=object))
    assert exact_bounds(form, *plans) == bounds(game, form, exact)


def test_exact_certificates_are_of_floats_that_sum_to_one():
    form = compiled(random_game(3, 5))
    rng = np.random.default_rng(0)
    behaviour = []
    for t in form.treeplexes:
        row = np.ones(t.n_sequences)
        for lo, hi in zip(t.begin, t.end, strict=True):
            odds = rng.multinomial(2**20, np.ones(hi - lo) / (hi - lo)) / 2**20
            row[lo:hi] = odds
        behaviour.append(row)
    profile = Profile(form.treeplexes, tuple(behaviour))
    found = certify_exactly(form, profile)
    assert (found.value, found.lower, found.upper) == bounds(random_game(3, 5), form, behaviour)


def test_the_smallest_probabilities_count_in_exact_certificates():
    """A blunder of 1e20 points with probability 1e-16 costs ten thousand."""
    form = compiled(matrix_game([[-(10**20)], [0]]))
    profile = Profile(form.treeplexes, (np.array([1, 1e-16, 1.0]), np.ones(2)))
    exact, floats = certify_exactly(form, profile), certify(form, profile)
    assert exact.nash_conv == pytest.approx(1e4)
    assert floats.lower <= exact.lower <= exact.upper <= floats.upper


def test_widths_of_fractions_are_rounded_up():
    for width in (Fraction(11, 12), Fraction(1, 3), Fraction(1, 10**400)):
        found = Certificate(Fraction(0), Fraction(0), width, 0.0, 0.0)
        assert Fraction(found.nash_conv) >= width
        assert Fraction(found.gains[0]) >= width
        assert found.gains[1] == 0.0
        assert found.nash_conv == pytest.approx(float(width), rel=1e-15, abs=5e-324)


@given(RANDOM, SEEDS)
def test_both_certificates_are_of_one_profile(game, seed):
    form = compiled(game)
    profile = drawn_profile(form, seed, -5)
    floats, exact = certify(form, profile), certify_exactly(form, profile)
    assert exact.rounding == 0
    for name in ("value", "lower", "upper", "nash_conv"):
        assert float(getattr(exact, name)) == pytest.approx(float(getattr(floats, name)), abs=1e-11)
    assert not floats.disjoint(exact)
    assert all(isinstance(a, Fraction) for a in (exact.value, exact.lower, exact.upper))


# What is not a strategy


@pytest.fixture(scope="module")
def kuhn(form_of):
    form = form_of("kuhn_poker")
    return form, uniform_profile(form)


def spoilt(profile, player, at, value):
    behaviour = [b.copy() for b in profile.behaviour]
    behaviour[player][at] = value
    return replace(profile, behaviour=(behaviour[0], behaviour[1]))


@over(
    [certify, certify_exactly], [0, 1], [np.nan, -0.5, 0.6, 0.5 + 1e-5, 0.0, np.inf, -np.inf, 1e300, -1e-12]
)
def test_rows_that_are_no_probabilities_are_refused_by_name(judge, player, value, kuhn):
    form, profile = kuhn
    infoset = form.treeplexes[player].infosets[2]
    with pytest.raises(ValueError, match=f"player {player}'s probabilities at {infoset!r}"):
        judge(form, spoilt(profile, player, 6, value))


@over([certify, certify_exactly])
def test_rows_within_the_tolerance_are_repaired(judge, kuhn):
    form, profile = kuhn
    off = judge(form, spoilt(profile, 0, 6, 0.5 + 9e-7))
    assert off.contains(Fraction(-1, 18))
    assert off.nash_conv == pytest.approx(11 / 12, abs=1e-5)


@over([certify, certify_exactly])
def test_what_stands_at_the_empty_sequence_does_not_matter(judge, kuhn):
    form, profile = kuhn
    for value in (0.0, 7.0, np.nan):
        certificate = judge(form, spoilt(profile, 1, 0, value))
        assert certificate.nash_conv == pytest.approx(11 / 12)


@over([certify, certify_exactly])
def test_profiles_of_other_games_are_refused(judge, kuhn, form_of):
    form, profile = kuhn
    leduc = form_of("leduc_poker")
    with pytest.raises(ValueError, match="other infosets or actions"):
        judge(leduc, profile)
    with pytest.raises(ValueError, match=r"shape \(13,\), got \(337,\)"):
        judge(form, replace(profile, behaviour=tuple(t.uniform() for t in leduc.treeplexes)))
    with pytest.raises(ValueError, match="shape"):
        judge(form, replace(profile, behaviour=tuple(b[:, None] for b in profile.behaviour)))


@over([certify, certify_exactly])
def test_players_may_not_change_places(judge, kuhn):
    form, profile = kuhn
    with pytest.raises(ValueError, match="other infosets or actions"):
        judge(form, replace(profile, treeplexes=form.treeplexes[::-1]))


@over([certify, certify_exactly])
def test_treeplexes_with_other_borders_are_refused(judge):
    """Same keys and labels in the same order, but another number of actions at each infoset."""
    form = compiled("random_game(seed=3,depth=5,actions=3)")
    i64 = np.int64
    mine = Treeplex(np.array([1, 2]), np.array([2, 4]), np.zeros(2, i64), ("a", "b"), ("", "x", "x", "x"))
    other = Treeplex(np.array([1, 3]), np.array([3, 4]), np.zeros(2, i64), ("a", "b"), ("", "x", "x", "x"))
    payoff = form.payoff.select([np.array([0]), np.array([0])])
    two = replace(
        form, treeplexes=(mine, mine), payoff=replace(payoff, base=replace(payoff.base, shape=(4, 4)))
    )
    fits_both = np.array([1.0, 1.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="other infosets or actions"):
        judge(two, Profile((other, other), (fits_both, fits_both)))


def test_certificates_of_tables_read_back(kuhn):
    """A profile with equal but not identical treeplexes is the same profile."""
    form, profile = kuhn
    copies = tuple(replace(t) for t in form.treeplexes)
    assert certify(form, Profile(copies, profile.behaviour)).nash_conv == pytest.approx(11 / 12)


def interval(lower, upper):
    return Certificate((lower + upper) / 2, lower, upper, 0.0, 0.0)


def test_disjoint():
    assert interval(0, 1).disjoint(interval(2, 3))
    assert interval(2, 3).disjoint(interval(0, 1))
    assert not interval(0, 2).disjoint(interval(1, 3))
    assert not interval(0, 3).disjoint(interval(1, 2))
    assert not interval(1, 2).disjoint(interval(0, 3))
    assert not interval(0, 1).disjoint(interval(1, 2))
    third = Fraction(1, 3)
    assert interval(third, third).disjoint(interval(1 / 3, 1 / 3))
    assert not interval(third, third).disjoint(interval(0.3, 0.4))


def test_gains_and_contains():
    certificate = Certificate(1.0, 0.5, 3.0, 0.0, 0.0)
    assert certificate.gains == (2.0, 0.5)
    assert certificate.nash_conv == 2.5
    assert certificate.contains(0.5)
    assert certificate.contains(Fraction(3))
    assert not certificate.contains(0.4999)
    assert not certificate.contains(float("nan"))


def test_the_table_of_a_profile(kuhn):
    form, profile = kuhn
    table = profile.table()
    assert list(table.columns) == ["player", "infoset", "action", "probability"]
    assert len(table) == 24
    assert table.groupby(["player", "infoset"])["probability"].sum().tolist() == [1.0] * 12
    assert table.iloc[0].tolist() == [0, form.treeplexes[0].infosets[0], "c", 0.5]


@over([(np.float32, [1, 0.2, 0.3, 0.5]), (np.int64, [1, 0, 1, 0])])
def test_strategies_in_other_number_types_are_proved_like_any(dtype, row):
    """Whatever is played pays 7; in f32's own arithmetic the rows would not sum to one, and miss it."""
    form = compiled(matrix_game([[7, 7, 7]] * 3))
    behaviour = np.array(row, dtype=dtype)
    assert certify(form, Profile(form.treeplexes, (behaviour, behaviour))).contains(7)


def test_a_profile_keeps_its_own_copy_and_cannot_be_changed():
    form = compiled(matrix_game([[1, -1], [-1, 1]]))
    row = np.array([1.0, 0.5, 0.5])
    profile = Profile(form.treeplexes, (row, row))
    row[1] = 9.0
    assert profile.behaviour[0].tolist() == [1.0, 0.5, 0.5]
    with pytest.raises(ValueError, match="read-only"):
        profile.behaviour[0][1] = 9.0


def test_payoffs_beyond_floats_are_no_proof():
    form = compiled(matrix_game([[1e308, -1e308], [-1e308, 1e308]]))
    profile = uniform_profile(form)
    with pytest.raises(OverflowError, match="too large"):
        certify(form, profile)
    assert certify_exactly(form, profile).contains(0)
