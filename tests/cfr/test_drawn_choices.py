"""Choices against drawn amounts, beside integrals and a twin in Python."""

import math

import numpy as np
from scipy.integrate import quad
from scipy.special import expit, ndtr

from tests.helpers.cells import over
from treeplex.cfr.drawn_choices import (
    LEARNED,
    SCALES,
    SHARES,
    entering_at_most,
    entering_by_hedge,
    learn_entering,
)
from treeplex.seqform.subgames.drawn import DrawnDecisions, expected_maximum


def density(z):
    return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def integral(function, kink):
    """Return the mean of a function of a standard normal that bends at a place."""
    return quad(lambda z: function(z) * density(z), -10, 10, points=[min(max(kink, -9), 9)], limit=500)[0]


def test_the_mixture_is_the_logistic_function():
    y = np.linspace(-40.0, 40.0, 16_001)
    assert abs(SHARES.sum() - 1.0) < 1e-9
    assert np.abs(ndtr(np.outer(y, SCALES)) @ SHARES - expit(y)).max() < 1e-6


@over([(gap, deviation) for gap in (-3.0, -0.1, 0.0, 0.4, 10.0) for deviation in (1e-9, 0.3, 5.0)])
def test_entering_over_all_draws(gap, deviation):
    kink = gap / deviation
    for rate in (0.01, 1.0, 50.0, 1e6):
        p, z = entering_by_hedge(gap, deviation, rate)
        enters = lambda x, rate=rate: expit(rate * (gap - deviation * x))  # noqa: E731
        assert abs(p - integral(enters, kink)) < 1e-6
        assert abs(z - integral(lambda x: x * (1.0 - enters(x)), kink)) < 1e-6  # noqa: B023
    p, z = entering_at_most(gap, deviation)
    assert abs(p - integral(lambda x: float(deviation * x <= gap), kink)) < 1e-7
    assert abs(z - integral(lambda x: x * (deviation * x > gap), kink)) < 1e-7
    best = integral(lambda x: max(gap, deviation * x), kink)
    one = np.ones(1)
    assert abs(float(expected_maximum(one * gap, 0.0 * one, one * deviation)[0]) - best) < 1e-7


def test_without_a_deviation():
    assert [entering_at_most(gap, 0.0) for gap in (-1.0, 0.0, 1.0)] == [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0)]
    values, mean, none = np.array([1.0, 3.0]), np.array([2.0, 2.0]), np.zeros(2)
    assert expected_maximum(values, mean, none).tolist() == [2.0, 3.0]


@over([True, False])
def test_learning_is_hedge_over_all_draws(by_hedge):
    """The twin draws 4,000 quantiles and runs Hedge, or answers the last value, for each."""
    rng, mean, deviation, n = np.random.default_rng(1), 0.3, 0.7, 4_000
    draws = mean + deviation * np.array([_quantile((k + 0.5) / n) for k in range(n)])
    values, learned, enters, received = rng.normal(0.4, 0.5, 12), np.zeros(LEARNED), np.full(n, 0.5), []
    for t, value in enumerate(values, start=1):
        received.append(float((enters * value + (1.0 - enters) * draws).mean()))
        learn_entering(learned, float(t), value, mean, deviation, by_hedge)
        spread = float(np.std(received))
        if not by_hedge or spread == 0.0:
            enters = (draws <= value).astype(float)
        else:
            rate = math.sqrt(math.log(2.0)) / (3.0 * spread * math.sqrt(t))
            enters = expit(rate * (values[:t].sum() - t * draws))
        assert abs(learned[3] - enters.mean()) < 1e-3
        assert abs(deviation * learned[4] - ((1.0 - enters) * (draws - mean)).mean()) < 1e-3
        assert abs(learned[1] - np.mean(received)) < 1e-3


def _quantile(p):
    from statistics import NormalDist

    return NormalDist().inv_cdf(p)


def test_root_decisions_of_draws():
    root = DrawnDecisions(np.array([1.0, 2.0, 0.0]), np.array([0.5, 0.0, 0.0]), np.array([True, True, False]))
    plan = np.array([[0.25, 1.0, 0.5], [0.1, 0.0, 0.3]])
    assert root.entered(plan).tolist() == [0.25, 1.0, 0.0]
    assert root.outside(plan) == 0.75 * 1.0 + 0.1 * 0.5
    assert root.best_inside(np.array([3.0, -1.0, 9.0])) == 3.0
    assert root.most_outside == 3.5
    values = np.array([1.0, 5.0, 7.0])
    assert abs(root.best(values) - (1.0 + 0.5 * density(0.0) + 5.0)) < 1e-12
    half = root.in_unit(2.0)
    assert (half.mean.tolist(), half.deviation.tolist()) == ([0.5, 1.0, 0.0], [0.25, 0.0, 0.0])
