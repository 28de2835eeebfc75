"""The state of CFR+ on a split game between halves: the trunk, and hashes of subgames' tables."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.factored.regret_matching import FactoredMemory
from treeplex.cfr.factored.state import check_memory, check_numbers, fresh_memory
from treeplex.cfr.split.trunk import Trunk
from treeplex.games.display.shown import Shown

HASH_BYTES = 16
Hashes = NDArray[np.uint8]


@dataclass(frozen=True, repr=False)
class SplitState(Shown):
    """The state after some halves of iterations; the tables of subgames are on the shelves of workers.

    Attributes
    ----------
    halves : int
        Number of halves done: two an iteration, one for each player.
    memories : pair of FactoredMemory
        The trunk's tables.
    hashes : (2, F, L, 16) uint8
        For each player, flop and line the hash of the tables in files; zeros before the first iteration.
    saturated : (2,) int64
        How many regrets and averages were too large for the integers so far.
    worth : (2,) float64
        Each player's best response in the last iteration, in chips times the weight of all deals: player 0's
        against the opponent's plan before the iteration, player 1's against the one after it.
    earlier : FactoredMemory
        Player 1's tables in the trunk before the last half, as that half's player 0 met them.
    earlier_hashes : (F, L, 16) uint8
        Of player 1's tables then.
    """

    halves: int
    memories: tuple[FactoredMemory, FactoredMemory]
    hashes: Hashes
    saturated: NDArray[np.int64]
    worth: NDArray[np.float64]
    earlier: FactoredMemory
    earlier_hashes: Hashes

    def brief(self) -> str:
        """Return the number of iterations."""
        return f"{self.iterations:,} iterations"

    @property
    def iterations(self) -> int:
        """Number of whole iterations done."""
        return self.halves // 2

    @property
    def n_bytes(self) -> int:
        """Bytes of the trunk's tables."""
        return sum(memory.n_bytes for memory in self.memories)

    def half_before(self) -> "SplitState":
        """Return the state after player 0's half of the last iteration."""
        hashes = np.stack([self.hashes[0], self.earlier_hashes])
        memories = self.memories[0], self.earlier
        return replace(self, halves=self.halves - 1, memories=memories, hashes=hashes)

    def copied(self) -> "SplitState":
        """Return a state with arrays of its own in place of those that an iteration overwrites."""
        first, second = self.memories
        return replace(self, memories=(copied(first), copied(second)))


def copied(memory: FactoredMemory) -> FactoredMemory:
    """Return a player's tables in arrays of their own."""
    return FactoredMemory(**{name: array.copy() for name, array in memory._asdict().items()})


def fresh(trunk: Trunk) -> SplitState:
    """Return the state before the first iteration."""
    first, second, earlier = (fresh_memory(trunk.arrays, p, trunk.config) for p in (0, 1, 1))
    shape = len(trunk.split.flops), len(trunk.split.lines), HASH_BYTES
    none = np.zeros((2, *shape), np.uint8)
    return SplitState(
        0, (first, second), none, np.zeros(2, np.int64), np.zeros(2), earlier, np.zeros(shape, np.uint8)
    )


def check(trunk: Trunk, state: SplitState) -> None:
    """Refuse a state of another game or with numbers that no state has, with ``ValueError``."""
    if state.halves < 0:
        raise ValueError(f"a state's halves must not be negative, got {state.halves}")
    shape = len(trunk.split.flops), len(trunk.split.lines), HASH_BYTES
    for name, hashes, expected in (
        ("hashes", state.hashes, (2, *shape)),
        ("earlier_hashes", state.earlier_hashes, shape),
    ):
        if hashes.shape != expected or hashes.dtype != np.uint8:
            raise ValueError(f"a state's {name} must be {expected} uint8, got {hashes.shape} {hashes.dtype}")
    for p, memory in ((0, state.memories[0]), (1, state.memories[1]), (1, state.earlier)):
        check_memory(trunk.arrays, p, memory, trunk.config)
        check_numbers(p, memory, trunk.config, state.iterations)
    if state.saturated.min() < 0 or not np.isfinite(state.worth).all():
        raise ValueError(f"saturations must be counts and worth finite, got {state.saturated}, {state.worth}")
