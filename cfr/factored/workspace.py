"""The arrays that a traversal of the boards reads and overwrites."""

from typing import NamedTuple

import numpy as np

from treeplex.cfr.factored.layout.arrays import Boards, FactoredArrays, Floats, Index, PlayerArrays, starts_of
from treeplex.cfr.factored.layout.simd import SIMD_WIDTH, aligned
from treeplex.cfr.factored.leaf_values import LeafWorkspace
from treeplex.cfr.factored.regret_matching import FactoredMemory, Scratch
from treeplex.cfr.factored.responding import Choices
from treeplex.cfr.factored.tied import Sums, Tied


class StreetOffsets(NamedTuple):
    """Offsets of a player's rows of each street in flat arrays; (S + 1,) int64.

    start : first float of its rows; there is room for its largest part.
    stride : floats per row: the most hands on a board of the street, rounded up to ``SIMD_WIDTH``.
    exits : first float of the values returned by the roots of the next street.
    """

    start: Index
    stride: Index
    exits: Index


class Segments(NamedTuple):
    """Segments of a depth-first traversal of the boards; (L,) int64.

    first, last : the boards from ``first`` to ``last - 1``.
    top, until : street of the open board at the start (-1 for none); first street closed at the end.
    group : the group's number, -1 for the first segment and the last.
    """

    first: Index
    last: Index
    top: Index
    until: Index
    group: Index

    def of(self, chosen: slice | Index) -> "Segments":
        """Return some of the segments."""
        return Segments(*(column[chosen] for column in self))


class Learner(NamedTuple):
    """One player's arrays, memory, row offsets, and its plan at the root in the iteration under way.

    root_plan : (2, H) float64
        As ``root_play.enter`` writes it.
    root_play : (S,) float64
        The behaviour at the root decisions.
    tied : Tied
        Its play by bucket; empty where every hand learns by itself.
    choices : Choices
        Its pure strategy if it best responds; empty if it learns.
    """

    side: PlayerArrays
    memory: FactoredMemory
    offsets: StreetOffsets
    root_plan: Floats
    root_play: Floats
    tied: Tied
    choices: Choices

    @staticmethod
    def of(
        side: PlayerArrays,
        memory: FactoredMemory,
        offsets: StreetOffsets,
        tied: Tied | None = None,
        choices: Choices | None = None,
    ) -> "Learner":
        """Allocate the plan at the root."""
        plan, play = np.zeros((2, len(side.root.base))), np.zeros(len(side.root.stay))
        in_buckets = Tied.none() if tied is None else tied
        chosen = Choices.none() if choices is None else choices
        return Learner(side, memory, offsets, plan, play, in_buckets, chosen)


def street_offsets(arrays: FactoredArrays, player: int) -> StreetOffsets:
    """Return the offsets of a player's rows, street after street."""
    boards, side = arrays.boards, arrays.sides[player]
    width, cuts = np.diff(side.hands.start), boards.part_start
    streets = range(len(cuts) - 1)
    most = np.array([width[boards.street == street].max() for street in streets])
    rows = np.array([side.betting.parts.rows[cuts[s] : cuts[s + 1]].max() for s in streets])
    stride = (most + SIMD_WIDTH - 1) // SIMD_WIDTH * SIMD_WIDTH
    exits = np.append(np.diff(boards.root_start)[1:], 0)
    return StreetOffsets(starts_of(rows * stride), np.append(stride, 0), starts_of(exits * stride))


class Workspace(NamedTuple):
    """Arrays overwritten by a traversal; each thread has its own.

    plan, play, values : realization plan, behaviour and values of the updating player.
    other : the opponent's realization plan.
    exits : values returned by the roots of the next street, for each street.
    path : (S,) int64, the open board of each street.
    sums : what the updating player's buckets add up to on this thread's boards.
    """

    plan: Floats
    play: Floats
    values: Floats
    other: Floats
    exits: Floats
    path: Index
    leaves: LeafWorkspace
    scratch: Scratch
    sums: Sums

    @staticmethod
    def of(boards: Boards, own: Learner, opponent: Learner) -> "Workspace":
        """Allocate the arrays for one player's updates."""
        n, exits = int(own.offsets.start[-1]), int(own.offsets.exits[-1])
        hands = int(max(own.offsets.stride.max(), opponent.offsets.stride.max()))
        actions = max(int(one.side.betting.steps.actions.max(initial=1)) for one in (own, opponent))
        return Workspace(
            plan=aligned(n),
            play=aligned(n),
            values=aligned(n),
            other=aligned(int(opponent.offsets.start[-1])),
            exits=aligned(exits),
            path=np.zeros(len(own.offsets.start) - 1, np.int64),
            leaves=LeafWorkspace.of(hands, boards.n_cards),
            scratch=Scratch.of(actions, hands),
            sums=Sums.of(own.tied),
        )
