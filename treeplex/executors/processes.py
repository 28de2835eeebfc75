"""Workers in processes of this machine."""

import pickle
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial

from treeplex.cfr.split.executor import Found, Task, WorkerLostError
from treeplex.cfr.split.worker import Worker
from treeplex.executors.host import Raised
from treeplex.executors.plan import WorkerPlan
from treeplex.executors.windows import in_window
from treeplex.process.interpreter import started_python

PROGRAM = ("-c", "from treeplex.executors.host import main; main()")
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
        """Yield ``function(worker, task)`` for each task, in order; raises as ``cfr.split.Executor`` says."""

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
