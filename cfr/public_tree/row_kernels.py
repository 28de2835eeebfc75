"""Passes over one player's rows: plans top down, values bottom up.

Passes that take steps visit only these; they must contain the ancestors of each step, before it.
"""

from typing import NamedTuple

from numba import njit

from treeplex.cfr.public_tree.arrays import RowArrays
from treeplex.cfr.public_tree.sections import Floats, Index


class Counting(NamedTuple):
    """Coefficients of the sum of plans in one iteration, in flat rows.

    ``total = keep * total + before * (plan before the update) + after * (plan after it)``.
    """

    total: Floats
    keep: float
    before: float
    after: float


@njit(cache=True, error_model="numpy")
def spread_plan(
    rows: RowArrays, steps: Index, strategy: Floats, plan: Floats, counting: Counting | None
) -> None:
    """Replace a plan by that of a behaviour, and add both to a sum of plans unless ``counting`` is None."""
    plan[: rows.width[0]] = 1.0
    for step in steps:
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
            if counting is not None:
                total = counting.total[i : i + width]
                for h in range(width):
                    new = above[h] * x[h]
                    total[h] = counting.keep * total[h] + counting.before * below[h] + counting.after * new
                    below[h] = new
            else:
                for h in range(width):
                    below[h] = above[h] * x[h]


@njit(cache=True, error_model="numpy")
def best_response(rows: RowArrays, values: Floats) -> float:
    """Return the best-response value for given values at the leaves, which are overwritten."""
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
def average_strategy(rows: RowArrays, total: Floats, strategy: Floats, average: Floats) -> None:
    """Write the behaviour of a sum of plans, normalised by decision; ``strategy`` where the sum is 0."""
    for step in range(len(rows.first)):
        first, last = rows.first[step], rows.first[step] + rows.n_actions[step]
        for h in range(rows.width[first]):
            mass = 0.0
            for row in range(first, last):
                mass += total[rows.start[row] + h]
            for row in range(first, last):
                i = rows.start[row] + h
                average[i] = total[i] / mass if mass > 0.0 else strategy[i]
