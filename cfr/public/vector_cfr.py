"""Full-width regret minimisers on a public tree, with vectors over hands and compiled iterations."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.engine import PairState, check_done, check_iterations
from treeplex.cfr.local_rule import LocalRule
from treeplex.cfr.public.hand_sections import Floats, Index
from treeplex.cfr.public.public_arrays import (
    PlayerArrays,
    VectorArrays,
    all_boards,
    all_steps,
    vector_arrays,
)
from treeplex.cfr.public.public_gains import (
    NodeStrategies,
    VectorGains,
    average_gains,
    average_strategies,
    check_averages,
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
from treeplex.cfr.public.showdown import add_leaf_values, empty_sums
from treeplex.cfr.sequences.sequence_learning import CHUNK, Counts, Discount, numbers_by_kind
from treeplex.cfr.state_checks import check_count
from treeplex.cfr.variant import Hedge, Order, TreeplexBlackwell, Variant
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.trees.public_tree import PublicTree

Pair = tuple[Floats, Floats]
VectorState = PairState[RowMemory]


@dataclass(frozen=True)
class VectorCFR:
    """A variant on a public tree; advancing leaves the state's arrays alone.

    Iterations are those of ``full_width`` on the tree's sequence form, except that regrets
    are rounded to zero below ``NOISE`` times the most that the hand can win on its board.

    Attributes
    ----------
    tree : PublicTree
    config : Variant
    arrays : VectorArrays
        The tree as flat arrays.
    """

    tree: PublicTree
    config: Variant
    arrays: VectorArrays

    def start(self) -> VectorState:
        """Return the state before the first iteration: no regret, uniform play."""
        return PairState(0, fresh_memories(self.arrays, self._hedging))

    def check(self, state: VectorState) -> None:
        """Refuse a damaged state; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check_count("iterations", state.iterations)
        check_ranges(self.arrays, state.memories, self._hedging)
        check_averages(
            self.arrays, state.memories, state.iterations, self.config.average.total(state.iterations)
        )

    def advance(self, state: VectorState, iterations: int) -> VectorState:
        """Return the state after more iterations; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check_iterations(iterations)
        check_done(state)
        memories = copied_memories(self.arrays, state.memories, self._hedging)
        workspace, boards = Workspace.of(self.arrays, self.config.order), all_boards(self.arrays)
        steps = all_steps(self.arrays.sides[0]), all_steps(self.arrays.sides[1])
        for p, side in enumerate(self.arrays.sides):
            spread_plan(side.rows, steps[p], memories[p].strategy, workspace.plans[p], None)
        done, until = state.iterations, state.iterations + iterations
        while done < until:
            count = min(CHUNK, until - done)
            kinds = numbers_by_kind(self.config, done, count)
            simultaneous = self.config.order == "simultaneous"
            _iterate(self.arrays, boards, steps, *memories, workspace, *kinds, simultaneous)
            done += count
        return PairState(done, memories)

    def strategy(self, state: VectorState) -> NodeStrategies:
        """Return the average behaviour at each of both players' nodes."""
        return average_strategies(self.tree, self.arrays, state.memories)

    def gains(self, state: VectorState) -> VectorGains:
        """Return best-response bounds and value of the average, without rounding bounds."""
        return average_gains(self.arrays, state.memories)

    @property
    def _hedging(self) -> tuple[bool, bool]:
        first, second = (isinstance(m, Hedge) for m in self.config.minimisers)
        return first, second


def prepare(tree: PublicTree, variant: Variant) -> VectorCFR:
    """Lay out a public tree for a variant.

    Raises
    ------
    ValueError
        If a player learns by a user's rule or by PTB+, or for what ``vector_arrays`` raises it.
    """
    if any(isinstance(one, LocalRule) for one in variant.minimisers):
        raise BadInputError("a local rule runs on the tree and on boards, got a public tree")
    if any(isinstance(one, TreeplexBlackwell) for one in variant.minimisers):
        raise BadInputError("PTB+ runs on the tree, got a public tree")
    return VectorCFR(tree, variant, vector_arrays(tree))


class Workspace(NamedTuple):
    """Arrays overwritten in every iteration.

    plans : both players' plans, flat rows.
    values : both players' values, flat rows; they share memory unless updates are simultaneous.
    sums : running sums of :func:`treeplex.cfr.public.showdown.empty_sums`.
    """

    plans: Pair
    values: Pair
    sums: Floats

    @staticmethod
    def of(arrays: VectorArrays, order: Order) -> "Workspace":
        """Allocate for a tree."""
        m, n = (int(side.rows.start[-1]) for side in arrays.sides)
        values = np.zeros(m + n if order == "simultaneous" else max(m, n))
        return Workspace(
            (np.zeros(m), np.zeros(n)), (values[:m], values[len(values) - n :]), empty_sums(*arrays.sides)
        )


@njit(cache=True, error_model="numpy", nogil=True)
def _iterate(
    arrays: VectorArrays,
    boards: Index,
    steps: tuple[Index, Index],
    memory0: RowMemory,
    memory1: RowMemory,
    workspace: Workspace,
    discount0: Discount | None,
    discount1: Discount | None,
    rate0: float | None,
    rate1: float | None,
    counts0: Counts,
    counts1: Counts,
    simultaneous: bool,
) -> None:
    """Run one iteration for each entry of the counts; writes both memories in place."""
    plans, values = workspace.plans, workspace.values
    for t in range(len(counts0.after)):
        add_leaf_values(arrays, boards, 0, plans[1], workspace.sums, values[0])
        if simultaneous:
            add_leaf_values(arrays, boards, 1, plans[0], workspace.sums, values[1])
        _update(arrays.sides[0], steps[0], memory0, values[0], plans[0], discount0, rate0, counts0, t)
        if not simultaneous:
            add_leaf_values(arrays, boards, 1, plans[0], workspace.sums, values[1])
        _update(arrays.sides[1], steps[1], memory1, values[1], plans[1], discount1, rate1, counts1, t)


@njit(cache=True, error_model="numpy", inline="always")
def _update(
    side: PlayerArrays,
    steps: Index,
    memory: RowMemory,
    values: Floats,
    plan: Floats,
    discount: Discount | None,
    rate: float | None,
    counts: Counts,
    t: int,
) -> None:
    """Update a player and its sum of plans; compiled code has no branch for arguments that are None."""
    if discount is not None:
        update = RegretUpdate(1.0, discount.positive[t], discount.negative[t], -np.inf, discount.prediction)
        learn(side, steps, memory, values, update, None)
    elif rate is not None:
        learn(side, steps, memory, values, None, rate)
    else:
        learn(side, steps, memory, values, None, None)
    counting = Counting(memory.total, counts.keep[t], counts.before[t], counts.after[t])
    spread_plan(side.rows, steps, memory.strategy, plan, counting)
