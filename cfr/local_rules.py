"""Local rules that are no regret matching with fixed discounts, written as users write theirs."""

import numpy as np
from numba import njit

from treeplex.cfr.local_rule import LocalRule

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
