"""Regret matching on one part of the betting on one board: plans from regrets, regrets from values."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.boards.board_arrays import DecisionArrays, Floats, Labels, Places
from treeplex.cfr.boards.simd import aligned
from treeplex.cfr.update_rules import discounted, predicted, share, unit_of

Stored = NDArray[Any]
"""Numbers by slot and hand of each board: float32, or 16-bit integers times a scale per decision."""


CANCELLATION = 2.0**-20
"""Relative size below which the difference of two float32 may be rounding alone; it is set to zero."""
TILE = 128
"""Hands processed at a time, so that what a decision reads and writes for them stays in the cache."""


class Rule(NamedTuple):
    """The coefficients of regrets and averages in one iteration.

    positive, negative : what cumulative regrets are multiplied by afterwards, by their sign.
    prediction : weight of the last regret as prediction of the next, 0 to 1.
    keep : what the average's sum of plans is multiplied by before.
    weight : weight of this iteration's plan in it.
    """

    positive: float
    negative: float
    prediction: float
    keep: float
    weight: float


class FactoredMemory(NamedTuple):
    """The state of one player's minimisers, laid out as ``FactoredTree`` describes.

    regret : cumulative counterfactual regrets against the opponent's plan and range, discounted.
    total : the weighted sum of plans.
    gain : the last iteration's regrets; empty without prediction.
    regret_scale, total_scale : (decisions on each board,) float32
        The factor of a decision's stored numbers; 1 for floats.
    root_regret, root_total, root_gain : (sequences of the root decisions,) float64
        The same as ``regret``, ``total`` and ``gain``.
    """

    regret: Stored
    total: Stored
    gain: Stored
    regret_scale: NDArray[np.float32]
    total_scale: NDArray[np.float32]
    root_regret: Floats
    root_total: Floats
    root_gain: Floats

    @property
    def n_bytes(self) -> int:
        """Bytes of regrets, averages and predictions."""
        return self.regret.nbytes + self.total.nbytes + self.gain.nbytes


class BoardPart(NamedTuple):
    """One player's decisions in a part of the betting on one board.

    first, last : int
        Its decisions are ``first`` to ``last - 1`` in ``DecisionArrays``.
    slot_base, step_base : int
        First entries of the board in ``FactoredMemory``: of slots times hands, and of decisions.
    width, stride : int
        Number of hands, and floats per row.
    hand : (width,) uint16
        The hand's index in the range; empty if no hand is locked.
    locked : (rows, range) float64
        As in ``BoardHands``.
    bucket : (width,) uint32
    share : (width,) float64
        As in ``BoardHands``; empty if no hands are in buckets.
    """

    first: int
    last: int
    slot_base: int
    step_base: int
    width: int
    stride: int
    hand: Places
    locked: Floats
    bucket: Labels
    share: Floats


class Scratch(NamedTuple):
    """Scratch arrays for one decision.

    mass, unit, mean : (TILE,) float64
        Sum of positive regrets over actions; probability per unit of it; value under the strategy.
    fresh : (actions, hands) flat float64
        Numbers before they are stored.
    """

    mass: Floats
    unit: Floats
    mean: Floats
    fresh: Floats

    @staticmethod
    def of(actions: int, hands: int) -> "Scratch":
        """Allocate for decisions of at most so many actions and hands."""
        fresh = aligned(actions * max(hands, TILE))
        return Scratch(aligned(TILE), aligned(TILE), aligned(TILE), fresh)


@njit(cache=True, error_model="numpy", inline="always")
def match_regrets(
    memory: FactoredMemory,
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
    """Write the positive (predicted) regrets of ``n`` hands, their sum and the probability per unit of it."""
    mass, unit = scratch.mass[:n], scratch.unit[:n]
    mass[:] = 0.0
    for a in range(n_actions):
        r, x = memory.regret[at + a * width : at + a * width + n], rows[to + a * stride : to + a * stride + n]
        if prediction > 0.0:
            m = memory.gain[at + a * width : at + a * width + n]
            for h in range(n):
                x[h] = predicted(scale * r[h], m[h], prediction)
                mass[h] += x[h]
        else:
            for h in range(n):
                x[h] = max(scale * r[h], 0.0)
                mass[h] += x[h]
    for h in range(n):
        unit[h] = unit_of(1.0, mass[h], n_actions)


@njit(cache=True, error_model="numpy")
def apply_locks(
    locked: Floats, hand: Places, n_actions: int, rows: Floats, to: int, stride: int, scratch: Scratch
) -> None:
    """Replace the rows of locked hands, as :func:`match_regrets` writes them, by their given strategy."""
    for h in range(len(hand)):
        if locked[0, hand[h]] >= 0.0:
            for a in range(n_actions):
                rows[to + a * stride + h] = locked[a, hand[h]]
            scratch.mass[h] = scratch.unit[h] = 1.0


@njit(cache=True, error_model="numpy")
def spread_plan(
    steps: DecisionArrays,
    part: BoardPart,
    memory: FactoredMemory,
    prediction: float,
    plan: Floats,
    scratch: Scratch,
) -> None:
    """Write a player's realization plan below the roots of a part, given the rows of the roots."""
    firsts, parents, locks = steps.first, steps.parent, steps.lock
    actions, slots, ranks = steps.actions, steps.slot, steps.rank
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    mass, unit = scratch.mass, scratch.unit
    for step in range(part.first, part.last):
        n_actions, scale = actions[step], memory.regret_scale[part.step_base + ranks[step]]
        for lo in range(0, width, TILE):
            n, to = min(TILE, width - lo), firsts[step] * stride + lo
            at = part.slot_base + slots[step] * width + lo
            match_regrets(memory, prediction, at, scale, width, n_actions, plan, to, stride, n, scratch)
            if locks[step] >= 0:
                apply_locks(locked[locks[step] :], hand[lo : lo + n], n_actions, plan, to, stride, scratch)
            above = plan[parents[step] * stride + lo :]
            for h in range(n):
                unit[h] *= above[h]
            for a in range(n_actions):
                x = plan[to + a * stride : to + a * stride + n]
                for h in range(n):
                    x[h] = share(x[h], mass[h], unit[h])


@njit(cache=True, error_model="numpy")
def spread_and_average_plan(
    steps: DecisionArrays,
    part: BoardPart,
    memory: FactoredMemory,
    rule: Rule,
    limit: float,
    plan: Floats,
    play: Floats,
    scratch: Scratch,
) -> None:
    """Write the updating player's plan and behaviour, and add the plan to its average."""
    firsts, parents, locks = steps.first, steps.parent, steps.lock
    actions, slots, ranks = steps.actions, steps.slot, steps.rank
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    mass, unit = scratch.mass, scratch.unit
    for step in range(part.first, part.last):
        n_actions, rank = actions[step], part.step_base + ranks[step]
        block = part.slot_base + slots[step] * width
        scale, kept = memory.regret_scale[rank], rule.keep * memory.total_scale[rank]
        for lo in range(0, width, TILE):
            n, to, at = min(TILE, width - lo), firsts[step] * stride + lo, block + lo
            match_regrets(memory, rule.prediction, at, scale, width, n_actions, play, to, stride, n, scratch)
            if locks[step] >= 0:
                apply_locks(locked[locks[step] :], hand[lo : lo + n], n_actions, play, to, stride, scratch)
            above = plan[parents[step] * stride + lo :]
            for a in range(n_actions):
                i = to + a * stride
                x, below = play[i : i + n], plan[i : i + n]
                total, sums = (
                    memory.total[at + a * width : at + a * width + n],
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
            memory.total_scale[rank] = quantise(scratch.fresh, memory.total, block, n_actions * width, limit)


@njit(cache=True, error_model="numpy")
def learn(
    steps: DecisionArrays,
    part: BoardPart,
    memory: FactoredMemory,
    rule: Rule,
    limit: float,
    noise: float,
    play: Floats,
    values: Floats,
    scratch: Scratch,
) -> None:
    """Update regrets from the values of a part's rows; add values of decisions to their parent rows."""
    firsts, parents, locks = steps.first, steps.parent, steps.lock
    actions, slots, ranks = steps.actions, steps.slot, steps.rank
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    relative = CANCELLATION if memory.regret.itemsize == 4 else 0.0
    for step in range(part.last - 1, part.first - 1, -1):
        n_actions, rank = actions[step], part.step_base + ranks[step]
        block = part.slot_base + slots[step] * width
        scale = memory.regret_scale[rank]
        for lo in range(0, width, TILE):
            n, to, at = min(TILE, width - lo), firsts[step] * stride + lo, block + lo
            mean = scratch.mean[:n]
            mean[:] = 0.0
            add_mean(play, values, to, parents[step] * stride + lo, stride, n_actions, mean)
            clear_locked_regrets(locked, locks[step], hand[lo : lo + n], n_actions, values, to, stride, mean)
            for a in range(n_actions):
                v, i = values[to + a * stride : to + a * stride + n], at + a * width
                r, sums = memory.regret[i : i + n], _fresh(scratch, limit, a, lo, n, width)
                for h in range(n):
                    gain = v[h] - mean[h]
                    nothing = max(noise, relative * abs(gain))
                    sums[h] = discounted(scale * r[h] + gain, nothing, rule.positive, rule.negative)
                if limit == 0.0:
                    for h in range(n):
                        r[h] = sums[h]
                if rule.prediction > 0.0:
                    m = memory.gain[i : i + n]
                    for h in range(n):
                        m[h] = v[h] - mean[h]
        if limit > 0.0:
            memory.regret_scale[rank] = quantise(
                scratch.fresh, memory.regret, block, n_actions * width, limit
            )


@njit(cache=True, error_model="numpy", inline="always")
def add_mean(
    play: Floats, values: Floats, to: int, parent: int, stride: int, n_actions: int, mean: Floats
) -> None:
    """Write the values of a decision for some hands, zero before, and add them to the parent row."""
    n = len(mean)
    for a in range(n_actions):
        x, v = play[to + a * stride : to + a * stride + n], values[to + a * stride : to + a * stride + n]
        for h in range(n):
            mean[h] += x[h] * v[h]
    above = values[parent:]
    for h in range(n):
        above[h] += mean[h]


@njit(cache=True, error_model="numpy")
def clear_locked_regrets(
    locked: Floats,
    lock: int,
    hand: Places,
    n_actions: int,
    values: Floats,
    to: int,
    stride: int,
    mean: Floats,
) -> None:
    """Set the action values of locked hands to their mean: zero regrets do not affect the scale."""
    if lock < 0:
        return
    for h in range(len(hand)):
        if locked[lock, hand[h]] >= 0.0:
            for a in range(n_actions):
                values[to + a * stride + h] = mean[h]


@njit(cache=True, error_model="numpy", inline="always")
def _fresh(scratch: Scratch, limit: float, a: int, lo: int, n: int, width: int) -> Floats:
    """Return scratch for an action's new numbers; integers need those of the whole decision."""
    i = 0 if limit == 0.0 else a * width + lo
    return scratch.fresh[i : i + n]


@njit(cache=True, error_model="numpy")
def quantise(fresh: Floats, table: Stored, at: int, count: int, limit: float) -> float:
    """Store numbers as integers ``floor(x * limit / max |x| + 0.5)``; return ``max |x| / limit``."""
    kept, most = table[at : at + count], 0.0
    for i in range(count):
        most = max(most, abs(fresh[i]))
    unit = limit / most if most > 0.0 else 0.0
    for i in range(count):
        kept[i] = np.floor(fresh[i] * unit + 0.5)
    return most / limit
