"""Strategies at infosets of sampled traversals, and sampling of the player's own actions."""

from typing import Any

import numpy as np
from numba import njit

from treeplex.cfr.monte_carlo.arrays import Averaged, Pruned, Records
from treeplex.seqform.forms.treeplex import Floats


@njit(cache=True, error_model="numpy")
def positive(memory: Records, lo: Any, n: Any) -> float:
    """Return the sum of the positive regrets of an infoset of n actions whose first sequence is ``lo``."""
    mass = 0.0
    for s in range(lo, lo + n):
        mass += max(memory[s].regret, 0.0)
    return mass


@njit(cache=True, error_model="numpy")
def matched(regret: float, mass: float, n: Any) -> float:
    """Return an action's probability by regret matching, uniform where no regret is positive."""
    return max(regret, 0.0) / mass if mass > 0.0 else 1.0 / n


@njit(cache=True, error_model="numpy")
def played(memory: Records, lo: Any, n: Any, weight: float, u: float) -> Any:
    """Sample an action by u from regret matching, and add the strategy to the average with a weight.

    Actions of probability 0 are not sampled, whatever the rounding.
    """
    mass = positive(memory, lo, n)
    rest, choice = u, np.uint32(0)
    for a in range(n):
        p = matched(memory[lo + a].regret, mass, n)
        memory[lo + a].total += weight * p
        if rest >= 0.0 and p > 0.0:
            choice = np.uint32(a)
            rest -= p
    return choice


@njit(cache=True, error_model="numpy")
def explored(memory: Records, lo: Any, n: Any, exploration: float, u: float) -> tuple[Any, float, float]:
    """Sample an action by u from a mixture of regret matching and, with weight ``exploration``, uniform play.

    Return the action, its probability under regret matching, and its probability under the mixture. Actions
    of probability 0 are not sampled, whatever the rounding.
    """
    mass = positive(memory, lo, n)
    rest, choice, share, likely = u, np.uint32(0), 0.0, 0.0
    for a in range(n):
        p = matched(memory[lo + a].regret, mass, n)
        q = exploration / n + (1.0 - exploration) * p
        if rest >= 0.0 and q > 0.0:
            choice, share, likely = np.uint32(a), p, q
            rest -= q
    return choice, share, likely


@njit(cache=True, error_model="numpy")
def averaged_rate(averaged: Averaged, total: float, mass: float) -> float:
    """Return the probability of trying an own action, given its part ``total`` of the average's sum ``mass``.

    Gibson, Burch, Lanctot and Szafron 2012; 1 where both the sum and the bonus are 0.
    """
    whole = averaged.beta + mass
    share = (averaged.beta + averaged.tau * total) / whole if whole > 0.0 else 1.0
    return max(averaged.epsilon, min(share, 1.0))


@njit(cache=True, error_model="numpy")
def pruned_rate(pruned: Pruned, regret: float) -> float:
    """Return the probability of trying an own action: 1 above the threshold C, else ``K / (K + C - regret)``.

    Brown and Sandholm 2018, note 39.
    """
    if regret >= pruned.threshold:
        return 1.0
    return max(pruned.floor, pruned.constant / (pruned.constant + pruned.threshold - regret))


@njit(cache=True, error_model="numpy")
def try_averaged(
    averaged: Averaged,
    memory: Records,
    lo: Any,
    n: Any,
    draws: Floats,
    used: int,
    scratch: Records,
    below: int,
) -> int:
    """Sample which own actions are tried, whose places begin at ``below``; return the position in the draws.

    The reach of an action that is tried is divided by its probability; that of others is set to 0.
    """
    mass = 0.0
    for s in range(lo, lo + n):
        mass += memory[s].total
    for a in range(n):
        rate = averaged_rate(averaged, memory[lo + a].total, mass)
        if rate < 1.0:
            scratch[below + a].reach = scratch[below + a].reach / rate if draws[used] < rate else 0.0
            used += 1
    return used


@njit(cache=True, error_model="numpy")
def try_pruned(
    pruned: Pruned, memory: Records, lo: Any, n: Any, draws: Floats, used: int, scratch: Records, below: int
) -> int:
    """Sample which own actions are tried, as :func:`try_averaged`; reaches are divided if ``weighted``.

    Where no regret is positive all actions are played and tried.
    """
    if positive(memory, lo, n) > 0.0:
        for a in range(n):
            rate = pruned_rate(pruned, memory[lo + a].regret)
            if rate < 1.0:
                weight = 1.0 / rate if pruned.weighted else 1.0
                scratch[below + a].reach *= weight if draws[used] < rate else 0.0
                used += 1
    return used
