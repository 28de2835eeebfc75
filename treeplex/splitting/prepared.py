"""Runs on split games made ready: store, workers, engine, checkpoint and judge."""

import math
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from treeplex.cfr.factored.state import FactoredConfig
from treeplex.cfr.split.executor import Executor
from treeplex.cfr.split.facts import SplitFacts
from treeplex.cfr.split.split_cfr import SplitCFR
from treeplex.cfr.split.state import SplitState
from treeplex.cfr.split.trunk import Trunk
from treeplex.executors.names import Name, check_executor, opened
from treeplex.executors.plan import WorkerPlan
from treeplex.games.display.estimate import Estimate
from treeplex.games.poker.game import PokerGame
from treeplex.games.reporting import Report
from treeplex.runs.identity import identity_of
from treeplex.seqform.judge.certificate import FactoredCertificate
from treeplex.seqform.split.split_strategy import SplitStrategy
from treeplex.seqform.split.split_tree import SplitTree
from treeplex.seqform.trees.memory import GIB, machine_memory
from treeplex.splitting.environment import environment
from treeplex.splitting.judging import certified
from treeplex.splitting.measuring import peak_memory
from treeplex.splitting.recorded import recorded, where
from treeplex.splitting.run_hash import state_hash, tables_ratio
from treeplex.splitting.sizes import SplitSize
from treeplex.splitting.store_checkpoint import StoreCheckpoint
from treeplex.splitting.stored_tables import Generation, StoredTables, trees_of
from treeplex.store.generations.folder import StoreFolder, opened_store

SLICE_SECONDS = 30.0
"""Seconds between two generations in files where tables are in memory, at least."""
WRITING = 0.05
"""Share of the time that may go into files where tables are in memory, about."""
ROOM = 0.8
"""Share of the machine's memory that tables may take unless it is said how much."""


@dataclass(frozen=True)
class SplitOptions:
    """Where and by whom a split game is solved.

    Attributes
    ----------
    store : Path
        The folder of the run's files.
    executor : {"serial", "processes", "ray"}
    workers : int
    memory : float
        Bytes that all workers together may take.
    """

    store: Path
    executor: Name
    workers: int
    memory: float

    @staticmethod
    def of(
        store: str | Path, executor: str | None, workers: int | None, memory: float | None
    ) -> "SplitOptions":
        """Return options from what users give, or refuse them.

        Parameters
        ----------
        store : str or Path
        executor : str, optional
            Processes unless given; one worker here where there is one core.
        workers : int, optional
            One a core unless given.
        memory : float, optional
            In GiB; ``ROOM`` of the machine's unless given.

        Raises
        ------
        ValueError
        """
        cores = len(os.sched_getaffinity(0))
        name = ("processes" if (workers or cores) > 1 else "serial") if executor is None else executor
        count = (1 if name == "serial" else cores) if workers is None else workers
        if memory is not None and not 0.0 < memory < math.inf:
            raise ValueError(f"memory must be GiB above 0, got {memory}")
        most = ROOM * machine_memory() if memory is None else memory * GIB
        return SplitOptions(Path(store), check_executor(name, count), count, most)


@dataclass(frozen=True)
class SplitRun:
    """A run made ready.

    Attributes
    ----------
    engine : SplitCFR
    checkpoint : StoreCheckpoint
    size : SplitSize
    options : SplitOptions
    folder : StoreFolder
    report : callable
        Told what is under way.
    """

    engine: SplitCFR
    checkpoint: StoreCheckpoint
    size: SplitSize
    options: SplitOptions
    folder: StoreFolder
    report: Report

    @property
    def done(self) -> int:
        """Iterations that the store has."""
        return self.checkpoint.halves // 2

    @property
    def slice_seconds(self) -> float:
        """Approximate seconds of a call of ``advance``; 0 for one iteration each.

        Tables in memory are written at its end, which is to take a small part of it.
        """
        if not self.engine.in_memory:
            return 0.0
        return max(SLICE_SECONDS, self.size.written(self.options.workers) / WRITING)

    def estimate(self, iterations: int) -> Estimate:
        """Return what so many iterations take."""
        return self.size.estimate(iterations, self.options.workers, in_memory=self.engine.in_memory)

    def judge(self, strategy: SplitStrategy) -> FactoredCertificate:
        """Certify a strategy, the flops judged by the workers from their files."""
        assert isinstance(strategy.tables, StoredTables)
        return certified(strategy, strategy.tables.generation, self.engine.executor, self.report)

    def facts(self, state: SplitState, iterations: int, seconds: float) -> SplitFacts:
        """Return what a result says of the run, ``iterations`` and ``seconds`` of it in this call."""
        split, options, ledger = self.engine.trunk.split, self.options, self.engine.ledger
        memory = peak_memory(self.engine.executor, min(options.workers, len(split.flops)))
        disk = self.folder.n_bytes()
        return SplitFacts(
            store=str(options.store),
            hash=state_hash(state),
            n_flops=len(split.flops),
            n_lines=len(split.lines),
            raw=round(self.size.raw),
            disk=disk,
            ratio=tables_ratio(self.folder),
            executor=options.executor,
            workers=options.workers,
            in_memory=self.engine.in_memory,
            lost=ledger.lost,
            estimated=self.estimate(iterations),
            measured=Estimate(seconds, memory, disk),
            walk=ledger.cost.walk,
            files=ledger.cost.files,
        )


@contextmanager
def split_run(
    game: PokerGame, config: FactoredConfig, options: SplitOptions, report: Report
) -> Iterator[SplitRun]:
    """Make a run ready, and end its workers when it is left.

    Raises
    ------
    ValueError
        If the game cannot be split, the store is of another run or in use, or Ray is not there.
    """
    split = SplitTree.of(game, report=report)
    fixed = replace(config, fixed=config.fixed.resolved(game))
    identity = identity_of(game, "cfr+", where(split), fixed)
    report(f"{game.name}: counting tables of {split.n_subgames:,} subgames")
    size = SplitSize.of(split, fixed)
    in_memory = size.memory(options.workers, in_memory=True) <= options.memory
    folder, digest = opened_store(
        options.store, asdict(identity), {"config": recorded(fixed), "environment": environment()}
    )
    with ExitStack() as stack:
        stack.enter_context(folder.locked())
        plan = WorkerPlan(split, fixed, options.store.absolute(), digest, in_memory)
        executor: Executor = stack.enter_context(opened(options.executor, plan, options.workers))

        def tables(halves: int) -> StoredTables:
            return StoredTables(Generation(plan.store, digest, halves, fixed.is_last), trees_of(split))

        engine = SplitCFR(Trunk.of(split, fixed), executor, tables, in_memory)
        checkpoint = StoreCheckpoint(options.store, identity, folder.settle, folder.prune)
        yield SplitRun(engine, checkpoint, size, options, folder, report)
