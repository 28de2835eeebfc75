"""What a tour of the boards reads and overwrites: a player with its tables, and room for its rows."""

from typing import NamedTuple

import numpy as np

from treeplex.cfr.factored.arrays import Boards, FactoredArrays, Floats, Index, Side, starts_of
from treeplex.cfr.factored.lanes import LANES, aligned
from treeplex.cfr.factored.learning import Scratch, Tables
from treeplex.cfr.factored.leaves import LaneRoom


class Levels(NamedTuple):
    """Where a player's rows of each street lie in flat rooms; (S + 1,) int64.

    start : where its rows start, those of its largest part.
    stride : how far apart they are: the most hands on a board of the street, in whole lanes.
    exits : where the rows start that come back from the roots of the next street.
    """

    start: Index
    stride: Index
    exits: Index


class Legs(NamedTuple):
    """Stretches of a tour; (L,) int64.

    first, last : from which board a leg goes up to which.
    top, until : the street that it starts on (-1 for none), and the first one that is left in the end.
    group : the group's number, -1 for the first leg and the last.
    """

    first: Index
    last: Index
    top: Index
    until: Index
    group: Index

    def of(self, chosen: slice | Index) -> "Legs":
        """Return some of the legs."""
        return Legs(*(column[chosen] for column in self))


class Learner(NamedTuple):
    """One player as the kernels see it."""

    side: Side
    tables: Tables
    levels: Levels


def levels_of(arrays: FactoredArrays, player: int) -> Levels:
    """Lay a player's rows of all streets out one behind the other."""
    boards, side = arrays.boards, arrays.sides[player]
    width, cuts = np.diff(side.stand.start), boards.part_start
    streets = range(len(cuts) - 1)
    most = np.array([width[boards.street == street].max() for street in streets])
    rows = np.array([side.betting.parts.rows[cuts[s] : cuts[s + 1]].max() for s in streets])
    stride = (most + LANES - 1) // LANES * LANES
    exits = np.append(np.diff(boards.root_start)[1:], 0)
    return Levels(starts_of(rows * stride), np.append(stride, 0), starts_of(exits * stride))


class Room(NamedTuple):
    """What a tour overwrites; each thread has its own.

    plan, play, values : the plan, behaviour and values of the player who learns.
    other : the opponent's plan.
    exits : what comes back from the roots of the next street, for each street.
    path : (S,) int64, the board of each street that the tour is on.
    """

    plan: Floats
    play: Floats
    values: Floats
    other: Floats
    exits: Floats
    path: Index
    lanes: LaneRoom
    scratch: Scratch

    @staticmethod
    def of(boards: Boards, own: Learner, opponent: Learner) -> "Room":
        """Return room for a player's tours."""
        n, exits = int(own.levels.start[-1]), int(own.levels.exits[-1])
        hands = int(max(own.levels.stride.max(), opponent.levels.stride.max()))
        actions = max(int(one.side.betting.steps.actions.max(initial=1)) for one in (own, opponent))
        return Room(
            plan=aligned(n),
            play=aligned(n),
            values=aligned(n),
            other=aligned(int(opponent.levels.start[-1])),
            exits=aligned(exits),
            path=np.zeros(len(own.levels.start) - 1, np.int64),
            lanes=LaneRoom.of(hands, boards.n_cards),
            scratch=Scratch.of(actions, hands),
        )
