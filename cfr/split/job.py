"""Jobs: one half of an iteration in the subgames of some lines on a flop; and their outcomes."""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from treeplex.cfr.factored.layout.arrays import Floats
from treeplex.cfr.factored.regret_matching import Rule


class Write(IntEnum):
    """Which tables of the updating player a job writes to files."""

    NONE = 0
    AFTER = 1
    """As they are after the half."""
    BOTH = 2
    """As they are after it, and as they were before."""


class Job(NamedTuple):
    """One half of an iteration in the subgames of L lines on a flop.

    Half 2t - 1 updates player 0 in iteration t, half 2t player 1.

    half, flop : int
    lines : (int, int)
        The first line, and one past the last.
    rule : Rule
    plan : (L, W) float64
        The updating player's plan at the end of each line, hands as at the root of the subgames.
    seen : (L, W') float64
        The opponent's plan, times the weights of its range.
    write : Write
    """

    half: int
    flop: int
    lines: tuple[int, int]
    rule: Rule
    plan: Floats
    seen: Floats
    write: Write

    @property
    def player(self) -> int:
        """The player that is updated."""
        return (self.half - 1) % 2


@dataclass(frozen=True)
class Cost:
    """What jobs took: seconds of walks, seconds in files (codec included), bytes read and written."""

    walk: float = 0.0
    files: float = 0.0
    written: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        """Return the sum."""
        return Cost(self.walk + other.walk, self.files + other.files, self.written + other.written)


class Outcome(NamedTuple):
    """What a job found.

    half, flop : int
    lines : (int, int)
    values, best : (L, W) float64
        For each hand of the updating player, in chips and for one deal of the cards to come: its value, and
        that of its best response, against the plans before the update.
    hashes : tuple of (bytes, bytes)
        For each line, of the tables after the half and of those before; empty where they are not written.
    saturated : (int, int)
        Regrets and averages that were too large for the integers.
    cost : Cost
    """

    half: int
    flop: int
    lines: tuple[int, int]
    values: Floats
    best: Floats
    hashes: tuple[tuple[bytes, bytes], ...]
    saturated: tuple[int, int]
    cost: Cost
