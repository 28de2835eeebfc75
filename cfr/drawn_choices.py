"""A choice between entering a subgame and an amount drawn from a normal distribution, learned for all draws.

The chooser sees the draw X ~ N(mean, deviation**2). It learns by Hedge (Brown and Sandholm, Safe and nested
subgame solving for imperfect-information games, 2017, Appendix C, with sums of values in its exponents, as is
usual), or enters where X is at most the last value (Theorem 3 there). Two numbers tell what it does over all
draws: ``p``, how likely it enters, and ``z = E[Z; stays]``, Z the draw in deviations from its mean.
"""

from math import erfc, exp, log, pi, sqrt

import numpy as np
from numba import njit

SCALES = np.array([0.29083155, 0.40937542, 0.57330539, 0.79961945, 1.11753544])
SHARES = np.array([0.02269784, 0.20361464, 0.42736107, 0.29991369, 0.04641276])
"""The logistic function as a mixture of normal distribution functions, within 1e-6 everywhere: their means
over a normal distribution are known (Monahan and Stefanski, Normal scale mixture approximations, 1989)."""
LEARNED, KEPT = 5, 2
"""Numbers that are kept of each choice beside its average, and of its average; before both stands a count."""
TINY = 1e-14
"""Deviations of values in parts of them that are rounding errors."""


@njit(cache=True, error_model="numpy", inline="always")
def cdf(x: float) -> float:
    """Return the standard normal distribution function."""
    return 0.5 * erfc(-x / sqrt(2.0))


@njit(cache=True, error_model="numpy", inline="always")
def density(x: float) -> float:
    """Return the standard normal density."""
    return exp(-0.5 * x * x) / sqrt(2.0 * pi)


@njit(cache=True, error_model="numpy")
def entering_at_most(gap: float, deviation: float) -> tuple[float, float]:
    """Return p and z of entering where the draw is at most a value; ``gap`` is that less the mean."""
    if deviation <= 0.0:
        return 0.5 if gap == 0.0 else 1.0 if gap > 0.0 else 0.0, 0.0
    x = gap / deviation
    return cdf(x), density(x)


@njit(cache=True, error_model="numpy")
def entering_by_hedge(gap: float, deviation: float, rate: float) -> tuple[float, float]:
    """Return p and z of entering with probability logistic(rate (value - X)); ``gap`` is value less mean."""
    p = z = 0.0
    for i in range(len(SCALES)):
        scale = SCALES[i] * rate / sqrt(1.0 + (SCALES[i] * rate * deviation) ** 2)
        p += SHARES[i] * cdf(scale * gap)
        z += SHARES[i] * scale * deviation * density(scale * gap)
    return p, z


@njit(cache=True, error_model="numpy")
def learn_entering(
    learned: np.ndarray, count: float, value: float, mean: float, deviation: float, by_hedge: bool
) -> None:
    """Update a choice by the value of entering on iteration ``count``, t, 1 at first.

    Hedge enters with probability logistic(eta (V - t X)): V is the sum of values, eta = sqrt(ln 2) / (3 s
    sqrt(t)), and s**2 the variance over iterations of payoffs received, averaged over draws. While that is 0
    eta is infinite: X at most V / t is left.

    Parameters
    ----------
    learned : (LEARNED,) float64
        The sum of values (the last value if not by Hedge), the mean of payoffs received, the sum of their
        squared differences from it, p and z; changed in place.
    count, value, mean, deviation : float
    by_hedge : bool
    """
    p, z = (learned[3], learned[4]) if count > 1.0 else (0.5, 0.0)
    received = p * value + (1.0 - p) * mean + deviation * z
    off = received - learned[1]
    learned[1] += off / count
    learned[2] += off * (received - learned[1])
    learned[0] = learned[0] + value if by_hedge else value
    gap = (learned[0] / count if by_hedge else value) - mean
    spread = sqrt(max(learned[2], 0.0) / count)
    if by_hedge and spread > TINY * (abs(mean) + abs(gap) + deviation):
        learned[3], learned[4] = entering_by_hedge(gap, deviation, sqrt(log(2.0) * count) / (3.0 * spread))
    else:
        learned[3], learned[4] = entering_at_most(gap, deviation)
