"""Regret matching on one part of a street and one board: plans down, values and regrets up."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cfr.rules import settled, share, unit_of
from cfr.street_arrays import Betting, Floats
from typing import Any

Table = NDArray[Any]
"""Numbers kept for each slot and hand of each board: float32, or small integers times a scale a decision."""


class Tables(NamedTuple):
    """What one player's minimisers remember; in flat slots, board by board.

    regret : cumulative counterfactual regrets against the opponent's weighted plan, discounted.
    total : the weighted sum of the plans counted.
    gain : the last regrets, expected once more by predictive variants; empty for others.
    """

    regret: Table
    total: Table
    gain: Table


class Rule(NamedTuple):
    """What happens to regrets and averages in one iteration.

    positive, negative : what cumulative regrets are multiplied by afterwards, by their sign.
    weight : of this iteration's plan in the average.
    """

    positive: float
    negative: float
    weight: float


@njit(cache=True, error_model="numpy", inline="always")
def play_of(tables, at, width, n_actions, play, to, stride, mass):
    """Write what regret matching plays at a decision, a row an action."""
    for h in range(width):
        mass[h] = 0.0
    for a in range(n_actions):
        r = tables.regret[at + a * width : at + (a + 1) * width]
        x = play[to + a * stride : to + a * stride + width]
        for h in range(width):
            x[h] = max(np.float64(r[h]), 0.0)
            mass[h] += x[h]
    for a in range(n_actions):
        x = play[to + a * stride : to + a * stride + width]
        for h in range(width):
            x[h] = share(x[h], mass[h], unit_of(1.0, mass[h], n_actions))
