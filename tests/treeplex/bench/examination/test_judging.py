"""Verdicts on made-up curves: roots and inverses of the iterations, plateaus, slow starts, noise, growth."""

import math

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.bench.examination.judging import Evidence, decided
from treeplex.bench.examination.observed import BEHAVIOUR

THEORY = 350.0
"""Of a game of the size of small_holdem: regret's bound in parts of the scale."""


def evidence(width, doublings=13, noise=0.0, seed=0, **known):
    """Return evidence of widths after 1, 2, 4, ... iterations, each with noise of its own."""
    rng = np.random.default_rng(seed)
    series = tuple((2**k, width(2**k) * math.exp(noise * rng.standard_normal())) for k in range(doublings))
    return Evidence(series, **{"within": 0.02, "theory": THEORY, "start": 84} | known)


def verdict(width, doublings=13, **known):
    return decided(evidence(width, doublings, **known)).verdict


def slow_start(t):
    """Return what exponential weights with small steps make: flat, then ever steeper."""
    return 0.5 * math.exp(-((t / 2000) ** 0.3))


@over([6, 9, 13, 17])
def test_a_root_from_a_high_constant_is_converging_until_it_is_there(doublings) -> None:
    assert verdict(lambda t: 5.0 * t**-0.5, doublings) == ("correct" if doublings == 17 else "converging")


def test_what_converges_says_how_many_iterations_are_missing() -> None:
    found = decided(evidence(lambda t: 5.0 * t**-0.5, scale=2.0, unit="chips"))
    assert found.reason == (
        "NashConv 0.156 chips after 4,096 iterations, slope -0.50, above 0.02 of the scale 2, which takes "
        "about 62,000 iterations at this slope; theory allows 11"
    )


@over([6, 9, 13])
def test_an_inverse_is_correct_once_it_is_within_what_is_asked(doublings) -> None:
    width = 2.0 ** (1 - doublings)
    assert verdict(lambda t: 1.0 / t, doublings, within=1.01 * width) == "correct"
    assert verdict(lambda t: 1.0 / t, doublings, within=0.99 * width) == "converging"


@over([0.0, 0.01, 0.1])
def test_a_plateau_is_wrong(noise) -> None:
    found = [verdict(lambda t: 0.3, noise=noise, seed=seed) for seed in range(30)]
    assert found.count("wrong") >= 27
    assert not {"correct", "converging"} & {*found}


@over([(0.5, 0.3), (0.5, 0.1), (1.0, 0.3), (1.0, 0.03), (1.5, 0.003)])
def test_a_plateau_after_a_fall_is_wrong_and_its_level_named(slope, level) -> None:
    found = decided(evidence(lambda t: level + t**-slope, doublings=14))
    assert found.verdict == "wrong"
    assert float(found.reason.split()[3]) == pytest.approx(level, rel=0.15)


def test_a_plateau_is_not_told_before_the_method_may_have_left_its_start() -> None:
    assert verdict(lambda t: 0.3, doublings=7, start=65) == "cannot tell"
    assert verdict(lambda t: 0.3, doublings=7, start=64) == "wrong"


@over(range(3, 16))
def test_a_slow_start_is_never_called_wrong(doublings) -> None:
    """Its slope is that of a plateau up to 1,024 iterations."""
    found = evidence(slow_start, doublings, start=1)
    assert decided(found).verdict in ("cannot tell", "converging")
    assert found.trend.state == ("stuck" if 9 <= doublings <= 11 else "converging")


@over(range(6, 13))
def test_a_small_power_is_never_called_wrong_and_never_correct(doublings) -> None:
    assert verdict(lambda t: 0.5 * t**-0.1, doublings, start=1) == "cannot tell"


@over([0.1, 0.3, 0.5])
def test_noise_of_samplers_makes_nothing_wrong_that_falls_with_the_root(noise) -> None:
    found = [verdict(lambda t: 5.0 * t**-0.5, noise=noise, seed=seed, start=1) for seed in range(100)]
    assert found.count("wrong") <= 1
    assert found.count("converging") > 50


def test_growing_widths_are_wrong() -> None:
    assert verdict(lambda t: 0.3 * t**0.1) == "wrong"
    assert verdict(lambda t: 0.3 + 0.01 * math.log(t)) == "wrong"


def test_few_times_tell_nothing_and_what_would_is_said() -> None:
    found = decided(evidence(lambda t: 1.0 / t, doublings=4, start=144))
    assert found.verdict == "cannot tell"
    assert "too few numbers of iterations" in found.reason
    assert "about 140 iterations would tell more" in found.reason


def test_what_theory_does_not_allow_is_not_converging() -> None:
    assert verdict(lambda t: 5.0 * t**-0.5, theory=5.01) == "converging"
    assert verdict(lambda t: 5.0 * t**-0.5, theory=4.99) == "cannot tell"


def test_behaviour_averaged_without_reaches_is_wrong_though_it_falls() -> None:
    method = f"cfr; simultaneous; average {BEHAVIOUR}, uniform, after the update"
    found = decided(evidence(lambda t: 1.0 / t, method=method))
    assert found.verdict == "wrong"
    assert found.reason.startswith(f"{method}, which need not converge: NashConv 0.000244 points")


def test_a_known_average_is_trusted_before_it_is_narrow_if_it_falls() -> None:
    known = {"method": "cfr; simultaneous; average uniform, after the update", "is_promised": True}
    assert verdict(lambda t: 5.0 * t**-0.5, **known) == "correct"
    assert verdict(lambda t: 0.5 * t**-0.1, **known, start=1) == "cannot tell"


def test_a_right_method_that_is_none_we_know_says_which_is_nearest() -> None:
    nearest = "cfr; simultaneous; average last, from which it differs after iteration 2 at 'J:' of player 0"
    for width, expected in ((lambda t: 1.0 / t, "correct"), (lambda t: 5.0 * t**-0.5, "converging")):
        found = decided(evidence(width, nearest=nearest))
        assert found.verdict == expected
        assert found.reason.endswith(f"; converges, no method known here, nearest {nearest}")


def test_optima_and_what_does_not_iterate_are_judged_by_the_certificate_alone() -> None:
    assert verdict(lambda t: 1e-6, is_exact=True) == "correct"
    assert verdict(lambda t: 0.3, doublings=3, is_constant=True) == "wrong"


@over([(True, 0.05, "cannot tell"), (True, 0.3, "wrong"), (False, 0.05, "wrong")])
def test_a_level_below_the_bound_of_theory_may_be_noise_of_a_sampler(is_sampled, level, told) -> None:
    assert verdict(lambda t: level, theory=4.0, is_sampled=is_sampled) == told  # 4 / sqrt(4096) = 0.0625
