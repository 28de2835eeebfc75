"""One player's half of an iteration on betting times boards: a tour of the boards, depth first."""

from numba import njit

from treeplex.cfr.factored.arrays import (
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
)
from treeplex.cfr.factored.learning import Rule, learn, spread, spread_and_count
from treeplex.cfr.factored.leaves import add_leaf_values
from treeplex.cfr.factored.passing import arrive, begin, begin_weighted, make_equal, send_back, take_back
from treeplex.cfr.factored.room import EXITS, START, STRIDE, Learner, Room

FROM, TO, TOP, UNTIL, GROUP = range(5)
"""The columns of ``legs_of``: the first four as ``tour`` takes them."""


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
                    begin(plan, stride, betting.roots[p:q, ENTRY], b - a)
                    begin_weighted(other, their_stride, theirs.roots[p:q, ENTRY], others.weight)
                else:
                    above = room.plan[levels[street - 1, START] :]
                    arrive(
                        plan,
                        stride,
                        above,
                        levels[street - 1, STRIDE],
                        betting.roots[p:q],
                        stand.places[ABOVE, a:b],
                    )
                    above = room.other[their_levels[street - 1, START] :]
                    arrive(
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
                take_back(
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
                make_equal(values, stride, betting.parts[part, ROWS], stand.places[ORBIT, a:b])
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
                send_back(
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
