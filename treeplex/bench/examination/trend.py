"""The trend of a series of widths: converged, converging, or stuck at a bias; thresholds of verdicts.

And the schedule of what solvers are asked for.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.treeplex import Floats

EXACT = 1e-5
"""A solver whose certificate is at most this part of the game's scale wide is right, whatever it is."""
ARRIVED = 1e-4
"""A solver that falls with its iterations has arrived once its certificate is this narrow, in parts of the
scale; what stays above is stuck at a bias. Floats of 32 bits and rounded tables stay below."""
FINGERPRINTED = 12
"""Strategies after 1 to so many iterations are compared with those of known methods."""
LATER = 64
"""A solver that returns one strategy after 1, 2 and so many iterations does not iterate."""
MATCHED_ITERATIONS = 256
"""Where a solver is recognised as a known method, as many iterations show that it goes on as it began."""
STUCK_ITERATIONS = 4096
"""After so many iterations a solver that is stuck, and was compared with known methods, is asked no more."""
FALLING = 0.8
"""A series whose last width is less than this part of that after a quarter of the iterations still falls."""
SETTLED = 0.25
"""A solver without fingerprint is asked for no more once it has come within this part of what it must reach,
and falls: narrower widths of a method that samples take sixteen times the time for a quarter."""
MOST_LOSSES = 5
"""Infosets that a report names: those where most is lost."""


State = Literal["converged", "converging", "stuck"]

FLAT = -0.15
"""A slope above this is flat. Regret minimisers have at most -1/2: regret grows with the square root of T."""
SHALLOW = -0.3
"""A slope at the end above this is shallow: flat soon, if a level is also found."""
LEAST_SPAN = 16.0
"""The last half of a series must span so many times its first number of iterations to be called stuck."""
UNCHANGED = 1e-3
"""Widths that differ by less than this part are the same; such a series is stuck whatever it spans."""
BETTER = 8.0
"""A level is believed if it leaves this part fewer squared errors than a line in logarithms does."""
LEVELS = 64
"""Levels that are tried, between nothing and the least width."""


@dataclass(frozen=True)
class Trend:
    """Where a series of widths tends.

    Attributes
    ----------
    slope : float or None
        d log(width) / d log(iterations) over the last half of the series, the median of the slopes between
        all pairs of its points; None where fewer than two widths are above the floor.
    state : {"converged", "converging", "stuck"}
        Converged if the last width is at most the floor; stuck if widths stay, or tend to a level above it.
    level : float
        The level at which widths are stuck; otherwise the last width.
    """

    slope: float | None
    state: State
    level: float


def trend(series: Sequence[tuple[int, float]], floor: float) -> Trend:
    """Return where the widths of certificates tend as iterations grow.

    The last half, at least three points, is judged: widths at the start tell little. A series is stuck if its
    slope is flat, or if it is shallow at its end and ``level + a T**-s`` fits far better than ``a T**-s``.
    A short series that still changes is converging: too few iterations tell nothing.

    Parameters
    ----------
    series : sequence of (iterations, width)
        Iterations at least 1, rising; widths at least 0, such as NashConv in parts of the game's scale.
    floor : float
        Widths up to this count as converged: a target, or what rounding makes.

    Raises
    ------
    ValueError
        If the series is empty, iterations do not rise from 1, or a width or the floor is negative or NaN.
    """
    _check(series, floor)
    last = series[-1][1]
    points = [(t, width) for t, width in last_half(series) if width > floor]
    slope = _median_slope(points)
    if last <= floor or slope is None:
        return Trend(slope, "converged" if last <= floor else "converging", last)
    level = _level(points, slope)
    return Trend(slope, "converging" if level is None else "stuck", last if level is None else level)


def last_half(series: Sequence[tuple[int, float]]) -> Sequence[tuple[int, float]]:
    """Return the last half of a series, at least three points where it has so many."""
    return series[-max(3, (len(series) + 1) // 2) :]


def _check(series: Sequence[tuple[int, float]], floor: float) -> None:
    if not series:
        raise BadInputError("a trend needs at least one width, got none")
    if not floor >= 0.0:
        raise BadInputError(f"the floor of a trend must be at least 0, got {floor}")
    before = 0
    for iterations, width in series:
        if iterations <= before:
            raise BadInputError(f"iterations must rise from 1, got {iterations} after {before}")
        if not 0.0 <= width < math.inf:
            raise BadInputError(
                f"widths must be at least 0 and finite, got {width} after {iterations} iterations"
            )
        before = iterations


def _median_slope(points: Sequence[tuple[int, float]]) -> float | None:
    """Return the median of the slopes between all pairs of points, in logarithms (Theil 1950, Sen 1968)."""
    if len(points) < 2:
        return None
    logs = [(math.log(t), math.log(width)) for t, width in points]
    return float(np.median([(w - v) / (t - s) for (s, v), (t, w) in combinations(logs, 2)]))


def _level(points: Sequence[tuple[int, float]], slope: float) -> float | None:
    """Return the level at which widths are stuck; None where they are not."""
    times, widths = np.array(points, dtype=np.float64).T
    if widths.max() - widths.min() <= UNCHANGED * widths.max() and len(points) > 2:
        return float(widths[-1])
    if times[-1] < LEAST_SPAN * times[0]:
        return None
    end = _median_slope(points[-3:])
    found = _asymptote(times, widths) if end is not None and end > SHALLOW else None
    return float(np.median(widths)) if found is None and slope > FLAT else found


def _asymptote(times: Floats, widths: Floats) -> float | None:
    """Return the level L of the best fit ``L + a T**-s``; None where L = 0 fits about as well.

    The squared errors are those of logarithms; two parameters are fitted for each of ``LEVELS`` levels.
    """
    if len(times) < 5:
        return None
    levels = widths.min() * np.arange(LEVELS) / LEVELS
    errors = [_squared_errors(times, widths, float(level)) for level in levels]
    best = int(np.argmin(errors))
    return float(levels[best]) if best and errors[best] * BETTER <= errors[0] else None


def _squared_errors(times: Floats, widths: Floats, level: float) -> float:
    x, y = np.log(times), np.log(widths - level)
    x = x - x.mean()
    rest = y - y.mean() - x * float(x @ y) / float(x @ x)
    fitted = np.log(level + np.exp(y - rest))
    return float(np.sum((np.log(widths) - fitted) ** 2))
