"""Trends of series of widths: slopes, levels, noise, short series, zeros, and those of real runs."""

import math

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.bench.examination.trend import trend
from treeplex.solving.solve import solve

DOUBLING = [2**k for k in range(13)]
FLOOR = 1e-9


def series(width, seed=0, noise=0.0, times=DOUBLING):
    rng = np.random.default_rng(seed)
    return [(t, width(t) * math.exp(noise * rng.standard_normal())) for t in times]


@over([0.5, 1.0, 2.0])
def test_a_power_of_the_iterations_is_converging_with_its_slope(exponent):
    found = trend(series(lambda t: 3.0 * t**-exponent), FLOOR)
    assert found.state == "converging"
    assert found.slope == pytest.approx(-exponent)
    assert found.level == pytest.approx(3.0 * 4096.0**-exponent)


@over([0.3, 0.1, 0.03], [0.5, 1.0])
def test_a_bias_is_found_and_its_level_named(bias, exponent):
    found = trend(series(lambda t: bias + t**-exponent), FLOOR)
    assert found.state == "stuck"
    assert found.level == pytest.approx(bias, rel=0.1)


@over([0.1, 0.3, 0.5])
def test_noise_makes_no_level_of_a_power(noise):
    found = [trend(series(lambda t: t**-0.5, seed, noise), FLOOR).state for seed in range(200)]
    assert found.count("stuck") <= 5


def test_noise_hides_no_large_bias():
    found = [trend(series(lambda t: 0.3 + 1.0 / t, seed, 0.1), FLOOR).state for seed in range(200)]
    assert found.count("stuck") >= 190


def test_below_the_floor_is_converged_zeros_too():
    found = trend([(1, 1.0), (2, 0.0), (4, 0.0)], 0.0)
    assert (found.state, found.slope, found.level) == ("converged", None, 0.0)
    assert trend([(1, 1.0), (2, 0.25), (4, 0.0625), (8, 1e-7)], 1e-6).state == "converged"
    assert trend([(5, 0.0)], 0.0).state == "converged"


def test_a_zero_on_the_way_is_left_out():
    found = trend([(1, 1.0), (2, 0.0), (4, 0.25), (8, 0.125)], FLOOR)
    assert (found.state, found.level) == ("converging", 0.125)
    assert found.slope == pytest.approx(-1.0)


def test_three_points_tell_only_what_does_not_change_at_all():
    assert trend([(1, 0.5), (2, 0.5), (4, 0.5)], FLOOR).state == "stuck"
    assert trend([(1, 0.5), (2, 0.6), (4, 0.55)], FLOOR).state == "converging"
    assert trend([(1, 0.5), (2, 0.4)], FLOOR).state == "converging"
    assert trend([(1, 0.5)], FLOOR).slope is None


def test_growing_widths_are_stuck():
    assert trend(series(lambda t: 1 + 0.1 * math.log(t)), FLOOR).state == "stuck"


@over(
    [
        ([], "at least one width"),
        ([(0, 1.0)], "rise from 1, got 0"),
        ([(2, 1.0), (2, 0.5)], "got 2 after 2"),
        ([(1, -0.1)], "got -0.1 after 1"),
        ([(1, math.nan)], "got nan after 1"),
    ]
)
def test_what_is_no_series_is_refused(given, says):
    with pytest.raises(ValueError, match=says):
        trend(given, FLOOR)


def test_the_floor_is_a_number():
    with pytest.raises(ValueError, match="floor of a trend"):
        trend([(1, 1.0)], math.nan)


@pytest.mark.seconds(3)
@over(["cfr", "cfr+", "dcfr", "hedge"], ["kuhn_poker", "leduc_poker(raises=1)"])
def test_minimisers_converge(method, spec):
    def widths(**choices):
        return [
            (t, solve(spec, method=method, iterations=t, **choices).proof.nash_conv) for t in DOUBLING[:9]
        ]

    assert trend(widths(), 1e-6).state == "converging"


def test_cfr_without_averaging_is_stuck():
    plans = [
        (t, solve("leduc_poker(raises=1)", method="cfr", average="last", iterations=t)) for t in DOUBLING
    ]
    found = trend([(t, run.proof.nash_conv) for t, run in plans], 1e-6)
    assert found.state == "stuck"
    assert found.level > 0.1


@over(range(4))
def test_sampling_converges(seed):
    runs = [(t, solve("kuhn_poker", method="mccfr-external", iterations=t, seed=seed)) for t in DOUBLING]
    assert trend([(t, run.proof.nash_conv) for t, run in runs], 1e-6).state == "converging"
