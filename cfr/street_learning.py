"""Regret matching on one part of a street and one board: plans on the way down, regrets on the way up."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cfr.rules import expected, settled, share, unit_of
from cfr.street_arrays import ACTIONS, FIRST, PARENT, RANK, SLOT, Floats, Index

Table = NDArray[Any]
"""Numbers kept for each slot and hand of each board: float32, or 16 bits times a scale for each decision."""


class Rule(NamedTuple):
    """What happens to regrets and averages in one iteration.

    positive, negative : what cumulative regrets are multiplied by afterwards, by their sign.
    prediction : how much of the last regret is expected once more.
    weight : of this iteration's plan in the average.
    """

    positive: float
    negative: float
    prediction: float
    weight: float


class Tables(NamedTuple):
    """What a player's minimisers remember, laid out as ``seqform.street_strategy.StreetTree`` says.

    regret : cumulative counterfactual regrets against the opponent's plan and range, discounted.
    total : the weighted sum of the plans counted.
    gain : the last iteration's regrets; empty where nothing is predicted.
    regret_scale, total_scale : (decisions on each board,) float32
        What a decision's numbers are multiplied by; one where they are kept as floats.
    """

    regret: Table
    total: Table
    gain: Table
    regret_scale: NDArray[np.float32]
    total_scale: NDArray[np.float32]


class Scratch(NamedTuple):
    """Room for one decision.

    mass, unit, mean : (hands,) float64
        What is played in proportion to, summed over actions; the worth of a unit of it; the mean value.
    fresh : (actions, hands) flat float64
        Numbers before they are kept.
    """

    mass: Floats
    unit: Floats
    mean: Floats
    fresh: Floats


@njit(cache=True, error_model="numpy", inline="always")
def match(
    tables: Tables,
    prediction: float,
    at: int,
    scale: float,
    width: int,
    n_actions: int,
    rows: Floats,
    to: int,
    stride: int,
    scratch: Scratch,
) -> None:
    """Write what a decision's hands play in proportion to, and what a unit of it is worth."""
    mass, unit = scratch.mass, scratch.unit
    for h in range(width):
        mass[h] = 0.0
    for a in range(n_actions):
        r = tables.regret[at + a * width : at + (a + 1) * width]
        x = rows[to + a * stride : to + a * stride + width]
        if prediction > 0.0:
            m = tables.gain[at + a * width : at + (a + 1) * width]
            for h in range(width):
                x[h] = expected(scale * r[h], m[h], prediction)
                mass[h] += x[h]
        else:
            for h in range(width):
                x[h] = max(scale * r[h], 0.0)
                mass[h] += x[h]
    for h in range(width):
        unit[h] = unit_of(1.0, mass[h], n_actions)


@njit(cache=True, error_model="numpy")
def spread(
    steps: Index,
    tables: Tables,
    prediction: float,
    base: int,
    step_base: int,
    width: int,
    plan: Floats,
    stride: int,
    scratch: Scratch,
) -> None:
    """Write a player's plan below the roots of a part, whose own rows hold it already."""
    mass, unit = scratch.mass, scratch.unit
    for step in steps:
        n_actions, to = step[ACTIONS], step[FIRST] * stride
        at, scale = base + step[SLOT] * width, tables.regret_scale[step_base + step[RANK]]
        match(tables, prediction, at, scale, width, n_actions, plan, to, stride, scratch)
        above = plan[step[PARENT] * stride : step[PARENT] * stride + width]
        for h in range(width):
            unit[h] *= above[h]
        for a in range(n_actions):
            x = plan[to + a * stride : to + a * stride + width]
            for h in range(width):
                x[h] = share(x[h], mass[h], unit[h])


@njit(cache=True, error_model="numpy")
def spread_and_count(
    steps: Index,
    tables: Tables,
    rule: Rule,
    limits: tuple[float, float],
    base: int,
    step_base: int,
    width: int,
    plan: Floats,
    play: Floats,
    stride: int,
    scratch: Scratch,
) -> None:
    """Write the plan of the player who learns, count it, and keep what is played."""
    mass, unit, fresh = scratch.mass, scratch.unit, scratch.fresh
    for step in steps:
        n_actions, to = step[ACTIONS], step[FIRST] * stride
        at, rank = base + step[SLOT] * width, step_base + step[RANK]
        scale = tables.regret_scale[rank]
        match(tables, rule.prediction, at, scale, width, n_actions, play, to, stride, scratch)
        above = plan[step[PARENT] * stride : step[PARENT] * stride + width]
        scale = tables.total_scale[rank]
        for a in range(n_actions):
            i, j = to + a * stride, a * width
            x, below = play[i : i + width], plan[i : i + width]
            total, sums = tables.total[at + j : at + j + width], fresh[j : j + width]
            for h in range(width):
                x[h] = share(x[h], mass[h], unit[h])
                below[h] = above[h] * x[h]
                sums[h] = scale * total[h] + rule.weight * below[h]
        tables.total_scale[rank] = keep(fresh, tables.total, at, n_actions * width, limits[1])


@njit(cache=True, error_model="numpy")
def learn(
    steps: Index,
    tables: Tables,
    rule: Rule,
    limits: tuple[float, float],
    noise: float,
    base: int,
    step_base: int,
    width: int,
    play: Floats,
    values: Floats,
    stride: int,
    scratch: Scratch,
) -> None:
    """Learn from the values of a part's rows; each root's row gets what the player earns below it."""
    mean, fresh = scratch.mean, scratch.fresh
    for step in steps[::-1]:
        n_actions, to = step[ACTIONS], step[FIRST] * stride
        at, rank = base + step[SLOT] * width, step_base + step[RANK]
        for h in range(width):
            mean[h] = 0.0
        for a in range(n_actions):
            i = to + a * stride
            x, v = play[i : i + width], values[i : i + width]
            for h in range(width):
                mean[h] += x[h] * v[h]
        above = values[step[PARENT] * stride : step[PARENT] * stride + width]
        for h in range(width):
            above[h] += mean[h]
        scale = tables.regret_scale[rank]
        for a in range(n_actions):
            v, j = values[to + a * stride : to + a * stride + width], a * width
            r, kept = tables.regret[at + j : at + j + width], fresh[j : j + width]
            for h in range(width):
                kept[h] = settled(scale * r[h] + (v[h] - mean[h]), noise, rule.positive, rule.negative)
            if rule.prediction > 0.0:
                m = tables.gain[at + j : at + j + width]
                for h in range(width):
                    m[h] = v[h] - mean[h]
        tables.regret_scale[rank] = keep(fresh, tables.regret, at, n_actions * width, limits[0])


@njit(cache=True, error_model="numpy", inline="always")
def keep(fresh: Floats, table: Table, at: int, count: int, limit: float) -> float:
    """Keep numbers, as they are or as integers up to a limit; return what to multiply them by.

    Integers are rounded to the nearest, halves up, the largest number to the limit.
    """
    kept = table[at : at + count]
    if limit == 0.0:
        for i in range(count):
            kept[i] = fresh[i]
        return 1.0
    most = 0.0
    for i in range(count):
        most = max(most, abs(fresh[i]))
    unit = limit / most if most > 0.0 else 0.0
    for i in range(count):
        kept[i] = np.floor(fresh[i] * unit + 0.5)
    return most / limit
