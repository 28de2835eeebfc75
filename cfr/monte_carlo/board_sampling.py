"""Public-chance sampling on a public tree: one draw of the public cards an iteration, and all hands on it."""

import math
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.monte_carlo.boards import BoardSteps, Paths, board_steps, paths_of, weighted_by_chance
from treeplex.cfr.monte_carlo.draws import fill, mixed
from treeplex.cfr.public_tree.arrays import SideArrays, VectorArrays, vector_arrays
from treeplex.cfr.public_tree.gains import VectorGains, average_rows, gains_of_rows, strategies_of
from treeplex.cfr.public_tree.row_kernels import Counting, spread_plan
from treeplex.cfr.public_tree.row_learning import (
    Memories,
    RowMemory,
    Settling,
    copied_memories,
    fresh_memories,
    learn,
)
from treeplex.cfr.public_tree.sections import Floats, Index
from treeplex.cfr.public_tree.showdown import add_leaf_values
from treeplex.cfr.public_tree.vector_cfr import Room
from treeplex.seqform.trees.public_tree import PublicTree

DRAWS = 4096
"""Random numbers laid out at a time."""


@dataclass(frozen=True)
class BoardSampling:
    """What is made of samples of the public cards, as in ``treeplex.cfr.monte_carlo.sampling.Sampling``.

    Attributes
    ----------
    floor : float
        What no regret may fall below: minus infinity is regret matching, 0 regret matching+.
    regret_exponent : float
        The regrets of iteration t count ``t**regret_exponent``.
    exponent : float
        The average weighs iteration t by ``t**exponent``: 0 is uniform, 1 linear. What is known of regret
        matching is for equal exponents; on Leduc a linear average of unweighted regrets is far worse.
    """

    floor: float = -math.inf
    regret_exponent: float = 0.0
    exponent: float = 0.0

    def __post_init__(self) -> None:
        if not self.floor <= 0.0:
            raise ValueError(f"floor must be at most 0, got {self.floor}")
        for name, exponent in (("regret_exponent", self.regret_exponent), ("exponent", self.exponent)):
            if not 0.0 <= exponent < math.inf:
                raise ValueError(f"{name} must be at least 0 and finite, got {exponent}")


@dataclass(frozen=True)
class BoardState:
    """Everything that a later iteration depends on; going on from it equals never having stopped.

    Attributes
    ----------
    iterations : int
        Done so far; each uses up one random number.
    seed : int
        Which stream of random numbers is being used.
    memories : pair of RowMemory
    """

    iterations: int
    seed: int
    memories: Memories


@dataclass(frozen=True)
class BoardRun:
    """The outcome of a run: as in ``VectorRun``, and how it was sampled."""

    sampling: BoardSampling
    strategies: tuple[tuple[Floats, ...], tuple[Floats, ...]]
    gains: VectorGains
    state: BoardState
    seconds: float


def start(arrays: VectorArrays, seed: int) -> BoardState:
    """Return the state before the first iteration: no regret, uniform play, nothing drawn."""
    return BoardState(0, seed, fresh_memories(arrays))


def sample_boards(
    tree: PublicTree,
    sampling: BoardSampling,
    iterations: int,
    seed: int,
    state: BoardState | None = None,
) -> BoardRun:
    """Run public-chance sampling and return the average profile.

    In each iteration one way for all public cards to fall is drawn, as likely as the pairs of hands that it
    leaves; all hands and all betting on it are updated exactly, other boards are left alone (Johanson, Bard,
    Lanctot, Gibson and Bowling, Efficient Nash equilibrium approximation through Monte Carlo counterfactual
    regret minimization, 2012). Leaves are divided by how likely their board was to be drawn, so that regrets
    are right in expectation.

    Both players learn from each other's plan at the beginning of the iteration, and it is this plan that
    enters the average: one made after the draw would know the board. Without public chance the run is that
    of ``minimise_vectors`` with simultaneous updates, plans counted before.

    Parameters
    ----------
    tree : PublicTree
    sampling : BoardSampling
    iterations : int
        How many more to run, at least one.
    seed : int
        Of the random numbers, 0 to 2**64 - 1; the same seed gives the same bits.
    state : BoardState, optional
        Where an earlier run with the same seed on the same tree ended. It is not changed.

    Raises
    ------
    ValueError
        If a number is out of range, the state is of another tree or seed, or ``paths_of`` refuses
        the tree.
    """
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be between 0 and 2**64 - 1, got {seed}")
    clock, boards = time.perf_counter(), laid_out(tree)
    old = start(boards.arrays, seed) if state is None else state
    if old.seed != seed:
        raise ValueError(f"the state is of seed {old.seed}, got seed {seed}")
    new = advanced(boards, sampling, iterations, old)
    rows = average_rows(boards.arrays, new.memories)
    return BoardRun(
        sampling=sampling,
        strategies=strategies_of(tree, boards.arrays, rows),
        gains=gains_of_rows(boards.arrays, *rows),
        state=new,
        seconds=time.perf_counter() - clock,
    )


class Boards(NamedTuple):
    """A public tree laid out for sampling.

    arrays : the tree; weighted : the same, its stakes divided by how likely their board is to be drawn.
    paths : the ways for the public cards to fall.
    steps : each player's steps on each board.
    """

    arrays: VectorArrays
    weighted: VectorArrays
    paths: Paths
    steps: tuple[BoardSteps, BoardSteps]


def laid_out(tree: PublicTree) -> Boards:
    """Lay a tree out for sampling; raises what ``paths_of`` and ``vector_arrays`` raise."""
    arrays, paths = vector_arrays(tree), paths_of(tree)
    first, second = (board_steps(side.rows, len(tree.deals)) for side in arrays.sides)
    return Boards(arrays, weighted_by_chance(arrays, paths.likely), paths, (first, second))


def advanced(boards: Boards, sampling: BoardSampling, iterations: int, state: BoardState) -> BoardState:
    """Return the state after more iterations on a laid-out tree.

    Raises
    ------
    ValueError
        If ``iterations`` is not positive, or the state is of another tree.
    """
    if iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    if state.iterations < 0:
        raise ValueError(f"a state's iterations must not be negative, got {state.iterations}")
    memories = copied_memories(boards.arrays, state.memories)
    stream, draws = np.uint64(mixed(np.uint64(state.seed))), np.empty(DRAWS)
    numbers = float(sampling.floor), float(sampling.regret_exponent), float(sampling.exponent)
    room = Room.of(boards.arrays, "simultaneous")
    _iterate(
        boards.weighted,
        boards.paths,
        *boards.steps,
        *memories,
        room,
        numbers,
        stream,
        state.iterations,
        iterations,
        draws,
    )
    return BoardState(state.iterations + iterations, state.seed, memories)


@njit(cache=True, error_model="numpy")
def _iterate(
    arrays: VectorArrays,
    paths: Paths,
    first: BoardSteps,
    second: BoardSteps,
    memory0: RowMemory,
    memory1: RowMemory,
    room: Room,
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
        _play(arrays.sides[0], on0, memory0, room.plans[0], t**exponent)
        _play(arrays.sides[1], on1, memory1, room.plans[1], t**exponent)
        add_leaf_values(arrays, boards, 0, room.plans[1], room.sums, room.values[0])
        add_leaf_values(arrays, boards, 1, room.plans[0], room.sums, room.values[1])
        settling = Settling(t**regret_exponent, 1.0, 1.0, floor, 0.0)
        learn(arrays.sides[0], on0, memory0, room.values[0], settling, None)
        learn(arrays.sides[1], on1, memory1, room.values[1], settling, None)


@njit(cache=True, error_model="numpy")
def _play(side: SideArrays, steps: Index, memory: RowMemory, plan: Floats, weight: float) -> None:
    """Write a player's plan on the boards drawn, and count it; elsewhere it is out of date."""
    spread_plan(side.rows, steps, memory.strategy, plan, Counting(memory.total, 1.0, 0.0, weight))


@njit(cache=True, error_model="numpy")
def _steps_on(boards: Index, steps: BoardSteps, room: Index) -> Index:
    """Return a player's steps on some boards, written into room for all."""
    n = 0
    for board in boards:
        for k in range(steps.start[board], steps.start[board + 1]):
            room[n] = steps.step[k]
            n += 1
    return room[:n]
