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
def _discounted(regret, positive, negative):  # type: ignore[no-untyped-def]
    power = positive if regret > 0.0 else negative
    return regret * (power / (power + 1.0))


@njit
def _observe_volatile(memory, values, value, t, noise):  # type: ignore[no-untyped-def]
    """Discount the regrets, the more the larger the last ones were, and add; project the next ones."""
    most = 0.0
    for a in range(len(values)):
        most = max(most, abs(values[a] - value))
    memory.recent[0] = most if t == 1.0 else 0.9 * memory.recent[0] + 0.1 * most
    memory.largest[0] = max(memory.largest[0], most)
    half = 0.25 * memory.recent[0] / memory.largest[0] if memory.largest[0] > 0.0 else 0.0
    positive, negative = t ** (1.5 - half), t ** (-0.1 - half)
    optimism = (1.0 - half) / (1.0 + (t - 1.0) / 100.0)
    for a in range(len(values)):
        gain = values[a] - value
        gain *= 1.1 if gain > 0.0 else 1.0
        memory.regret[a] = _discounted(memory.regret[a], positive, negative) + gain
        projected = _discounted(memory.regret[a], positive, negative) + optimism * gain
        memory.projected[a] = projected if projected >= noise else 0.0


@njit
def _play_powers(memory, play):  # type: ignore[no-untyped-def]
    """Play in proportion to the power 1.5 of the positive parts of projected regrets."""
    for a in range(len(play)):
        play[a] = memory.projected[a] ** 1.5


VAD_CFR = LocalRule(_observe_volatile, _play_powers, ("regret", "projected", "recent", "largest"), "cubic")
"""Volatility-adaptive discounted CFR (Li, Schultz, Hennes and Lanctot 2026), each infoset for itself.

The volatility v is a moving average of an iteration's largest absolute regret, over twice the largest so far.
Positive regrets have the discounting exponent ``1.5 - v/2``, negative ones ``-0.1 - v/2``; new ones that are
positive count 1.1 times. Play is in proportion to the power 1.5 of ``d R + w r``: the regrets R discounted
once more, and the last ones r with the weight ``w = (1 - v/2) / (1 + (t - 1)/100)``.

In the paper v is one number for all infosets, for payoffs of order one; plans count from iteration 500 on, by
weights that depend on regrets. Here iteration t counts ``t**3``.
"""


@njit
def _observe_away_from_zero(memory, values, value, t, noise):  # type: ignore[no-untyped-def]
    """Add the regrets as CFR+ does; start again with equal ones where none exceeds the unit."""
    unit = noise / NOISE
    most = 0.0
    for a in range(len(values)):
        if t == 1.0:
            memory.regret[a] = unit
        memory.gain[a] = values[a] - value
        regret = memory.regret[a] + memory.gain[a]
        memory.regret[a] = regret if regret >= noise else 0.0
        most = max(most, memory.regret[a])
    if most <= unit:
        for a in range(len(values)):
            memory.regret[a], memory.gain[a] = unit, 0.0


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
    shift, total = 0.0, 0.0
    for a in range(len(x)):
        total += max(x[a], 0.0)
    if total < 1.0:  # on the simplex: subtract from those that stay positive
        shift = -np.inf
        for _ in range(len(x)):  # each pass but the last drops an action at least, rounding apart
            mass, kept = 0.0, 0
            for a in range(len(x)):
                if x[a] > shift:
                    mass += x[a]
                    kept += 1
            if kept > 0:
                shift = (mass - 1.0) / kept
    for a in range(len(x)):
        x[a] = max(x[a] - shift, 0.0)


@njit
def _step(memory, to, values, value, noise):  # type: ignore[no-untyped-def]
    """Write the point one step along the regrets; return by how much it differs from them."""
    moved = 0.0
    for a in range(len(values)):
        to[a] = memory.regret[a] + STEP * NOISE / noise * (values[a] - value)
    _project(to)
    for a in range(len(values)):
        moved += abs(to[a] - memory.regret[a])
    return moved


@njit
def _start(memory, t):  # type: ignore[no-untyped-def]
    """Make the regrets equal before the first iteration."""
    if t == 1.0:
        for a in range(len(memory.regret)):
            memory.regret[a] = 1.0 / len(memory.regret)


@njit
def _restart(memory, moved):  # type: ignore[no-untyped-def]
    """Divide the regrets by their sum if the last move is at most half of that before the last restart."""
    if moved == 0.0 or 0.0 < memory.moved[0] < 2.0 * moved:
        return
    memory.moved[0], total = moved, 0.0
    for a in range(len(memory.regret)):
        total += memory.regret[a]
    for a in range(len(memory.regret)):
        memory.regret[a] /= total


def _smooth(restarted: bool, *arrays: str) -> LocalRule:
    @njit
    def observe(memory, values, value, t, noise):  # type: ignore[no-untyped-def]
        _start(memory, t)
        if noise > 0.0:
            moved = _step(memory, memory.gain, values, value, noise)
            for a in range(len(values)):
                memory.regret[a] = memory.gain[a]
                memory.gain[a] = STEP * NOISE / noise * (values[a] - value)
            if restarted:
                _restart(memory, moved)

    @njit
    def strategy(memory, play):  # type: ignore[no-untyped-def]
        for a in range(len(play)):
            play[a] = memory.regret[a] + memory.gain[a]
        _project(play)

    return LocalRule(observe, strategy, ("regret", "gain", *arrays), "quadratic")


def _extragradient(restarted: bool, *arrays: str) -> LocalRule:
    @njit
    def observe(memory, values, value, t, noise):  # type: ignore[no-untyped-def]
        _start(memory, t)
        if noise > 0.0:
            moved = _step(memory, memory.tried, values, value, noise)
            if t % 2.0 == 0.0:
                for a in range(len(values)):
                    memory.regret[a] = memory.tried[a]
                if restarted:
                    _restart(memory, moved)

    @njit
    def strategy(memory, play):  # type: ignore[no-untyped-def]
        for a in range(len(play)):
            play[a] = memory.tried[a]

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
