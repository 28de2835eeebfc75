"""Jobs on a flop's subgames, the workers that run them, and the protocol of executors.

A job is one half of an iteration in the subgames of some lines on a flop. A worker owns some flops, keeps
their layouts, and runs jobs on tables from its shelf. Executors run functions on workers; one of them has a
single worker.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from treeplex.cfr.boards.board_arrays import Floats
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.boards.regret_matching import Rule
from treeplex.cfr.split.subgame_layout import FlopLayout, update_subgame
from treeplex.cfr.split.subgame_tables import Put, Shelf, SubgameTables, TablePlace
from treeplex.seqform.boards.split_tree import SplitTree


class Write(IntEnum):
    """Which tables of the updating player a job writes to files."""

    NONE = 0
    AFTER = 1
    """As they are after the half."""
    BOTH = 2
    """As they are after it, and as they were before."""


class Job(NamedTuple):
    """One half of an iteration in the subgames of L lines on a flop.

    Half 2t - 1 updates player 0 in iteration t, half 2t player 1.

    half, flop : int
    lines : (int, int)
        The first line, and one past the last.
    rule : Rule
    plan : (L, W) float64
        The updating player's plan at the end of each line, hands as at the root of the subgames.
    seen : (L, W') float64
        The opponent's plan, times the weights of its range.
    write : Write
    """

    half: int
    flop: int
    lines: tuple[int, int]
    rule: Rule
    plan: Floats
    seen: Floats
    write: Write

    @property
    def player(self) -> int:
        """The player that is updated."""
        return (self.half - 1) % 2


@dataclass(frozen=True)
class WorkerCost:
    """What jobs took: seconds of walks, seconds in files (codec included), bytes read and written."""

    walk: float = 0.0
    files: float = 0.0
    written: int = 0

    def __add__(self, other: "WorkerCost") -> "WorkerCost":
        """Return the sum."""
        return WorkerCost(self.walk + other.walk, self.files + other.files, self.written + other.written)


class WorkerOutcome(NamedTuple):
    """What a job found.

    half, flop : int
    lines : (int, int)
    values, best : (L, W) float64
        For each hand of the updating player, in chips and for one deal of the cards to come: its value, and
        that of its best response, against the plans before the update.
    hashes : tuple of (bytes, bytes)
        For each line, of the tables after the half and of those before; empty where they are not written.
    saturated : (int, int)
        Regrets and averages that were too large for the integers.
    cost : WorkerCost
    """

    half: int
    flop: int
    lines: tuple[int, int]
    values: Floats
    best: Floats
    hashes: tuple[tuple[bytes, bytes], ...]
    saturated: tuple[int, int]
    cost: WorkerCost


LAYOUT_BYTES = 1_000_000_000
"""Most bytes of layouts that a worker keeps; those used least recently are made again when needed."""
NOT_WRITTEN = Put(b"", 0)


class Updated(NamedTuple):
    """What is found on a line, as in ``WorkerOutcome``."""

    values: Floats
    best: Floats
    hashes: tuple[bytes, bytes]
    saturated: tuple[int, int]
    cost: WorkerCost


class Worker:
    """Runs the jobs of some flops.

    Parameters
    ----------
    split : SplitTree
    config : FactoredConfig
        Of storage int32.
    shelf : Shelf
    """

    def __init__(self, split: SplitTree, config: FactoredConfig, shelf: Shelf) -> None:
        self.split, self.config, self.shelf = split, config, shelf
        self._layouts: OrderedDict[int, FlopLayout] = OrderedDict()

    def layout(self, flop: int) -> FlopLayout:
        """Return the layout of a flop, laid out if it is not kept."""
        if flop not in self._layouts:
            self._layouts[flop] = FlopLayout.of(self.split, flop, self.config.fixed)
            while len(self._layouts) > 1 and self._bytes > LAYOUT_BYTES:
                self._layouts.popitem(last=False)
        self._layouts.move_to_end(flop)
        return self._layouts[flop]

    @property
    def _bytes(self) -> int:
        return sum(layout.n_bytes for layout in self._layouts.values())

    def run(self, job: Job) -> WorkerOutcome:
        """Run a job; the tables that it updated are on the shelf afterwards."""
        values, best, hashes, saturated, costs = zip(*self._updates(job), strict=True)
        regrets, averages = np.sum(saturated, axis=0).tolist()
        return WorkerOutcome(
            job.half,
            job.flop,
            job.lines,
            np.array(values),
            np.array(best),
            hashes,
            (regrets, averages),
            sum(costs, WorkerCost()),
        )

    def tables(self, place: TablePlace, half: int) -> SubgameTables:
        """Return tables as they were after a half of an iteration; zeros before the first."""
        line = self.layout(place.flop).lines[place.line]
        if half <= 0:
            return line.zeros(place.player, averages=self.config.averages)
        return self.shelf.take(place, half, line.tree)

    def _updates(self, job: Job) -> Iterator[Updated]:
        """Yield what is found on each line, in order."""
        layout, player = self.layout(job.flop), job.player
        for i, line in enumerate(range(*job.lines)):
            mine, theirs = TablePlace(job.flop, line, player), TablePlace(job.flop, line, 1 - player)
            begun = time.perf_counter()
            own, other = self.tables(mine, job.half - 2), self.tables(theirs, job.half - 1)
            before = self._written(mine, job.half - 2, own, job.write == Write.BOTH)
            ready = time.perf_counter()
            update = update_subgame(
                layout.lines[line], player, own, other, job.rule, job.plan[i], job.seen[i]
            )
            walked = time.perf_counter()
            after = self._written(mine, job.half, own, job.write != Write.NONE)
            self.shelf.put(mine, job.half, own, written=job.write != Write.NONE)
            files = ready - begun + time.perf_counter() - walked
            cost = WorkerCost(walked - ready, files, before.n_bytes + after.n_bytes)
            yield Updated(update.values, update.best, (after.hash, before.hash), update.saturated, cost)

    def _written(self, place: TablePlace, half: int, tables: SubgameTables, wanted: bool) -> Put:
        """Write tables if that is wanted and there are any: there are none at half 0."""
        if not wanted or half <= 0:
            return NOT_WRITTEN
        return self.shelf.write(place, half, self.layout(place.flop).lines[place.line].tree, tables)


class OfFlop(Protocol):
    """A task of one flop."""

    @property
    def flop(self) -> int:
        """The flop's number, which says whose task it is."""


Task = TypeVar("Task", bound=OfFlop)
Found = TypeVar("Found")
Answer = TypeVar("Answer")


class WorkerLostError(RuntimeError):
    """Raised when a worker has died and another took its place: its tables are those in files."""


MOST_LOSSES = 20
"""Workers that may be lost one after the other before it is given up."""


def despite_losses(
    call: Callable[[], Answer], what: str, tell: Callable[[], object] = lambda: None
) -> Answer:
    """Return what a call that works on an executor returns; it is made again where a worker dies.

    Parameters
    ----------
    call : callable
        Of the same result whenever it is made.
    what : str
        What it is, such as ``certificate``.
    tell : callable, optional
        Called for each worker that is lost.

    Raises
    ------
    WorkerLostError
        If ``MOST_LOSSES`` workers die one after the other.
    """
    reason = ""
    for _ in range(MOST_LOSSES):
        try:
            return call()
        except WorkerLostError as error:
            reason = str(error)
            tell()
    raise WorkerLostError(f"{MOST_LOSSES} workers were lost in {what}: {reason}")


class Executor(Protocol):
    """Workers, each with flops of its own."""

    def map(self, function: Callable[[Worker, Task], Found], tasks: Sequence[Task]) -> Iterator[Found]:
        """Yield ``function(worker, task)`` for each task, in order; the worker owns the task's flop.

        Parameters
        ----------
        function : callable
            Importable by name.
        tasks : sequence
            Of a flop each.

        Raises
        ------
        WorkerLostError
            If a worker dies.
        """

    def close(self) -> None:
        """End the workers."""


class Serial:
    """One worker in this process.

    Parameters
    ----------
    worker : Worker
    """

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def map(self, function: Callable[[Worker, Task], Found], tasks: Sequence[Task]) -> Iterator[Found]:
        """Yield ``function(worker, task)`` for each task, in order."""
        for task in tasks:
            yield function(self._worker, task)

    def close(self) -> None:
        """Do nothing."""
