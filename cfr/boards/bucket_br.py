"""CFR-BR with hands tied by bucket: each player learns against best responses in the whole game."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from treeplex.cfr.boards import bucket_cfr
from treeplex.cfr.boards.board_state import LIMITS, FactoredConfig, check_last
from treeplex.cfr.boards.bucket_cfr import BucketCFR, gathered, unused_memory
from treeplex.cfr.boards.bucket_state import (
    BucketConfig,
    BucketMemory,
    BucketState,
    ResponseMemory,
    ResponseState,
    check_response,
)
from treeplex.cfr.boards.factored_cfr import rules_of, run_half
from treeplex.cfr.boards.regret_matching import Rule
from treeplex.cfr.boards.responding import BestActions, check_actions
from treeplex.cfr.boards.workspace import BoardLearner, BoardPartition, backwards
from treeplex.cfr.engine import PairState, check_iterations
from treeplex.cfr.sequences.sequence_learning import CHUNK
from treeplex.cfr.variant import PLUS
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.boards.bucket_tree import BucketStrategy, BucketTree


@dataclass(frozen=True)
class ResponseConfig:
    """CFR-BR: both players learn against best responses.

    Attributes
    ----------
    learning : FactoredConfig or BucketConfig
        How they learn, by regret matching+; an engine's own config says in which buckets too.
    """

    learning: FactoredConfig | BucketConfig

    def __post_init__(self) -> None:
        matching = self.learning.variant.minimisers[0]
        if matching != PLUS:
            raise BadInputError(f"cfr-br learns by regret matching+, got {matching}")


class BucketSeat(NamedTuple):
    """A player who learns and the other, who best responds, with the tasks of both walks.

    Attributes
    ----------
    player : int
        Who learns.
    learner, responder : BoardLearner
    response, update : BoardPartition
        Of the walk that finds the best response to the learner's plan, and of the learner's against it.
    """

    player: int
    learner: BoardLearner
    responder: BoardLearner
    response: BoardPartition
    update: BoardPartition


@dataclass(frozen=True)
class BucketBR:
    """CFR-BR on buckets of hands; advancing overwrites the arrays of the state.

    In each iteration and for each player a best response of the other to the player's current plan is found
    in one traversal, hand by hand and board by board, exact but for rounding; in another the player learns
    against it. The plan that was responded to enters the average. So both players' runs are apart: two
    abstract games, each with one player in buckets. With perfect recall each average converges to the least
    exploitable strategy in the buckets (Johanson, Bard, Burch and Bowling, Finding optimal abstract
    strategies in extensive-form games, 2012); :func:`treeplex.cfr.boards.bucket_gains.guarantee_bounds` says
    what that guarantees at most.

    Best responses are found anew in each iteration, and are no part of the state.

    Attributes
    ----------
    learning : BucketCFR
        Both players in buckets; regret matching+.
    """

    learning: BucketCFR

    @property
    def config(self) -> ResponseConfig:
        """The config of the players who learn."""
        return ResponseConfig(self.learning.config)

    def start(self) -> ResponseState:
        """Return the state before the first iteration: all regrets and averages zero."""
        first, second = (ResponseMemory.fresh(memory) for memory in self._in_buckets(self.learning.start()))
        return PairState(0, (first, second))

    def check(self, state: ResponseState) -> None:
        """Refuse a damaged state; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        self.learning.check(learners_of(state))
        for player, memory in enumerate(state.memories):
            check_response(player, memory)

    def advance(self, state: ResponseState, iterations: int) -> ResponseState:
        """Return the state after more iterations, in the arrays of ``state``.

        Raises
        ------
        ValueError
            If ``iterations`` is not positive, the state is of another tree, or averages would no longer be
            finite in float32.
        """
        check_iterations(iterations)
        self.learning.check_shapes(learners_of(state))
        check_last(self.learning.config.on_boards, state.iterations + iterations)
        variant = self.learning.config.variant
        seats = self._seat(0, state.memories[0]), self._seat(1, state.memories[1])
        last = state.iterations + iterations
        with ThreadPoolExecutor(self.learning.threads) as pool:
            for done in range(state.iterations, last, CHUNK):
                for rule in rules_of(variant, done, min(CHUNK, last - done)):
                    for seat, memory in zip(seats, state.memories, strict=True):
                        self._iterate(seat, memory, rule, pool)
        return PairState(last, state.memories)

    def strategy(self, state: ResponseState) -> BucketStrategy:
        """Return both players' averages."""
        return self.learning.strategy(learners_of(state))

    def _in_buckets(self, state: BucketState) -> Iterator[BucketMemory]:
        for memory in state.memories:
            assert isinstance(memory, BucketMemory)
            yield memory

    def _seat(self, player: int, memory: ResponseMemory) -> BucketSeat:
        engine, other = self.learning, 1 - player
        boards, sides = engine.arrays.boards, engine.arrays.sides
        learner = engine.learner(player, memory.learner)
        choices, idle = BestActions.of(boards, sides[other]), unused_memory(len(sides[other].root.stay))
        responder = BoardLearner.of(sides[other], idle, engine.offsets[other], choices=choices)
        return BucketSeat(
            player,
            learner,
            responder,
            BoardPartition.of(boards, responder, learner, engine.segments, engine.threads),
            BoardPartition.of(boards, learner, responder, backwards(engine.segments), engine.threads),
        )

    def _iterate(
        self, seat: BucketSeat, memory: ResponseMemory, rule: Rule, pool: ThreadPoolExecutor
    ) -> None:
        """Find the best response to a player's plan, and let the player learn against it."""
        boards, limits, player = self.learning.arrays.boards, LIMITS["float32"], seat.player
        run_half(boards, seat.responder, seat.learner, rule, limits, seat.response, pool)
        memory.earned[0] += rule.weight * self.learning.worth(1 - player, seat.response)
        run_half(boards, seat.learner, seat.responder, rule, limits, seat.update, pool)
        tied, sums = seat.learner.tied, gathered(seat.update)
        for s, unit in enumerate((1.0 / tied.scale).tolist()):
            here = slice(int(tied.start[s]), int(tied.start[s + 1]))
            memory.gained[here] += rule.weight * unit * sums.regret[here]
        self.learning.settle(player, tied, memory.learner, seat.update, rule)


def learners_of(state: ResponseState) -> BucketState:
    """Return how both players learn, as a state of ``BucketCFR``."""
    first, second = (memory.learner for memory in state.memories)
    return PairState(state.iterations, (first, second))


def prepare(tree: BucketTree, config: ResponseConfig, threads: int = 1) -> BucketBR:
    """Lay out a tree of buckets for CFR-BR.

    Parameters
    ----------
    tree : BucketTree
    config : ResponseConfig
    threads : int
        From 1 to ``MOST_THREADS``; each has sums of its own.

    Raises
    ------
    ValueError
        If a player's hands are in no buckets, the number of threads or the storage is out of range, or a
        decision has more actions than a byte holds.
    """
    if not isinstance(config.learning, FactoredConfig):
        raise TypeError(f"an engine is prepared from how players learn on boards, got {config.learning}")
    if not all(tree.abstracted):
        raise BadInputError("cfr-br on buckets needs both players' hands in buckets: each learns by itself")
    engine = BucketBR(bucket_cfr.prepare(tree, config.learning, threads))
    for side in engine.learning.arrays.sides:
        check_actions(side)
    return engine
