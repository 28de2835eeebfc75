"""Plans copied from the parent board to a board, and values added back from a board to its parent."""

from numba import njit

from treeplex.cfr.factored.layout.arrays import Floats, Index, Places


@njit(cache=True, error_model="numpy")
def start_plan(plan: Floats, stride: int, rows: Index, root_plan: Floats) -> None:
    """Set a player's plan at the roots of the first street."""
    for row in rows:
        for h in range(len(root_plan)):
            plan[row * stride + h] = root_plan[h]


@njit(cache=True, error_model="numpy")
def copy_from_parent(
    plan: Floats,
    stride: int,
    entries: Index,
    above: Floats,
    above_stride: int,
    exits: Index,
    place: Places,
) -> None:
    """Copy a plan from the parent board to roots: ``plan[entry, h] = above[exit, place[h]]``."""
    for root in range(len(entries)):
        to, before = plan[entries[root] * stride :], above[exits[root] * above_stride :]
        for h in range(len(place)):
            to[h] = before[place[h]]


@njit(cache=True, error_model="numpy")
def add_to_parent(
    exits: Floats,
    exit_stride: int,
    first: int,
    values: Floats,
    stride: int,
    rows: Index,
    home: Places,
    ways: int,
) -> None:
    """Add the values of roots, times ``ways``, to the first hand of each orbit on the parent board."""
    for root in range(len(rows)):
        back, value = exits[(first + root) * exit_stride :], values[rows[root] * stride :]
        for h in range(len(home)):
            back[home[h]] += ways * value[h]


@njit(cache=True, error_model="numpy")
def add_from_children(
    values: Floats, exits: Floats, stride: int, rows: Index, orbit: Places, size: Places
) -> None:
    """Add values from the next street, divided equally among the hands of each orbit."""
    for root in range(len(rows)):
        to, back = values[rows[root] * stride :], exits[root * stride :]
        for h in range(len(orbit)):
            to[h] += back[orbit[h]] / size[h]


@njit(cache=True, error_model="numpy")
def equalise_orbits(values: Floats, stride: int, n_rows: int, orbit: Places) -> None:
    """Copy the value of the first hand of each orbit to the others: rounding may differ."""
    for row in range(n_rows):
        value = values[row * stride :]
        for h in range(len(orbit)):
            value[h] = value[orbit[h]]
