"""The rules of local regret minimisers, number by number, for loops over sequences and over hands alike.

They are inlined before types are known, so that a loop with them compiles to what it would be without.
"""

from typing import Any

import numpy as np
from numba import njit

NOISE = 1e-14
"""Regrets below this part of the largest value in play are zero: exact ties, told apart by rounding alone.

A counterfactual value sums products of floats, each of which errs by 2**-53 = 1.1e-16 of its size; some
hundred roundings make 1e-14. Without it an exact tie would be broken for good by the sign of an error.
"""


@njit(cache=True, inline="always")
def discounted(regret: float, noise: float, positive: float, negative: float) -> float:
    """Return a cumulative regret as it is kept: zero if it is noise, else discounted by its sign."""
    kept = 0.0 if abs(regret) < noise else regret
    return kept * (positive if kept > 0.0 else negative)


@njit(cache=True, inline="always")
def predicted(regret: float, gain: float, prediction: float) -> float:
    """Return what regret matching plays in proportion to, the last gain expected once more in part."""
    return max(regret + prediction * gain, 0.0)


@njit(cache=True, inline="always")
def add_square(seen: float, width: float, noise: float) -> float:
    """Return the sum of the squared ranges of an infoset's values with one more, unless it is noise."""
    return seen + width * width if width > noise else seen


@njit(cache=True, inline="always")
def rate_at(seen: float, rate: float) -> Any:
    """Return Hedge's rate at an infoset, in one over the unit of its values; 0 (uniform) at first."""
    return rate / np.sqrt(seen) if seen > 0.0 else 0.0


@njit(cache=True, inline="always")
def preference(regret: float, most: float, rate: float) -> Any:
    """Return what Hedge plays in proportion to; ``most`` is the largest regret of the infoset."""
    return np.exp(rate * (regret - most))


@njit(cache=True, inline="always")
def unit_of(whole: float, mass: float, n_actions: Any) -> float:
    """Return how much of a whole each unit of the mass gets; each action, where there is no mass."""
    return whole / mass if mass > 0.0 else whole / n_actions


@njit(cache=True, inline="always")
def share(play: float, mass: float, unit: float) -> float:
    """Return an action's share: its play times the unit, the unit where there is no mass (uniform)."""
    return play * unit if mass > 0.0 else unit
