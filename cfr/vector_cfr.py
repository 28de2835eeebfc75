"""CFR+ on a public tree: hands as vectors, the whole walk of all iterations compiled."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from operator import index

import numpy as np
from numba import njit

from cfr.row_kernels import average_strategy, match_regrets, spread_plan, update_regrets
from cfr.sections import Floats
from cfr.showdown import add_folds, add_showdowns, room_for_sums
from cfr.vector_arrays import SideArrays, VectorArrays, first_rows, live_hands, vector_arrays
from cfr.vector_gains import VectorGains, gains_of_rows
from seqform.public_tree import PublicTree

Pair = tuple[Floats, Floats]


@dataclass(frozen=True)
class VectorState:
    """Everything that a later iteration depends on; going on from it equals never having stopped.

    Attributes
    ----------
    iterations : int
        Iterations done so far.
    regret : pair of flat float64 arrays
        Counterfactual regrets, clipped at zero after each update, in the tree's unit; rows as
        ``SideArrays`` lays them out.
    total : pair of flat float64 arrays
        Sum of the plans after each update, that of iteration t weighted t.
    """

    iterations: int
    regret: Pair
    total: Pair


@dataclass(frozen=True)
class VectorResult:
    """The outcome of a run of vector CFR+.

    Attributes
    ----------
    strategies : pair of tuples of (hands, actions) float64
        Average behaviour at each node of ``tree.nodes_of(player)``, in its order. Every row is a
        distribution: where the player's own average reach is zero it is regret matching of the current
        regrets, and it is uniform for dead hands.
    gains : VectorGains
        What the average profile guarantees and is worth; floats without a rounding bound.
    state : VectorState
        What to go on from.
    seconds : float
        Wall time of this run.
    """

    strategies: tuple[tuple[Floats, ...], tuple[Floats, ...]]
    gains: VectorGains
    state: VectorState
    seconds: float

    @property
    def iterations(self) -> int:
        """How many iterations were done in all."""
        return self.state.iterations


def vector_cfr_plus(
    tree: PublicTree,
    iterations: int,
    *,
    state: VectorState | None = None,
    target: float = 0.0,
    every: int = 100,
    progress: Callable[[int, VectorGains], None] | None = None,
) -> VectorResult:
    """Run CFR+ on a public tree (Tammelin 2014; Bowling, Burch, Johanson and Tammelin 2015).

    In iteration t player 0 updates against player 1's strategy, then player 1 against player 0's new one.
    An update adds to each regret the counterfactual value of the action less that of the strategy played,
    clips it at zero, and plays in proportion to the regrets, uniformly where all are zero. It then adds
    the player's new plan to the player's total with weight t; the average strategy is the total's.
    Kuhn poker after 1,000 iterations has NashConv 1.48170e-4 under this order and weighting.

    Regrets within rounding (``NOISE``) count as zero, or rounding would decide between playing an action
    always and playing uniformly where actions tie exactly.

    Parameters
    ----------
    tree : PublicTree
    iterations : int
        How many more to run, at least one.
    state : VectorState, optional
        Where an earlier run on the same tree ended. It is not changed.
    target : float, default 0
        Stop once NashConv, in the tree's unit, is no larger. Zero never stops.
    every : int, default 100
        Iterations between two looks at the average profile, for ``target`` and ``progress``. A look costs
        about as much as an iteration and changes nothing.
    progress : callable, optional
        Called at each look with the iterations done in all and the gains of the average profile.

    Returns
    -------
    VectorResult

    Raises
    ------
    ValueError
        If a number is out of range or the state is of another tree.
    """
    if index(iterations) < 1 or index(every) < 1:
        raise ValueError(f"iterations and every must be at least 1, got {iterations} and {every}")
    if not target >= 0:
        raise ValueError(f"target must be at least 0, got {target}")
    clock = time.perf_counter()
    run = _Run(vector_arrays(tree), state)
    last = run.iterations + iterations
    while run.iterations < last:
        run.advance(min(every, last - run.iterations))
        if target > 0 or progress is not None:
            gains = run.gains()
            if progress is not None:
                progress(run.iterations, gains)
            if gains.nash_conv <= target:
                break
    rows = run.average(0), run.average(1)
    return VectorResult(
        strategies=(
            _by_node(tree, run.arrays.sides[0], 0, rows[0]),
            _by_node(tree, run.arrays.sides[1], 1, rows[1]),
        ),
        gains=gains_of_rows(run.arrays, *rows),
        state=VectorState(run.iterations, run.regret, run.total),
        seconds=time.perf_counter() - clock,
    )


class _Run:
    """The arrays that a run writes; the state it starts from is left alone."""

    def __init__(self, arrays: VectorArrays, state: VectorState | None) -> None:
        self.arrays = arrays
        sizes = [int(side.rows.start[-1]) for side in arrays.sides]
        state = state or VectorState(0, _zeros(sizes), _zeros(sizes))
        given = [len(flat) for pair in (state.regret, state.total) for flat in pair]
        if given != sizes * 2 or state.iterations < 0:
            raise ValueError(f"the state must be of the same tree, {sizes} floats a player, got {given}")
        self.iterations = state.iterations
        self.regret: Pair = (state.regret[0].copy(), state.regret[1].copy())
        self.total: Pair = (state.total[0].copy(), state.total[1].copy())
        self._strategy = _zeros(sizes)
        self._plan = _zeros(sizes)
        self._values = np.zeros(max(sizes))
        self._sums = room_for_sums(*arrays.sides)
        for side, regret, strategy, plan in zip(
            arrays.sides, self.regret, self._strategy, self._plan, strict=True
        ):
            match_regrets(side.rows, regret, strategy)
            spread_plan(side.rows, strategy, plan)

    def advance(self, iterations: int) -> None:
        """Run some iterations."""
        _iterate(
            self.arrays,
            self.iterations,
            iterations,
            self.regret,
            self.total,
            self._strategy,
            self._plan,
            self._values,
            self._sums,
        )
        self.iterations += iterations

    def average(self, player: int) -> Floats:
        """Return a player's average behaviour in rows."""
        average = np.zeros_like(self.total[player])
        rows = self.arrays.sides[player].rows
        average_strategy(rows, self.total[player], self._strategy[player], average)
        return average

    def gains(self) -> VectorGains:
        """Return what the average profile guarantees."""
        return gains_of_rows(self.arrays, self.average(0), self.average(1))


def _zeros(sizes: list[int]) -> Pair:
    return np.zeros(sizes[0]), np.zeros(sizes[1])


def _by_node(tree: PublicTree, side: SideArrays, player: int, rows: Floats) -> tuple[Floats, ...]:
    """Return a behaviour in rows as one array (hands, actions) a node, dead hands uniform."""
    first_row = first_rows(side)
    out = []
    for node in tree.nodes_of(player).tolist():
        n_actions = len(tree.children[node])
        strategy = np.full((len(tree.hands[player]), n_actions), 1 / n_actions)
        hands = live_hands(side, int(tree.deal[node]))
        for a in range(n_actions):
            start = side.rows.start[first_row[node] + a]
            strategy[hands, a] = rows[start : start + len(hands)]
        out.append(strategy)
    return tuple(out)


@njit(cache=True, error_model="numpy")
def _iterate(
    arrays: VectorArrays,
    done: int,
    iterations: int,
    regret: Pair,
    total: Pair,
    strategy: Pair,
    plan: Pair,
    values: Floats,
    sums: Floats,
) -> None:
    """Run alternating iterations; everything but the tree is written in place."""
    for t in range(done + 1, done + iterations + 1):
        for p in range(2):
            own, opponent = arrays.sides[p], arrays.sides[1 - p]
            size = own.rows.start[-1]
            values[:size] = 0.0
            add_showdowns(
                own, opponent, arrays.showdown_deal, arrays.showdown_stake, plan[1 - p], sums, values
            )
            add_folds(own, opponent, arrays.fold_deal, arrays.fold_stake, 1.0 - 2.0 * p, plan[1 - p], values)
            update_regrets(own, strategy[p], values, regret[p])
            match_regrets(own.rows, regret[p], strategy[p])
            spread_plan(own.rows, strategy[p], plan[p])
            for i in range(size):
                total[p][i] += t * plan[p][i]
