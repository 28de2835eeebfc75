"""Kernels of the trunk: plans down to the ends of its lines; values of subgames to where lines end."""

from numba import njit

from treeplex.cfr.factored.layout.arrays import Boards, Floats
from treeplex.cfr.factored.regret_matching import Rule
from treeplex.cfr.factored.traversal import descend
from treeplex.cfr.factored.workspace import Learner, Workspace


@njit(cache=True, error_model="numpy", nogil=True)
def send_plans(
    boards: Boards,
    own: Learner,
    opponent: Learner,
    rule: Rule,
    workspace: Workspace,
    plans: Floats,
    seen: Floats,
) -> None:
    """Write both players' plans at the end of each line on each of the last boards; update nothing.

    Parameters
    ----------
    boards, own, opponent, workspace
        Of the trunk; the plans at the root are written.
    rule : Rule
        With weight 0: nothing is averaged.
    plans, seen : (F, L, W) float64
        The updating player's, and the opponent's times the weights of its range; overwritten.
    """
    for here in range(len(boards.street)):
        street = boards.street[here]
        for part in range(boards.part_start[street], boards.part_start[street + 1]):
            descend(boards, own, opponent, rule, 0.0, here, street, part, workspace)
        flop = boards.last[here]
        if flop < 0:
            continue
        for one, rows, to in ((own, workspace.plan, plans), (opponent, workspace.other, seen)):
            width = one.side.hands.start[here + 1] - one.side.hands.start[here]
            first, last = boards.root_start[street + 1], boards.root_start[street + 2]
            for line in range(last - first):
                row = one.side.betting.roots.exit[first + line]
                begin = one.offsets.start[street] + row * one.offsets.stride[street]
                for h in range(width):
                    to[flop, line, h] = rows[begin + h]


@njit(cache=True, error_model="numpy", nogil=True)
def give_values(
    boards: Boards,
    own: Learner,
    kind: int,
    here: int,
    first: int,
    values: Floats,
    scale: float,
    given: Floats,
) -> None:
    """Write the values of subgames on a board, times ``scale``, to where the trunk's traversal adds them.

    Parameters
    ----------
    boards, own
        Of the trunk.
    kind : int
        0 for values, 1 for those of best responses.
    here, first : int
        The board, counted among all; the first line.
    values : (L, W) float64
    scale : float
    given : (F, 2, .) float64
        As in ``Workspace``; overwritten.
    """
    stride = own.offsets.stride[boards.street[here]]
    start, orbit = own.side.hands.start[here], own.side.hands.orbit
    for line in range(len(values)):
        to = given[boards.last[here], kind, (first + line) * stride :][:stride]
        to[:] = 0.0
        for h in range(values.shape[1]):
            to[orbit[start + h]] += scale * values[line, h]
