"""One player's update in an iteration: a depth-first traversal of the boards, plans down and values up."""

from numba import njit

from treeplex.cfr.boards.board_arrays import BoardArrays, Floats, Reals
from treeplex.cfr.boards.fixed_point import carry_best, learn_fixed, spread_and_average_fixed
from treeplex.cfr.boards.hand_values import (
    Matchup,
    add_from_children,
    add_leaf_values,
    add_to_parent,
    copy_from_parent,
    equalise_orbits,
    start_plan,
)
from treeplex.cfr.boards.regret_matching import (
    BoardPart,
    Rule,
    learn,
    spread_and_average_plan,
    spread_plan,
)
from treeplex.cfr.boards.responding import respond, spread_choices
from treeplex.cfr.boards.root_play import enter, learn_root
from treeplex.cfr.boards.tied_hands import learn_tied, spread_tied_plan, spread_tied_plan_and_reach
from treeplex.cfr.boards.workspace import BoardLearner, BoardWorkspace, Segments


@njit(cache=True, error_model="numpy", nogil=True)
def run_segments(
    boards: BoardArrays,
    own: BoardLearner,
    opponent: BoardLearner,
    rule: Rule,
    limits: tuple[float, float],
    segments: Segments,
    workspace: BoardWorkspace,
    results: Floats,
) -> None:
    """Run some segments of a player's traversal: the root decisions, then the boards.

    The values of a group of boards at the exits of the first street are written to its row of ``results``.
    Before the last segment, in which the first street is updated, these rows are summed in order.

    Parameters
    ----------
    boards : BoardArrays
    own, opponent : BoardLearner
    rule : Rule
    limits : pair of float
        Largest integers in which regrets and averages are stored, 0 for floats.
    segments : Segments
        Some of ``segments_of``.
    workspace : BoardWorkspace
    results : (G, 1 or 2, .) float64
        As in ``Partition``.
    """
    exits = workspace.exits[:, : results.shape[2]]
    prediction = rule.prediction
    for segment in range(len(segments.first)):
        if segments.top[segment] < 0:
            enter(own.side.root, own.memory, prediction, rule.keep, rule.weight, own.root_plan, own.root_play)
            seen = opponent.side.root, opponent.memory
            enter(seen[0], seen[1], prediction, 1.0, 0.0, opponent.root_plan, opponent.root_play)
        exits[:] = 0.0
        first, last = segments.first[segment], segments.last[segment]
        if first == last:
            for group in range(len(results)):
                for kind in range(len(exits)):
                    for i in range(exits.shape[1]):
                        exits[kind, i] += results[group, kind, i]
        traverse(
            boards,
            own,
            opponent,
            rule,
            limits,
            first,
            last,
            segments.top[segment],
            segments.until[segment],
            workspace,
        )
        if segments.group[segment] >= 0:
            results[segments.group[segment]] = exits
        if segments.until[segment] == 0:
            entry = own.side.betting.roots.entry[0] * own.offsets.stride[0]
            values = workspace.values[entry : entry + len(own.root_plan[0])]
            learn_root(own.side.root, own.memory, rule, own.root_play, values)


@njit(cache=True, error_model="numpy", inline="always")
def board_part(learner: BoardLearner, here: int, street: int, part: int) -> BoardPart:
    """Return one player's arrays for a part of the betting on a board."""
    side = learner.side
    a, b = side.hands.start[here], side.hands.start[here + 1]
    return BoardPart(
        side.betting.parts.step[part],
        side.betting.parts.step[part + 1],
        side.slot_base[here],
        side.step_base[here],
        b - a,
        learner.offsets.stride[street],
        side.hands.hand[a:b],
        side.hands.locked,
        side.hands.bucket[a:b],
        side.hands.share[a:b],
    )


@njit(cache=True, error_model="numpy", inline="always")
def copy_plan_down(
    boards: BoardArrays, one: BoardLearner, here: int, street: int, part: int, plans: Reals
) -> None:
    """Copy a player's plan at a part's roots from the parent board."""
    offsets, own_hands, roots = one.offsets, one.side.hands, one.side.betting.roots
    p, q = boards.part_root[part], boards.part_root[part + 1]
    place = own_hands.above[own_hands.start[here] : own_hands.start[here + 1]]
    plan, above = plans[offsets.start[street] :], plans[offsets.start[street - 1] :]
    stride, up = offsets.stride[street], offsets.stride[street - 1]
    copy_from_parent(plan, stride, roots.entry[p:q], above, up, roots.exit[p:q], place)


@njit(cache=True, error_model="numpy", inline="always")
def descend(
    boards: BoardArrays,
    own: BoardLearner,
    opponent: BoardLearner,
    rule: Rule,
    limit: float,
    here: int,
    street: int,
    part: int,
    workspace: BoardWorkspace,
) -> None:
    """Write both players' plans of a part on a board, and add the updating player's to its average."""
    mine, theirs = board_part(own, here, street, part), board_part(opponent, here, street, part)
    start = own.offsets.start[street]
    plan, play, other = (
        workspace.plan[start:],
        workspace.play[start:],
        workspace.other[opponent.offsets.start[street] :],
    )
    p, q = boards.part_root[part], boards.part_root[part + 1]
    if here == 0:
        start_plan(plan, mine.stride, own.side.betting.roots.entry[p:q], own.root_plan[0])
        entries = opponent.side.betting.roots.entry[p:q]
        start_plan(other, theirs.stride, entries, opponent.root_plan[1])
    else:
        copy_plan_down(boards, own, here, street, part, workspace.plan)
        copy_plan_down(boards, opponent, here, street, part, workspace.other)
    steps, memory, scratch = own.side.betting.steps, own.memory, workspace.scratch
    if len(own.tied.slots) > 0:
        spread_tied_plan_and_reach(steps, mine, own.tied, street, plan, play, workspace.sums, scratch)
    elif len(own.fixed.regret) > 0:
        scale, counts = rule.weight * own.fixed.average[street], workspace.saturated
        spread_and_average_fixed(steps, mine, memory, scale, plan, play, scratch, counts)
    elif len(own.choices.base) == 0:  # a best response needs no plan of its own
        spread_and_average_plan(steps, mine, memory, rule, limit, plan, play, scratch)
    if len(opponent.choices.base) > 0:
        spread_choices(opponent.side.betting.steps, theirs, opponent.choices, here, other)
    elif len(opponent.tied.slots) > 0:
        spread_tied_plan(opponent.side.betting.steps, theirs, opponent.tied, street, other)
    else:
        seen = opponent.memory
        spread_plan(opponent.side.betting.steps, theirs, seen, rule.prediction, other, scratch)


@njit(cache=True, error_model="numpy", inline="always")
def add_exits(
    boards: BoardArrays, own: BoardLearner, here: int, street: int, exits: Floats, values: Reals
) -> None:
    """Add the values of the next street's roots to the rows of a board at which the next cards are dealt."""
    roots, offsets, hands = own.side.betting.roots, own.offsets, own.side.hands
    a, b = hands.start[here], hands.start[here + 1]
    back = exits[offsets.exits[street] : offsets.exits[street + 1]]
    rows = roots.exit[boards.root_start[street + 1] : boards.root_start[street + 2]]
    add_from_children(values, back, offsets.stride[street], rows, hands.orbit[a:b], hands.size[a:b])


@njit(cache=True, error_model="numpy", inline="always")
def ascend(
    boards: BoardArrays,
    own: BoardLearner,
    opponent: BoardLearner,
    rule: Rule,
    limit: float,
    here: int,
    street: int,
    part: int,
    leaving: bool,
    workspace: BoardWorkspace,
) -> None:
    """Compute a part's values on a board, update its regrets, and add its roots' values to the parent.

    Where best values are wanted they are carried beside: the values of leaves are the same
    for both. ``leaving`` says that the board has children, whose values are in ``workspace.exits``.
    """
    betting, own_hands, offsets = own.side.betting, own.side.hands, own.offsets
    others, parts, roots = opponent.side.hands, betting.parts, betting.roots
    mine = board_part(own, here, street, part)
    start, stride = offsets.start[street], mine.stride
    play, values = workspace.play[start:], workspace.values[start:]
    a, b = own_hands.start[here], own_hands.start[here + 1]
    values[: parts.rows[part] * stride] = 0.0
    carries = len(workspace.best) > 0
    if leaving and not carries:
        add_exits(boards, own, here, street, workspace.exits[0], values)
    number = max(boards.last[here], 0)
    hands = Matchup(
        own_hands.card[a:b],
        others.card[others.start[here] : others.start[here + 1]],
        own_hands.mate[a:b],
        own_hands.copies[a:b],
        own_hands.groups[number],
        others.groups[number],
    )
    first, shown, last = parts.block[part], parts.fold[part], parts.block[part + 1]
    other, their_stride = workspace.other[opponent.offsets.start[street] :], opponent.offsets.stride[street]
    add_leaf_values(
        betting.leaves, first, shown, last, hands, other, their_stride, values, stride, workspace.leaves
    )
    noise, scratch = own.side.noise[street], workspace.scratch
    best = workspace.best[start if carries else 0 :]
    if carries:
        best[: parts.rows[part] * stride] = values[: parts.rows[part] * stride]
        if leaving:
            add_exits(boards, own, here, street, workspace.exits[0], values)
            add_exits(boards, own, here, street, workspace.exits[1], best)
            if boards.symmetric[here]:
                equalise_orbits(best, stride, parts.rows[part], own_hands.orbit[a:b])
        carry_best(betting.steps, mine, best, scratch)
    if leaving and boards.symmetric[here]:
        equalise_orbits(values, stride, parts.rows[part], own_hands.orbit[a:b])
    if len(own.choices.base) > 0:
        respond(betting.steps, mine, own.choices, here, noise, values, scratch.mean)
    elif len(own.tied.slots) > 0:
        learn_tied(betting.steps, mine, own.tied, street, play, values, workspace.sums, scratch)
    elif len(own.fixed.regret) > 0:
        scale, counts = own.fixed.regret[street], workspace.saturated
        learn_fixed(betting.steps, mine, own.memory, scale, play, values, scratch, counts)
    else:
        learn(betting.steps, mine, own.memory, rule, limit, noise, play, values, scratch)
    if here > 0:
        p, q = boards.part_root[part], boards.part_root[part + 1]
        first_exit, root = offsets.exits[street - 1], p - boards.root_start[street]
        up, entries, home = offsets.stride[street - 1], roots.entry[p:q], own_hands.home[a:b]
        ways = boards.ways[here]
        add_to_parent(workspace.exits[0, first_exit:], up, root, values, stride, entries, home, ways)
        if carries:
            add_to_parent(workspace.exits[1, first_exit:], up, root, best, stride, entries, home, ways)


@njit(cache=True, error_model="numpy", nogil=True)
def traverse(
    boards: BoardArrays,
    own: BoardLearner,
    opponent: BoardLearner,
    rule: Rule,
    limits: tuple[float, float],
    first: int,
    last: int,
    top: int,
    until: int,
    workspace: BoardWorkspace,
) -> None:
    """Update a player on some boards in preorder: plans on entering a board, regrets on leaving it.

    Parameters
    ----------
    boards : BoardArrays
    own, opponent : BoardLearner
    rule : Rule
    limits : pair of float
        Largest integers in which regrets and averages are stored, 0 for floats.
    first, last : int
        The boards from ``first`` up to ``last``.
    top : int
        The street of the board that is open at the start, -1 for none.
    until : int
        The first street whose board is closed at the end.
    workspace : BoardWorkspace
    """
    offsets, deepest, board = own.offsets, len(boards.part_start) - 2, first
    while board < last or top >= until:
        leaving = board == last or top >= boards.street[board]
        if leaving:
            here, street = workspace.path[top], top
            top -= 1
        else:
            here, street = board, boards.street[board]
            workspace.path[street] = board
            board += 1
        for part in range(boards.part_start[street], boards.part_start[street + 1]):
            if not leaving:
                descend(boards, own, opponent, rule, limits[1], here, street, part, workspace)
            if leaving or street == deepest:
                ascend(boards, own, opponent, rule, limits[0], here, street, part, leaving, workspace)
        if not leaving and street < deepest:
            below = workspace.exits[:, offsets.exits[street] : offsets.exits[street + 1]]
            below[:] = 0.0
            if boards.last[here] >= 0:
                below += workspace.given[boards.last[here]]
            top = street
