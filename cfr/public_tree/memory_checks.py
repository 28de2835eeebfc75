"""Checks of the memories of minimisers on rows, which may come from damaged files."""

import numpy as np

from treeplex.cfr.public_tree.arrays import PlayerArrays, VectorArrays
from treeplex.cfr.public_tree.gains import average_rows, plan_of
from treeplex.cfr.public_tree.row_learning import NEITHER, Memories, RowMemory, check_shapes
from treeplex.cfr.public_tree.sections import Floats
from treeplex.cfr.state_checks import (
    LARGEST,
    LARGEST_SQUARE,
    check_close,
    check_range,
    check_size,
    drift,
    sum_of_weights,
)


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


def check_averages(arrays: VectorArrays, memories: Memories, iterations: int, exponent: float) -> None:
    """Check that sums of plans are a plan times the sum of the iterations' weights, with ``ValueError``."""
    averages, weight = average_rows(arrays, memories), sum_of_weights(exponent, iterations)
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
