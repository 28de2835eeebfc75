"""Estimates of what an agent wins a hand, with intervals for one look and for any number of looks.

Both are of means of independent observations, and rest on the central limit theorem.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

ALPHA = 0.05
"""How likely an interval is to miss."""
NORMAL = 1.959963984540054
"""The quantile of the normal distribution at 1 - ALPHA / 2."""
FEWEST = 30
"""Observations from which on there is a classical interval; of fewer alike ones it is too narrow."""
TUNED = 1_000
"""Observations at which the interval that is valid at any time is narrowest, beside itself.

It is the same in every match: the interval would not be valid at any time if it depended on when one looks.
"""
FIRST_LOOK = 100
"""Observations from which on there is an interval that is valid at any time: it holds in the limit alone."""


def mixing(tuned: int = TUNED, alpha: float = ALPHA) -> float:
    """Return the scale r of the mixture at which the interval after ``tuned`` observations is narrowest.

    With u = t r² the width's square is (1 + 1/u) (log(1 + u) - 2 log α) / t times a constant, and least where
    u = log(1 + u) - 2 log α.

    >>> round(mixing(), 4)
    0.0906
    """
    u = 1.0
    for _ in range(100):  # the slope is 1 / (1 + u): each step halves the error at least
        u = math.log1p(u) - 2.0 * math.log(alpha)
    return math.sqrt(u / tuned)


def anytime_half_width(count: int, deviation: float, alpha: float = ALPHA, tuned: int = TUNED) -> float:
    """Return half the width of an interval for a mean that is valid at any time of looking.

    The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024):
    s sqrt(2 (t r² + 1) / (t² r²) log(sqrt(t r² + 1) / α)). All intervals from some time on hold the mean with
    a probability of at least 1 - α together, in the limit where that time grows; so a match may be stopped,
    or go on, for what was seen so far.

    Parameters
    ----------
    count : int
        Observations t, at least 1.
    deviation : float
        Their standard deviation s.
    alpha : float
        How likely any of the intervals misses.
    tuned : int
        Observations after which it is narrowest, which must not depend on what was observed.
    """
    u = count * mixing(tuned, alpha) ** 2
    return deviation * math.sqrt(2.0 * (u + 1.0) / (count * u) * math.log(math.sqrt(u + 1.0) / alpha))


@dataclass(frozen=True)
class Estimate:
    """A mean of observations, with its standard error and intervals.

    Attributes
    ----------
    name : str
        ``naive``: each hand is an observation; ``duplicate``: the mean of both hands of a deal is one;
        ``aivat``: a hand or deal less luck.
    observations : int
    mean : float
    standard_error : float or None
        None of one observation.
    classical : tuple of float or None
        The normal 95 % interval, for who looks once, at a time that was fixed before, from ``FEWEST``
        observations on.
    anytime : tuple of float or None
        The 95 % interval that is valid at any time of looking, from ``FIRST_LOOK`` observations on, see
        :func:`anytime_half_width`.
    """

    name: str
    observations: int
    mean: float
    standard_error: float | None
    classical: tuple[float, float] | None
    anytime: tuple[float, float] | None

    @staticmethod
    def of(name: str, values: Sequence[float], *, independent: bool = True) -> Estimate:
        """Return the estimate from observations, at least one; no intervals unless these are independent."""
        count, scale = len(values), math.frexp(max(map(abs, values)))[1]
        scaled = [math.ldexp(value, -scale) for value in values]  # exactly; squares are of order one
        middle = math.fsum(scaled) / count
        mean = math.ldexp(middle, scale)
        if count < 2:
            return Estimate(name, count, mean, None, None, None)
        spread = math.fsum((value - middle) ** 2 for value in scaled) / (count - 1)
        deviation = math.ldexp(math.sqrt(spread), scale)
        error = deviation / math.sqrt(count)
        classical = anytime = None
        if independent and count >= FEWEST:
            classical = mean - NORMAL * error, mean + NORMAL * error
        if independent and count >= FIRST_LOOK:
            half = anytime_half_width(count, deviation)
            anytime = mean - half, mean + half
        return Estimate(name, count, mean, error, classical, anytime)

    def as_json(self) -> dict[str, Any]:
        """Return the estimate as the object that ``--json`` prints."""
        return {
            "name": self.name,
            "observations": self.observations,
            "mean": self.mean,
            "standard_error": self.standard_error,
            "classical": None if self.classical is None else list(self.classical),
            "anytime": None if self.anytime is None else list(self.anytime),
        }
