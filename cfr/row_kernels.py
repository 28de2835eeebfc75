"""Passes over one player's rows: plans from the root down, values and regrets from the leaves up."""

import numpy as np
from numba import njit

from cfr.sections import Floats
from cfr.vector_arrays import RowArrays, SideArrays


@njit(cache=True, error_model="numpy")
def spread_plan(rows: RowArrays, strategy: Floats, plan: Floats) -> None:
    """Write the realization plan of a behaviour, in place."""
    plan[: rows.width[0]] = 1.0
    for step in range(len(rows.first)):
        first, n_actions = rows.first[step], rows.n_actions[step]
        width = rows.width[first]
        above = plan[rows.start[rows.parent[step]] :]
        if n_actions == 0:
            below, move = plan[rows.start[first] :], rows.move[rows.move_start[step] :]
            for h in range(width):
                below[h] = above[move[h]]
        for row in range(first, first + n_actions):
            i = rows.start[row]
            below, x = plan[i : i + width], strategy[i : i + width]
            for h in range(width):
                below[h] = above[h] * x[h]


@njit(cache=True, error_model="numpy")
def best_response(rows: RowArrays, values: Floats) -> float:
    """Return what the best plan earns from the values at the leaves, which are overwritten.

    Each hand takes its best action everywhere, also at infosets that are not reached.
    """
    for step in range(len(rows.first) - 1, -1, -1):
        first, n_actions = rows.first[step], rows.n_actions[step]
        width = rows.width[first]
        above = values[rows.start[rows.parent[step]] :]
        best = values[rows.start[first] : rows.start[first] + width]
        if n_actions == 0:
            move = rows.move[rows.move_start[step] :]
            for h in range(width):
                above[move[h]] += best[h]
            continue
        for row in range(first + 1, first + n_actions):
            other = values[rows.start[row] : rows.start[row] + width]
            for h in range(width):
                best[h] = max(best[h], other[h])
        for h in range(width):
            above[h] += best[h]
    total = 0.0
    for h in range(rows.width[0]):
        total += values[h]
    return total


@njit(cache=True, error_model="numpy")
def update_regrets(side: SideArrays, strategy: Floats, values: Floats, regret: Floats) -> None:
    """Add each action's regret and clip at zero, in place (regret matching+).

    ``values``, at first what the leaves give each row, become the rows' counterfactual values under
    ``strategy``.
    """
    rows = side.rows
    room = np.empty(np.max(rows.width))
    for step in range(len(rows.first) - 1, -1, -1):
        first, n_actions = rows.first[step], rows.n_actions[step]
        width = rows.width[first]
        above = values[rows.start[rows.parent[step]] :]
        if n_actions == 0:
            below, move = values[rows.start[first] :], rows.move[rows.move_start[step] :]
            for h in range(width):
                above[move[h]] += below[h]
            continue
        mean, noise = room[:width], side.noise[side.sections.deal_start[rows.deal[step]] :]
        mean[:] = 0.0
        for row in range(first, first + n_actions):
            i = rows.start[row]
            x, v = strategy[i : i + width], values[i : i + width]
            for h in range(width):
                mean[h] += x[h] * v[h]
        for row in range(first, first + n_actions):
            i = rows.start[row]
            r, v = regret[i : i + width], values[i : i + width]
            for h in range(width):
                new = r[h] + (v[h] - mean[h])
                r[h] = new if new > noise[h] else 0.0
        for h in range(width):
            above[h] += mean[h]


@njit(cache=True, error_model="numpy")
def match_regrets(rows: RowArrays, regret: Floats, strategy: Floats) -> None:
    """Write the strategy in proportion to the regrets, uniform where all are zero."""
    room = np.empty(np.max(rows.width))
    for step in range(len(rows.first)):
        first, n_actions = rows.first[step], rows.n_actions[step]
        width = rows.width[first]
        scale = room[:width]
        scale[:] = 0.0
        for row in range(first, first + n_actions):
            r = regret[rows.start[row] : rows.start[row] + width]
            for h in range(width):
                scale[h] += r[h]
        for h in range(width):
            scale[h] = 1.0 / scale[h] if scale[h] > 0.0 else 0.0
        for row in range(first, first + n_actions):
            i = rows.start[row]
            r, x = regret[i : i + width], strategy[i : i + width]
            for h in range(width):
                x[h] = r[h] * scale[h] if scale[h] > 0.0 else 1.0 / n_actions


@njit(cache=True, error_model="numpy")
def average_strategy(rows: RowArrays, total: Floats, strategy: Floats, average: Floats) -> None:
    """Write the behaviour of a sum of plans: normalised, ``strategy`` where the sum is zero."""
    for step in range(len(rows.first)):
        first, last = rows.first[step], rows.first[step] + rows.n_actions[step]
        for h in range(rows.width[first]):
            mass = 0.0
            for row in range(first, last):
                mass += total[rows.start[row] + h]
            for row in range(first, last):
                i = rows.start[row] + h
                average[i] = total[i] / mass if mass > 0.0 else strategy[i]
