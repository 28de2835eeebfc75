"""Static partition of boards over threads.

Results of groups of boards are reduced in fixed order, which makes them independent of the number of threads.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treeplex.cfr.factored.layout.arrays import Boards, Floats, Index
from treeplex.cfr.factored.workspace import Learner, Segments, Workspace


class Partition(NamedTuple):
    """One player's half of an iteration as tasks for threads, with their workspaces.

    segments : Segments
    results : (G, 1 or 2, .) float64
        Values of each group at the exits of the first street, and best values if they are carried.
    workspace : Workspace
    tasks : tuple of (legs, room)
        The groups' legs, runs out to threads.
    """

    segments: Segments
    results: Floats
    workspace: Workspace
    tasks: tuple[tuple[Segments, Workspace], ...]

    @property
    def saturated(self) -> Index:
        """Return how many regrets and averages were too large for integers since it was made, (2,) int64."""
        counts = self.workspace.saturated.copy()
        for _, workspace in self.tasks[1:]:
            counts += workspace.saturated
        return counts

    @staticmethod
    def of(
        boards: Boards,
        own: Learner,
        opponent: Learner,
        segments: Segments,
        threads: int,
        *,
        carries: bool = False,
    ) -> "Partition":
        """Partition the groups into runs with about equal numbers of boards, one for each thread."""
        n_groups = max(len(segments.first) - 2, 0)
        results = np.zeros((n_groups, 1 + carries, int(own.offsets.exits[1])))
        boards_before = np.cumsum((segments.last - segments.first)[1:-1])
        cuts = np.searchsorted(boards_before, np.linspace(0, len(boards.street) - 1, threads + 1)[1:-1]) + 1
        runs = np.split(np.arange(1, n_groups + 1), cuts)
        chosen = [segments.of(run) for run in runs if len(run)]
        workspace = Workspace.of(boards, own, opponent, carries=carries)
        more = (Workspace.of(boards, own, opponent, carries=carries) for _ in chosen[1:])
        workspaces = [workspace, *more]
        return Partition(segments, results, workspace, tuple(zip(chosen, workspaces, strict=False)))


def segments_of(boards: Boards, most: int) -> Segments:
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
