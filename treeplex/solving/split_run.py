"""Runs on split games made ready: store, workers, engine, checkpoint and judge.

What a run takes: tables counted on some flops, an update of a subgame timed; the largest memory of this
process and of workers. Split strategies are certified from the files of a store, flop by flop, by the workers
of a run.
"""

import math
import os
import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.boards.regret_matching import Rule
from treeplex.cfr.split.split_cfr import SplitCFR
from treeplex.cfr.split.split_facts import SplitFacts
from treeplex.cfr.split.split_trunk import SplitState, SplitTrunk
from treeplex.cfr.split.subgame_layout import FlopLayout, update_subgame
from treeplex.cfr.split.workers import Executor, Worker, despite_losses
from treeplex.files.checkpoint import identity_of
from treeplex.files.split_store import (
    StoreCheckpoint,
    environment,
    recorded,
    state_hash,
    tables_bytes,
    where,
)
from treeplex.files.store_folder import (
    Generation,
    StoredTables,
    StoreFolder,
    opened_store,
)
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import Estimate
from treeplex.games.base.reporting import Report
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.boards.split_strategy import SplitStrategy
from treeplex.seqform.boards.split_tree import SplitTree, trees_of
from treeplex.seqform.certify.board_certificate import FactoredCertificate
from treeplex.seqform.certify.split_certificate import (
    FlopTask,
    FlopValues,
    certify_split,
    judge_flop,
)
from treeplex.seqform.trees.memory import GIB, machine_memory
from treeplex.solving.executors import Name, check_executor, opened
from treeplex.solving.worker_processes import WorkerPlan

SAMPLED_FLOPS = 3
RATIO = 10.0
"""Bytes of tables per byte of their files that is expected: what measured runs had at least."""
ENCODED, DECODED = 4e8, 6e8
"""Bytes of tables a second that a core writes to files and reads, about."""
A_PROCESS = 400e6
"""Bytes of a worker's process beside tables."""
JUDGED = 3.0
"""Seconds of a certificate in those of an iteration, about."""


@dataclass(frozen=True)
class SplitSize:
    """Sizes and seconds of a split game, extrapolated from some of its flops.

    Attributes
    ----------
    entries : float
        Of both players' tables in all subgames.
    update : float
        Seconds of an iteration's walks in all subgames on one core.
    subgame : float
        Bytes of the largest subgame's tables, both players' together.
    averages : bool
        Whether averages are kept beside regrets.
    """

    entries: float
    update: float
    subgame: float
    averages: bool

    @staticmethod
    def of(split: SplitTree, config: FactoredConfig) -> "SplitSize":
        """Count the entries of some flops' subgames, and time an update of one subgame."""
        n = len(split.flops)
        chosen = np.unique(np.linspace(0, n - 1, min(SAMPLED_FLOPS, n)).round().astype(int)).tolist()
        layouts = [FlopLayout.of(split, flop, config.fixed) for flop in chosen]
        lines = [line for layout in layouts for line in layout.lines]
        counts = [line.tree.n_entries for line in lines]
        a_value = _timed(layouts[len(layouts) // 2], config)
        entries = n * sum(counts) / len(layouts)
        each = 4 * (1 + config.averages)
        return SplitSize(entries, entries * a_value, float(max(counts) * each), config.averages)

    @property
    def raw(self) -> float:
        """Bytes of all tables."""
        return self.entries * 4 * (1 + self.averages)

    def memory(self, workers: int, *, in_memory: bool) -> float:
        """Return the bytes that workers take: with all tables, or with one subgame's each."""
        return (self.raw if in_memory else 2 * workers * self.subgame) + (workers + 1) * A_PROCESS

    def written(self, workers: int) -> float:
        """Return the seconds in which tables that are in memory are written: one player's twice."""
        return 1.5 * self.raw / ENCODED / workers

    def estimate(self, iterations: int, workers: int, *, in_memory: bool) -> Estimate:
        """Return what so many iterations take, one certificate included."""
        # Two generations: of one player the tables after its last half, of the other those before it too.
        disk = (1.5 if in_memory else 2.0) * self.raw / RATIO
        files = 0.0 if in_memory else self.raw * (1 / ENCODED + 2 / DECODED)
        each = (self.update + files) / workers
        seconds = (iterations + JUDGED) * each + (self.written(workers) if in_memory else 0.0)
        return Estimate(seconds, self.memory(workers, in_memory=in_memory), disk)


def _timed(layout: FlopLayout, config: FactoredConfig) -> float:
    """Return the seconds of one entry in one iteration, the second time that a subgame is updated."""
    line = max(layout.lines, key=lambda line: line.tree.n_entries)
    tables = [line.zeros(p, averages=config.averages) for p in (0, 1)]
    plans = [np.ones(int(line.arrays.sides[p].hands.start[1])) for p in (0, 1)]
    rule = Rule(1.0, 0.0, 0.0, 1.0, 1.0)
    seconds = 0.0
    for _ in range(2):
        clock = time.perf_counter()
        for p in (0, 1):
            update_subgame(line, p, tables[p], tables[1 - p], rule, plans[p], plans[1 - p])
        seconds = time.perf_counter() - clock
    return seconds / line.tree.n_entries


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
            raise BadInputError(f"memory must be GiB above 0, got {memory}")
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
        raw, ratio = tables_bytes(self.folder)
        return SplitFacts(
            store=str(options.store),
            hash=state_hash(state),
            n_flops=len(split.flops),
            n_lines=len(split.lines),
            raw=raw,
            disk=disk,
            ratio=ratio,
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

        engine = SplitCFR(SplitTrunk.of(split, fixed), executor, tables, in_memory)
        checkpoint = StoreCheckpoint(options.store, identity, folder.settle, folder.prune)
        yield SplitRun(engine, checkpoint, size, options, folder, report)


KIBIBYTE = 1024


class Asked(NamedTuple):
    """A question to the owner of a flop."""

    flop: int


def largest_resident(worker: Worker, task: Asked) -> tuple[int, int]:
    """Return a worker's process and the most bytes of memory that it has taken."""
    return os.getpid(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIBIBYTE


def peak_memory(executor: Executor, workers: int) -> float:
    """Return the sum of the largest resident memories of this process and of workers', in bytes.

    Parameters
    ----------
    executor : Executor
    workers : int
        How many there are, of those that own flops.
    """
    questions = [Asked(flop) for flop in range(workers)]
    found = despite_losses(lambda: dict(executor.map(largest_resident, questions)), "a question")
    found[os.getpid()] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIBIBYTE
    return float(sum(found.values()))


class JudgeTask(NamedTuple):
    """A flop to be judged, and the tables of which generation."""

    flop: int
    task: FlopTask
    generation: Generation


def judge_on(worker: Worker, task: JudgeTask) -> FlopValues:
    """Judge a flop from the files that its owner has."""

    def tree(flop: int, line: int) -> FactoredTree:
        return worker.layout(flop).lines[line].tree

    return judge_flop(worker.split, StoredTables(task.generation, tree), task.task)


def certified(
    strategy: SplitStrategy, generation: Generation, executor: Executor, report: Report
) -> FactoredCertificate:
    """Certify a split strategy whose tables are those of a generation; anew where a worker dies."""

    def run(tasks: Sequence[FlopTask]) -> Iterator[FlopValues]:
        return executor.map(judge_on, [JudgeTask(task.flop, task, generation) for task in tasks])

    return despite_losses(lambda: certify_split(strategy.split, strategy, run, report), "a certificate")
