"""Best-response values and expected value of profiles on public trees, in time linear in hands.

And checks of the memories of minimisers on rows, which may come from damaged files.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treeplex.cfr.public.hand_sections import Floats
from treeplex.cfr.public.public_arrays import (
    PlayerArrays,
    VectorArrays,
    all_boards,
    all_steps,
    first_rows,
    live_hands,
)
from treeplex.cfr.public.row_learning import (
    NEITHER,
    Memories,
    RowMemory,
    average_strategy,
    best_response,
    check_shapes,
    spread_plan,
)
from treeplex.cfr.public.showdown import add_leaf_values, empty_sums
from treeplex.cfr.state_checks import (
    LARGEST,
    LARGEST_SQUARE,
    check_close,
    check_range,
    check_size,
    drift,
)
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


def check_ranges(arrays: VectorArrays, memories: Memories, hedging: tuple[bool, bool] = NEITHER) -> None:
    """Check shapes and ranges, and that the current strategies sum to one.

    Raises
    ------
    ValueError
        If one does not; the message names the player and the array.
    """
    check_shapes(arrays, memories, hedging)
    for p, (side, memory) in enumerate(zip(arrays.sides, memories, strict=True)):
        check_size(f"player {p}'s regret", memory.regret)
        check_range(f"player {p}'s strategy", memory.strategy, 0.0, 2.0)
        check_range(f"player {p}'s total", memory.total, 0.0, LARGEST["float64"])
        check_range(f"player {p}'s squared_ranges", memory.squared_ranges, 0.0, LARGEST_SQUARE)
        for step in np.flatnonzero(side.rows.n_actions).tolist():
            _check_decision(f"player {p}", side, step, memory)


def check_averages(arrays: VectorArrays, memories: Memories, iterations: int, weight: float) -> None:
    """Check that sums of plans are a plan times the sum of the iterations' weights, with ``ValueError``."""
    averages = average_rows(arrays, memories)
    for p, (side, memory) in enumerate(zip(arrays.sides, memories, strict=True)):
        plan = plan_of(side, averages[p])
        for step in np.flatnonzero(side.rows.n_actions).tolist():
            total, expected = (_by_action(side, step, flat) for flat in (memory.total, weight * plan))
            name = f"player {p}'s total at node {side.rows.node[step]}"
            check_close(name, total.ravel(), expected.ravel(), drift(iterations))


def _check_decision(who: str, side: PlayerArrays, step: int, memory: RowMemory) -> None:
    where, width = f"at node {side.rows.node[step]}", side.rows.width[side.rows.first[step]]
    played = _by_action(side, step, memory.strategy).sum(axis=0)
    check_close(f"the sum of {who}'s strategy {where}", played, np.ones(width))
    noise = side.noise[side.sections.deal_start[side.rows.deal[step]] :][:width]
    idle = _by_action(side, step, memory.regret)[:, noise == 0.0]
    check_range(f"{who}'s regret {where}, where nothing can be won,", idle.ravel(), 0.0, 0.0)


def _by_action(side: PlayerArrays, step: int, flat: Floats) -> Floats:
    """Return the rows of a decision, (actions, hands)."""
    rows = side.rows
    first, n_actions = rows.first[step], rows.n_actions[step]
    padded = flat[rows.start[first] : rows.start[first + n_actions]].reshape(n_actions, -1)
    return padded[:, : rows.width[first]]
