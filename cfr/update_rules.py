"""Scalar update rules of local regret minimisers, shared by kernels over sequences and over hands.

They are inlined at the level of numba's IR, so that calls cost nothing.
"""

from typing import Any

import numpy as np
from numba import njit

NOISE = 1e-14
"""Regrets below this fraction of the largest possible value are set to zero, so that exact ties stay ties.

A counterfactual value is a sum of products with relative rounding errors of 2**-53 = 1.1e-16 each; some
hundred of them make 1e-14. Otherwise the sign of a rounding error would break an exact tie for good, as it
does where values are float32.
"""


@njit(cache=True, inline="always")
def discounted(regret: float, noise: float, positive: float, negative: float) -> float:
    """Return 0 if ``abs(regret) < noise``, else the regret times the discount of its sign."""
    kept = noise - noise if abs(regret) < noise else regret  # a literal 0.0 would make float32 float64
    return kept * (positive if kept > 0.0 else negative)


@njit(cache=True, inline="always")
def predicted(regret: float, gain: float, prediction: float) -> float:
    """Return the positive part of the predicted regret: ``max(regret + prediction * gain, 0)``."""
    next_ = regret + prediction * gain
    return next_ if next_ > 0.0 else prediction - prediction


@njit(cache=True, inline="always")
def add_square(total: float, width: float, noise: float) -> float:
    """Return a sum of squared ranges plus ``width**2``; ranges up to ``noise`` are not added."""
    return total + width * width if width > noise else total


@njit(cache=True, inline="always")
def rate_at(total: float, rate: float) -> Any:
    """Return Hedge's rate ``rate / sqrt(total)``, given the sum of squared ranges; 0 (uniform) for 0."""
    return rate / np.sqrt(total) if total > 0.0 else 0.0


@njit(cache=True, inline="always")
def preference(regret: float, most: float, rate: float) -> Any:
    """Return an action's unnormalised weight in Hedge; ``most`` is the largest regret of the infoset."""
    return np.exp(rate * (regret - most))


@njit(cache=True, inline="always")
def unit_of(whole: float, mass: float, n_actions: Any) -> float:
    """Return ``whole / mass``, or ``whole / n_actions`` where the mass is 0."""
    return whole / mass if mass > 0.0 else whole / n_actions


@njit(cache=True, inline="always")
def share(play: float, mass: float, unit: float) -> float:
    """Return an action's share of the whole: ``play * unit``, or ``unit`` where the mass is 0 (uniform)."""
    return play * unit if mass > 0.0 else unit
