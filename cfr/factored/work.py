"""How the boards are dealt out to threads so that their number changes no bit."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treeplex.cfr.factored.arrays import BOARD_ABOVE, Boards, Floats, Index
from treeplex.cfr.factored.kernels import FROM, TO
from treeplex.cfr.factored.room import EXITS, Learner, Room


class Work(NamedTuple):
    """A player's half of an iteration, and what it overwrites.

    legs : (., 5) int64
        As ``legs_of`` gives them.
    results : (G, .) float64
        What each group sends back to the first street.
    room : Room
    tasks : tuple of (legs, room)
        The groups' legs, dealt out to threads.
    """

    legs: Index
    results: Floats
    room: Room
    tasks: tuple[tuple[Index, Room], ...]

    @staticmethod
    def of(boards: Boards, own: Learner, opponent: Learner, legs: Index, threads: int) -> "Work":
        """Deal the groups out to threads, each a stretch with about as many boards."""
        groups = legs[1:-1]
        results = np.zeros((len(groups), int(own.levels[1, EXITS])))
        done = np.cumsum(groups[:, TO] - groups[:, FROM])
        cuts = np.searchsorted(done, np.linspace(0, len(boards.boards) - 1, threads + 1)[1:-1]) + 1
        stretches = [stretch for stretch in np.split(groups, cuts) if len(stretch)]
        room = Room.of(boards, own, opponent)
        rooms = [room, *(Room.of(boards, own, opponent) for _ in stretches[1:])]
        return Work(legs, results, room, tuple(zip(stretches, rooms, strict=False)))


def legs_of(boards: Boards, most: int) -> Index:
    """Return the legs of a tour: the first board, groups of the subtrees next after it, and back.

    Returns
    -------
    (., 5) int64
        From which board a leg goes up to which, the street that it starts on and the first one that is left
        in the end (as ``tour`` takes them), and the group's number, -1 for the first leg and the last.
    """
    starts, end = np.flatnonzero(boards.boards[:, BOARD_ABOVE] == 0), len(boards.boards)
    if len(starts) == 0:
        return np.array([[0, 1, -1, 0, -1]], np.int64)
    wanted = np.linspace(1, end, min(most, len(starts)) + 1)[:-1]
    firsts = starts[np.unique(np.searchsorted(starts[:-1], wanted))]
    groups = np.append(firsts, end).tolist()
    inner = [(a, b, 0, 1, group) for group, (a, b) in enumerate(pairwise(groups))]
    return np.array([(0, 1, -1, 1, -1), *inner, (0, 0, 0, 0, -1)], np.int64)


def backwards(legs: Index) -> Index:
    """Return the legs with the groups in reverse order: the tables touched last are still in the cache."""
    back = legs.copy()
    back[1:-1] = legs[1:-1][::-1]
    return back
