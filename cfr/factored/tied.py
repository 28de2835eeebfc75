"""Hands tied by bucket: play looked up from a table, regrets and reaches added up in integers."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.factored.layout.arrays import Floats, Index, Steps
from treeplex.cfr.factored.regret_matching import BoardPart, Scratch

Sums64 = NDArray[np.int64]
TIED_TILE = 32
"""Hands processed at a time: each reads and writes runs of the tables of its own bucket."""


class Tied(NamedTuple):
    """One player's play by bucket; empty for a player whose hands are in no buckets.

    Entries are ordered by street, bucket and slot: what one hand needs of a part is one run of memory.

    Attributes
    ----------
    play : (.,) float64
        Behaviour.
    start : (S + 1,) int64
        The first entry of each street.
    slots : (S,) int64
        The number of slots of a bucket on each street.
    reach_start, steps : (S + 1,) and (S,) int64
        The same for decisions instead of slots.
    scale : (S,) float64
        What regrets are multiplied by before they are rounded to integers, powers of two.
    """

    play: Floats
    start: Index
    slots: Index
    reach_start: Index
    steps: Index
    scale: Floats

    @staticmethod
    def none() -> "Tied":
        """Return that of a player whose hands are in no buckets."""
        start, counts = np.zeros(1, np.int64), np.zeros(0, np.int64)
        return Tied(np.zeros(0), start, counts, start, counts, np.zeros(0))


class Sums(NamedTuple):
    """What a traversal adds up for each bucket; integers, so that the order of addition changes nothing.

    regret : (.,) int64
        Mean counterfactual regrets times ``Tied.scale``, ordered as ``Tied.play``.
    reach : (.,) int64
        Mean own reaches times ``REACH_SCALE``, ordered by street, bucket and decision.
    """

    regret: Sums64
    reach: Sums64

    @staticmethod
    def of(tied: Tied) -> "Sums":
        """Allocate zeros."""
        return Sums(np.zeros(int(tied.start[-1]), np.int64), np.zeros(int(tied.reach_start[-1]), np.int64))


REACH_SCALE = 2.0**60
"""Mean reaches are at most 1, but for rounding."""


@njit(cache=True, error_model="numpy")
def spread_tied_plan(steps: Steps, part: BoardPart, tied: Tied, street: int, plan: Floats) -> None:
    """Write a player's realization plan below the roots of a part, given the rows of the roots."""
    stride, play, slots = part.stride, tied.play, tied.slots[street]
    for lo in range(0, part.width, TIED_TILE):
        n = min(TIED_TILE, part.width - lo)
        bucket = part.bucket[lo : lo + n]
        for step in range(part.first, part.last):
            above = plan[steps.parent[step] * stride + lo :]
            at, to = tied.start[street] + steps.slot[step], steps.first[step] * stride + lo
            for a in range(steps.actions[step]):
                below = plan[to + a * stride : to + a * stride + n]
                for h in range(n):
                    below[h] = above[h] * play[at + np.int64(bucket[h]) * slots + a]


@njit(cache=True, error_model="numpy")
def spread_tied_plan_and_reach(
    steps: Steps,
    part: BoardPart,
    tied: Tied,
    street: int,
    plan: Floats,
    play: Floats,
    sums: Sums,
    scratch: Scratch,
) -> None:
    """Write the updating player's plan and behaviour, and add its reach of each decision to the sums."""
    stride, table, slots, per_bucket = part.stride, tied.play, tied.slots[street], tied.steps[street]
    share, reach = scratch.unit, sums.reach
    for lo in range(0, part.width, TIED_TILE):
        n = min(TIED_TILE, part.width - lo)
        bucket = part.bucket[lo : lo + n]
        for h in range(n):
            share[h] = part.share[lo + h] * REACH_SCALE
        for step in range(part.first, part.last):
            above = plan[steps.parent[step] * stride + lo :]
            first = tied.reach_start[street] + steps.rank[step]
            for h in range(n):
                reach[first + np.int64(bucket[h]) * per_bucket] += np.int64(np.rint(share[h] * above[h]))
            at, to = tied.start[street] + steps.slot[step], steps.first[step] * stride + lo
            for a in range(steps.actions[step]):
                i = to + a * stride
                x, below = play[i : i + n], plan[i : i + n]
                for h in range(n):
                    x[h] = table[at + np.int64(bucket[h]) * slots + a]
                    below[h] = above[h] * x[h]


@njit(cache=True, error_model="numpy")
def learn_tied(
    steps: Steps,
    part: BoardPart,
    tied: Tied,
    street: int,
    play: Floats,
    values: Floats,
    sums: Sums,
    scratch: Scratch,
) -> None:
    """Add regrets to the sums from the values of a part's rows; add values of decisions to parent rows."""
    stride, slots, regret = part.stride, tied.slots[street], sums.regret
    share, mean, scale = scratch.unit, scratch.mean, tied.scale[street]
    for lo in range(0, part.width, TIED_TILE):
        n = min(TIED_TILE, part.width - lo)
        bucket = part.bucket[lo : lo + n]
        for h in range(n):
            share[h] = part.share[lo + h] * scale
        for step in range(part.last - 1, part.first - 1, -1):
            to, above = steps.first[step] * stride + lo, values[steps.parent[step] * stride + lo :]
            at = tied.start[street] + steps.slot[step]
            for h in range(n):
                mean[h] = 0.0
            for a in range(steps.actions[step]):
                x, v = (
                    play[to + a * stride : to + a * stride + n],
                    values[to + a * stride : to + a * stride + n],
                )
                for h in range(n):
                    mean[h] += x[h] * v[h]
            for h in range(n):
                above[h] += mean[h]
            for a in range(steps.actions[step]):
                v = values[to + a * stride : to + a * stride + n]
                for h in range(n):
                    gain = np.int64(np.rint(share[h] * (v[h] - mean[h])))
                    regret[at + np.int64(bucket[h]) * slots + a] += gain
