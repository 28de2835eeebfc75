"""One player's half of an iteration on betting times boards: a tour of the boards, depth first."""

from numba import njit

from treeplex.cfr.factored.arrays import Boards, Floats
from treeplex.cfr.factored.regret_matching import BoardPart, Rule, learn, spread, spread_and_count
from treeplex.cfr.factored.leaf_values import Facing, add_leaf_values
from treeplex.cfr.factored.transfer import arrive, begin, begin_weighted, make_equal, send_back, take_back
from treeplex.cfr.factored.workspace import Learner, Legs, Room


@njit(cache=True, error_model="numpy", nogil=True)
def follow(
    boards: Boards,
    own: Learner,
    opponent: Learner,
    rule: Rule,
    limits: tuple[float, float],
    legs: Legs,
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
    legs : Legs
        Some of ``legs_of``.
    room : Room
    results : (G, .) float64
    """
    exits = room.exits[: results.shape[1]]
    for leg in range(len(legs.first)):
        exits[:] = 0.0
        first, last = legs.first[leg], legs.last[leg]
        if first == last:
            for group in range(len(results)):
                for i in range(len(exits)):
                    exits[i] += results[group, i]
        tour(boards, own, opponent, rule, limits, first, last, legs.top[leg], legs.until[leg], room)
        if legs.group[leg] >= 0:
            for i in range(len(exits)):
                results[legs.group[leg], i] = exits[i]


@njit(cache=True, error_model="numpy", inline="always")
def part_of(learner: Learner, here: int, street: int, part: int) -> BoardPart:
    """Return a player's part of a street on a board."""
    side = learner.side
    a, b = side.stand.start[here], side.stand.start[here + 1]
    return BoardPart(
        side.betting.parts.step[part],
        side.betting.parts.step[part + 1],
        side.slot_base[here],
        side.step_base[here],
        b - a,
        learner.levels.stride[street],
        side.stand.hand[a:b],
        side.stand.locked,
    )


@njit(cache=True, error_model="numpy", inline="always")
def bring_plan(boards: Boards, one: Learner, here: int, street: int, part: int, plans: Floats) -> None:
    """Write a player's plan at a part's roots as the street before left it."""
    levels, stand, roots = one.levels, one.side.stand, one.side.betting.roots
    p, q = boards.part_root[part], boards.part_root[part + 1]
    place = stand.above[stand.start[here] : stand.start[here + 1]]
    plan, above = plans[levels.start[street] :], plans[levels.start[street - 1] :]
    stride, up = levels.stride[street], levels.stride[street - 1]
    arrive(plan, stride, roots.entry[p:q], above, up, roots.exit[p:q], place)


@njit(cache=True, error_model="numpy", inline="always")
def descend(
    boards: Boards,
    own: Learner,
    opponent: Learner,
    rule: Rule,
    limit: float,
    here: int,
    street: int,
    part: int,
    room: Room,
) -> None:
    """Write both players' plans of a part on a board, and count that of the player who learns."""
    mine, theirs = part_of(own, here, street, part), part_of(opponent, here, street, part)
    start = own.levels.start[street]
    plan, play, other = room.plan[start:], room.play[start:], room.other[opponent.levels.start[street] :]
    p, q = boards.part_root[part], boards.part_root[part + 1]
    if here == 0:
        begin(plan, mine.stride, own.side.betting.roots.entry[p:q], mine.width)
        entries = opponent.side.betting.roots.entry[p:q]
        begin_weighted(other, theirs.stride, entries, opponent.side.stand.weight)
    else:
        bring_plan(boards, own, here, street, part, room.plan)
        bring_plan(boards, opponent, here, street, part, room.other)
    spread_and_count(own.side.betting.steps, mine, own.tables, rule, limit, plan, play, room.scratch)
    steps, tables = opponent.side.betting.steps, opponent.tables
    spread(steps, theirs, tables, rule.prediction, other, room.scratch)


@njit(cache=True, error_model="numpy", inline="always")
def ascend(
    boards: Boards,
    own: Learner,
    opponent: Learner,
    rule: Rule,
    limit: float,
    here: int,
    street: int,
    part: int,
    leaving: bool,
    room: Room,
) -> None:
    """Value a part's rows on a board, learn from them, and send back what its roots are worth.

    ``leaving`` says that boards follow, whose values have come back.
    """
    betting, stand, levels = own.side.betting, own.side.stand, own.levels
    others, parts, roots = opponent.side.stand, betting.parts, betting.roots
    mine = part_of(own, here, street, part)
    start, stride = levels.start[street], mine.stride
    play, values = room.play[start:], room.values[start:]
    a, b = stand.start[here], stand.start[here + 1]
    values[: parts.rows[part] * stride] = 0.0
    if leaving:
        back = room.exits[levels.exits[street] : levels.exits[street + 1]]
        rows = roots.exit[boards.root_start[street + 1] : boards.root_start[street + 2]]
        take_back(values, back, stride, rows, stand.orbit[a:b], stand.size[a:b])
    number = max(boards.last[here], 0)
    hands = Facing(
        stand.card[a:b],
        others.card[others.start[here] : others.start[here + 1]],
        stand.mate[a:b],
        stand.groups[number],
        others.groups[number],
    )
    first, shown, last = parts.block[part], parts.fold[part], parts.block[part + 1]
    other, their_stride = room.other[opponent.levels.start[street] :], opponent.levels.stride[street]
    add_leaf_values(
        betting.leaves, first, shown, last, hands, other, their_stride, values, stride, room.lanes
    )
    if leaving and boards.symmetric[here]:
        make_equal(values, stride, parts.rows[part], stand.orbit[a:b])
    noise = own.side.noise[street]
    learn(betting.steps, mine, own.tables, rule, limit, noise, play, values, room.scratch)
    if here > 0:
        p, q = boards.part_root[part], boards.part_root[part + 1]
        exits, root = room.exits[levels.exits[street - 1] :], p - boards.root_start[street]
        up, entries, home = levels.stride[street - 1], roots.entry[p:q], stand.home[a:b]
        send_back(exits, up, root, values, stride, entries, home, boards.ways[here])


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
    levels, deepest, board = own.levels, len(boards.part_start) - 2, first
    while board < last or top >= until:
        leaving = board == last or top >= boards.street[board]
        if leaving:
            here, street = room.path[top], top
            top -= 1
        else:
            here, street = board, boards.street[board]
            room.path[street] = board
            board += 1
        for part in range(boards.part_start[street], boards.part_start[street + 1]):
            if not leaving:
                descend(boards, own, opponent, rule, limits[1], here, street, part, room)
            if leaving or street == deepest:
                ascend(boards, own, opponent, rule, limits[0], here, street, part, leaving, room)
        if not leaving and street < deepest:
            room.exits[levels.exits[street] : levels.exits[street + 1]] = 0.0
            top = street
