"""Local rules as users write them, and some that are wrong."""

import numpy as np
from numba import njit

from treeplex.cfr.local_rule import LocalRule


@njit
def observe(memory, values, value, t, noise):
    for a in range(len(values)):
        regret = memory.regret[a] + values[a] - value
        memory.regret[a] = regret if regret >= noise else 0.0


@njit
def strategy(memory, play):
    for a in range(len(play)):
        play[a] = memory.regret[a]


@njit
def observe_gains(memory, values, value, t, noise):
    for a in range(len(values)):
        memory.gain[a] = values[a] - value
        regret = memory.regret[a] + memory.gain[a]
        memory.regret[a] = regret if regret >= noise else 0.0


@njit
def predict(memory, play):
    for a in range(len(play)):
        play[a] = max(memory.regret[a] + memory.gain[a], 0.0)


@njit
def discount(memory, values, value, t, noise):
    """Linear CFR: after iteration t sums are multiplied by t / (t + 1)."""
    for a in range(len(values)):
        regret = memory.regret[a] + (values[a] - value)
        memory.regret[a] = regret * t / (t + 1.0) if abs(regret) >= noise else 0.0


@njit
def positive(memory, play):
    for a in range(len(play)):
        play[a] = max(memory.regret[a], 0.0)


@njit
def first_at_first(memory, play):
    """Play the first action until anything was seen."""
    for a in range(len(play)):
        play[a] = max(memory.regret[a], 0.0)
    if not np.any(memory.regret != 0.0):
        play[0] = 1.0


@njit
def negative(memory, play):
    play[0] = -1.0


@njit
def divide(memory, play):
    play[0] = 1.0 / memory.regret[0]


@njit
def misspelt(memory, play):
    play[0] = memory.regrets[0]


@njit
def observe_three(memory, values, value, t, noise):
    if t > 3:
        raise ValueError("three are enough")
    memory.regret[0] += t


@njit
def once(memory, play):
    """Write one weight that is none, after three iterations."""
    for a in range(len(play)):
        play[a] = memory.regret[a]
    memory.asked[0] += 1.0
    if memory.asked[0] == 3.0:
        play[0] = np.nan


@njit
def overflowing(memory, play):
    play[:] = 1e308


@njit(boundscheck=True)
def beyond(memory, play):
    play[len(play)] = 1.0


def powered(power):
    """Return a function that plays in proportion to a power of the sums."""

    @njit
    def strategy(memory, play):
        for a in range(len(play)):
            play[a] = memory.regret[a] ** power

    return strategy


RM_PLUS = LocalRule(observe, strategy, ("regret",))
PRM_PLUS = LocalRule(observe_gains, predict, ("regret", "gain"), "quadratic")
LINEAR = LocalRule(discount, positive, ("regret",))
FIRST = LocalRule(discount, first_at_first, ("regret",))
NEGATIVE = LocalRule(observe, negative, ("regret",))
DIVIDED = LocalRule(observe, divide, ("regret",))
ONCE = LocalRule(observe, once, ("regret", "asked"))
OVERFLOWING = LocalRule(observe, overflowing, ("regret",))
BEYOND = LocalRule(observe, beyond, ("regret",))
RAISING = LocalRule(observe_three, strategy, ("regret",))
MISSPELT = LocalRule(observe, misspelt, ("regret",))
