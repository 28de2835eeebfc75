"""How the boards are dealt out to threads so that their number changes no bit."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treeplex.cfr.factored.arrays import Boards, Floats
from treeplex.cfr.factored.workspace import Learner, Legs, Room


class Work(NamedTuple):
    """A player's half of an iteration, and what it overwrites.

    legs : Legs
    results : (G, .) float64
        What each group sends back to the first street.
    room : Room
    tasks : tuple of (legs, room)
        The groups' legs, dealt out to threads.
    """

    legs: Legs
    results: Floats
    room: Room
    tasks: tuple[tuple[Legs, Room], ...]

    @staticmethod
    def of(boards: Boards, own: Learner, opponent: Learner, legs: Legs, threads: int) -> "Work":
        """Deal the groups out to threads, each a stretch with about as many boards."""
        n_groups = max(len(legs.first) - 2, 0)
        results = np.zeros((n_groups, int(own.levels.exits[1])))
        done = np.cumsum((legs.last - legs.first)[1:-1])
        cuts = np.searchsorted(done, np.linspace(0, len(boards.street) - 1, threads + 1)[1:-1]) + 1
        dealt = np.split(np.arange(1, n_groups + 1), cuts)
        stretches = [legs.of(stretch) for stretch in dealt if len(stretch)]
        room = Room.of(boards, own, opponent)
        rooms = [room, *(Room.of(boards, own, opponent) for _ in stretches[1:])]
        return Work(legs, results, room, tuple(zip(stretches, rooms, strict=False)))


def legs_of(boards: Boards, most: int) -> Legs:
    """Return the legs of a tour: the first board, groups of the subtrees next after it, and back."""
    starts, end = np.flatnonzero(boards.parent == 0), len(boards.street)
    if len(starts) == 0:
        return _legs([(0, 1, -1, 0, -1)])
    wanted = np.linspace(1, end, min(most, len(starts)) + 1)[:-1]
    firsts = starts[np.unique(np.searchsorted(starts[:-1], wanted))]
    groups = np.append(firsts, end).tolist()
    inner = [(a, b, 0, 1, group) for group, (a, b) in enumerate(pairwise(groups))]
    return _legs([(0, 1, -1, 1, -1), *inner, (0, 0, 0, 0, -1)])


def _legs(rows: list[tuple[int, int, int, int, int]]) -> Legs:
    return Legs(*np.array(rows, np.int64).T.copy())


def backwards(legs: Legs) -> Legs:
    """Return the legs with the groups in reverse order: the tables touched last are still in the cache."""
    order = np.arange(len(legs.first))
    order[1:-1] = order[1:-1][::-1]
    return legs.of(order)
