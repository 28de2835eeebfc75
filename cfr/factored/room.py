"""What a tour of the boards reads and overwrites: a player with its tables, and room for its rows."""

from typing import NamedTuple

import numpy as np

from treeplex.cfr.factored.arrays import (
    ACTIONS,
    PARTS,
    ROOTS,
    ROWS,
    STREET,
    Boards,
    FactoredArrays,
    Floats,
    Index,
    Side,
    starts_of,
)
from treeplex.cfr.factored.lanes import LANES, aligned
from treeplex.cfr.factored.learning import Scratch, Tables
from treeplex.cfr.factored.leaves import LaneRoom

START, STRIDE, EXITS = range(3)
"""The columns of ``Learner.levels``."""


class Learner(NamedTuple):
    """One player as the kernels see it.

    Attributes
    ----------
    side : Side
    tables : Tables
    levels : (S + 1, 3) int64
        For each street, where its rows start in flat rooms (those of its largest part), how far apart they
        are (the most hands on a board of the street, in whole lanes), and where the rows start that come
        back from the roots of the next street.
    """

    side: Side
    tables: Tables
    levels: Index

    @staticmethod
    def of(arrays: FactoredArrays, player: int, tables: Tables) -> "Learner":
        """Lay a player's rows of all streets out one behind the other."""
        boards, side = arrays.boards, arrays.sides[player]
        width, cuts = np.diff(side.stand.start), boards.streets[:, PARTS]
        streets = range(len(cuts) - 1)
        most = np.array([width[boards.boards[:, STREET] == street].max() for street in streets])
        rows = np.array([side.betting.parts[cuts[s] : cuts[s + 1], ROWS].max() for s in streets])
        stride = (most + LANES - 1) // LANES * LANES
        exits = np.append(np.diff(boards.streets[:, ROOTS])[1:], 0)
        columns = starts_of(rows * stride), np.append(stride, 0), starts_of(exits * stride)
        return Learner(side, tables, np.column_stack(columns))


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
        n, exits = int(own.levels[-1, START]), int(own.levels[-1, EXITS])
        hands = int(max(own.levels[:, STRIDE].max(), opponent.levels[:, STRIDE].max()))
        actions = max(int(one.side.betting.steps[:, ACTIONS].max(initial=1)) for one in (own, opponent))
        return Room(
            plan=aligned(n),
            play=aligned(n),
            values=aligned(n),
            other=aligned(int(opponent.levels[-1, START])),
            exits=aligned(exits),
            path=np.zeros(len(own.levels) - 1, np.int64),
            lanes=LaneRoom.of(hands, boards.n_cards),
            scratch=Scratch.of(actions, hands),
        )
