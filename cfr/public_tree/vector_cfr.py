"""The family of regret minimisers on a public tree: hands as vectors, all iterations compiled."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from operator import index
from typing import NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.public_tree.arrays import SideArrays, VectorArrays, all_boards, all_steps, vector_arrays
from treeplex.cfr.public_tree.gains import VectorGains, average_rows, gains_of_rows, strategies_of
from treeplex.cfr.public_tree.row_kernels import Counting, spread_plan
from treeplex.cfr.public_tree.row_learning import RowMemory, Settling, copied_memories, fresh_memories, learn
from treeplex.cfr.public_tree.sections import Floats, Index
from treeplex.cfr.public_tree.showdown import add_leaf_values, room_for_sums
from treeplex.cfr.sequence_form.full_width import CHUNK
from treeplex.cfr.sequence_form.learning import Counts, Discount
from treeplex.cfr.sequence_form.schedule import numbers_of
from treeplex.cfr.variants.variant import Hedge, Order, Variant
from treeplex.seqform.trees.public_tree import PublicTree

Pair = tuple[Floats, Floats]


@dataclass(frozen=True)
class VectorState:
    """Everything that a later iteration depends on; going on from it equals never having stopped.

    Attributes
    ----------
    variant : Variant
    iterations : int
        Done so far.
    memories : pair of RowMemory
    """

    variant: Variant
    iterations: int
    memories: tuple[RowMemory, RowMemory]


@dataclass(frozen=True)
class VectorRun:
    """The outcome of a run.

    Attributes
    ----------
    strategies : pair of tuples of (hands, actions) float64
        Average behaviour at each node of ``tree.nodes_of(player)``, in its order. Every row is a
        distribution: where the player's own average reach is zero it is what is played next, and it is
        uniform for dead hands.
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


def start(arrays: VectorArrays, variant: Variant) -> VectorState:
    """Return the state before the first iteration: no regret, uniform play."""
    return VectorState(variant, 0, fresh_memories(arrays, _hedging(variant)))


def _hedging(variant: Variant) -> tuple[bool, bool]:
    first, second = (isinstance(m, Hedge) for m in variant.minimisers)
    return first, second


def minimise_vectors(
    tree: PublicTree,
    variant: Variant,
    iterations: int,
    *,
    state: VectorState | None = None,
    arrays: VectorArrays | None = None,
    target: float = 0.0,
    every: int = 100,
    progress: Callable[[int, VectorGains], None] | None = None,
) -> VectorRun:
    """Run full-width iterations of a variant on a public tree.

    They are those of ``minimise`` on the tree's sequence form, with one difference: regrets
    count as zero below ``NOISE`` of what the hand can win on its board, whatever its infoset is worth.

    Parameters
    ----------
    tree : PublicTree
    variant : Variant
    iterations : int
        How many more to run, at least one.
    state : VectorState, optional
        Where an earlier run of the same variant on the same tree ended. It is not changed.
    arrays : VectorArrays, optional
        The tree laid out by ``vector_arrays``, for those who go on often; it is laid out here unless given.
    target : float, default 0
        Stop once NashConv, in the tree's unit, is no larger. Zero never stops.
    every : int, default 100
        Iterations between two looks at the average profile, for ``target`` and ``progress``. A look costs
        about as much as an iteration and changes nothing.
    progress : callable, optional
        Called at each look with the iterations done in all and the gains of the average profile.

    Raises
    ------
    ValueError
        If a number is out of range or the state is of another tree or variant.
    """
    if index(iterations) < 1 or index(every) < 1:
        raise ValueError(f"iterations and every must be at least 1, got {iterations} and {every}")
    if not target >= 0:
        raise ValueError(f"target must be at least 0, got {target}")
    clock = time.perf_counter()
    run = _Run(vector_arrays(tree) if arrays is None else arrays, variant, state)
    last = run.iterations + iterations
    while run.iterations < last:
        run.advance(min(every, last - run.iterations))
        if target > 0 or progress is not None:
            gains = gains_of_rows(run.arrays, *average_rows(run.arrays, run.memories))
            if progress is not None:
                progress(run.iterations, gains)
            if gains.nash_conv <= target:
                break
    rows = average_rows(run.arrays, run.memories)
    return VectorRun(
        strategies=strategies_of(tree, run.arrays, rows),
        gains=gains_of_rows(run.arrays, *rows),
        state=VectorState(variant, run.iterations, run.memories),
        seconds=time.perf_counter() - clock,
    )


class Room(NamedTuple):
    """What a run overwrites from iteration to iteration.

    plans : both players' plans, flat rows.
    values : both players' values, flat rows; one place for both where they are not wanted at once.
    sums : as ``room_for_sums`` gives it.
    """

    plans: Pair
    values: Pair
    sums: Floats

    @staticmethod
    def of(arrays: VectorArrays, order: Order) -> "Room":
        """Return room for a tree."""
        m, n = (int(side.rows.start[-1]) for side in arrays.sides)
        values = np.zeros(m + n if order == "simultaneous" else max(m, n))
        return Room(
            (np.zeros(m), np.zeros(n)), (values[:m], values[len(values) - n :]), room_for_sums(*arrays.sides)
        )


class _Run:
    """The arrays that a run writes; the state it starts from is left alone."""

    def __init__(self, arrays: VectorArrays, variant: Variant, state: VectorState | None) -> None:
        old = start(arrays, variant) if state is None else state
        if old.variant != variant:
            raise ValueError(f"the state is of the variant {old.variant}, got {variant}")
        if old.iterations < 0:
            raise ValueError(f"a state's iterations must not be negative, got {old.iterations}")
        self.arrays, self.iterations, self.memories = (
            arrays,
            old.iterations,
            copied_memories(arrays, old.memories, _hedging(variant)),
        )
        self._variant, self._room = variant, Room.of(arrays, variant.order)
        self._boards, self._steps = all_boards(arrays), tuple(all_steps(side) for side in arrays.sides)
        for p, side in enumerate(arrays.sides):
            spread_plan(side.rows, self._steps[p], self.memories[p].strategy, self._room.plans[p], None)

    def advance(self, iterations: int) -> None:
        """Run some iterations."""
        until = self.iterations + iterations
        while self.iterations < until:
            count = min(CHUNK, until - self.iterations)
            numbers = [numbers_of(self._variant, p, self.iterations, count) for p in (0, 1)]
            # Player by player the tuples hold (discount, rate, counts); the loop takes them kind by kind.
            kinds = (part for pair in zip(*numbers, strict=True) for part in pair)
            simultaneous = self._variant.order == "simultaneous"
            _iterate(self.arrays, self._boards, self._steps, *self.memories, self._room, *kinds, simultaneous)
            self.iterations += count


@njit(cache=True, error_model="numpy")
def _iterate(
    arrays: VectorArrays,
    boards: Index,
    steps: tuple[Index, Index],
    memory0: RowMemory,
    memory1: RowMemory,
    room: Room,
    discount0: Discount | None,
    discount1: Discount | None,
    rate0: float | None,
    rate1: float | None,
    counts0: Counts,
    counts1: Counts,
    simultaneous: bool,
) -> None:
    """Run as many iterations as there are counts for; writes both memories in place."""
    plans, values = room.plans, room.values
    for t in range(len(counts0.after)):
        add_leaf_values(arrays, boards, 0, plans[1], room.sums, values[0])
        if simultaneous:
            add_leaf_values(arrays, boards, 1, plans[0], room.sums, values[1])
        _update(arrays.sides[0], steps[0], memory0, values[0], plans[0], discount0, rate0, counts0, t)
        if not simultaneous:
            add_leaf_values(arrays, boards, 1, plans[0], room.sums, values[1])
        _update(arrays.sides[1], steps[1], memory1, values[1], plans[1], discount1, rate1, counts1, t)


@njit(cache=True, error_model="numpy", inline="always")
def _update(
    side: SideArrays,
    steps: Index,
    memory: RowMemory,
    values: Floats,
    plan: Floats,
    discount: Discount | None,
    rate: float | None,
    counts: Counts,
    t: int,
) -> None:
    """Let a player learn and count its plan; an argument that is None leaves no test behind."""
    if discount is not None:
        settling = Settling(1.0, discount.positive[t], discount.negative[t], -np.inf, discount.prediction)
        learn(side, steps, memory, values, settling, None)
    elif rate is not None:
        learn(side, steps, memory, values, None, rate)
    else:
        learn(side, steps, memory, values, None, None)
    counting = Counting(memory.total, counts.keep[t], counts.before[t], counts.after[t])
    spread_plan(side.rows, steps, memory.strategy, plan, counting)
