"""Regret matching on factored trees (betting times boards), with vectors over hands."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from operator import index
from typing import Any

import numpy as np
from numba import njit

from treeplex.cfr.boards.board_arrays import BoardArrays, FactoredArrays, Floats
from treeplex.cfr.boards.board_layout import factored_arrays, with_roots
from treeplex.cfr.boards.board_state import (
    LIMITS,
    FactoredConfig,
    FactoredState,
    check_last,
    check_ranges,
    check_state,
    fresh_state,
)
from treeplex.cfr.boards.fixed_point import fixed_of
from treeplex.cfr.boards.regret_matching import FactoredMemory, Rule
from treeplex.cfr.boards.simd import FLOAT32, FLOAT64, kind_of
from treeplex.cfr.boards.traversal import run_segments
from treeplex.cfr.boards.workspace import (
    BoardLearner,
    BoardPartition,
    BoardWorkspace,
    Segments,
    StreetOffsets,
    backwards,
    segments_of,
    street_offsets,
)
from treeplex.cfr.drawn_choices import KEPT
from treeplex.cfr.engine import check_iterations
from treeplex.cfr.sequences.sequence_learning import CHUNK, Discount, numbers_of
from treeplex.cfr.variant import Variant, numbered
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.subgames.drawn import Decisions
from treeplex.seqform.subgames.tops import RootDecisions

MOST_THREADS = 64
MOST_EXACT = 20_000
"""Games of at most so many regrets are computed in float64: exact ties stay ties, as on every other form."""
FAINTEST = 1e-12
"""Where all of a player's hands together enter with less, float64 too: float32 end at 1e-38."""
GROUPS = 16
"""Number of groups, at most, into which the subtrees of boards below the first are partitioned.

The values of groups are summed in fixed order, so that results do not depend on the number of threads.
"""


@dataclass(frozen=True)
class FactoredCFR:
    """A variant of regret matching on a factored tree; advancing overwrites the arrays of the state.

    Iterations are those of ``full_width`` with alternating updates, averaging the plans before
    updates. Regrets and averages are stored as float32 or float64, as 16-bit integers times one scale per
    decision and board, or in fixed point; plans and values are computed in float32 for the first and the
    third, but for small games, and in float64 else. Sums over boards are float64. Locked hands play their
    given strategy and have no regrets.

    Attributes
    ----------
    tree : FactoredTree
    config : FactoredConfig
    threads : int
        Results do not depend on it; more than ``GROUPS`` threads bring no speed.
    arrays : FactoredArrays
        The tree laid out.
    offsets : pair of StreetOffsets
    segments : Segments
        Of the traversal of the boards.
    """

    tree: FactoredTree
    config: FactoredConfig
    threads: int
    arrays: FactoredArrays
    offsets: tuple[StreetOffsets, StreetOffsets]
    segments: Segments

    def start(self) -> FactoredState:
        """Return the state before the first iteration: all regrets and averages zero."""
        return fresh_state(self.arrays, self.config)

    def check(self, state: FactoredState) -> None:
        """Refuse a damaged state; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check_state(self.arrays, state, self.config)
        check_ranges(state, self.config)

    def advance(self, state: FactoredState, iterations: int) -> FactoredState:
        """Return the state after more iterations, in the arrays of ``state``.

        Raises
        ------
        ValueError
            If ``iterations`` is not positive, the state is of another tree or storage, or averages would no
            longer be finite.
        """
        check_iterations(iterations)
        check_state(self.arrays, state, self.config)
        check_last(self.config, state.iterations + iterations)
        first, second = (self._learner(p, state.memories[p]) for p in (0, 1))
        boards, n = self.arrays.boards, self.threads
        partitions = (
            BoardPartition.of(boards, first, second, self.segments, n),
            BoardPartition.of(boards, second, first, backwards(self.segments), n),
        )
        with ThreadPoolExecutor(n) as pool:
            for done in range(state.iterations, state.iterations + iterations, CHUNK):
                rules = rules_of(
                    self.config.variant,
                    done,
                    min(CHUNK, state.iterations + iterations - done),
                    self.config.fixed.warm_up,
                )
                self._run(rules, (first, second), partitions, pool)
        saturated = state.saturated + partitions[0].saturated + partitions[1].saturated
        return FactoredState(state.iterations + iterations, state.memories, saturated)

    def entered_by(self, roots: tuple[Decisions, Decisions]) -> "FactoredCFR":
        """Return the engine of the same game entered by other root decisions, as ``prepare`` takes them.

        The layout is shared, so that many subgames of one shape cost one layout.
        """
        if _kind(self.tree, self.config, roots) != kind_of(self.arrays.sides[0].betting.leaves.own.shape[1]):
            return prepare(self.tree, self.config, self.threads, roots)
        return replace(self, arrays=with_roots(self.arrays, self.tree, roots))

    def strategy(self, state: FactoredState) -> FactoredStrategy:
        """Return the average strategy, or the last one, which shares the arrays of the state."""
        first, second = (one.regret if self.config.is_last else one.total for one in state.memories)
        return FactoredStrategy(self.tree, (first, second))

    def root_behaviour(self, state: FactoredState, player: int) -> Floats:
        """Return a player's average behaviour at its root decisions, (S,); 1 at the empty sequence.

        Where amounts are drawn it is (2, T), as ``DrawnDecisions`` takes it.
        """
        root, total = self.arrays.sides[player].root, state.memories[player].root_total
        if len(root.drawn.mean):
            kept = total[1:].reshape(-1, KEPT).T
            return kept / total[0] if total[0] > 0.0 else np.array([[0.5], [0.0]]) + kept
        behaviour = np.ones(len(total))
        for begin, end in zip(root.begin.tolist(), root.end.tolist(), strict=True):
            mass = total[begin:end].sum()
            behaviour[begin:end] = total[begin:end] / mass if mass > 0.0 else 1.0 / (end - begin)
        return behaviour

    def _learner(self, player: int, memory: FactoredMemory) -> BoardLearner:
        fixed = None
        if self.config.storage == "int32":
            fixed = fixed_of(self.tree, self.arrays, self.config.fixed, player)
        return BoardLearner.of(self.arrays.sides[player], memory, self.offsets[player], fixed=fixed)

    def _run(
        self,
        rules: tuple[Rule, ...],
        learners: tuple[BoardLearner, BoardLearner],
        partitions: tuple[BoardPartition, BoardPartition],
        pool: ThreadPoolExecutor,
    ) -> None:
        """Run one iteration for each rule."""
        first, second = learners
        limits, boards = LIMITS[self.config.storage], self.arrays.boards
        if len(partitions[0].tasks) <= 1:
            workspaces = *partitions[0][:3], *partitions[1][:3]
            _iterate(boards, first, second, np.array(rules), limits, *workspaces)
            return
        for rule in rules:
            for (own, opponent), partition in zip(
                ((first, second), (second, first)), partitions, strict=True
            ):
                run_half(boards, own, opponent, rule, limits, partition, pool)


def prepare(
    tree: FactoredTree,
    config: FactoredConfig,
    threads: int = 1,
    roots: tuple[Decisions, Decisions] | None = None,
) -> FactoredCFR:
    """Lay out a factored tree for a variant.

    Parameters
    ----------
    tree : FactoredTree
    config : FactoredConfig
    threads : int
        From 1 to ``MOST_THREADS``.
    roots : pair of RootDecisions or DrawnDecisions, optional
        What each player does before the tree begins; its tops are the hands of the player's range, whose
        weights (scaled to at most 1) are chance's. None unless given: every hand enters.

    Raises
    ------
    ValueError
        If the number of threads is out of range, or the scales of fixed point are not one a street.
    """
    check_threads(threads)
    if config.is_by_rule:
        raise BadInputError(
            f"a local rule runs where hands are in buckets, got {config.variant.minimisers[0]}"
        )
    if config.storage == "int32":
        config = replace(config, fixed=config.fixed.resolved(tree.game))
    decisions = every_hand_enters(tree) if roots is None else roots
    arrays = factored_arrays(tree, decisions, kind=_kind(tree, config, decisions))
    offsets = street_offsets(arrays, 0), street_offsets(arrays, 1)
    return FactoredCFR(tree, config, threads, arrays, offsets, segments_of(arrays.boards, GROUPS))


def _kind(tree: FactoredTree, config: FactoredConfig, roots: tuple[Decisions, Decisions]) -> np.dtype[Any]:
    """Return the dtype in which plans and values are computed: float32 where tables are no finer."""
    hands = zip(tree.boards.hands, roots, strict=True)
    faintest = min(float((one.weight * root.most_weight).sum()) for one, root in hands)
    fine = config.storage in ("float64", "int32") or tree.n_entries <= MOST_EXACT or faintest < FAINTEST
    return FLOAT64 if fine else FLOAT32


def every_hand_enters(tree: FactoredTree) -> tuple[RootDecisions, RootDecisions]:
    """Return root decisions without any choice."""
    first, second = (RootDecisions.fixed(np.ones(len(hands.weight))) for hands in tree.boards.hands)
    return first, second


def check_threads(threads: int) -> None:
    """Refuse a number of threads that is out of range; raises ``ValueError``."""
    if not 1 <= index(threads) <= MOST_THREADS:
        raise BadInputError(f"threads must be between 1 and {MOST_THREADS}, got {threads}")


def run_half(
    boards: BoardArrays,
    own: BoardLearner,
    opponent: BoardLearner,
    rule: Rule,
    limits: tuple[float, float],
    partition: BoardPartition,
    pool: ThreadPoolExecutor,
) -> None:
    """Update one player, the groups of boards in threads if there are several tasks."""
    go = partial(run_segments, boards, own, opponent, rule, limits)
    if len(partition.tasks) <= 1:
        go(partition.segments, partition.workspace, partition.results)
        return
    go(partition.segments.of(slice(0, 1)), partition.workspace, partition.results)
    n, m = own.offsets.start[1], opponent.offsets.start[1]
    for _, workspace in partition.tasks:
        workspace.plan[:n] = partition.workspace.plan[:n]
        workspace.other[:m] = partition.workspace.other[:m]
    for done in [
        pool.submit(go, segments, workspace, partition.results) for segments, workspace in partition.tasks
    ]:
        done.result()
    go(partition.segments.of(slice(-1, None)), partition.workspace, partition.results)


@njit(cache=True, error_model="numpy", nogil=True)
def _iterate(
    boards: BoardArrays,
    first: BoardLearner,
    second: BoardLearner,
    rules: Floats,
    limits: tuple[float, float],
    segments0: Segments,
    results0: Floats,
    workspace0: BoardWorkspace,
    segments1: Segments,
    results1: Floats,
    workspace1: BoardWorkspace,
) -> None:
    """Run iterations in one thread, with the same order of summation as in several."""
    for t in range(len(rules)):
        rule = Rule(rules[t, 0], rules[t, 1], rules[t, 2], rules[t, 3], rules[t, 4])
        run_segments(boards, first, second, rule, limits, segments0, workspace0, results0)
        run_segments(boards, second, first, rule, limits, segments1, workspace1, results1)


def rules_of(variant: Variant, done: int, count: int, warm_up: int = 0) -> tuple[Rule, ...]:
    """Return the coefficients of some iterations after ``done``; the first ``warm_up`` are not averaged."""
    discount, average = numbers_of(variant, 0, done, count).discount, variant.average
    if discount is None:  # a local rule does with regrets what it likes
        discount = Discount(np.ones(count), np.ones(count), 0.0)
    keep, weight = average.steps(done, count)
    if average.is_last:  # the strategy is read off the regrets, and sums of plans are kept as they are
        keep = np.ones(count)
    elif warm_up:
        later = numbered(done, count) - warm_up
        weight = np.where(later > 0.0, np.maximum(later, 1.0) ** average.exponent, 0.0)
    return tuple(
        Rule(float(p), float(n), discount.prediction, float(k), float(w))
        for p, n, k, w in zip(discount.positive, discount.negative, keep, weight, strict=True)
    )
