"""One player's half of an iteration on betting times boards: a tour of the boards, depth first."""

from typing import NamedTuple

import numpy as np
from numba import njit

from cfr.lanes import LANES, aligned
from cfr.street_arrays import (
    ABOVE,
    BLOCKS,
    ENTRY,
    EXIT,
    FOLDS,
    HOME,
    LAST,
    MATE,
    ORBIT,
    PARTS,
    ROOTS,
    ROWS,
    SIZE,
    STEPS,
    STREET,
    SYMMETRIC,
    WAYS,
    Boards,
    Floats,
    Index,
    Places,
    Side,
    StreetArrays,
)
from cfr.street_learning import Rule, Scratch, Tables, learn, spread, spread_and_count
from cfr.street_leaves import LaneRoom, add_leaf_values

START, STRIDE, EXITS = range(3)
"""The columns of ``Learner.levels``."""
FROM, TO, TOP, UNTIL, GROUP = range(5)
"""The columns of ``legs_of``: the first four as ``tour`` takes them."""


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
    def of(arrays: StreetArrays, player: int, tables: Tables) -> "Learner":
        """Lay a player's rows of all streets out one behind the other."""
        boards, side = arrays.boards, arrays.sides[player]
        width, cuts = np.diff(side.stand.start), boards.streets[:, PARTS]
        streets = range(len(cuts) - 1)
        most = np.array([width[boards.boards[:, STREET] == street].max() for street in streets])
        rows = np.array([side.betting.parts[cuts[s] : cuts[s + 1], ROWS].max() for s in streets])
        stride = (most + LANES - 1) // LANES * LANES
        exits = np.append(np.diff(boards.streets[:, ROOTS])[1:], 0)
        columns = _starts(rows * stride), np.append(stride, 0), _starts(exits * stride)
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
        actions = max(int(one.side.betting.steps[:, 2].max(initial=1)) for one in (own, opponent))
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


@njit(cache=True, error_model="numpy", nogil=True)
def follow(
    boards: Boards,
    own: Learner,
    opponent: Learner,
    rule: Rule,
    limits: tuple[float, float],
    legs: Index,
    room: Room,
    results: Floats,
) -> None:
    """Go some legs of a player's tour.

    What a group of boards sends back to the first street goes to its row of the results; before the last
    leg, on which the player learns on the first street, they are added up in their order.

    Parameters
    ----------
    boards : Boards
    own, opponent : Learner
    rule : Rule
    limits : pair of float
        The largest integers that regrets and averages are kept as, 0 if they are kept as floats.
    legs : (., 5) int64
        Some rows of ``legs_of``.
    room : Room
    results : (G, .) float64
    """
    exits = room.exits[: results.shape[1]]
    for leg in legs:
        exits[:] = 0.0
        if leg[FROM] == leg[TO]:
            for group in range(len(results)):
                for i in range(len(exits)):
                    exits[i] += results[group, i]
        tour(boards, own, opponent, rule, limits, leg[FROM], leg[TO], leg[TOP], leg[UNTIL], room)
        if leg[GROUP] >= 0:
            for i in range(len(exits)):
                results[leg[GROUP], i] = exits[i]


@njit(cache=True, error_model="numpy", nogil=True)
def tour(
    boards: Boards,
    own: Learner,
    opponent: Learner,
    rule: Rule,
    limits: tuple[float, float],
    first: int,
    last: int,
    top: int,
    until: int,
    room: Room,
) -> None:
    """Let a player learn on some boards, in preorder: plans on arriving at a board, regrets on leaving it.

    Parameters
    ----------
    boards : Boards
    own, opponent : Learner
    rule : Rule
    limits : pair of float
        The largest integers that regrets and averages are kept as, 0 if they are kept as floats.
    first, last : int
        The boards from ``first`` up to ``last``.
    top : int
        The street which the tour is on already, -1 for none.
    until : int
        The first street that is left in the end.
    room : Room
    """
    betting, stand, levels, tables = own.side.betting, own.side.stand, own.levels, own.tables
    theirs, others, their_levels = opponent.side.betting, opponent.side.stand, opponent.levels
    deepest = len(boards.streets) - 2
    board = first
    while board < last or top >= until:
        leaving = board == last or top >= boards.boards[board, STREET]
        if leaving:
            here, street = room.path[top], top
            top -= 1
        else:
            here, street = board, boards.boards[board, STREET]
            room.path[street] = board
            board += 1
        a, b = stand.start[here], stand.start[here + 1]
        c, d = others.start[here], others.start[here + 1]
        start, stride = levels[street, START], levels[street, STRIDE]
        other, their_stride = room.other[their_levels[street, START] :], their_levels[street, STRIDE]
        plan, play, values = room.plan[start:], room.play[start:], room.values[start:]
        base, step_base = own.side.base[here, 0], own.side.base[here, 1]
        for part in range(boards.streets[street, PARTS], boards.streets[street + 1, PARTS]):
            p, q = boards.part_root[part], boards.part_root[part + 1]
            steps = betting.steps[betting.parts[part, STEPS] : betting.parts[part + 1, STEPS]]
            if not leaving:
                if here == 0:
                    _begin(plan, stride, betting.roots[p:q, ENTRY], b - a)
                    _begin_weighted(other, their_stride, theirs.roots[p:q, ENTRY], others.weight)
                else:
                    above = room.plan[levels[street - 1, START] :]
                    _arrive(
                        plan,
                        stride,
                        above,
                        levels[street - 1, STRIDE],
                        betting.roots[p:q],
                        stand.places[ABOVE, a:b],
                    )
                    above = room.other[their_levels[street - 1, START] :]
                    _arrive(
                        other,
                        their_stride,
                        above,
                        their_levels[street - 1, STRIDE],
                        theirs.roots[p:q],
                        others.places[ABOVE, c:d],
                    )
                spread_and_count(
                    steps,
                    tables,
                    rule,
                    limits[1],
                    base,
                    step_base,
                    b - a,
                    plan,
                    play,
                    stride,
                    stand.hand[a:b],
                    stand.locked,
                    room.scratch,
                )
                spread(
                    theirs.steps[theirs.parts[part, STEPS] : theirs.parts[part + 1, STEPS]],
                    opponent.tables,
                    rule.prediction,
                    opponent.side.base[here, 0],
                    opponent.side.base[here, 1],
                    d - c,
                    other,
                    their_stride,
                    others.hand[c:d],
                    others.locked,
                    room.scratch,
                )
            if not leaving and street < deepest:
                room.exits[levels[street, EXITS] : levels[street + 1, EXITS]] = 0.0
                continue
            values[: betting.parts[part, ROWS] * stride] = 0.0
            if leaving:
                _take_back(
                    values,
                    room.exits[levels[street, EXITS] : levels[street + 1, EXITS]],
                    stride,
                    betting.roots[
                        boards.streets[street + 1, ROOTS] : boards.streets[street + 2, ROOTS], EXIT
                    ],
                    stand.places[ORBIT, a:b],
                    stand.places[SIZE, a:b],
                )
            x, y = betting.parts[part, BLOCKS], betting.parts[part + 1, BLOCKS]
            number = max(boards.boards[here, LAST], 0)
            add_leaf_values(
                betting.leaf_rows[x:y],
                betting.stakes[x:y],
                betting.parts[part, FOLDS] - x,
                stand.card[a:b],
                others.card[c:d],
                stand.places[MATE, a:b],
                stand.groups[number],
                others.groups[number],
                other,
                their_stride,
                values,
                stride,
                room.lanes,
            )
            if leaving and boards.boards[here, SYMMETRIC]:
                _make_equal(values, stride, betting.parts[part, ROWS], stand.places[ORBIT, a:b])
            learn(
                steps,
                tables,
                rule,
                limits[0],
                own.side.noise[street],
                base,
                step_base,
                b - a,
                play,
                values,
                stride,
                stand.hand[a:b],
                stand.locked,
                room.scratch,
            )
            if here > 0:
                _send_back(
                    room.exits[levels[street - 1, EXITS] :],
                    levels[street - 1, STRIDE],
                    p - boards.streets[street, ROOTS],
                    values,
                    stride,
                    betting.roots[p:q, ENTRY],
                    stand.places[HOME, a:b],
                    boards.boards[here, WAYS],
                )
        if not leaving and street < deepest:
            top = street


@njit(cache=True, error_model="numpy")
def _begin(plan: Floats, stride: int, rows: Index, width: int) -> None:
    """Put a player's plan before its first action to one."""
    for row in rows:
        plan[row * stride : row * stride + width] = 1.0


@njit(cache=True, error_model="numpy")
def _begin_weighted(plan: Floats, stride: int, rows: Index, weight: Floats) -> None:
    """Put the opponent's plan before its first action to its range."""
    for row in rows:
        for h in range(len(weight)):
            plan[row * stride + h] = weight[h]


@njit(cache=True, error_model="numpy")
def _arrive(plan: Floats, stride: int, above: Floats, above_stride: int, roots: Index, place: Places) -> None:
    """Write a plan at roots as the street before left it."""
    for root in roots:
        to, before = plan[root[ENTRY] * stride :], above[root[EXIT] * above_stride :]
        for h in range(len(place)):
            to[h] = before[place[h]]


@njit(cache=True, error_model="numpy")
def _send_back(
    exits: Floats,
    exit_stride: int,
    first: int,
    values: Floats,
    stride: int,
    rows: Index,
    home: Places,
    ways: int,
) -> None:
    """Add what roots are worth to the first hand of each orbit on the street before."""
    for root in range(len(rows)):
        back, value = exits[(first + root) * exit_stride :], values[rows[root] * stride :]
        for h in range(len(home)):
            back[home[h]] += ways * value[h]


@njit(cache=True, error_model="numpy")
def _take_back(values: Floats, exits: Floats, stride: int, rows: Index, orbit: Places, size: Places) -> None:
    """Add what the next street sent back, shared out in each orbit of hands."""
    for root in range(len(rows)):
        to, back = values[rows[root] * stride :], exits[root * stride :]
        for h in range(len(orbit)):
            to[h] += back[orbit[h]] / size[h]


@njit(cache=True, error_model="numpy")
def _make_equal(values: Floats, stride: int, n_rows: int, orbit: Places) -> None:
    """Give each hand what the first of its orbit has: rounding must not tell apart what suits alone do."""
    for row in range(n_rows):
        value = values[row * stride :]
        for h in range(len(orbit)):
            value[h] = value[orbit[h]]


def _starts(counts: Index) -> Index:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
