"""How far a profile on a public tree is from equilibrium, in time linear in hands."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cfr.showdown import add_folds, add_showdowns, room_for_sums
from cfr.vector_arrays import Floats, SideArrays, VectorArrays, live_hands, vector_arrays
from seqform.public_tree import PublicTree

Strategies = tuple[Sequence[NDArray[np.float64]], Sequence[NDArray[np.float64]]]
"""For each player, at each of its nodes in preorder, the probabilities (hands, actions)."""


TOLERANCE = 1e-9
"""How far from one the probabilities of an infoset may sum."""


class VectorGains(NamedTuple):
    """What a profile guarantees, in the tree's unit and player 0's view; floats without a rounding bound.

    Attributes
    ----------
    lower : float
        What player 0's strategy guarantees.
    upper : float
        What player 1's strategy concedes at most.
    value : float
        What player 0 gets when both play it.
    """

    lower: float
    upper: float
    value: float

    @property
    def nash_conv(self) -> float:
        """The sum of what both players would gain by deviating."""
        return self.upper - self.lower


def vector_gains(tree: PublicTree, strategies: Strategies) -> VectorGains:
    """Return what a profile guarantees to either player and what it is worth.

    Parameters
    ----------
    tree : PublicTree
    strategies : pair of sequences of (hands, actions) float64
        Behaviour at each node of ``tree.nodes_of(player)``, in its order; dead hands' rows do not count.

    Raises
    ------
    ValueError
        If an array is missing, has the wrong shape, or a living hand's row is no distribution.
    """
    arrays = vector_arrays(tree)
    current = [_checked(tree, arrays.sides[p], p, strategies[p]) for p in (0, 1)]
    return gains_of_rows(arrays, current[0], current[1])


def gains_of_rows(arrays: VectorArrays, strategy0: Floats, strategy1: Floats) -> VectorGains:
    """Return the same from behaviours laid out in rows."""
    plans = plan_of(arrays.sides[0], strategy0), plan_of(arrays.sides[1], strategy1)
    values = leaf_values(arrays, 0, plans[1]), leaf_values(arrays, 1, plans[0])
    value = float(plans[0] @ values[0])
    upper = best_response(arrays.sides[0], values[0])
    return VectorGains(lower=-best_response(arrays.sides[1], values[1]), upper=upper, value=value)


def plan_of(side: SideArrays, strategy: Floats) -> Floats:
    """Return the realization plan of a behaviour in rows."""
    plan = np.zeros(side.row_start[-1])
    spread_plan(side, strategy, plan)
    return plan


def leaf_values(arrays: VectorArrays, player: int, plan: Floats) -> Floats:
    """Return what the leaves give a player's rows against the opponent's plan."""
    own, opponent = arrays.sides[player], arrays.sides[1 - player]
    values = np.zeros(own.row_start[-1])
    sums = room_for_sums(opponent)
    add_showdowns(own, opponent, arrays.showdown_deal, arrays.showdown_stake, plan, sums, values)
    sign = 1.0 if player == 0 else -1.0
    add_folds(own, opponent, arrays.fold_deal, arrays.fold_stake, sign, plan, values)
    return values


def _checked(tree: PublicTree, side: SideArrays, player: int, strategies: Sequence[Floats]) -> Floats:
    """Return the strategies as rows."""
    nodes = tree.nodes_of(player)
    if len(strategies) != len(nodes):
        raise ValueError(f"player {player} has {len(nodes)} decision nodes, got {len(strategies)} strategies")
    rows = np.zeros(side.row_start[-1])
    first = dict(zip(side.step_node, side.step_row, strict=True))
    for node, strategy in zip(nodes, strategies, strict=True):
        shape = len(tree.hands[player]), len(tree.children[node])
        if strategy.shape != shape:
            raise ValueError(
                f"the strategy at {tree.public[node]!r} must have shape {shape}, got {strategy.shape}"
            )
        hands = live_hands(side, int(tree.deal[node]))
        live = strategy[hands]
        good = np.all(live >= 0, axis=1) & (np.abs(live.sum(axis=1) - 1) <= TOLERANCE)
        if not good.all():
            key = tree.infoset_key(tree.hands[player][hands[np.argmin(good)]], int(node))
            raise ValueError(
                f"the strategy at {key!r} must be a distribution, got {live[np.argmin(good)].tolist()}"
            )
        for a in range(shape[1]):
            start = side.row_start[first[node] + a]
            rows[start : start + len(hands)] = live[:, a]
    return rows


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def spread_plan(side: SideArrays, strategy: Floats, plan: Floats) -> None:
    """Write the realization plan of a behaviour, rows from the root down, in place."""
    plan[: side.row_width[0]] = 1.0
    for step in range(len(side.step_row)):
        row, n_actions = side.step_row[step], side.step_actions[step]
        width = side.row_width[row]
        above = plan[side.row_start[side.step_parent[step]] :]
        if n_actions == 0:
            i = side.row_start[row]
            below, move = plan[i : i + width], side.move[side.step_move[step] :]
            for h in range(width):
                below[h] = above[move[h]]
        for action in range(n_actions):
            i = side.row_start[row + action]
            below, x = plan[i : i + width], strategy[i : i + width]
            for h in range(width):
                below[h] = above[h] * x[h]


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def best_response(side: SideArrays, values: Floats) -> float:
    """Return what the best plan earns from the values at the leaves, which are overwritten.

    From the leaves up, each hand takes its best action: also at infosets that are not reached.
    """
    for step in range(len(side.step_row) - 1, -1, -1):
        parent, row = side.row_start[side.step_parent[step]], side.step_row[step]
        start, width = side.row_start[row], side.row_width[row]
        if side.step_actions[step] == 0:
            move = side.move[side.step_move[step] :]
            for h in range(width):
                values[parent + move[h]] += values[start + h]
            continue
        for action in range(1, side.step_actions[step]):
            other = side.row_start[row + action]
            for h in range(width):
                values[start + h] = max(values[start + h], values[other + h])
        for h in range(width):
            values[parent + h] += values[start + h]
    total = 0.0
    for h in range(side.row_width[0]):
        total += values[h]
    return total
