"""The arrays that a traversal of the boards reads and overwrites; boards parted over threads.

The partition is static. Results of groups of boards are reduced in fixed order, which makes them independent
of the number of threads.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treeplex.cfr.boards.board_arrays import (
    BoardArrays,
    BoardPlayer,
    FactoredArrays,
    Floats,
    Index,
    Reals,
    starts_of,
)
from treeplex.cfr.boards.fixed_point import Fixed
from treeplex.cfr.boards.hand_values import LeafWorkspace
from treeplex.cfr.boards.regret_matching import FactoredMemory, Scratch
from treeplex.cfr.boards.responding import BestActions
from treeplex.cfr.boards.simd import MOST_LANES, aligned, kind_of
from treeplex.cfr.boards.tied_hands import Sums, Tied


class StreetOffsets(NamedTuple):
    """Offsets of a player's rows of each street in flat arrays; (S + 1,) int64.

    start : first number of its rows; there is room for its largest part.
    stride : numbers per row: the most hands on a board of the street, rounded up to ``MOST_LANES``.
    exits : first number of the values returned by the roots of the next street.
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


class BoardLearner(NamedTuple):
    """One player's arrays, memory, row offsets, and its plan at the root in the iteration under way.

    root_plan : (2, H) float64
        As ``root_play.enter`` writes it.
    root_play : (S,) float64
        The behaviour at the root decisions.
    tied : Tied
        Its play by bucket; empty where every hand learns by itself.
    choices : BestActions
        Its pure strategy if it best responds; empty if it learns.
    fixed : Fixed
        The scales of its tables in fixed point; empty where they are floats.
    """

    side: BoardPlayer
    memory: FactoredMemory
    offsets: StreetOffsets
    root_plan: Floats
    root_play: Floats
    tied: Tied
    choices: BestActions
    fixed: Fixed

    @staticmethod
    def of(
        side: BoardPlayer,
        memory: FactoredMemory,
        offsets: StreetOffsets,
        tied: Tied | None = None,
        choices: BestActions | None = None,
        fixed: Fixed | None = None,
    ) -> "BoardLearner":
        """Allocate the plan at the root."""
        plan, play = np.zeros((2, len(side.root.base))), np.zeros(len(side.root.stay))
        in_buckets = Tied.none() if tied is None else tied
        chosen = BestActions.none() if choices is None else choices
        scales = Fixed.none() if fixed is None else fixed
        return BoardLearner(side, memory, offsets, plan, play, in_buckets, chosen, scales)


def street_offsets(arrays: FactoredArrays, player: int) -> StreetOffsets:
    """Return the offsets of a player's rows, street after street."""
    boards, side = arrays.boards, arrays.sides[player]
    width, cuts = np.diff(side.hands.start), boards.part_start
    streets = range(len(cuts) - 1)
    most = np.array([width[boards.street == street].max(initial=0) for street in streets])
    rows = np.array([side.betting.parts.rows[cuts[s] : cuts[s + 1]].max() for s in streets])
    stride = (most + MOST_LANES - 1) // MOST_LANES * MOST_LANES
    exits = np.append(np.diff(boards.root_start)[1:], 0)
    return StreetOffsets(starts_of(rows * stride), np.append(stride, 0), starts_of(exits * stride))


def given_exits(boards: BoardArrays, offsets: StreetOffsets, *, carries: bool) -> Floats:
    """Return zeros for the values below the last boards, if betting goes on there; else an empty array."""
    street = int(boards.street.max())
    n = int(offsets.exits[street + 1] - offsets.exits[street])
    return np.zeros((int(boards.last.max()) + 1 if n else 0, 1 + carries, n))


class BoardWorkspace(NamedTuple):
    """Arrays overwritten by a traversal; each thread has its own.

    Plans, behaviour and values are float32 or float64, as the leaves are laid out.
    plan, play, values : realization plan, behaviour and values of the updating player.
    best : values of the updating player's best response; empty if they are not wanted.
    other : the opponent's realization plan.
    exits : (1 or 2, .) values returned by the roots of the next street, for each street, and best values.
    given : (last boards, 1 or 2, .) the same from roots below the last boards, where the boards of a tree end
        before its betting does; else empty.
    path : (S,) int64, the open board of each street.
    sums : what the updating player's buckets add up to on this thread's boards.
    saturated : (2,) int64, regrets and averages that were too large for integers so far.
    """

    plan: Reals
    play: Reals
    values: Reals
    best: Reals
    other: Reals
    exits: Floats
    given: Floats
    path: Index
    leaves: LeafWorkspace
    scratch: Scratch
    sums: Sums
    saturated: Index

    @staticmethod
    def of(
        boards: BoardArrays, own: BoardLearner, opponent: BoardLearner, *, carries: bool = False
    ) -> "BoardWorkspace":
        """Allocate the arrays for one player's updates; it ``carries`` best values where they are wanted."""
        n, exits = int(own.offsets.start[-1]), int(own.offsets.exits[-1])
        hands = int(max(own.offsets.stride.max(), opponent.offsets.stride.max()))
        actions = max(int(one.side.betting.steps.actions.max(initial=1)) for one in (own, opponent))
        kind = kind_of(own.side.betting.leaves.own.shape[1])
        return BoardWorkspace(
            plan=aligned(n, kind),
            play=aligned(n, kind),
            values=aligned(n, kind),
            best=aligned(n if carries else 0, kind),
            other=aligned(int(opponent.offsets.start[-1]), kind),
            exits=np.zeros((1 + carries, exits)),
            given=given_exits(boards, own.offsets, carries=carries),
            path=np.zeros(len(own.offsets.start) - 1, np.int64),
            leaves=LeafWorkspace.of(hands, boards.n_cards, kind),
            scratch=Scratch.of(actions, hands, kind),
            sums=Sums.of(own.tied),
            saturated=np.zeros(2, np.int64),
        )


class BoardPartition(NamedTuple):
    """One player's half of an iteration as tasks for threads, with their workspaces.

    segments : Segments
    results : (G, 1 or 2, .) float64
        Values of each group at the exits of the first street, and best values if they are carried.
    workspace : BoardWorkspace
    tasks : tuple of (legs, room)
        The groups' legs, runs out to threads.
    """

    segments: Segments
    results: Floats
    workspace: BoardWorkspace
    tasks: tuple[tuple[Segments, BoardWorkspace], ...]

    @property
    def saturated(self) -> Index:
        """Return how many regrets and averages were too large for integers since it was made, (2,) int64."""
        counts = self.workspace.saturated.copy()
        for _, workspace in self.tasks[1:]:
            counts += workspace.saturated
        return counts

    @staticmethod
    def of(
        boards: BoardArrays,
        own: BoardLearner,
        opponent: BoardLearner,
        segments: Segments,
        threads: int,
        *,
        carries: bool = False,
    ) -> "BoardPartition":
        """Partition the groups into runs with about equal numbers of boards, one for each thread."""
        n_groups = max(len(segments.first) - 2, 0)
        results = np.zeros((n_groups, 1 + carries, int(own.offsets.exits[1])))
        boards_before = np.cumsum((segments.last - segments.first)[1:-1])
        cuts = np.searchsorted(boards_before, np.linspace(0, len(boards.street) - 1, threads + 1)[1:-1]) + 1
        runs = np.split(np.arange(1, n_groups + 1), cuts)
        chosen = [segments.of(run) for run in runs if len(run)]
        workspace = BoardWorkspace.of(boards, own, opponent, carries=carries)
        more = (BoardWorkspace.of(boards, own, opponent, carries=carries) for _ in chosen[1:])
        workspaces = [workspace, *more]
        return BoardPartition(segments, results, workspace, tuple(zip(chosen, workspaces, strict=False)))


def segments_of(boards: BoardArrays, most: int) -> Segments:
    """Return the segments of a traversal: the first board, groups of subtrees, the first board again."""
    starts, end = np.flatnonzero(boards.parent == 0), len(boards.street)
    if len(starts) == 0:
        return _segments([(0, 1, -1, 0, -1)])
    wanted = np.linspace(1, end, min(most, len(starts)) + 1)[:-1]
    firsts = starts[np.unique(np.searchsorted(starts[:-1], wanted))]
    groups = np.append(firsts, end).tolist()
    inner = [(a, b, 0, 1, group) for group, (a, b) in enumerate(pairwise(groups))]
    return _segments([(0, 1, -1, 1, -1), *inner, (0, 0, 0, 0, -1)])


def _segments(rows: list[tuple[int, int, int, int, int]]) -> Segments:
    return Segments(*np.array(rows, np.int64).T.copy())


def backwards(segments: Segments) -> Segments:
    """Return the segments with the groups reversed: the memory used last is still in the cache."""
    order = np.arange(len(segments.first))
    order[1:-1] = order[1:-1][::-1]
    return segments.of(order)
