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
