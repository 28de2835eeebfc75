"""Local rules that are no regret matching with fixed discounts, written as users write theirs.

Thresholds and steps of papers are for matrix games with payoffs of order one. Here their unit is the largest
value that the infoset can have against uniform play, so that no rule depends on the unit of payoffs.
"""

import numpy as np
from numba import njit

from treeplex.cfr.local_rule import LocalRule
from treeplex.cfr.update_rules import NOISE

LEAST_STEP = 1.0 / 6.0
"""Of a prediction in APCFR+, whose alpha is at most 5."""


@njit
def _observe_steps(memory, values, value, t, noise):  # type: ignore[no-untyped-def]
    """Add the regrets as CFR+ does; add up squared steps of regrets and of their sums."""
    for a in range(len(values)):
        gain = values[a] - value
        regret = memory.regret[a] + gain
        regret = regret if regret >= noise else 0.0
        memory.seen[0] += (gain - memory.gain[a]) ** 2
        memory.stored[0] += (regret - memory.regret[a]) ** 2
        memory.gain[a], memory.regret[a] = gain, regret


@njit
def _predict_in_part(memory, play):  # type: ignore[no-untyped-def]
    """Play in proportion to sums plus the last regrets over 1 + alpha; regrets that move more count less."""
    seen, stored = memory.seen[0], memory.stored[0]
    step = max(1.0 / (1.0 + np.sqrt(seen / stored)), LEAST_STEP) if stored > 0.0 else LEAST_STEP
    for a in range(len(play)):
        play[a] = max(memory.regret[a] + step * memory.gain[a], 0.0)


APCFR_PLUS = LocalRule(_observe_steps, _predict_in_part, ("regret", "gain", "seen", "stored"), "quadratic")
"""Asynchronous predictive CFR+ (Meng et al. 2026).

At each infoset ``alpha = min(sqrt(S / Q), 5)`` after iteration t: S is the sum of ``|r_s - r_(s-1)|**2`` and
Q that of ``|R_s - R_(s-1)|**2`` over s up to t; r are an iteration's regrets and R their sums, 0 at first.
"""


@njit
def _observe_away_from_zero(memory, values, value, t, noise):  # type: ignore[no-untyped-def]
    """Add the regrets as CFR+ does; start again with equal ones where none exceeds the unit."""
    unit = noise / NOISE
    if t == 1.0:
        memory.regret[:] = unit
    for a in range(len(values)):
        memory.gain[a] = values[a] - value
        regret = memory.regret[a] + memory.gain[a]
        memory.regret[a] = regret if regret >= noise else 0.0
    if memory.regret.max() <= unit:
        memory.regret[:], memory.gain[:] = unit, 0.0


@njit
def _predict(memory, play):  # type: ignore[no-untyped-def]
    """Play in proportion to the positive part of sums plus the last regrets."""
    for a in range(len(play)):
        play[a] = max(memory.regret[a] + memory.gain[a], 0.0)


STABLE_PCFR_PLUS = LocalRule(_observe_away_from_zero, _predict, ("regret", "gain"), "quadratic")
"""Stable predictive CFR+ (Farina, Grand-Clement, Kroer, Lee and Luo 2023, algorithm 2).

Play cannot change much in one iteration where all regrets are small, as it could in predictive CFR+.
"""

STEP = 0.1
"""Of an iteration, in units of the sum that regrets have at least, and of an infoset's values."""


@njit
def _project(x):  # type: ignore[no-untyped-def]
    """Replace x by the nearest point with ``x >= 0`` and ``sum(x) >= 1``."""
    shift, kept = 0.0, 0
    if np.maximum(x, 0.0).sum() < 1.0:  # on the simplex: subtract from those that stay positive
        shift = -np.inf
        while kept != (x > shift).sum():
            kept = (x > shift).sum()
            shift = (x[x > shift].sum() - 1.0) / kept
    x[:] = np.maximum(x - shift, 0.0)


@njit
def _step(memory, values, value, noise):  # type: ignore[no-untyped-def]
    """Return the point one step along the regrets."""
    x = memory.regret + STEP * NOISE / noise * (values - value)
    _project(x)
    return x


@njit
def _has_halved(memory, x):  # type: ignore[no-untyped-def]
    """Return whether the move from the regrets to x is at most half of that before the last restart."""
    moved = np.abs(x - memory.regret).sum()
    if moved == 0.0 or 0.0 < memory.moved[0] < 2.0 * moved:
        return False
    memory.moved[0] = moved
    return True


def _smooth(restarted: bool, *arrays: str) -> LocalRule:
    @njit
    def observe(memory, values, value, t, noise):  # type: ignore[no-untyped-def]
        if t == 1.0:
            memory.regret[:] = 1.0 / len(values)
        if noise > 0.0:
            x = _step(memory, values, value, noise)
            memory.gain[:] = STEP * NOISE / noise * (values - value)
            again = _has_halved(memory, x) if restarted else False
            memory.regret[:] = x / x.sum() if again else x

    @njit
    def strategy(memory, play):  # type: ignore[no-untyped-def]
        play[:] = memory.regret + memory.gain
        _project(play)

    return LocalRule(observe, strategy, ("regret", "gain", *arrays), "quadratic")


def _extragradient(restarted: bool, *arrays: str) -> LocalRule:
    @njit
    def observe(memory, values, value, t, noise):  # type: ignore[no-untyped-def]
        if t == 1.0:
            memory.regret[:] = 1.0 / len(values)
        if noise > 0.0:
            memory.tried[:] = _step(memory, values, value, noise)
            if t % 2.0 == 0.0:
                again = _has_halved(memory, memory.tried) if restarted else False
                memory.regret[:] = memory.tried / (memory.tried.sum() if again else 1.0)

    @njit
    def strategy(memory, play):  # type: ignore[no-untyped-def]
        play[:] = memory.tried

    return LocalRule(observe, strategy, ("regret", "tried", *arrays), "quadratic")


SMOOTH_PCFR_PLUS = _smooth(False)
"""Smooth predictive CFR+ (Farina et al. 2023, algorithm 3): steps projected on ``x >= 0, sum(x) >= 1``."""
EXTRAGRADIENT_PLUS = _extragradient(False)
"""Extragradient regret matching+ (Farina et al. 2023; Cai et al. 2025, algorithm 3), updates at once.

Odd iterations try a step; even ones take it with the values of what was tried. Two are one of the papers'.
"""
RESTARTED_SMOOTH = _smooth(True, "moved")
RESTARTED_EXTRAGRADIENT = _extragradient(True, "moved")
"""The same with restarts (after Cai et al. 2025), by each infoset for itself.

Where a move is at most half of that before the last restart, regrets are divided by their sum. The papers
prove that last plans converge in matrix games, with restarts at a linear rate.
"""
