"""CFR+ on a public tree: hands as vectors, the whole walk of all iterations compiled."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit

from cfr.showdown import add_folds, add_showdowns, room_for_sums
from cfr.vector_arrays import Floats, SideArrays, VectorArrays, live_hands, vector_arrays
from cfr.vector_gains import VectorGains, gains_of_rows, spread_plan
from seqform.public_tree import PublicTree


@dataclass(frozen=True)
class VectorState:
    """Everything that a later iteration depends on; going on from it equals never having stopped.

    Attributes
    ----------
    iterations : int
        Iterations done so far.
    regret : pair of flat float64 arrays
        Cumulative counterfactual regret, clipped at zero after each update, in the tree's unit; rows as
        ``SideArrays`` lays them out.
    total : pair of flat float64 arrays
        Sum of the plans after each update, that of iteration t weighted t.
    """

    iterations: int
    regret: tuple[Floats, Floats]
    total: tuple[Floats, Floats]


@dataclass(frozen=True)
class VectorResult:
    """The outcome of a run of vector CFR+.

    Attributes
    ----------
    strategies : pair of tuples of (hands, actions) float64
        Average behaviour at each node of ``tree.nodes_of(player)``, in its order. Each row is a distribution: where
        the player's own average reach is zero, regret matching of the current regrets; uniform for dead
        hands.
    gains : VectorGains
        What the average profile guarantees and is worth, without a rounding bound.
    state : VectorState
        To go on from.
    iterations : int
        Iterations done in all.
    seconds : float
        Wall time of this run.
    """

    strategies: tuple[tuple[Floats, ...], tuple[Floats, ...]]
    gains: VectorGains
    state: VectorState
    iterations: int
    seconds: float


def vector_cfr_plus(
    tree: PublicTree,
    iterations: int,
    *,
    state: VectorState | None = None,
    target: float = 0.0,
    every: int = 100,
    progress: Callable[[int, VectorGains], None] | None = None,
) -> VectorResult:
    """Run CFR+ on a public tree (Tammelin 2014; Bowling, Burch, Johanson, Tammelin 2015).

    In iteration t player 0 updates against player 1's strategy, then player 1 against player 0's new one:
    counterfactual values of all hands, regrets R := max(R + r, 0), strategy proportional to R (uniform
    where R is zero). After its update each player adds its new plan to its total with weight t; the
    average strategy is the total's. Kuhn poker after 1,000 iterations has NashConv 1.48170e-4 under this
    order and weighting.

    Parameters
    ----------
    tree : PublicTree
    iterations : int
        How many more to run, at least one.
    state : VectorState, optional
        Where an earlier run on the same tree ended.
    target : float, default 0
        Stop once NashConv, in the tree's unit, is no larger; looked at every ``every`` iterations.
    every : int, default 100
        Iterations between two looks, if there is a target or a ``progress``.
    progress : callable, optional
        Called at each look with the iterations done and the gains of the average profile.

    Returns
    -------
    VectorResult

    Raises
    ------
    ValueError
        If a number is out of range or the state is of another tree.
    """
    if iterations < 1 or every < 1:
        raise ValueError(f"iterations and every must be at least 1, got {iterations} and {every}")
    if not target >= 0:
        raise ValueError(f"target must be at least 0, got {target}")
    clock = time.perf_counter()
    arrays = vector_arrays(tree)
    run = _Run(arrays, state)
    last = run.iterations + iterations
    while True:
        looks = target > 0 or progress is not None
        run.advance(min(every, last - run.iterations) if looks else last - run.iterations)
        gains = run.gains()
        if progress is not None:
            progress(run.iterations, gains)
        if run.iterations == last or gains.nash_conv <= target:
            break
    strategies = (
        _strategies(tree, arrays.sides[0], 0, run.average(0)),
        _strategies(tree, arrays.sides[1], 1, run.average(1)),
    )
    return VectorResult(strategies, gains, run.state(), run.iterations, time.perf_counter() - clock)


class _Run:
    """The arrays that a run writes; the caller's state is left alone."""

    def __init__(self, arrays: VectorArrays, state: VectorState | None) -> None:
        self.arrays = arrays
        sizes = [int(side.row_start[-1]) for side in arrays.sides]
        if state is None:
            state = VectorState(0, _zeros(sizes), _zeros(sizes))
        given = [len(a) for pair in (state.regret, state.total) for a in pair]
        if given != sizes * 2:
            raise ValueError(f"the state must be of the same tree, with {sizes * 2} floats, got {given}")
        self.iterations = state.iterations
        self.regret = state.regret[0].copy(), state.regret[1].copy()
        self.total = state.total[0].copy(), state.total[1].copy()
        self.strategy = _zeros(sizes)
        self.plan = _zeros(sizes)
        self.values = np.zeros(max(sizes))
        self.sums = room_for_sums(*arrays.sides)
        for p in (0, 1):
            match_regrets(arrays.sides[p], self.regret[p], self.strategy[p])
            spread_plan(arrays.sides[p], self.strategy[p], self.plan[p])

    def advance(self, iterations: int) -> None:
        _iterate(
            self.arrays,
            self.regret,
            self.total,
            self.strategy,
            self.plan,
            self.values,
            self.sums,
            self.iterations,
            iterations,
        )
        self.iterations += iterations

    def average(self, player: int) -> Floats:
        rows = np.zeros_like(self.total[player])
        average_rows(self.arrays.sides[player], self.total[player], self.strategy[player], rows)
        return rows

    def gains(self) -> VectorGains:
        return gains_of_rows(self.arrays, self.average(0), self.average(1))

    def state(self) -> VectorState:
        return VectorState(self.iterations, self.regret, self.total)


def _zeros(sizes: list[int]) -> tuple[Floats, Floats]:
    return np.zeros(sizes[0]), np.zeros(sizes[1])


def _strategies(tree: PublicTree, side: SideArrays, player: int, rows: Floats) -> tuple[Floats, ...]:
    """Return rows as one array (hands, actions) a node, dead hands uniform."""
    first = dict(zip(side.step_node, side.step_row, strict=True))
    out = []
    for node in tree.nodes_of(player):
        n_actions = len(tree.children[node])
        strategy = np.full((len(tree.hands[player]), n_actions), 1 / n_actions)
        hands = live_hands(side, int(tree.deal[node]))
        for a in range(n_actions):
            start = side.row_start[first[node] + a]
            strategy[hands, a] = rows[start : start + len(hands)]
        out.append(strategy)
    return tuple(out)


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def _iterate(
    arrays: VectorArrays, regret, total, strategy, plan, values, sums, done: int, iterations: int
) -> None:
    """Run alternating iterations, in place."""
    for t in range(done + 1, done + iterations + 1):
        for p in range(2):
            own, opponent = arrays.sides[p], arrays.sides[1 - p]
            n = own.row_start[-1]
            values[:n] = 0.0
            add_showdowns(
                own, opponent, arrays.showdown_deal, arrays.showdown_stake, plan[1 - p], sums, values
            )
            add_folds(own, opponent, arrays.fold_deal, arrays.fold_stake, 1.0 - 2.0 * p, plan[1 - p], values)
            update_regrets(own, strategy[p], values, regret[p])
            match_regrets(own, regret[p], strategy[p])
            spread_plan(own, strategy[p], plan[p])
            for i in range(n):
                total[p][i] += t * plan[p][i]


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def update_regrets(side: SideArrays, strategy: Floats, values: Floats, regret: Floats) -> None:
    """Add each action's regret and clip at zero; ``values`` at the leaves become values of all rows."""
    mean_all = np.empty(np.max(side.row_width))
    for step in range(len(side.step_row) - 1, -1, -1):
        row, n_actions = side.step_row[step], side.step_actions[step]
        width = side.row_width[row]
        above = values[side.row_start[side.step_parent[step]] :]
        if n_actions == 0:
            below = values[side.row_start[row] :]
            move = side.move[side.step_move[step] :]
            for h in range(width):
                above[move[h]] += below[h]
            continue
        mean = mean_all[:width]
        mean[:] = 0.0
        for action in range(n_actions):
            i = side.row_start[row + action]
            x, v = strategy[i : i + width], values[i : i + width]
            for h in range(width):
                mean[h] += x[h] * v[h]
        for h in range(width):
            above[h] += mean[h]
        for action in range(n_actions):
            i = side.row_start[row + action]
            r, v = regret[i : i + width], values[i : i + width]
            for h in range(width):
                r[h] = max(r[h] + v[h] - mean[h], 0.0)


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def match_regrets(side: SideArrays, regret: Floats, strategy: Floats) -> None:
    mass_all = np.empty(np.max(side.row_width))
    for step in range(len(side.step_row)):
        row, n_actions = side.step_row[step], side.step_actions[step]
        width = side.row_width[row]
        mass = mass_all[:width]
        mass[:] = 0.0
        for action in range(n_actions):
            i = side.row_start[row + action]
            r = regret[i : i + width]
            for h in range(width):
                mass[h] += r[h]
        for h in range(width):
            mass[h] = 1.0 / mass[h] if mass[h] > 0.0 else 0.0
        for action in range(n_actions):
            i = side.row_start[row + action]
            r, x = regret[i : i + width], strategy[i : i + width]
            for h in range(width):
                x[h] = r[h] * mass[h] if mass[h] > 0.0 else 1.0 / n_actions


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def average_rows(side: SideArrays, total: Floats, strategy: Floats, rows: Floats) -> None:
    for step in range(len(side.step_row)):
        row, n_actions = side.step_row[step], side.step_actions[step]
        width = side.row_width[row]
        for h in range(width):
            mass = 0.0
            for action in range(n_actions):
                mass += total[side.row_start[row + action] + h]
            for action in range(n_actions):
                i = side.row_start[row + action] + h
                rows[i] = total[i] / mass if mass > 0.0 else strategy[i]
