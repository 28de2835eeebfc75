"""Public-chance sampling on a public tree: public cards are drawn, all hands on them updated.

Each iteration draws the public cards, as a path of boards on the public tree by its probability, and updates
all hands.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.engine import PairState, check_done, check_iterations, check_seed
from treeplex.cfr.public.hand_sections import Floats, Index, starts
from treeplex.cfr.public.public_arrays import PlayerArrays, RowArrays, VectorArrays, vector_arrays
from treeplex.cfr.public.public_gains import (
    NodeStrategies,
    VectorGains,
    average_gains,
    average_strategies,
    check_ranges,
)
from treeplex.cfr.public.row_learning import (
    Counting,
    RegretUpdate,
    RowMemory,
    copied_memories,
    fresh_memories,
    learn,
    spread_plan,
)
from treeplex.cfr.public.showdown import add_leaf_values
from treeplex.cfr.public.vector_cfr import VectorState, Workspace
from treeplex.cfr.sampling.draws import fill, mixed
from treeplex.cfr.state_checks import check_count, check_range, drift, sum_of_weights
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.seqform.trees.tree_arrays import TreeDeal


class Paths(NamedTuple):
    """The paths of boards from the first board to the last ones, with probabilities.

    Attributes
    ----------
    start : (P + 1,) int64
        First entry of each path in ``board``.
    board : (.,) int64
        The boards on the paths, in order.
    cumulative : (P,) float64
        Cumulative probabilities of the paths.
    likely : (D,) float64
        Probability that each board is on the path drawn.
    """

    start: Index
    board: Index
    cumulative: Floats
    likely: Floats


class BoardSteps(NamedTuple):
    """One player's steps by board: those of board d are ``step[start[d] : start[d + 1]]``, in order."""

    start: Index
    step: Index


def paths_of(tree: PublicTree) -> Paths:
    """Return the paths of a tree's boards, with probabilities from the pairs of hands on their last boards.

    Raises
    ------
    ValueError
        If a board follows two others, or the weight of a board's pairs of hands is negative.
    """
    before = _before(tree)
    last = sorted(set(range(len(tree.deals))) - set(before.values()))
    weights = [_weight(tree.deals[d]) for d in last]
    if min(weights) < 0 or sum(weights) == 0:
        raise BadInputError(
            f"a board's pairs of hands must weigh at least 0 and some more, got {min(weights)}"
        )
    likely = [Fraction(0)] * len(tree.deals)
    paths = []
    for end, weight in zip(last, weights, strict=True):
        paths.append(_path(before, end))
        for board in paths[-1]:
            likely[board] += weight / sum(weights)
    return Paths(
        start=starts([len(path) for path in paths]),
        board=np.concatenate([np.array(path, dtype=np.int64) for path in paths]),
        cumulative=np.array([float(below / sum(weights)) for below in accumulate(weights)]),
        likely=np.array([float(p) for p in likely]),
    )


def board_steps(rows: RowArrays, n_boards: int) -> BoardSteps:
    """Return a player's steps by board."""
    counts = np.bincount(rows.deal, minlength=n_boards)
    return BoardSteps(starts(counts), np.argsort(rows.deal, kind="stable").astype(np.int64))


def weighted_by_chance(arrays: VectorArrays, likely: Floats) -> VectorArrays:
    """Return a tree with stakes and noise divided by the probability of drawing their board.

    Stakes on boards of probability 0 are 0.
    """
    factor = np.divide(1.0, likely, out=np.zeros_like(likely), where=likely > 0)
    leaves = [
        kind._replace(stake=kind.stake * np.repeat(factor, np.diff(kind.start))[:, None])
        for kind in (arrays.showdowns, arrays.folds)
    ]
    sides = [
        side._replace(noise=side.noise * np.repeat(factor, np.diff(side.sections.deal_start)))
        for side in arrays.sides
    ]
    return VectorArrays((sides[0], sides[1]), leaves[0], leaves[1])


def _before(tree: PublicTree) -> dict[int, int]:
    """Return the previous board of each board but the first."""
    before: dict[int, int] = {}
    for node in range(1, tree.n_nodes):
        here, there = int(tree.deal[tree.parent[node]]), int(tree.deal[node])
        if here != there and before.setdefault(there, here) != here:
            raise BadInputError(
                f"a board must follow one board, got {there} after {here} and {before[there]}"
            )
    return before


def _path(before: dict[int, int], end: int) -> list[int]:
    path = [end]
    while path[0] in before:
        path.insert(0, before[path[0]])
    return path


def _weight(deal: TreeDeal) -> Fraction:
    """Return the total weight of all pairs of hands, by inclusion and exclusion."""
    total = sum(map(int, deal.weight[0])) * sum(map(int, deal.weight[1]))
    held = [_by_key(deal, p) for p in (0, 1)]
    total -= sum(share * held[1].get(key, 0) for key, share in held[0].items())
    total += sum(int(deal.same[g]) for g in np.flatnonzero(deal.mate >= 0))
    return Fraction(total, deal.den)


def _by_key(deal: TreeDeal, player: int) -> dict[int, int]:
    """Return the sum of a player's shares through each key."""
    sums: dict[int, int] = {}
    for key, share in zip(deal.key[player].ravel().tolist(), deal.share[player].ravel(), strict=True):
        if key >= 0:
            sums[key] = sums.get(key, 0) + int(share)
    return sums


DRAWS = 4096
"""Random numbers computed at a time."""


@dataclass(frozen=True)
class BoardSampling:
    """Config of public-chance sampling; fields as in ``treeplex.cfr.sampling.sampling_config.Sampling``.

    Attributes
    ----------
    floor : float
        Lower limit of regrets: minus infinity is regret matching, 0 regret matching+.
    regret_exponent : float
        Weight ``t**regret_exponent`` of the regrets of iteration t.
    exponent : float
        Weight ``t**exponent`` of iteration t in the average: 0 is uniform, 1 linear. Bounds are known for
        equal exponents; on Leduc a linear average of unweighted regrets is far worse.
    seed : int
        Of the random numbers, 0 to 2**64 - 1; each iteration uses one number.
    """

    floor: float = -math.inf
    regret_exponent: float = 0.0
    exponent: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.floor <= 0.0:
            raise BadInputError(f"floor must be at most 0, got {self.floor}")
        for name, exponent in (("regret_exponent", self.regret_exponent), ("exponent", self.exponent)):
            if not 0.0 <= exponent < math.inf:
                raise BadInputError(f"{name} must be at least 0 and finite, got {exponent}")
        check_seed(self.seed)


@dataclass(frozen=True)
class SampledBoards:
    """Public-chance sampling on a public tree; advancing leaves the state's arrays alone.

    Each iteration draws a path of boards with the probability of its pairs of hands, and updates all hands
    and all betting on it exactly; other boards do not change (Johanson, Bard,
    Lanctot, Gibson and Bowling, Efficient Nash equilibrium approximation through Monte Carlo counterfactual
    regret minimization, 2012). Payoffs are divided by the probability of drawing their board, so that
    sampled regrets are unbiased.

    Both players update against each other's plan at the beginning of the iteration, and this plan is
    averaged: a plan made after the draw would depend on the board. Without public chance the run is that of
    ``treeplex.cfr.public.vector_cfr`` with simultaneous updates and ``counted="before"``.

    Attributes
    ----------
    tree : PublicTree
    config : BoardSampling
    arrays : VectorArrays
        The tree as flat arrays.
    weighted : VectorArrays
        The same with stakes divided by the probability of drawing their board.
    paths : Paths
        The paths of boards.
    steps : pair of BoardSteps
        Each player's steps on each board.
    """

    tree: PublicTree
    config: BoardSampling
    arrays: VectorArrays
    weighted: VectorArrays
    paths: Paths
    steps: tuple[BoardSteps, BoardSteps]

    def start(self) -> VectorState:
        """Return the state before the first iteration: no regret, uniform play."""
        return PairState(0, fresh_memories(self.arrays))

    def check(self, state: VectorState) -> None:
        """Refuse a damaged state; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check_count("iterations", state.iterations)
        check_ranges(self.arrays, state.memories)
        weight = sum_of_weights(self.config.exponent, state.iterations) * (1 + drift(state.iterations))
        for p, memory in enumerate(state.memories):
            check_range(f"player {p}'s total", memory.total, 0.0, weight)

    def advance(self, state: VectorState, iterations: int) -> VectorState:
        """Return the state after more iterations; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check_iterations(iterations)
        check_done(state)
        memories = copied_memories(self.arrays, state.memories)
        config, stream = self.config, np.uint64(mixed(np.uint64(self.config.seed)))
        numbers = float(config.floor), float(config.regret_exponent), float(config.exponent)
        workspace, draws = Workspace.of(self.arrays, "simultaneous"), np.empty(DRAWS)
        done = state.iterations
        _iterate(
            self.weighted,
            self.paths,
            *self.steps,
            *memories,
            workspace,
            numbers,
            stream,
            done,
            iterations,
            draws,
        )
        return PairState(done + iterations, memories)

    def strategy(self, state: VectorState) -> NodeStrategies:
        """Return the average behaviour at each of both players' nodes."""
        return average_strategies(self.tree, self.arrays, state.memories)

    def gains(self, state: VectorState) -> VectorGains:
        """Return best-response bounds and value of the average, without rounding bounds."""
        return average_gains(self.arrays, state.memories)


def prepare(tree: PublicTree, config: BoardSampling) -> SampledBoards:
    """Lay out a public tree for sampling; raises what ``paths_of`` and ``vector_arrays`` raise."""
    arrays, paths = vector_arrays(tree), paths_of(tree)
    first, second = (board_steps(side.rows, len(tree.deals)) for side in arrays.sides)
    return SampledBoards(
        tree, config, arrays, weighted_by_chance(arrays, paths.likely), paths, (first, second)
    )


@njit(cache=True, error_model="numpy", nogil=True)
def _iterate(
    arrays: VectorArrays,
    paths: Paths,
    first: BoardSteps,
    second: BoardSteps,
    memory0: RowMemory,
    memory1: RowMemory,
    workspace: Workspace,
    numbers: tuple[float, float, float],
    stream: Any,
    done: int,
    iterations: int,
    draws: Floats,
) -> None:
    """Run iterations; writes both memories in place."""
    floor, regret_exponent, exponent = numbers
    steps0, steps1 = np.empty_like(first.step), np.empty_like(second.step)
    for k in range(iterations):
        if k % len(draws) == 0:
            fill(stream, done + k, draws)
        path = np.searchsorted(paths.cumulative, draws[k % len(draws)], side="right")
        boards = paths.board[paths.start[path] : paths.start[path + 1]]
        on0, on1 = _steps_on(boards, first, steps0), _steps_on(boards, second, steps1)
        t = np.float64(done + k + 1)
        _play(arrays.sides[0], on0, memory0, workspace.plans[0], t**exponent)
        _play(arrays.sides[1], on1, memory1, workspace.plans[1], t**exponent)
        add_leaf_values(arrays, boards, 0, workspace.plans[1], workspace.sums, workspace.values[0])
        add_leaf_values(arrays, boards, 1, workspace.plans[0], workspace.sums, workspace.values[1])
        update = RegretUpdate(t**regret_exponent, 1.0, 1.0, floor, 0.0)
        learn(arrays.sides[0], on0, memory0, workspace.values[0], update, None)
        learn(arrays.sides[1], on1, memory1, workspace.values[1], update, None)


@njit(cache=True, error_model="numpy")
def _play(side: PlayerArrays, steps: Index, memory: RowMemory, plan: Floats, weight: float) -> None:
    """Write a player's plan on the boards drawn, and add it to the average; it is stale on other boards."""
    spread_plan(side.rows, steps, memory.strategy, plan, Counting(memory.total, 1.0, 0.0, weight))


@njit(cache=True, error_model="numpy")
def _steps_on(boards: Index, steps: BoardSteps, workspace: Index) -> Index:
    """Return a player's steps on some boards, in a buffer for all steps."""
    n = 0
    for board in boards:
        for k in range(steps.start[board], steps.start[board + 1]):
            workspace[n] = steps.step[k]
            n += 1
    return workspace[:n]
