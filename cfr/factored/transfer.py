"""Plans passed from street to street on the way down, values on the way up."""

from numba import njit

from treeplex.cfr.factored.arrays import Floats, Index, Places


@njit(cache=True, error_model="numpy")
def begin(plan: Floats, stride: int, rows: Index, width: int) -> None:
    """Put a player's plan before its first action to one."""
    for row in rows:
        plan[row * stride : row * stride + width] = 1.0


@njit(cache=True, error_model="numpy")
def begin_weighted(plan: Floats, stride: int, rows: Index, weight: Floats) -> None:
    """Put the opponent's plan before its first action to its range."""
    for row in rows:
        for h in range(len(weight)):
            plan[row * stride + h] = weight[h]


@njit(cache=True, error_model="numpy")
def arrive(
    plan: Floats,
    stride: int,
    entries: Index,
    above: Floats,
    above_stride: int,
    exits: Index,
    place: Places,
) -> None:
    """Write a plan at roots as the street before left it."""
    for root in range(len(entries)):
        to, before = plan[entries[root] * stride :], above[exits[root] * above_stride :]
        for h in range(len(place)):
            to[h] = before[place[h]]


@njit(cache=True, error_model="numpy")
def send_back(
    exits: Floats,
    exit_stride: int,
    first: int,
    values: Floats,
    stride: int,
    rows: Index,
    home: Places,
    ways: int,
) -> None:
    """Add what roots are worth to the first hand of each orbit on the street before."""
    for root in range(len(rows)):
        back, value = exits[(first + root) * exit_stride :], values[rows[root] * stride :]
        for h in range(len(home)):
            back[home[h]] += ways * value[h]


@njit(cache=True, error_model="numpy")
def take_back(values: Floats, exits: Floats, stride: int, rows: Index, orbit: Places, size: Places) -> None:
    """Add what the next street sent back, shared out in each orbit of hands."""
    for root in range(len(rows)):
        to, back = values[rows[root] * stride :], exits[root * stride :]
        for h in range(len(orbit)):
            to[h] += back[orbit[h]] / size[h]


@njit(cache=True, error_model="numpy")
def make_equal(values: Floats, stride: int, n_rows: int, orbit: Places) -> None:
    """Give each hand what the first of its orbit has: rounding must not tell apart what suits alone do."""
    for row in range(n_rows):
        value = values[row * stride :]
        for h in range(len(orbit)):
            value[h] = value[orbit[h]]
