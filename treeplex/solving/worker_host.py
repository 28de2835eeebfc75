"""A process with one worker: it takes calls on standard input and answers on standard output."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

from treeplex.cfr.split.workers import Worker
from treeplex.process.child import on_standard_streams, receiving


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
