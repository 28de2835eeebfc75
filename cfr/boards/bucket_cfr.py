"""Regret matching on factored trees with hands tied by bucket over all boards."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.asked_rules import Asked, check_asked
from treeplex.cfr.boards import board_state as on_boards
from treeplex.cfr.boards.asked_buckets import ask_plays, ask_settle
from treeplex.cfr.boards.board_arrays import FactoredArrays, Index
from treeplex.cfr.boards.board_layout import factored_arrays
from treeplex.cfr.boards.board_state import LIMITS, FactoredConfig
from treeplex.cfr.boards.bucket_state import (
    BucketConfig,
    BucketMemory,
    BucketState,
    Memory,
    check_memory,
    check_numbers,
)
from treeplex.cfr.boards.factored_cfr import (
    GROUPS,
    check_threads,
    every_hand_enters,
    rules_of,
    run_half,
)
from treeplex.cfr.boards.regret_matching import FactoredMemory, Rule
from treeplex.cfr.boards.tied_hands import Sums, Tied, match, settle, slot_starts, tied_of
from treeplex.cfr.boards.workspace import (
    BoardLearner,
    BoardPartition,
    Segments,
    StreetOffsets,
    backwards,
    segments_of,
    street_offsets,
)
from treeplex.cfr.engine import PairState, check_done, check_iterations
from treeplex.cfr.sequences.sequence_learning import CHUNK, asked_of
from treeplex.cfr.state_checks import check_count
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.boards.bucket_tree import BucketStrategy, BucketTree


@dataclass(frozen=True)
class BucketCFR:
    """A variant of regret matching on buckets of hands; advancing overwrites the arrays of the state.

    Iterations are those of ``FactoredCFR``, all boards walked in each, with regrets tied by bucket: play is
    looked up by bucket in a table that was computed once, the hands' counterfactual regrets are added up for
    each bucket, weighted by the probability of the board and the hand, and so are their own reaches, with
    which the bucket's play enters its average. Both sums are of 64-bit integers, so that results do not
    depend on the number of threads; :func:`treeplex.cfr.boards.tied_hands.tied_of` says why none overflows.

    With perfect recall a bucket is an infoset of the abstract game, and theorems on regret minimisation hold
    there. With imperfect recall none does (Waugh et al. 2009, A practical use of imperfect recall).

    Attributes
    ----------
    tree : BucketTree
    config : BucketConfig
    threads : int
        Results do not depend on it.
    arrays : FactoredArrays
    offsets : pair of StreetOffsets
    segments : Segments
    cuts : pair of tuples
        For each player and street as :func:`treeplex.cfr.boards.tied_hands.slot_starts` returns them.
    """

    tree: BucketTree
    config: BucketConfig
    threads: int
    arrays: FactoredArrays
    offsets: tuple[StreetOffsets, StreetOffsets]
    segments: Segments
    cuts: tuple[tuple[Index, ...], tuple[Index, ...]]

    @property
    def keeps_gains(self) -> bool:
        """Whether the last regrets are kept: play depends on predictions, or a local rule sees them."""
        return self.config.on_boards.is_predictive or self.config.on_boards.is_by_rule

    def start(self) -> BucketState:
        """Return the state before the first iteration: all regrets and averages zero."""
        first, second = (self._fresh(p) for p in (0, 1))
        return PairState(0, (first, second))

    def check(self, state: BucketState) -> None:
        """Refuse a damaged state; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        self.check_shapes(state)
        check_count("iterations", state.iterations)
        for p, memory in enumerate(state.memories):
            if isinstance(memory, BucketMemory):
                check_numbers(p, memory, self.config, state.iterations)
            else:
                on_boards.check_numbers(p, memory, self.config.on_boards, state.iterations)

    def advance(self, state: BucketState, iterations: int) -> BucketState:
        """Return the state after more iterations, in the arrays of ``state``.

        Raises
        ------
        ValueError
            If ``iterations`` is not positive, the state is of another tree, or averages would no longer be
            finite in float32.
        """
        check_iterations(iterations)
        self.check_shapes(state)
        on_boards.check_last(self.config.on_boards, state.iterations + iterations)
        first, second = (self.learner(p, memory) for p, memory in enumerate(state.memories))
        boards, n = self.arrays.boards, self.threads
        halves = (
            (first, second, state.memories[0], BoardPartition.of(boards, first, second, self.segments, n)),
            (
                second,
                first,
                state.memories[1],
                BoardPartition.of(boards, second, first, backwards(self.segments), n),
            ),
        )
        last = state.iterations + iterations
        with ThreadPoolExecutor(n) as pool:
            for done in range(state.iterations, last, CHUNK):
                count = min(CHUNK, last - done)
                asked = asked_of(self.config.variant, 0, done, count)
                for k, rule in enumerate(rules_of(self.config.variant, done, count)):
                    for player, (own, opponent, memory, partition) in enumerate(halves):
                        run_half(boards, own, opponent, rule, LIMITS["float32"], partition, pool)
                        self.settle(player, own.tied, memory, partition, rule, asked, k)
                    check_asked(asked)
        return PairState(last, state.memories)

    def strategy(self, state: BucketState) -> BucketStrategy:
        """Return the average strategy or the last; the table of one without buckets is that of the state."""
        first, second = (self._average(p, memory) for p, memory in enumerate(state.memories))
        return BucketStrategy(self.tree, (first, second))

    def _fresh(self, player: int) -> Memory:
        if not self.tree.abstracted[player]:
            return on_boards.fresh_memory(self.arrays, player, self.config.on_boards)
        config = self.config.on_boards
        return BucketMemory.fresh(
            self.tree.length(player), predictive=self.keeps_gains, n_arrays=config.n_arrays
        )

    def check_shapes(self, state: BucketState) -> None:
        """Refuse a state of other buckets or games with ``ValueError``: the kernels check no bounds."""
        check_done(state)
        for p, memory in enumerate(state.memories):
            if isinstance(memory, BucketMemory) != self.tree.abstracted[p]:
                raise BadInputError(
                    f"the state must be of the same players in buckets, got another player {p}"
                )
            if isinstance(memory, BucketMemory):
                n_arrays = self.config.on_boards.n_arrays
                check_memory(p, memory, self.tree.length(p), predictive=self.keeps_gains, n_arrays=n_arrays)
            else:
                on_boards.check_memory(self.arrays, p, memory, self.config.on_boards)

    def learner(self, player: int, memory: Memory) -> BoardLearner:
        """Return what kernels read of a player who learns, its play by bucket computed from its regrets."""
        side, offsets = self.arrays.sides[player], self.offsets[player]
        if isinstance(memory, FactoredMemory):
            return BoardLearner.of(side, memory, offsets)
        tied, asked = tied_of(self.tree, player), asked_of(self.config.variant, player, 0, 1)
        if asked is None:
            match(memory, tied, self.cuts[player], self.config.on_boards.prediction)
        else:
            ask_plays(memory, tied, self.cuts[player], asked)
            check_asked(asked)
        return BoardLearner.of(side, unused_memory(len(side.root.stay)), offsets, tied)

    def settle(
        self,
        player: int,
        tied: Tied,
        memory: Memory,
        partition: BoardPartition,
        rule: Rule,
        asked: Asked | None = None,
        t: int = 0,
    ) -> None:
        """Update a player's buckets, if it has any, from what all threads added up; ``asked`` is its rule."""
        if not isinstance(memory, BucketMemory):
            return
        cuts, noise, sums = self.cuts[player], self.arrays.sides[player].noise, gathered(partition)
        if asked is None:
            settle(memory, tied, cuts, sums, rule, noise)
        else:
            ask_settle(memory, tied, cuts, sums, rule, noise, asked, t)

    def worth(self, player: int, partition: BoardPartition) -> float:
        """Return what the last traversal of a player found to be its value, in the unit of its values."""
        hands = self.tree.tree.boards.hands[player]
        weight = hands.weight[hands.hand[hands.on(0)]]
        entry = int(self.arrays.sides[player].betting.roots.entry[0] * self.offsets[player].stride[0])
        return float(weight @ partition.workspace.values[entry : entry + len(weight)])

    def _average(self, player: int, memory: Memory) -> NDArray[np.float32]:
        is_last = self.config.on_boards.is_last
        if isinstance(memory, FactoredMemory):
            return memory.regret if is_last else memory.total
        kept = memory.regret if is_last else memory.total
        table = np.empty(len(kept), np.float32)
        base, count = self.tree.base[player], self.tree.count[player].tolist()
        for street, n in enumerate(count):
            rows = slice(int(base[street]), int(base[street + 1]))
            slots = int(self.tree.slots[player][street])
            table[rows].reshape(slots, n)[:] = kept[rows].reshape(n, slots).T
        return table


def gathered(partition: BoardPartition) -> Sums:
    """Return what all threads added up, in the arrays of the first; those of others are set to zero."""
    sums = partition.workspace.sums
    for _, workspace in partition.tasks[1:]:
        for whole, part in zip(sums, workspace.sums, strict=True):
            np.add(whole, part, out=whole)
            part[:] = 0
    return sums


def prepare(tree: BucketTree, config: FactoredConfig, threads: int = 1) -> BucketCFR:
    """Lay out a tree of buckets for a variant.

    Parameters
    ----------
    tree : BucketTree
    config : FactoredConfig
        Its storage is that of players without buckets, and must be float32.
    threads : int
        From 1 to ``MOST_THREADS``; each has sums of its own.

    Raises
    ------
    ValueError
        If the number of threads or the storage is out of range.
    """
    check_threads(threads)
    if config.storage != "float32":
        raise BadInputError(f"storage must be float32 where hands are in buckets, got {config.storage!r}")
    if config.is_by_rule and not all(tree.abstracted):
        raise BadInputError("a local rule takes both players' hands in buckets, got those of one")
    players = " and ".join(str(p) for p in (0, 1) if tree.abstracted[p])
    tied = [None if label is None else (label, tree.share(p)) for p, label in enumerate(tree.label)]
    arrays = factored_arrays(tree.tree, every_hand_enters(tree.tree), (tied[0], tied[1]))
    return BucketCFR(
        tree,
        BucketConfig(config.variant, players, tree.identity),
        threads,
        arrays,
        (street_offsets(arrays, 0), street_offsets(arrays, 1)),
        segments_of(arrays.boards, GROUPS),
        (slot_starts(arrays, 0), slot_starts(arrays, 1)),
    )


def unused_memory(n_root: int) -> FactoredMemory:
    """Return tables on boards of a player that learns by bucket: the kernels read none of them."""
    none, root = np.zeros(0, np.float32), np.zeros(n_root)
    return FactoredMemory(none, none, none, none, none, root, root.copy(), np.zeros(0))
