"""CFR+ in fixed point on a game split into a trunk and subgames, which workers update apart."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from treeplex.cfr.boards.board_arrays import Floats
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.boards.factored_cfr import rules_of
from treeplex.cfr.boards.regret_matching import Rule
from treeplex.cfr.engine import check_iterations
from treeplex.cfr.split.split_trunk import (
    HASH_BYTES,
    Hashes,
    SplitState,
    SplitTrunk,
    check,
    copied,
    fresh,
    strategy_after,
)
from treeplex.cfr.split.workers import Executor, Job, Worker, WorkerCost, WorkerOutcome, Write, despite_losses
from treeplex.seqform.boards.split_strategy import SplitStrategy, SubgameTables

LINES_A_JOB = 64
"""Most lines of a job: those of limit hold'em are 63."""


@dataclass
class Ledger:
    """What a run has cost since it was prepared: jobs, seconds, bytes. Engines add to it."""

    jobs: int = 0
    lost: int = 0
    cost: WorkerCost = field(default_factory=WorkerCost)


@dataclass(frozen=True)
class SplitCFR:
    """CFR+ on a trunk here and on subgames by an executor's workers; advancing overwrites the state's arrays.

    Iterations are those of ``FactoredCFR`` with storage int32. Values of subgames are added in the order of
    flops and lines, so that results do not depend on the executor.

    Attributes
    ----------
    trunk : SplitTrunk
    executor : Executor
    tables : callable
        Returns the loader of subgames' tables from files, by the number of halves done.
    in_memory : bool
        Whether workers keep all tables, so that files are written in the last iteration of a call only.
    ledger : Ledger
    """

    trunk: SplitTrunk
    executor: Executor
    tables: Callable[[int], SubgameTables]
    in_memory: bool = True
    ledger: Ledger = field(default_factory=Ledger)

    @property
    def config(self) -> FactoredConfig:
        """The parameters that identify the run."""
        return self.trunk.config

    def start(self) -> SplitState:
        """Return the state before the first iteration: all regrets and averages zero."""
        return fresh(self.trunk)

    def check(self, state: SplitState) -> None:
        """Refuse a damaged state; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check(self.trunk, state)

    def advance(self, state: SplitState, iterations: int) -> SplitState:
        """Return the state after more iterations; files of tables are written for its last two halves.

        Where workers die, the iterations are run again from ``state``, whose tables are in files.

        Raises
        ------
        ValueError
            If ``iterations`` is not positive, or tables are not where they should be.
        WorkerLostError
            If too many workers die.
        """
        check_iterations(iterations)
        what = f"{iterations:,} iterations"
        return despite_losses(lambda: self._advanced(state.copied(), iterations), what, self._enter_loss)

    def strategy(self, state: SplitState) -> SplitStrategy:
        """Return the average strategy, or the last one; subgames are read from files when asked for."""
        return strategy_after(self.trunk, state, self.tables(state.halves))

    def _advanced(self, state: SplitState, iterations: int) -> SplitState:
        done, last = state.iterations, state.iterations + iterations
        rules = rules_of(self.config.variant, done, iterations, self.config.fixed.warm_up)
        for t, rule in enumerate(rules, start=done + 1):
            is_written = t == last or not self.in_memory
            writes = (Write.AFTER, Write.BOTH if self.in_memory else Write.AFTER)
            first = self._half(state, rule, writes[0] if is_written else Write.NONE)
            earlier = copied(first.memories[1])
            second = self._half(first, rule, writes[1] if is_written else Write.NONE)
            earlier_hashes = second.earlier_hashes if self.in_memory else state.hashes[1]
            state = replace(second, earlier=earlier, earlier_hashes=earlier_hashes)
        return state

    def _half(self, state: SplitState, rule: Rule, write: Write) -> SplitState:
        """Run one half of an iteration: plans to the subgames, their values back, then the trunk."""
        half = state.halves + 1
        player = (half - 1) % 2
        trunk = self.trunk.half(player, state.memories, rule)
        hashes, saturated = state.hashes.copy(), state.saturated.copy()
        earlier = np.zeros_like(state.earlier_hashes)
        for outcome in self.executor.map(Worker.run, [*self._jobs(half, rule, *trunk.plans(), write)]):
            trunk.receive(outcome.flop, outcome.lines[0], outcome.values, outcome.best)
            saturated += outcome.saturated
            self._enter(outcome)
            lines = slice(*outcome.lines)
            hashes[player, outcome.flop, lines] = _rows([after for after, _ in outcome.hashes])
            earlier[outcome.flop, lines] = _rows([before for _, before in outcome.hashes])
        update = trunk.update()
        worth = state.worth.copy()
        worth[player] = update.best @ self.trunk.weights(player)
        return replace(
            state,
            halves=half,
            hashes=hashes,
            saturated=saturated + update.saturated,
            worth=worth,
            earlier_hashes=earlier,
        )

    def _jobs(self, half: int, rule: Rule, plans: Floats, seen: Floats, write: Write) -> Iterator[Job]:
        """Yield the jobs of a half in the order of flops and lines."""
        widths = [self.trunk.widths(p) for p in ((half - 1) % 2, half % 2)]
        for flop in range(len(plans)):
            for first in range(0, plans.shape[1], LINES_A_JOB):
                lines = first, min(first + LINES_A_JOB, plans.shape[1])
                mine, theirs = (
                    one[flop, slice(*lines), : width[flop]]
                    for one, width in zip((plans, seen), widths, strict=True)
                )
                yield Job(half, flop, lines, rule, mine.copy(), theirs.copy(), write)

    def _enter_loss(self) -> None:
        self.ledger.lost += 1

    def _enter(self, outcome: WorkerOutcome) -> None:
        self.ledger.jobs += 1
        self.ledger.cost += outcome.cost


def _rows(hashes: Sequence[bytes]) -> Hashes:
    """Return hashes as rows of bytes, zeros where there are none."""
    return np.array([[*(one or bytes(HASH_BYTES))] for one in hashes], np.uint8)
