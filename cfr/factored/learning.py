"""Regret matching on one part of a street and one board: plans on the way down, regrets on the way up."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.factored.arrays import Floats, Places, Steps
from treeplex.cfr.factored.lanes import aligned
from treeplex.cfr.variants.rules import expected, settled, share, unit_of

Table = NDArray[Any]
"""Numbers kept for each slot and hand of each board: float32, or 16 bits times a scale for each decision."""


BLUR = 2.0**-20
"""What is left of two float32 that cancel, beside either, may be mere rounding; it counts as zero."""
TILE = 128
"""So many hands are learnt for at a time: what a decision reads and writes for them stays in the cache."""


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
    """What a player's minimisers remember, laid out as ``FactoredTree`` says.

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

    @property
    def n_bytes(self) -> int:
        """Memory that regrets, averages and predictions take."""
        return self.regret.nbytes + self.total.nbytes + self.gain.nbytes


class BoardPart(NamedTuple):
    """A player's part of a street on one board.

    first, last : int
        Its decisions, those from ``first`` up to ``last`` in ``Steps``.
    slot_base, step_base : int
        Where tables keep the board's slots, and its decisions.
    width, stride : int
        How many hands there are, and how far apart rows are.
    hand : (width,) uint16
        Which hand of the range each is; empty where none is locked anywhere.
    locked : (rows, range) float64
        As in ``Stand``.
    """

    first: int
    last: int
    slot_base: int
    step_base: int
    width: int
    stride: int
    hand: Places
    locked: Floats


class Scratch(NamedTuple):
    """Room for one decision.

    mass, unit, mean : (TILE,) float64
        What is played in proportion to, summed over actions; the worth of a unit of it; the mean value.
    fresh : (actions, hands) flat float64
        Numbers before they are kept.
    """

    mass: Floats
    unit: Floats
    mean: Floats
    fresh: Floats

    @staticmethod
    def of(actions: int, hands: int) -> "Scratch":
        """Return room for decisions of so many actions and hands."""
        fresh = aligned(actions * max(hands, TILE))
        return Scratch(aligned(TILE), aligned(TILE), aligned(TILE), fresh)


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
    n: int,
    scratch: Scratch,
) -> None:
    """Write what ``n`` hands play in proportion to, and what a unit of it is worth."""
    mass, unit = scratch.mass[:n], scratch.unit[:n]
    mass[:] = 0.0
    for a in range(n_actions):
        r, x = tables.regret[at + a * width : at + a * width + n], rows[to + a * stride : to + a * stride + n]
        if prediction > 0.0:
            m = tables.gain[at + a * width : at + a * width + n]
            for h in range(n):
                x[h] = expected(scale * r[h], m[h], prediction)
                mass[h] += x[h]
        else:
            for h in range(n):
                x[h] = max(scale * r[h], 0.0)
                mass[h] += x[h]
    for h in range(n):
        unit[h] = unit_of(1.0, mass[h], n_actions)


@njit(cache=True, error_model="numpy")
def hold(
    locked: Floats, hand: Places, n_actions: int, rows: Floats, to: int, stride: int, scratch: Scratch
) -> None:
    """Write what hands play that are locked, as :func:`match` does, with a unit worth one."""
    for h in range(len(hand)):
        if locked[0, hand[h]] >= 0.0:
            for a in range(n_actions):
                rows[to + a * stride + h] = locked[a, hand[h]]
            scratch.mass[h] = scratch.unit[h] = 1.0


@njit(cache=True, error_model="numpy")
def spread(
    steps: Steps,
    part: BoardPart,
    tables: Tables,
    prediction: float,
    plan: Floats,
    scratch: Scratch,
) -> None:
    """Write a player's plan below the roots of a part, whose own rows hold it already."""
    firsts, parents, locks = steps.first, steps.parent, steps.lock
    actions, slots, ranks = steps.actions, steps.slot, steps.rank
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    mass, unit = scratch.mass, scratch.unit
    for step in range(part.first, part.last):
        n_actions, scale = actions[step], tables.regret_scale[part.step_base + ranks[step]]
        for lo in range(0, width, TILE):
            n, to = min(TILE, width - lo), firsts[step] * stride + lo
            at = part.slot_base + slots[step] * width + lo
            match(tables, prediction, at, scale, width, n_actions, plan, to, stride, n, scratch)
            if locks[step] >= 0:
                hold(locked[locks[step] :], hand[lo : lo + n], n_actions, plan, to, stride, scratch)
            above = plan[parents[step] * stride + lo :]
            for h in range(n):
                unit[h] *= above[h]
            for a in range(n_actions):
                x = plan[to + a * stride : to + a * stride + n]
                for h in range(n):
                    x[h] = share(x[h], mass[h], unit[h])


@njit(cache=True, error_model="numpy")
def spread_and_count(
    steps: Steps,
    part: BoardPart,
    tables: Tables,
    rule: Rule,
    limit: float,
    plan: Floats,
    play: Floats,
    scratch: Scratch,
) -> None:
    """Write the plan of the player who learns, count it, and keep what is played."""
    firsts, parents, locks = steps.first, steps.parent, steps.lock
    actions, slots, ranks = steps.actions, steps.slot, steps.rank
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    mass, unit = scratch.mass, scratch.unit
    for step in range(part.first, part.last):
        n_actions, rank = actions[step], part.step_base + ranks[step]
        block = part.slot_base + slots[step] * width
        scale, kept = tables.regret_scale[rank], tables.total_scale[rank]
        for lo in range(0, width, TILE):
            n, to, at = min(TILE, width - lo), firsts[step] * stride + lo, block + lo
            match(tables, rule.prediction, at, scale, width, n_actions, play, to, stride, n, scratch)
            if locks[step] >= 0:
                hold(locked[locks[step] :], hand[lo : lo + n], n_actions, play, to, stride, scratch)
            above = plan[parents[step] * stride + lo :]
            for a in range(n_actions):
                i = to + a * stride
                x, below = play[i : i + n], plan[i : i + n]
                total, sums = (
                    tables.total[at + a * width : at + a * width + n],
                    _fresh(scratch, limit, a, lo, n, width),
                )
                for h in range(n):
                    x[h] = share(x[h], mass[h], unit[h])
                    below[h] = above[h] * x[h]
                    sums[h] = kept * total[h] + rule.weight * below[h]
                if limit == 0.0:
                    for h in range(n):
                        total[h] = sums[h]
        if limit > 0.0:
            tables.total_scale[rank] = keep(scratch.fresh, tables.total, block, n_actions * width, limit)


@njit(cache=True, error_model="numpy")
def learn(
    steps: Steps,
    part: BoardPart,
    tables: Tables,
    rule: Rule,
    limit: float,
    noise: float,
    play: Floats,
    values: Floats,
    scratch: Scratch,
) -> None:
    """Learn from the values of a part's rows; each root's row gets what the player earns below it."""
    firsts, parents, locks = steps.first, steps.parent, steps.lock
    actions, slots, ranks = steps.actions, steps.slot, steps.rank
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    blur = BLUR if tables.regret.itemsize == 4 else 0.0
    for step in range(part.last - 1, part.first - 1, -1):
        n_actions, rank = actions[step], part.step_base + ranks[step]
        block = part.slot_base + slots[step] * width
        scale = tables.regret_scale[rank]
        for lo in range(0, width, TILE):
            n, to, at = min(TILE, width - lo), firsts[step] * stride + lo, block + lo
            mean = scratch.mean[:n]
            mean[:] = 0.0
            for a in range(n_actions):
                x, v = (
                    play[to + a * stride : to + a * stride + n],
                    values[to + a * stride : to + a * stride + n],
                )
                for h in range(n):
                    mean[h] += x[h] * v[h]
            above = values[parents[step] * stride + lo :]
            for h in range(n):
                above[h] += mean[h]
            regret_nothing(locked, locks[step], hand[lo : lo + n], n_actions, values, to, stride, mean)
            for a in range(n_actions):
                v, i = values[to + a * stride : to + a * stride + n], at + a * width
                r, sums = tables.regret[i : i + n], _fresh(scratch, limit, a, lo, n, width)
                for h in range(n):
                    gain = v[h] - mean[h]
                    nothing = max(noise, blur * abs(gain))
                    sums[h] = settled(scale * r[h] + gain, nothing, rule.positive, rule.negative)
                if limit == 0.0:
                    for h in range(n):
                        r[h] = sums[h]
                if rule.prediction > 0.0:
                    m = tables.gain[i : i + n]
                    for h in range(n):
                        m[h] = v[h] - mean[h]
        if limit > 0.0:
            tables.regret_scale[rank] = keep(scratch.fresh, tables.regret, block, n_actions * width, limit)


@njit(cache=True, error_model="numpy")
def regret_nothing(
    locked: Floats,
    lock: int,
    hand: Places,
    n_actions: int,
    values: Floats,
    to: int,
    stride: int,
    mean: Floats,
) -> None:
    """Make all actions of locked hands worth the same: regrets would take the integers from free hands."""
    if lock < 0:
        return
    for h in range(len(hand)):
        if locked[lock, hand[h]] >= 0.0:
            for a in range(n_actions):
                values[to + a * stride + h] = mean[h]


@njit(cache=True, error_model="numpy", inline="always")
def _fresh(scratch: Scratch, limit: float, a: int, lo: int, n: int, width: int) -> Floats:
    """Return where numbers wait: beside the whole decision's if it is kept as integers, else for a moment."""
    i = 0 if limit == 0.0 else a * width + lo
    return scratch.fresh[i : i + n]


@njit(cache=True, error_model="numpy")
def keep(fresh: Floats, table: Table, at: int, count: int, limit: float) -> float:
    """Keep a decision's numbers as integers; return what to multiply them by.

    They are rounded to the nearest, halves up, the largest to the limit.
    """
    kept, most = table[at : at + count], 0.0
    for i in range(count):
        most = max(most, abs(fresh[i]))
    unit = limit / most if most > 0.0 else 0.0
    for i in range(count):
        kept[i] = np.floor(fresh[i] * unit + 0.5)
    return most / limit
