"""Intervals of means: formulas by hand, and coverage on simulated observations, at all times of looking."""

import math

import numpy as np
import pytest
from scipy.special import lambertw

from treeplex.play.estimates import (
    ALPHA,
    FIRST_LOOK,
    NORMAL,
    TUNED,
    Estimate,
    anytime_half_width,
    mixing,
)


def test_the_scale_of_the_mixture_is_the_one_in_closed_form_and_makes_its_time_the_best() -> None:
    exact = math.sqrt((-lambertw(-(ALPHA**2) / math.e, -1).real - 1) / TUNED)
    assert math.isclose(mixing(), exact, rel_tol=1e-12)
    best = anytime_half_width(TUNED, 1.0)
    assert all(
        best < anytime_half_width(TUNED, 1.0, tuned=other) for other in (TUNED // 2, TUNED - 50, 2 * TUNED)
    )


def test_half_widths_are_the_formula_of_the_paper() -> None:
    t, s, r = 400, 2.5, mixing()
    inside = 2 * (t * r**2 + 1) / (t**2 * r**2) * math.log(math.sqrt(t * r**2 + 1) / ALPHA)
    assert math.isclose(anytime_half_width(t, s), s * math.sqrt(inside), rel_tol=1e-12)


def test_an_estimate_has_mean_error_and_both_intervals() -> None:
    values = [1.0, -1.0, 3.0, 1.0] * 50
    found = Estimate.of("naive", values)
    error = np.std(values, ddof=1) / math.sqrt(200)
    assert (found.mean, found.observations) == (1.0, 200)
    assert found.standard_error == pytest.approx(error)
    assert found.classical == pytest.approx((1.0 - NORMAL * error, 1.0 + NORMAL * error))
    assert found.anytime is not None
    assert found.anytime[0] < found.classical[0] < found.classical[1] < found.anytime[1]


@pytest.mark.parametrize("unit", [1e-300, 1e-180, 1e180, 1e300])
def test_intervals_go_with_the_unit_however_small_or_large_it_is(unit: float) -> None:
    values = [1.0, -1.0, 3.0, 1.0] * 50
    one, found = Estimate.of("naive", values), Estimate.of("naive", [unit * value for value in values])
    assert one.anytime is not None
    assert found.anytime is not None
    assert found.standard_error == pytest.approx(unit * one.standard_error, rel=1e-12)
    assert found.anytime == pytest.approx(tuple(unit * end for end in one.anytime), rel=1e-12)


def test_few_observations_have_no_interval_at_any_time_and_one_has_no_error() -> None:
    assert Estimate.of("naive", [2.0]) == Estimate("naive", 1, 2.0, None, None, None)
    assert Estimate.of("naive", [1.0] * (FIRST_LOOK - 1)).anytime is None
    assert Estimate.of("naive", [1.0] * FIRST_LOOK).anytime == (1.0, 1.0)
    apart = Estimate.of("naive", [1.0, 2.0] * FIRST_LOOK, independent=False)
    assert (apart.classical, apart.anytime) == (None, None)
    assert apart.standard_error is not None


@pytest.mark.seconds(2)
def test_all_intervals_together_miss_as_rarely_as_they_say_where_the_normal_ones_do_not() -> None:
    """Payoffs such as a poker game's, looked at after every hand."""
    runs, length = 1_000, 3_000
    rng = np.random.default_rng(5)
    payoffs, chances = np.array([-5.0, -1.0, 1.0, 9.0]), np.array([0.1, 0.5, 0.35, 0.05])
    mean = float(payoffs @ chances)
    values = rng.choice(payoffs, (runs, length), p=chances)
    t = np.arange(1, length + 1)
    means = values.cumsum(axis=1) / t
    squares = (values**2).cumsum(axis=1)
    s = np.sqrt(np.maximum(squares - t * means**2, 0.0) / np.maximum(t - 1, 1))
    off = np.abs(means - mean)[:, FIRST_LOOK - 1 :]
    unit = np.array([anytime_half_width(int(n), 1.0) for n in t[FIRST_LOOK - 1 :]])
    missed = (off > s[:, FIRST_LOOK - 1 :] * unit).any(axis=1).mean()
    looking = (off > NORMAL * (s / np.sqrt(t))[:, FIRST_LOOK - 1 :]).any(axis=1).mean()
    assert missed <= ALPHA
    assert looking > 4 * ALPHA
    assert (off[:, -1] > NORMAL * s[:, -1] / math.sqrt(length)).mean() == pytest.approx(ALPHA, abs=0.025)
