"""Local regret minimisers on one player's rows, as vectors over hands: values, then regrets.

Values go bottom up, then regrets. Passes over the rows: plans top down, values bottom up. Passes that take
steps visit only these; they must contain the ancestors of each step, before it.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.public.hand_sections import Floats, Index
from treeplex.cfr.public.public_arrays import PlayerArrays, RowArrays, VectorArrays
from treeplex.cfr.state_checks import check_shape
from treeplex.cfr.update_rules import (
    add_square,
    discounted,
    predicted,
    preference,
    rate_at,
    share,
    unit_of,
)

HANDS = 512
"""Hands processed at a time, so that what a decision reads and writes for them stays in the cache."""


class RowMemory(NamedTuple):
    """The state of one player's local minimisers, in flat rows as in ``RowArrays``.

    regret : cumulative counterfactual regrets in the tree's unit, discounted as the variant says.
    strategy : the current behaviour.
    total : the weighted sum of plans.
    squared_ranges : the sum of squared ranges of the action values of each infoset, in the row of its
        first action; empty unless the player uses Hedge.
    """

    regret: Floats
    strategy: Floats
    total: Floats
    squared_ranges: Floats


Memories = tuple[RowMemory, RowMemory]
NEITHER = (False, False)
"""Neither player uses Hedge."""


def fresh_memories(arrays: VectorArrays, hedging: tuple[bool, bool] = NEITHER) -> Memories:
    """Return the memories before the first iteration: no regret, uniform play.

    Parameters
    ----------
    arrays : VectorArrays
    hedging : pair of bool
        Whether each player uses Hedge.
    """
    memories = []
    for side, hedges in zip(arrays.sides, hedging, strict=True):
        rows = side.rows
        strategy = np.zeros(rows.start[-1])
        for first, n_actions in zip(rows.first.tolist(), rows.n_actions.tolist(), strict=True):
            strategy[rows.start[first] : rows.start[first + n_actions]] = 1 / max(n_actions, 1)
        n = len(strategy)
        memories.append(RowMemory(np.zeros(n), strategy, np.zeros(n), np.zeros(n if hedges else 0)))
    return memories[0], memories[1]


def copied_memories(
    arrays: VectorArrays, memories: Memories, hedging: tuple[bool, bool] = NEITHER
) -> Memories:
    """Return copies of memories; raises what :func:`check_shapes` raises."""
    check_shapes(arrays, memories, hedging)
    first, second = (RowMemory(*(array.copy() for array in memory)) for memory in memories)
    return first, second


def check_shapes(arrays: VectorArrays, memories: Memories, hedging: tuple[bool, bool] = NEITHER) -> None:
    """Check the shapes of arrays; ``hedging`` as in :func:`fresh_memories`.

    Raises
    ------
    ValueError
        If an array has the wrong length: the compiled loops check no bounds.
    """
    for p, (side, memory) in enumerate(zip(arrays.sides, memories, strict=True)):
        for what, array in memory._asdict().items():
            size = side.rows.start[-1] if what != "squared_ranges" or hedging[p] else 0
            check_shape(f"player {p}'s {what}", array, (int(size),))


class RegretUpdate(NamedTuple):
    """Coefficients of regret matching in one iteration.

    weight : factor of the iteration's regrets before they are added.
    positive, negative : factor of the sums afterwards, by their sign.
    floor : lower limit of the sums.
    prediction : weight of the iteration's regret as prediction of the next.
    """

    weight: float
    positive: float
    negative: float
    floor: float
    prediction: float


@njit(cache=True, error_model="numpy")
def learn(
    side: PlayerArrays,
    steps: Index,
    memory: RowMemory,
    values: Floats,
    update: RegretUpdate | None,
    rate: float | None,
) -> None:
    """Update regrets and strategy from the values at the leaves, which are zero afterwards.

    The update is regret matching if ``update`` is given, Hedge if ``rate`` is given, else a best response.
    The value of an infoset under the current strategy is added to the parent row; the regret of each action
    is its value less that (Zinkevich et al. 2008, counterfactual regret).
    """
    rows = side.rows
    scratch = np.empty((3, HANDS))
    for step in steps[::-1]:
        first, n_actions = rows.first[step], rows.n_actions[step]
        width = rows.width[first]
        above = values[rows.start[rows.parent[step]] :]
        if n_actions == 0:
            below, move = values[rows.start[first] :], rows.move[rows.move_start[step] :]
            for h in range(width):
                above[move[h]] += below[h]
        elif update is not None:
            noise = side.noise[side.sections.deal_start[rows.deal[step]] :]
            for lo in range(0, width, HANDS):
                hi = min(lo + HANDS, width)
                match_regrets(
                    rows.start, first, n_actions, lo, hi, noise, memory, values, above, update, scratch
                )
        elif rate is not None:
            noise = side.noise[side.sections.deal_start[rows.deal[step]] :]
            hedge(rows.start, first, n_actions, width, noise, memory, values, above, rate)
        else:
            best_respond(rows.start, first, n_actions, width, memory, values, above)
        values[rows.start[first] : rows.start[first + max(n_actions, 1)]] = 0.0
    values[: rows.width[0]] = 0.0


@njit(cache=True, error_model="numpy", inline="always")
def match_regrets(
    start: Index,
    first: int,
    n_actions: int,
    lo: int,
    hi: int,
    noise: Floats,
    memory: RowMemory,
    values: Floats,
    above: Floats,
    update: RegretUpdate,
    scratch: Floats,
) -> None:
    """Update one decision by regret matching; inner loops are over contiguous memory."""
    mean, mass, unit, width = scratch[0], scratch[1], scratch[2], hi - lo
    above, noise = above[lo:hi], noise[lo:hi]
    for h in range(width):
        mean[h] = mass[h] = 0.0
    for row in range(first, first + n_actions):
        i, j = start[row] + lo, start[row] + hi
        x, v = memory.strategy[i:j], values[i:j]
        for h in range(width):
            mean[h] += x[h] * v[h]
    for row in range(first, first + n_actions):
        i, j = start[row] + lo, start[row] + hi
        r, x, v = memory.regret[i:j], memory.strategy[i:j], values[i:j]
        for h in range(width):
            gain = update.weight * (v[h] - mean[h])
            kept = discounted(r[h] + gain, noise[h], update.positive, update.negative)
            kept = kept if kept > update.floor else update.floor
            play = predicted(kept, gain, update.prediction)
            r[h], x[h] = kept, play
            mass[h] += play
    for h in range(width):
        unit[h] = unit_of(1.0, mass[h], n_actions)
        above[h] += mean[h]
    for row in range(first, first + n_actions):
        x = memory.strategy[start[row] + lo : start[row] + hi]
        for h in range(width):
            x[h] = share(x[h], mass[h], unit[h])


@njit(cache=True, error_model="numpy", inline="always")
def hedge(
    start: Index,
    first: int,
    n_actions: int,
    width: int,
    noise: Floats,
    memory: RowMemory,
    values: Floats,
    above: Floats,
    rate: float,
) -> None:
    """Update one decision by Hedge."""
    regret, x, squared_ranges = memory.regret, memory.strategy, memory.squared_ranges[start[first] :]
    for h in range(width):
        value, most, mass, worst, best = 0.0, -np.inf, 0.0, np.inf, -np.inf
        for row in range(first, first + n_actions):
            v = values[start[row] + h]
            value += x[start[row] + h] * v
            worst, best = min(worst, v), max(best, v)
        squared_ranges[h] = add_square(squared_ranges[h], best - worst, noise[h])
        eta = rate_at(squared_ranges[h], rate)
        for row in range(first, first + n_actions):
            regret[start[row] + h] += values[start[row] + h] - value
            most = max(most, regret[start[row] + h])
        for row in range(first, first + n_actions):
            x[start[row] + h] = preference(regret[start[row] + h], most, eta)
            mass += x[start[row] + h]
        for row in range(first, first + n_actions):
            x[start[row] + h] = share(x[start[row] + h], mass, unit_of(1.0, mass, n_actions))
        above[h] += value


@njit(cache=True, error_model="numpy", inline="always")
def best_respond(
    start: Index, first: int, n_actions: int, width: int, memory: RowMemory, values: Floats, above: Floats
) -> None:
    """Play a best response at one decision, ties to the first action."""
    x = memory.strategy
    for h in range(width):
        best = start[first] + h
        for row in range(first, first + n_actions):
            x[start[row] + h] = 0.0
            if values[start[row] + h] > values[best]:
                best = start[row] + h
        x[best] = 1.0
        above[h] += values[best]


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
