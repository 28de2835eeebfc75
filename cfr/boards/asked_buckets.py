"""Local rules where hands are tied by bucket: asked once a bucket, after all boards have been walked.

A walk adds up a bucket's mean regrets in integers, as for regret matching; the rule sees these as its values,
the value of the infoset being 0. So the loop that walks the boards is compiled once, whatever the rule is.
"""

from numba import njit

from treeplex.cfr.asked_rules import Asked
from treeplex.cfr.boards.board_arrays import Floats, Index
from treeplex.cfr.boards.bucket_state import BucketMemory
from treeplex.cfr.boards.regret_matching import Rule
from treeplex.cfr.boards.tied_hands import REACH_SCALE, Sums, Tied
from treeplex.cfr.update_rules import share, unit_of


def ask_plays(memory: BucketMemory, tied: Tied, cuts: tuple[Index, ...], asked: Asked) -> None:
    """Write the play that a rule says of its memory, in place."""
    for s, cut in enumerate(cuts):
        first, n = int(tied.start[s]), int(tied.start[s + 1] - tied.start[s])
        ask_plays_of_street(memory.regret, tied.play, first, n, cut, asked)


def ask_settle(
    memory: BucketMemory,
    tied: Tied,
    cuts: tuple[Index, ...],
    sums: Sums,
    rule: Rule,
    noise: Floats,
    asked: Asked,
    t: int,
) -> None:
    """Update a player's averages, memory and play by a rule from what a traversal added up, all in place.

    Parameters
    ----------
    memory : BucketMemory
        ``regret`` holds the rule's arrays one after another; ``gain`` becomes the regrets of this iteration.
    tied, cuts, sums, rule, noise
        As for :func:`treeplex.cfr.boards.tied_hands.settle`; of ``rule`` only ``keep`` and ``weight``.
    asked : Asked
    t : int
        The place of the iteration in ``asked.number``.
    """
    for s, cut in enumerate(cuts):
        first, n = int(tied.start[s]), int(tied.start[s + 1] - tied.start[s])
        reaches = sums.reach[tied.reach_start[s] : tied.reach_start[s + 1]]
        unit = 1.0 / tied.scale[s]
        average_street(memory.total, tied.play, sums.regret, memory.gain, first, n, reaches, cut, rule, unit)
        observe_street(memory.regret, memory.gain, first, n, cut, noise[s], asked, t)
        ask_plays_of_street(memory.regret, tied.play, first, n, cut, asked)


@njit(cache=True, error_model="numpy")
def average_street(
    total: Floats,
    play: Floats,
    regret_sum: Index,
    gain: Floats,
    start: int,
    length: int,
    reach_sum: Index,
    cut: Index,
    rule: Rule,
    unit: float,
) -> None:
    """Add plans to the averages of a street's buckets and write their regrets; sums are set to zero."""
    slots, steps = cut[-1], len(cut) - 1
    for b in range(length // slots if slots > 0 else 0):
        for step in range(steps):
            reach = rule.weight * (reach_sum[b * steps + step] / REACH_SCALE)
            reach_sum[b * steps + step] = 0
            for i in range(start + b * slots + cut[step], start + b * slots + cut[step + 1]):
                total[i] = rule.keep * total[i] + reach * play[i]
                gain[i] = regret_sum[i] * unit
                regret_sum[i] = 0


@njit(cache=True, error_model="numpy")
def observe_street(
    memory: Floats, gain: Floats, start: int, length: int, cut: Index, noise: float, asked: Asked, t: int
) -> None:
    """Let the rule observe the regrets of a street's buckets."""
    slots, number = cut[-1], asked.number[t]
    for b in range(length // slots if slots > 0 else 0):
        at = start + b * slots
        for step in range(len(cut) - 1):
            asked.observe(memory, at + cut[step], at + cut[step + 1], gain, 0.0, number, noise, asked.failed)


@njit(cache=True, error_model="numpy")
def ask_plays_of_street(
    memory: Floats, play: Floats, start: int, length: int, cut: Index, asked: Asked
) -> None:
    """Write the behaviour of a street's buckets by the rule's weights; uniform where all are 0."""
    slots = cut[-1]
    for b in range(length // slots if slots > 0 else 0):
        at = start + b * slots
        for step in range(len(cut) - 1):
            lo, hi = at + cut[step], at + cut[step + 1]
            asked.strategy(memory, lo, hi, play, asked.failed)
            mass = 0.0
            for i in range(lo, hi):
                mass += play[i]
            each = unit_of(1.0, mass, hi - lo)
            for i in range(lo, hi):
                play[i] = share(play[i], mass, each)
