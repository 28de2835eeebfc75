"""CFR+ in fixed point: regrets and averages as 32-bit integers, increments scaled and rounded to nearest.

After Bowling, Burch, Johanson and Tammelin (Heads-up limit hold'em poker is solved, 2015) and the released
source, which rounds where the paper says that it truncates.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.factored.layout.arrays import Floats, Index, Steps
from treeplex.cfr.factored.regret_matching import (
    TILE,
    BoardPart,
    FactoredMemory,
    Scratch,
    add_mean,
    apply_locks,
    clear_locked_regrets,
    match_regrets,
)
from treeplex.cfr.variants.rules import share

LARGEST_INTEGER = 2**31 - 1
"""The largest stored regret and average; larger ones are stored as this, and counted."""


class Fixed(NamedTuple):
    """What a player's increments are multiplied by before they are rounded; empty where tables are floats.

    Attributes
    ----------
    regret : (S,) float64
        For each street; times values in the unit of the kernels.
    average : (S,) float64
        For each street; times plans.
    """

    regret: Floats
    average: Floats

    @staticmethod
    def none() -> "Fixed":
        """Return that of a player whose tables are floats."""
        return Fixed(np.zeros(0), np.zeros(0))


@njit(cache=True, error_model="numpy")
def spread_and_average_fixed(
    steps: Steps,
    part: BoardPart,
    memory: FactoredMemory,
    scale: float,
    plan: Floats,
    play: Floats,
    scratch: Scratch,
    saturated: Index,
) -> None:
    """Write the updating player's plan and behaviour; add ``rint(scale * plan)`` to its average, if any.

    ``saturated[1]`` counts the sums that were larger than ``LARGEST_INTEGER``.
    """
    firsts, parents, locks = steps.first, steps.parent, steps.lock
    actions, slots = steps.actions, steps.slot
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    mass, unit, averages = scratch.mass, scratch.unit, len(memory.total) > 0
    for step in range(part.first, part.last):
        n_actions, block = actions[step], part.slot_base + slots[step] * width
        for lo in range(0, width, TILE):
            n, to, at = min(TILE, width - lo), firsts[step] * stride + lo, block + lo
            match_regrets(memory, 0.0, at, 1.0, width, n_actions, play, to, stride, n, scratch)
            if locks[step] >= 0:
                apply_locks(locked[locks[step] :], hand[lo : lo + n], n_actions, play, to, stride, scratch)
            above = plan[parents[step] * stride + lo :]
            for a in range(n_actions):
                i = to + a * stride
                x, below = play[i : i + n], plan[i : i + n]
                for h in range(n):
                    x[h] = share(x[h], mass[h], unit[h])
                    below[h] = above[h] * x[h]
                if averages:
                    total, over = memory.total[at + a * width : at + a * width + n], 0
                    for h in range(n):
                        sum_ = np.float64(total[h]) + np.rint(scale * below[h])
                        over += sum_ > LARGEST_INTEGER
                        total[h] = np.int32(min(sum_, np.float64(LARGEST_INTEGER)))
                    saturated[1] += over


@njit(cache=True, error_model="numpy")
def learn_fixed(
    steps: Steps,
    part: BoardPart,
    memory: FactoredMemory,
    scale: float,
    play: Floats,
    values: Floats,
    scratch: Scratch,
    saturated: Index,
) -> None:
    """Update regrets from the values of a part's rows; add values of decisions to their parent rows.

    ``R = min(max(0, R + rint(scale * (v(a) - v))), LARGEST_INTEGER)``; ``saturated[0]`` counts the regrets
    that would be larger.
    """
    firsts, parents, locks = steps.first, steps.parent, steps.lock
    actions, slots = steps.actions, steps.slot
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    for step in range(part.last - 1, part.first - 1, -1):
        n_actions, block = actions[step], part.slot_base + slots[step] * width
        for lo in range(0, width, TILE):
            n, to, at = min(TILE, width - lo), firsts[step] * stride + lo, block + lo
            mean = scratch.mean[:n]
            mean[:] = 0.0
            add_mean(play, values, to, parents[step] * stride + lo, stride, n_actions, mean)
            clear_locked_regrets(locked, locks[step], hand[lo : lo + n], n_actions, values, to, stride, mean)
            for a in range(n_actions):
                v, i, over = values[to + a * stride : to + a * stride + n], at + a * width, 0
                r = memory.regret[i : i + n]
                for h in range(n):
                    sum_ = np.float64(r[h]) + np.rint(scale * (v[h] - mean[h]))
                    over += sum_ > LARGEST_INTEGER
                    r[h] = np.int32(min(max(sum_, 0.0), np.float64(LARGEST_INTEGER)))
                saturated[0] += over


@njit(cache=True, error_model="numpy")
def carry_best(steps: Steps, part: BoardPart, best: Floats, scratch: Scratch) -> None:
    """Add the largest value of a decision's actions to its parent row, from the last decision to the first.

    With ``best`` the values of leaves and of best responses on later boards, this is the best response to the
    opponent's plan. Hands must not be locked.
    """
    width, stride = part.width, part.stride
    for step in range(part.last - 1, part.first - 1, -1):
        for lo in range(0, width, TILE):
            n, to = min(TILE, width - lo), steps.first[step] * stride + lo
            most = scratch.mean[:n]
            most[:] = best[to : to + n]
            for a in range(1, steps.actions[step]):
                value = best[to + a * stride : to + a * stride + n]
                for h in range(n):
                    most[h] = max(most[h], value[h])
            above = best[steps.parent[step] * stride + lo :]
            for h in range(n):
                above[h] += most[h]
