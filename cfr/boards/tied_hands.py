"""Hands tied by bucket: play looked up from a table, regrets and reaches added up in integers.

Buckets are then updated from what a traversal added up: regrets, averages, and play in the next iteration.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.boards.board_arrays import DecisionArrays, FactoredArrays, Floats, Index, starts_of
from treeplex.cfr.boards.bucket_state import BucketMemory
from treeplex.cfr.boards.regret_matching import BoardPart, Rule, Scratch, add_mean
from treeplex.cfr.update_rules import discounted, predicted, share, unit_of
from treeplex.seqform.boards.bucket_tree import BucketTree

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
def spread_tied_plan(steps: DecisionArrays, part: BoardPart, tied: Tied, street: int, plan: Floats) -> None:
    """Write a player's realization plan below the roots of a part, given the rows of the roots."""
    stride, play, slots = part.stride, tied.play, tied.slots[street]
    parents, firsts, actions, first_slots = steps.parent, steps.first, steps.actions, steps.slot
    bucket, each = part.bucket, np.uint64(slots)
    for lo in range(0, part.width, TIED_TILE):
        b, hands = np.uint64(lo), range(np.uint64(min(TIED_TILE, part.width - lo)))
        for step in range(part.first, part.last):
            above, to = np.uint64(parents[step] * stride + lo), firsts[step] * stride + lo
            for a in range(actions[step]):
                j, at = np.uint64(to + a * stride), np.uint64(tied.start[street] + first_slots[step] + a)
                for h in hands:
                    plan[j + h] = plan[above + h] * play[at + np.uint64(bucket[b + h]) * each]


@njit(cache=True, error_model="numpy")
def spread_tied_plan_and_reach(
    steps: DecisionArrays,
    part: BoardPart,
    tied: Tied,
    street: int,
    plan: Floats,
    play: Floats,
    sums: Sums,
    scratch: Scratch,
) -> None:
    """Write the updating player's plan and behaviour, and add its reach of each decision to the sums."""
    stride, table, slots = part.stride, tied.play, tied.slots[street]
    share, reach = scratch.unit, sums.reach
    parents, firsts, actions, first_slots, ranks = (
        steps.parent,
        steps.first,
        steps.actions,
        steps.slot,
        steps.rank,
    )
    bucket, parts, each, per_bucket = part.bucket, part.share, np.uint64(slots), np.uint64(tied.steps[street])
    for lo in range(0, part.width, TIED_TILE):
        b, hands = np.uint64(lo), range(np.uint64(min(TIED_TILE, part.width - lo)))
        for h in hands:
            share[h] = parts[b + h] * REACH_SCALE
        for step in range(part.first, part.last):
            above, to = np.uint64(parents[step] * stride + lo), firsts[step] * stride + lo
            first = np.uint64(tied.reach_start[street] + ranks[step])
            for h in hands:
                reach[first + np.uint64(bucket[b + h]) * per_bucket] += np.int64(
                    np.rint(share[h] * plan[above + h])
                )
            for a in range(actions[step]):
                j, at = np.uint64(to + a * stride), np.uint64(tied.start[street] + first_slots[step] + a)
                for h in hands:
                    play[j + h] = table[at + np.uint64(bucket[b + h]) * each]
                    plan[j + h] = plan[above + h] * play[j + h]


@njit(cache=True, error_model="numpy")
def learn_tied(
    steps: DecisionArrays,
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
    parents, firsts, actions, first_slots = steps.parent, steps.first, steps.actions, steps.slot
    bucket, parts, each = part.bucket, part.share, np.uint64(slots)
    for lo in range(0, part.width, TIED_TILE):
        n, b = min(TIED_TILE, part.width - lo), np.uint64(lo)
        hands = range(np.uint64(n))
        for h in hands:
            share[h] = parts[b + h] * scale
        for step in range(part.last - 1, part.first - 1, -1):
            to, n_actions = firsts[step] * stride + lo, actions[step]
            add_mean(play, values, to, parents[step] * stride + lo, stride, n_actions, n, mean)
            for a in range(n_actions):
                j, at = np.uint64(to + a * stride), np.uint64(tied.start[street] + first_slots[step] + a)
                for h in hands:
                    gain = np.int64(np.rint(share[h] * (values[j + h] - mean[h])))
                    regret[at + np.uint64(bucket[b + h]) * each] += gain


HEADROOM = 2.0**60
"""Largest sum of regrets as an integer, but for a factor of two: int64 hold 2**63."""


def tied_of(tree: BucketTree, player: int) -> Tied:
    """Return a player's play by bucket, not computed yet, with the scales of its sums.

    On a street where boards are dealt in ``R`` ways, no hand's value on a board is larger than ``1 / R`` in
    the unit of its values, so that no regret is larger than ``2 / R``; nor is a bucket's mean regret, since
    the shares of its hands sum to 1. With the scale ``HEADROOM * 2**floor(log2(R))`` it is at most
    ``2**61`` as an integer, and rounding of each term adds at most half of the number of hands: nothing
    overflows. A term is rounded by at most ``2**-61`` of the largest regret or less, while regret matching
    ignores what is below ``NOISE``, 1e-14 of the largest value.
    """
    runouts = np.array(tree.tree.boards.runouts)
    steps = np.bincount(
        tree.tree.betting.street[tree.tree.betting.player == player], minlength=tree.tree.betting.n_streets
    ).astype(np.int64)
    return Tied(
        play=np.zeros(tree.length(player)),
        start=tree.base[player],
        slots=tree.slots[player],
        reach_start=starts_of(steps * tree.count[player]),
        steps=steps,
        scale=HEADROOM * 2.0 ** np.floor(np.log2(runouts)),
    )


def slot_starts(arrays: FactoredArrays, player: int) -> tuple[Index, ...]:
    """Return for each street the first slot of each of a player's decisions, and the number of slots."""
    betting, cuts = arrays.sides[player].betting, arrays.boards
    steps, parts = betting.steps, betting.parts
    found = []
    for s in range(len(cuts.part_start) - 1):
        here = slice(int(parts.step[cuts.part_start[s]]), int(parts.step[cuts.part_start[s + 1]]))
        end = (steps.slot[here] + steps.actions[here]).max(initial=0)
        found.append(np.append(steps.slot[here], end))
    return tuple(found)


def settle(
    memory: BucketMemory, tied: Tied, cuts: tuple[Index, ...], sums: Sums, rule: Rule, noise: Floats
) -> None:
    """Update a player's regrets, averages and play from what a traversal added up, all in place.

    Parameters
    ----------
    memory : BucketMemory
    tied : Tied
    cuts : tuple of (T + 1,) int64
        As :func:`slot_starts` returns them.
    sums : Sums
        Set to zero.
    rule : Rule
    noise : (S,) float64
        As in ``PlayerArrays``.
    """
    for s, cut in enumerate(cuts):
        rows, reaches = tied.start[s : s + 2], tied.reach_start[s : s + 2]
        settle_street(
            memory.regret[rows[0] : rows[1]],
            memory.total[rows[0] : rows[1]],
            memory.gain[rows[0] : rows[1]],
            tied.play[rows[0] : rows[1]],
            sums.regret[rows[0] : rows[1]],
            sums.reach[reaches[0] : reaches[1]],
            cut,
            rule,
            1.0 / tied.scale[s],
            noise[s],
        )


@njit(cache=True, error_model="numpy", nogil=True)
def settle_street(
    regret: Floats,
    total: Floats,
    gain: Floats,
    play: Floats,
    regret_sum: Index,
    reach_sum: Index,
    cut: Index,
    rule: Rule,
    unit: float,
    noise: float,
) -> None:
    """Update the buckets of one street, bucket by bucket; tables are flat, (buckets, slots) each.

    Parameters
    ----------
    regret, total, gain, play : (buckets * slots,) float64
        ``gain`` is empty without prediction.
    regret_sum : (buckets * slots,) int64
    reach_sum : (buckets * decisions,) int64
        Both are set to zero.
    cut : (decisions + 1,) int64
        The first slot of each decision.
    rule : Rule
    unit : float
        What a unit of ``regret_sum`` is worth.
    noise : float
    """
    slots, steps = cut[-1], len(cut) - 1
    n_buckets = len(regret) // slots if slots > 0 else 0
    for b in range(n_buckets):
        for step in range(steps):
            first, last = b * slots + cut[step], b * slots + cut[step + 1]
            reach = rule.weight * (reach_sum[b * steps + step] / REACH_SCALE)
            reach_sum[b * steps + step] = 0
            mass = 0.0
            for i in range(first, last):
                total[i] = rule.keep * total[i] + reach * play[i]
                own = regret_sum[i] * unit
                regret_sum[i] = 0
                regret[i] = discounted(regret[i] + own, noise, rule.positive, rule.negative)
                if rule.prediction > 0.0:
                    gain[i] = own
                    play[i] = predicted(regret[i], own, rule.prediction)
                else:
                    play[i] = max(regret[i], 0.0)
                mass += play[i]
            each = unit_of(1.0, mass, last - first)
            for i in range(first, last):
                play[i] = share(play[i], mass, each)


def match(memory: BucketMemory, tied: Tied, cuts: tuple[Index, ...], prediction: float) -> None:
    """Write the play that regrets say, in place."""
    for s, cut in enumerate(cuts):
        rows = slice(int(tied.start[s]), int(tied.start[s + 1]))
        match_street(memory.regret[rows], memory.gain[rows], tied.play[rows], cut, prediction)


@njit(cache=True, error_model="numpy", nogil=True)
def match_street(regret: Floats, gain: Floats, play: Floats, cut: Index, prediction: float) -> None:
    """Write the play of the buckets of one street; arguments as for :func:`settle_street`."""
    slots = cut[-1]
    for b in range(len(regret) // slots if slots > 0 else 0):
        for step in range(len(cut) - 1):
            first, last = b * slots + cut[step], b * slots + cut[step + 1]
            mass = 0.0
            for i in range(first, last):
                play[i] = (
                    predicted(regret[i], gain[i], prediction) if prediction > 0.0 else max(regret[i], 0.0)
                )
                mass += play[i]
            each = unit_of(1.0, mass, last - first)
            for i in range(first, last):
                play[i] = share(play[i], mass, each)
