"""Best-response values and expected value of profiles on public trees, in time linear in hands."""

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

Every row is a distribution: the current strategy where the player's own average reach is zero, uniform for
dead hands.
"""


class VectorGains(NamedTuple):
    """Best-response bounds of a profile, in the tree's unit and player 0's payoff; without rounding bounds.

    Attributes
    ----------
    lower : float
        Player 0's payoff if player 1 best responds.
    upper : float
        Player 0's payoff if player 0 best responds.
    value : float
        Player 0's expected payoff.
    """

    lower: float
    upper: float
    value: float

    @property
    def nash_conv(self) -> float:
        """The sum of both players' gains by best responding: ``upper - lower``."""
        return self.upper - self.lower


def gains_of_rows(arrays: VectorArrays, strategy0: Floats, strategy1: Floats) -> VectorGains:
    """Return best-response bounds and value of two behaviours in rows."""
    first, second = arrays.sides
    x, y = plan_of(first, strategy0), plan_of(second, strategy1)
    values0, values1 = leaf_values(arrays, 0, y), leaf_values(arrays, 1, x)
    value = float(np.sum(x * values0))  # BLAS would start threads for it
    return VectorGains(-best_response(second.rows, values1), best_response(first.rows, values0), value)


def average_gains(arrays: VectorArrays, memories: Memories) -> VectorGains:
    """Return best-response bounds and value of the average strategies."""
    return gains_of_rows(arrays, *average_rows(arrays, memories))


def average_strategies(tree: PublicTree, arrays: VectorArrays, memories: Memories) -> NodeStrategies:
    """Return the average strategies by node, as :func:`strategies_of`."""
    return strategies_of(tree, arrays, average_rows(arrays, memories))


def average_rows(arrays: VectorArrays, memories: Memories) -> tuple[Floats, Floats]:
    """Return both players' average behaviours in rows; the current ones where the average reach is 0."""
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
    """Return the values of a player's rows at the leaves against the opponent's plan."""
    values = np.zeros(arrays.sides[player].rows.start[-1])
    sums = empty_sums(arrays.sides[1 - player])
    add_leaf_values(arrays, all_boards(arrays), player, plan, sums, values)
    return values
