"""Kernels for reaches and best responses over the betting lines of one street, and between boards."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.seqform.forms.treeplex import Floats, Index

SMALLEST, LARGEST = 1e-200, 1e200
"""Weights of a decision with a sum outside of this range are divided by the largest before summation."""


@njit(cache=True, nogil=True, error_model="numpy")
def spread_reach(decisions: Index, first_row: int, table: NDArray[Any], reach: Floats) -> None:
    """Write a player's reach after each action of a street: reach before times normalised weight, in place.

    Parameters
    ----------
    decisions : (D, 3) int64
        For each of the player's decisions, parents first: the row of the reach before it, the row of its
        first action in ``table``, its number of actions.
    first_row : int
        The row of the reach after the action of row 0 of ``table``.
    table : (rows, H) of any real dtype
        The player's weights on the board.
    reach : (first_row + rows, H) float64
        Rows up to ``first_row`` are input, the others output.
    """
    width = reach.shape[1]
    scale, even = np.empty(width), np.empty(width)
    for d in range(len(decisions)):
        source, first, n_actions = decisions[d]
        scale[:] = 0.0
        for a in range(n_actions):
            weight = table[first + a]
            for h in range(width):
                scale[h] += np.float64(weight[h])
        n_odd = 0
        for h in range(width):
            mass = scale[h]
            even[h] = 0.0 if mass > 0.0 else 1.0 / n_actions
            n_odd += mass > 0.0 and not SMALLEST < mass < LARGEST
            scale[h] = 1.0 / mass if mass > 0.0 else 0.0
        before = reach[source]
        for a in range(n_actions):
            weight, after = table[first + a], reach[first_row + first + a]
            for h in range(width):
                after[h] = before[h] * (np.float64(weight[h]) * scale[h] + even[h])
        if n_odd:
            _spread_rescaled(before, table[first : first + n_actions], reach[first_row + first :])


@njit(cache=True, nogil=True, error_model="numpy")
def _spread_rescaled(before: Floats, table: NDArray[Any], after: Floats) -> None:
    """Do the same for hands whose sum of weights is outside of [SMALLEST, LARGEST]."""
    for h in range(len(before)):
        largest = mass = 0.0
        for a in range(len(table)):
            largest = max(largest, np.float64(table[a, h]))
            mass += np.float64(table[a, h])
        if largest > 0.0 and not SMALLEST < mass < LARGEST:
            mass = 0.0
            for a in range(len(table)):
                mass += np.float64(table[a, h]) / largest
            for a in range(len(table)):
                after[a, h] = before[h] * (np.float64(table[a, h]) / largest / mass)


@njit(cache=True, nogil=True, error_model="numpy")
def respond(into: Index, chooses: NDArray[np.bool_], values: Floats) -> None:
    """Backward induction on a street: add values of nodes to their parents, or maximise, in place.

    Parameters
    ----------
    into : (nodes,) int64
        The parent, -1 where the street begins.
    chooses : (nodes,) bool
        Whether the player maximises over the children of a node instead of adding them.
    values : (nodes, H) float64
    """
    for node in range(len(into) - 1, -1, -1):
        if into[node] < 0:
            continue
        below, above = values[node], values[into[node]]
        if chooses[into[node]]:
            for g in range(len(below)):
                above[g] = below[g] if below[g] > above[g] else above[g]
        else:
            for g in range(len(below)):
                above[g] += below[g]


@njit(cache=True, nogil=True, error_model="numpy")
def respond_locked(
    into: Index, chooses: NDArray[np.bool_], share_row: Index, shares: Floats, values: Floats
) -> None:
    """Backward induction where hands are locked: their value is the sum of share times value of each action.

    Parameters
    ----------
    into, chooses, values : as in :func:`respond`
        Values of decisions start at zero for hands locked there.
    share_row : (nodes,) int64
        The row of ``shares`` of the action to each node; -1 if no hand is locked.
    shares : (rows, H) float64
        -1 for free hands.
    """
    for node in range(len(into) - 1, -1, -1):
        if into[node] < 0:
            continue
        below, above = values[node], values[into[node]]
        for g in range(len(below)):
            share = shares[share_row[node], g] if share_row[node] >= 0 else -1.0
            if share >= 0.0:
                above[g] += share * below[g]
            elif chooses[into[node]]:
                above[g] = max(above[g], below[g])
            else:
                above[g] += below[g]


@njit(cache=True, nogil=True, error_model="numpy")
def deal_down(reach: Floats, rows: Index, above: Index, entering: Floats) -> None:
    """Copy reaches from the parent board: ``entering[e, h] = reach[rows[e], above[h]]``."""
    for e in range(len(rows)):
        source, target = reach[rows[e]], entering[e]
        for h in range(len(above)):
            target[h] = source[above[h]]


@njit(cache=True, nogil=True, error_model="numpy")
def deal_up(values: Floats, rows: Index, above: Index, share: float, leaving: Floats, into: Index) -> None:
    """Add values to the parent board's: ``leaving[into[e], above[h]] += share * values[rows[e], h]``."""
    for e in range(len(rows)):
        source, target = values[rows[e]], leaving[into[e]]
        for h in range(len(above)):
            target[above[h]] += share * source[h]
