"""The protocol of executors, which run functions on workers; and the one that has a single worker."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from treeplex.cfr.split.worker import Worker


class OfFlop(Protocol):
    """A task of one flop."""

    @property
    def flop(self) -> int:
        """The flop's number, which says whose task it is."""


Task = TypeVar("Task", bound=OfFlop)
Found = TypeVar("Found")


class WorkerLostError(RuntimeError):
    """Raised when a worker has died and another took its place: its tables are those in files."""


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
