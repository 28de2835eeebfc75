"""Regret matching on one part of the betting on one board: plans from regrets, regrets from values.

Plans and values are float32 or float64; numbers are converted where they enter, as a literal would make
float32 float64. Hands are counted by unsigned integers from an offset: signed ones would be tested for being
negative, and slices of arrays count references.
"""

# Measured on examples/river.toml, one thread of an AMD EPYC with AVX-512: spread_plan takes 8.7 us of 1,081
# hands and 16 actions so, 16.8 us by slices, 128 hands at a time.

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.boards.board_arrays import DecisionArrays, Floats, Labels, Places, Reals
from treeplex.cfr.boards.simd import aligned
from treeplex.cfr.update_rules import discounted, predicted, share, unit_of

Stored = NDArray[Any]
"""Numbers by slot and hand of each board: floats, integers, or 16-bit integers times a scale per decision."""


CANCELLATION = 2.0**-20
"""Relative size below which the difference of two float32 may be rounding alone; it is set to zero."""
LEAST_MASS = 1e-30
"""Sums of float32 regrets below this count as 0: one over a smaller number may be no float32."""
TILE = 256
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
        Number of hands, and numbers per row.
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

    mass, unit, mean : (TILE,) float32 or float64
        Sum of positive regrets over actions; probability per unit of it; value under the strategy.
    fresh : (actions, hands) flat
        Numbers before they are stored.
    """

    mass: Reals
    unit: Reals
    mean: Reals
    fresh: Reals

    @staticmethod
    def of(actions: int, hands: int, kind: np.dtype[Any]) -> "Scratch":
        """Allocate for decisions of at most so many actions and hands."""
        fresh = aligned(actions * max(hands, TILE), kind)
        return Scratch(aligned(TILE, kind), aligned(TILE, kind), aligned(TILE, kind), fresh)


@njit(cache=True, error_model="numpy", inline="always")
def match_regrets(
    memory: FactoredMemory,
    prediction: float,
    at: int,
    scale: float,
    width: int,
    n_actions: int,
    rows: Reals,
    to: int,
    stride: int,
    n: int,
    scratch: Scratch,
) -> None:
    """Write the positive (predicted) regrets of ``n`` hands, their sum and the probability per unit of it."""
    regret, gain, mass, unit = memory.regret, memory.gain, scratch.mass, scratch.unit
    real, hands = mass.dtype.type, range(np.uint64(n))
    factor, ahead, zero = real(scale), real(prediction), real(0.0)
    for h in hands:
        mass[h] = zero
    for a in range(n_actions):
        i, j = np.uint64(at + a * width), np.uint64(to + a * stride)
        if prediction > 0.0:
            for h in hands:
                rows[j + h] = predicted(factor * real(regret[i + h]), real(gain[i + h]), ahead)
                mass[h] += rows[j + h]
        else:
            for h in hands:
                rows[j + h] = max(factor * real(regret[i + h]), zero)
                mass[h] += rows[j + h]
    one, count, least = real(1.0), real(n_actions), real(LEAST_MASS if mass.itemsize == 4 else 0.0)
    for h in hands:
        mass[h] = zero if mass[h] < least else mass[h]
        unit[h] = unit_of(one, mass[h], count)


@njit(cache=True, error_model="numpy")
def apply_locks(
    locked: Floats, hand: Places, n_actions: int, rows: Reals, to: int, stride: int, scratch: Scratch
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
    plan: Reals,
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
            above, hands = np.uint64(parents[step] * stride + lo), range(np.uint64(n))
            for h in hands:
                unit[h] *= plan[above + h]
            for a in range(n_actions):
                j = np.uint64(to + a * stride)
                for h in hands:
                    plan[j + h] = share(plan[j + h], mass[h], unit[h])


@njit(cache=True, error_model="numpy")
def spread_and_average_plan(
    steps: DecisionArrays,
    part: BoardPart,
    memory: FactoredMemory,
    rule: Rule,
    limit: float,
    plan: Reals,
    play: Reals,
    scratch: Scratch,
) -> None:
    """Write the updating player's plan and behaviour, and add the plan to its average."""
    firsts, parents, locks = steps.first, steps.parent, steps.lock
    actions, slots, ranks = steps.actions, steps.slot, steps.rank
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    mass, unit, fresh, total = scratch.mass, scratch.unit, scratch.fresh, memory.total
    real = mass.dtype.type
    weight = real(rule.weight)
    for step in range(part.first, part.last):
        n_actions, rank = actions[step], part.step_base + ranks[step]
        block = part.slot_base + slots[step] * width
        scale, kept = memory.regret_scale[rank], real(rule.keep * memory.total_scale[rank])
        for lo in range(0, width, TILE):
            n, to, at = min(TILE, width - lo), firsts[step] * stride + lo, block + lo
            match_regrets(memory, rule.prediction, at, scale, width, n_actions, play, to, stride, n, scratch)
            if locks[step] >= 0:
                apply_locks(locked[locks[step] :], hand[lo : lo + n], n_actions, play, to, stride, scratch)
            above, hands = np.uint64(parents[step] * stride + lo), range(np.uint64(n))
            for a in range(n_actions):
                i, j = np.uint64(at + a * width), np.uint64(to + a * stride)
                for h in hands:
                    play[j + h] = share(play[j + h], mass[h], unit[h])
                    plan[j + h] = plan[above + h] * play[j + h]
                if limit == 0.0:
                    for h in hands:
                        total[i + h] = kept * real(total[i + h]) + weight * plan[j + h]
                else:
                    k = np.uint64(a * width + lo)
                    for h in hands:
                        fresh[k + h] = kept * real(total[i + h]) + weight * plan[j + h]
        if limit > 0.0:
            memory.total_scale[rank] = quantise(fresh, total, block, n_actions * width, limit)


@njit(cache=True, error_model="numpy")
def learn(
    steps: DecisionArrays,
    part: BoardPart,
    memory: FactoredMemory,
    rule: Rule,
    limit: float,
    noise: float,
    play: Reals,
    values: Reals,
    scratch: Scratch,
) -> None:
    """Update regrets from the values of a part's rows; add values of decisions to their parent rows."""
    firsts, parents, locks = steps.first, steps.parent, steps.lock
    actions, slots, ranks = steps.actions, steps.slot, steps.rank
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    regret, gain, mean, fresh = memory.regret, memory.gain, scratch.mean, scratch.fresh
    real = mean.dtype.type
    relative = real(CANCELLATION if memory.regret.itemsize == 4 else 0.0)
    least, positive, negative = real(noise), real(rule.positive), real(rule.negative)
    for step in range(part.last - 1, part.first - 1, -1):
        n_actions, rank = actions[step], part.step_base + ranks[step]
        block = part.slot_base + slots[step] * width
        scale = real(memory.regret_scale[rank])
        for lo in range(0, width, TILE):
            n, to, at = min(TILE, width - lo), firsts[step] * stride + lo, block + lo
            add_mean(play, values, to, parents[step] * stride + lo, stride, n_actions, n, mean)
            if locks[step] >= 0:
                clear_locked_regrets(
                    locked[locks[step] :], hand[lo : lo + n], n_actions, values, to, stride, mean
                )
            hands = range(np.uint64(n))
            for a in range(n_actions):
                i, j = np.uint64(at + a * width), np.uint64(to + a * stride)
                if limit == 0.0:
                    for h in hands:
                        won = values[j + h] - mean[h]
                        nothing = max(least, relative * abs(won))
                        sum_ = scale * real(regret[i + h]) + won
                        regret[i + h] = discounted(sum_, nothing, positive, negative)
                else:
                    k = np.uint64(a * width + lo)
                    for h in hands:
                        won = values[j + h] - mean[h]
                        nothing = max(least, relative * abs(won))
                        sum_ = scale * real(regret[i + h]) + won
                        fresh[k + h] = discounted(sum_, nothing, positive, negative)
                if rule.prediction > 0.0:
                    for h in hands:
                        gain[i + h] = values[j + h] - mean[h]
        if limit > 0.0:
            memory.regret_scale[rank] = quantise(fresh, regret, block, n_actions * width, limit)


@njit(cache=True, error_model="numpy", inline="always")
def add_mean(
    play: Reals, values: Reals, to: int, parent: int, stride: int, n_actions: int, n: int, mean: Reals
) -> None:
    """Write the values of a decision for ``n`` hands, and add them to the parent row."""
    above, hands, zero = np.uint64(parent), range(np.uint64(n)), mean.dtype.type(0.0)
    for h in hands:
        mean[h] = zero
    for a in range(n_actions):
        j = np.uint64(to + a * stride)
        for h in hands:
            mean[h] += play[j + h] * values[j + h]
    for h in hands:
        values[above + h] += mean[h]


@njit(cache=True, error_model="numpy")
def clear_locked_regrets(
    locked: Floats,
    hand: Places,
    n_actions: int,
    values: Reals,
    to: int,
    stride: int,
    mean: Reals,
) -> None:
    """Set the action values of locked hands to their mean: zero regrets do not affect the scale."""
    for h in range(len(hand)):
        if locked[0, hand[h]] >= 0.0:
            for a in range(n_actions):
                values[to + a * stride + h] = mean[h]


@njit(cache=True, error_model="numpy")
def quantise(fresh: Reals, table: Stored, at: int, count: int, limit: float) -> float:
    """Store numbers as integers ``floor(x / max |x| * limit + 0.5)``; return ``max |x| / limit``."""
    kept, real = table[at : at + count], fresh.dtype.type
    most, half = real(0.0), real(0.5)
    for i in range(count):
        most = max(most, abs(fresh[i]))
    largest, whole = real(limit), most if most > 0.0 else real(1.0)
    for i in range(count):
        kept[i] = np.floor(fresh[i] / whole * largest + half)
    return float(most / limit)
