"""How far a profile on a public tree is from equilibrium, in time linear in hands."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treeplex.cfr.public_tree.arrays import (
    PlayerArrays,
    VectorArrays,
    all_boards,
    all_steps,
    first_rows,
    live_hands,
)
from treeplex.cfr.public_tree.row_kernels import average_strategy, best_response, spread_plan
from treeplex.cfr.public_tree.row_learning import Memories
from treeplex.cfr.public_tree.sections import Floats
from treeplex.cfr.public_tree.showdown import add_leaf_values, empty_sums
from treeplex.seqform.trees.public_tree import PublicTree

Strategies = tuple[Sequence[Floats], Sequence[Floats]]
"""For each player, at each of its nodes in preorder, the probabilities (hands, actions)."""

NodeStrategies = tuple[tuple[Floats, ...], tuple[Floats, ...]]
"""The same, as engines return them.

Every row is a distribution: what is played next where the player's own average reach is zero, uniform for
dead hands.
"""


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


def gains_of_rows(arrays: VectorArrays, strategy0: Floats, strategy1: Floats) -> VectorGains:
    """Return what two behaviours laid out in rows guarantee and are worth."""
    first, second = arrays.sides
    x, y = plan_of(first, strategy0), plan_of(second, strategy1)
    values0, values1 = leaf_values(arrays, 0, y), leaf_values(arrays, 1, x)
    value = float(np.sum(x * values0))  # BLAS would start threads for it
    return VectorGains(-best_response(second.rows, values1), best_response(first.rows, values0), value)


def average_gains(arrays: VectorArrays, memories: Memories) -> VectorGains:
    """Return what the average of memories guarantees and is worth."""
    return gains_of_rows(arrays, *average_rows(arrays, memories))


def average_strategies(tree: PublicTree, arrays: VectorArrays, memories: Memories) -> NodeStrategies:
    """Return the average of memories node by node, as :func:`strategies_of` lays it out."""
    return strategies_of(tree, arrays, average_rows(arrays, memories))


def average_rows(arrays: VectorArrays, memories: Memories) -> tuple[Floats, Floats]:
    """Return both players' average behaviour in rows: what is played next where the average does not come."""
    averages = []
    for side, memory in zip(arrays.sides, memories, strict=True):
        averages.append(np.zeros_like(memory.total))
        average_strategy(side.rows, memory.total, memory.strategy, averages[-1])
    return averages[0], averages[1]


def strategies_of(tree: PublicTree, arrays: VectorArrays, rows: tuple[Floats, Floats]) -> NodeStrategies:
    """Return behaviours in rows as one array (hands, actions) a node of each player, dead hands uniform."""
    first, second = (tuple(_by_node(tree, arrays.sides[p], p, rows[p])) for p in (0, 1))
    return first, second


def _by_node(tree: PublicTree, side: PlayerArrays, player: int, flat: Floats) -> Iterator[Floats]:
    first_row = first_rows(side)
    for node in tree.nodes_of(player).tolist():
        n_actions = len(tree.children[node])
        strategy = np.full((len(tree.hands[player]), n_actions), 1 / n_actions)
        hands = live_hands(side, int(tree.deal[node]))
        for a in range(n_actions):
            start = side.rows.start[first_row[node] + a]
            strategy[hands, a] = flat[start : start + len(hands)]
        yield strategy


def plan_of(side: PlayerArrays, strategy: Floats) -> Floats:
    """Return the realization plan of a behaviour, both in rows."""
    plan = np.zeros(side.rows.start[-1])
    spread_plan(side.rows, all_steps(side), strategy, plan, None)
    return plan


def leaf_values(arrays: VectorArrays, player: int, plan: Floats) -> Floats:
    """Return what the leaves give each of a player's rows against the opponent's plan."""
    values = np.zeros(arrays.sides[player].rows.start[-1])
    sums = empty_sums(arrays.sides[1 - player])
    add_leaf_values(arrays, all_boards(arrays), player, plan, sums, values)
    return values
