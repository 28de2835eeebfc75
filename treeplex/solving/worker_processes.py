"""Workers in processes of this machine: what a worker is made from, wherever it runs, and its process."""

import pickle
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.split.workers import Found, Task, Worker, WorkerLostError
from treeplex.files.store_folder import FileShelf
from treeplex.process.child import on_standard_streams, receiving
from treeplex.process.children import in_window, started_python
from treeplex.seqform.boards.split_tree import SplitTree


@dataclass(frozen=True)
class WorkerPlan:
    """What a worker is made from.

    Attributes
    ----------
    split : SplitTree
    config : FactoredConfig
    store : Path
        The folder of its files, on the machine where it runs.
    run : str
        The digest of the run, which files carry.
    in_memory : bool
        Whether it keeps tables in memory beside the files.
    """

    split: SplitTree
    config: FactoredConfig
    store: Path
    run: str
    in_memory: bool

    def worker(self) -> Worker:
        """Make a worker."""
        shelf = FileShelf(self.store, self.run, in_memory=self.in_memory)
        return Worker(self.split, self.config, shelf)


PROGRAM = ("-c", "from treeplex.solving.worker_processes import main; main()")
A_WORKER = 4
"""Tasks of each worker that are under way or whose results wait for those of others."""


class Processes:
    """Workers in child processes, each the owner of every n-th flop.

    They end when it is closed, and by themselves if this process ends. One that dies is replaced.

    Parameters
    ----------
    plan : WorkerPlan
    workers : int
        At least 1.
    """

    def __init__(self, plan: WorkerPlan, workers: int) -> None:
        pickled = pickle.dumps(plan)
        self._hosts = tuple(_Host(pickled) for _ in range(workers))

    def map(self, function: Callable[[Worker, Task], Found], tasks: Sequence[Task]) -> Iterator[Found]:
        """Yield ``function(worker, task)`` for each task, in order; raises as ``Executor`` says."""

        def begin(task: Task) -> Future[Found]:
            return self._hosts[task.flop % len(self._hosts)].submit(function, task)

        return in_window(begin, Future.result, Future.exception, tasks, A_WORKER * len(self._hosts))

    @property
    def pids(self) -> tuple[int, ...]:
        """The numbers of the processes that have been started."""
        return tuple(host.child.pid for host in self._hosts if host.child is not None)

    def close(self) -> None:
        """End the workers."""
        for host in self._hosts:
            host.close()


class _Host:
    """A child process with a worker, and the thread that talks with it."""

    def __init__(self, plan: bytes) -> None:
        self._plan, self._thread = plan, ThreadPoolExecutor(1)
        self.child: subprocess.Popen[bytes] | None = None

    def submit(self, function: Callable[[Worker, Task], Found], task: Task) -> "Future[Found]":
        """Call a function on the worker and a task, after the calls before."""
        return self._thread.submit(partial(self._call, function, task))

    def _call(self, function: Callable[[Worker, Task], Found], task: Task) -> Found:
        child = self.child or self._start()
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            pickle.dump(pickle.dumps((function, task)), child.stdin)
            child.stdin.flush()
            answer: Found | Raised = pickle.load(child.stdout)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            self._end()
            raise WorkerLostError(f"a worker's process ended with code {child.returncode}") from error
        if isinstance(answer, Raised):
            raise answer.error
        return answer

    def _start(self) -> "subprocess.Popen[bytes]":
        self.child = started_python(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.child.stdin is not None
        pickle.dump(self._plan, self.child.stdin)
        return self.child

    def _end(self) -> None:
        """End the process; the next call starts another."""
        child, self.child = self.child, None
        if child is not None:
            child.kill()
            with suppress(OSError):  # of what was not written any more
                child.__exit__(None, None, None)

    def close(self) -> None:
        """End the process and the thread."""
        child = self.child
        if child is not None:
            child.kill()
        self._thread.shutdown(cancel_futures=True)
        self._end()


@dataclass(frozen=True)
class Raised:
    """What stands for the answer of a call that raised an error."""

    error: Exception


def serve(calls: BinaryIO, answers: BinaryIO) -> None:
    """Make a worker from the first call, a pickled ``WorkerPlan``, and answer the others one by one.

    These are pairs of a function and its task, pickled; the answer is ``function(worker, task)``, or
    :class:`Raised`. The process ends at once where nobody can ask any more.
    """
    received = receiving(calls)
    worker: Worker = pickle.loads(received.get()).worker()
    while True:
        function, task = pickle.loads(received.get())
        pickle.dump(_answer(function, worker, task), answers)
        answers.flush()


def _answer(function: Callable[[Worker, Any], object], worker: Worker, task: object) -> object:
    try:
        return function(worker, task)
    except (ValueError, OSError, MemoryError) as error:
        return Raised(error)


def main() -> None:
    """Serve on the standard streams; what calls print goes to standard error."""
    on_standard_streams(serve)
