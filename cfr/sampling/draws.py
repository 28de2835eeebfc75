"""Random numbers of sampled traversals by splitmix64, and sampling of chance draws and own actions.

Own actions are sampled from strategies at infosets, with exploration, averaging and pruning.
"""

from typing import Any

import numpy as np
from numba import njit

from treeplex.cfr.sampling.sampled_tree import Averaged, Pruned, Records, SampledTree
from treeplex.seqform.forms.treeplex import Floats

GAMMA, FIRST, SECOND = (np.uint64(k) for k in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
S11, S27, S30, S31 = (np.uint64(k) for k in (11, 27, 30, 31))


@njit(cache=True)
def mixed(z: Any) -> Any:
    """Return the output of splitmix64 for a state, both uint64.

    Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014.
    """
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    return z ^ (z >> S31)


@njit(cache=True)
def fill(start: Any, drawn: int, draws: Floats) -> None:
    """Write a stream's numbers after the first ``drawn``: uniform on [0, 1), multiples of 2**-53.

    The state of splitmix64 is a counter, so a stream can be continued from any position.
    """
    state = start + np.uint64(drawn) * GAMMA
    for k in range(len(draws)):
        state += GAMMA
        draws[k] = np.float64(mixed(state) >> S11) * 2.0**-53


@njit(cache=True, error_model="numpy")
def drawn_child(tree: SampledTree, node: Any, u: float) -> Any:
    """Return the first child of a draw whose cumulative probability exceeds u."""
    cell = np.uint32(u * np.float64(1 << tree.nodes[node].bits))
    child = tree.nodes[node].first + tree.guide[tree.nodes[node].base + cell]
    while tree.nodes[child].cumulative <= u:
        child += np.uint32(1)
    return child


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
