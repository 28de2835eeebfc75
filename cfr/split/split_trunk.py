"""The trunk of a split game laid out: what it sends to subgames, and its update by what they return.

The state between halves is the trunk, and hashes of subgames' tables. Kernels take plans down to the ends of
the trunk's lines, and values of subgames to where lines end.
"""

from dataclasses import dataclass, replace

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.boards.board_arrays import BoardArrays, FactoredArrays, Floats
from treeplex.cfr.boards.board_layout import factored_arrays
from treeplex.cfr.boards.board_state import (
    FactoredConfig,
    check_memory,
    check_numbers,
    fresh_memory,
)
from treeplex.cfr.boards.factored_cfr import every_hand_enters
from treeplex.cfr.boards.fixed_point import fixed_of
from treeplex.cfr.boards.regret_matching import FactoredMemory, Rule
from treeplex.cfr.boards.root_play import enter
from treeplex.cfr.boards.traversal import descend, traverse
from treeplex.cfr.boards.workspace import BoardLearner, BoardWorkspace, StreetOffsets, street_offsets
from treeplex.cfr.split.subgame_layout import NO_LIMITS, SplitUpdate
from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.split_strategy import SplitStrategy, SubgameTables
from treeplex.seqform.boards.split_tree import SplitTree

Memories = tuple[FactoredMemory, FactoredMemory]


@dataclass(frozen=True)
class SplitTrunk:
    """The trunk as the kernels read it.

    Attributes
    ----------
    split : SplitTree
    config : FactoredConfig
        Of storage int32.
    arrays : FactoredArrays
    offsets : pair of StreetOffsets
    """

    split: SplitTree
    config: FactoredConfig
    arrays: FactoredArrays
    offsets: tuple[StreetOffsets, StreetOffsets]

    @staticmethod
    def of(split: SplitTree, config: FactoredConfig) -> "SplitTrunk":
        """Lay out the trunk of a split game."""
        arrays = factored_arrays(split.trunk, every_hand_enters(split.trunk))
        return SplitTrunk(split, config, arrays, (street_offsets(arrays, 0), street_offsets(arrays, 1)))

    def widths(self, player: int) -> list[int]:
        """Return the number of a player's hands on each of the last boards."""
        width: list[int] = np.diff(self.arrays.sides[player].hands.start)[list(self.split.flops)].tolist()
        return width

    def weights(self, player: int) -> Floats:
        """Return the weight of each of a player's hands at the root, (H,)."""
        weight: Floats = self.arrays.sides[player].root.weight[0]
        return weight

    def half(self, player: int, memories: Memories, rule: Rule) -> "TrunkHalf":
        """Begin one half of an iteration, which updates ``player``."""
        mine, theirs = (
            BoardLearner.of(
                self.arrays.sides[p],
                memories[p],
                self.offsets[p],
                fixed=fixed_of(self.split.trunk, self.arrays, self.config.fixed, p),
            )
            for p in (player, 1 - player)
        )
        for one, weight in ((mine, rule.weight), (theirs, 0.0)):
            enter(one.side.root, one.memory, 0.0, 1.0, weight, one.root_plan, one.root_play)
        workspace = BoardWorkspace.of(self.arrays.boards, mine, theirs, carries=True)
        return TrunkHalf(self, player, mine, theirs, rule, workspace)


@dataclass(frozen=True)
class TrunkHalf:
    """One half of an iteration in the trunk: plans sent, values received, then its own regrets updated."""

    trunk: SplitTrunk
    player: int
    mine: BoardLearner
    theirs: BoardLearner
    rule: Rule
    workspace: BoardWorkspace

    def plans(self) -> tuple[Floats, Floats]:
        """Return both players' plans at the ends of lines on the last boards, (F, L, W) and (F, L, W').

        The updating player's as parts of its hands, the opponent's times the weights of its range.
        """
        split, widths = self.trunk.split, [max(self.trunk.widths(p)) for p in (self.player, 1 - self.player)]
        shape = len(split.flops), len(split.lines)
        plans, seen = (np.zeros((*shape, width)) for width in widths)
        silent = self.rule._replace(weight=0.0)
        boards = self.trunk.arrays.boards
        send_plans(boards, self.mine, self.theirs, silent, self.workspace, plans, seen)
        return plans, seen

    def receive(self, flop: int, first: int, values: Floats, best: Floats) -> None:
        """Take values and best values of a flop's subgames from line ``first`` on, (L, W) in chips."""
        trunk, here = self.trunk, self.trunk.split.flops[flop]
        scale = 1.0 / (trunk.arrays.units[self.player] * trunk.split.trunk.boards.runouts[trunk.split.street])
        for kind, found in enumerate((values, best)):
            boards, given = trunk.arrays.boards, self.workspace.given
            give_values(boards, self.mine, kind, here, first, found, scale, given)

    def update(self) -> SplitUpdate:
        """Update the trunk's tables by all values received; return what each hand is worth at the root."""
        arrays, work = self.trunk.arrays, self.workspace
        boards = arrays.boards
        traverse(boards, self.mine, self.theirs, self.rule, NO_LIMITS, 0, len(boards.street), -1, 0, work)
        unit, width = arrays.units[self.player], len(self.mine.root_plan[0])
        entry = int(self.mine.side.betting.roots.entry[0] * self.mine.offsets.stride[0])
        root = slice(entry, entry + width)
        regrets, averages = work.saturated.tolist()
        return SplitUpdate(work.values[root] * unit, work.best[root] * unit, (regrets, averages))


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


def fresh(trunk: SplitTrunk) -> SplitState:
    """Return the state before the first iteration."""
    first, second, earlier = (fresh_memory(trunk.arrays, p, trunk.config) for p in (0, 1, 1))
    shape = len(trunk.split.flops), len(trunk.split.lines), HASH_BYTES
    none = np.zeros((2, *shape), np.uint8)
    return SplitState(
        0, (first, second), none, np.zeros(2, np.int64), np.zeros(2), earlier, np.zeros(shape, np.uint8)
    )


def strategy_after(trunk: SplitTrunk, state: SplitState, tables: SubgameTables) -> SplitStrategy:
    """Return the average strategy of a state, or the last one; ``tables`` are those of its subgames."""
    first, second = (one.regret if trunk.config.is_last else one.total for one in state.memories)
    return SplitStrategy(trunk.split, FactoredStrategy(trunk.split.trunk, (first, second)), tables)


def check(trunk: SplitTrunk, state: SplitState) -> None:
    """Refuse a state of another game or with numbers that no state has, with ``ValueError``."""
    if state.halves < 0:
        raise BadInputError(f"a state's halves must not be negative, got {state.halves}")
    shape = len(trunk.split.flops), len(trunk.split.lines), HASH_BYTES
    for name, hashes, expected in (
        ("hashes", state.hashes, (2, *shape)),
        ("earlier_hashes", state.earlier_hashes, shape),
    ):
        if hashes.shape != expected or hashes.dtype != np.uint8:
            raise BadInputError(
                f"a state's {name} must be {expected} uint8, got {hashes.shape} {hashes.dtype}"
            )
    for p, memory in ((0, state.memories[0]), (1, state.memories[1]), (1, state.earlier)):
        check_memory(trunk.arrays, p, memory, trunk.config)
        check_numbers(p, memory, trunk.config, state.iterations)
    if state.saturated.min() < 0 or not np.isfinite(state.worth).all():
        raise BadInputError(
            f"saturations must be counts and worth finite, got {state.saturated}, {state.worth}"
        )


@njit(cache=True, error_model="numpy", nogil=True)
def send_plans(
    boards: BoardArrays,
    own: BoardLearner,
    opponent: BoardLearner,
    rule: Rule,
    workspace: BoardWorkspace,
    plans: Floats,
    seen: Floats,
) -> None:
    """Write both players' plans at the end of each line on each of the last boards; update nothing.

    Parameters
    ----------
    boards, own, opponent, workspace
        Of the trunk; the plans at the root are written.
    rule : Rule
        With weight 0: nothing is averaged.
    plans, seen : (F, L, W) float64
        The updating player's, and the opponent's times the weights of its range; overwritten.
    """
    for here in range(len(boards.street)):
        street = boards.street[here]
        for part in range(boards.part_start[street], boards.part_start[street + 1]):
            descend(boards, own, opponent, rule, 0.0, here, street, part, workspace)
        flop = boards.last[here]
        if flop < 0:
            continue
        for one, rows, to in ((own, workspace.plan, plans), (opponent, workspace.other, seen)):
            width = one.side.hands.start[here + 1] - one.side.hands.start[here]
            first, last = boards.root_start[street + 1], boards.root_start[street + 2]
            for line in range(last - first):
                row = one.side.betting.roots.exit[first + line]
                begin = one.offsets.start[street] + row * one.offsets.stride[street]
                for h in range(width):
                    to[flop, line, h] = rows[begin + h]


@njit(cache=True, error_model="numpy", nogil=True)
def give_values(
    boards: BoardArrays,
    own: BoardLearner,
    kind: int,
    here: int,
    first: int,
    values: Floats,
    scale: float,
    given: Floats,
) -> None:
    """Write the values of subgames on a board, times ``scale``, to where the trunk's traversal adds them.

    Parameters
    ----------
    boards, own
        Of the trunk.
    kind : int
        0 for values, 1 for those of best responses.
    here, first : int
        The board, counted among all; the first line.
    values : (L, W) float64
    scale : float
    given : (F, 2, .) float64
        As in ``BoardWorkspace``; overwritten.
    """
    stride = own.offsets.stride[boards.street[here]]
    start, orbit = own.side.hands.start[here], own.side.hands.orbit
    for line in range(len(values)):
        to = given[boards.last[here], kind, (first + line) * stride :][:stride]
        to[:] = 0.0
        for h in range(values.shape[1]):
            to[orbit[start + h]] += scale * values[line, h]
