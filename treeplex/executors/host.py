"""A process with one worker: it takes calls on standard input and answers on standard output."""

import os
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

from treeplex.cfr.split.worker import Worker


@dataclass(frozen=True)
class Raised:
    """What stands for the answer of a call that raised an error."""

    error: Exception


def serve(calls: BinaryIO, answers: BinaryIO) -> None:
    """Make a worker from the first call, a pickled ``WorkerPlan``, and answer the others one by one.

    These are pairs of a function and its task, pickled; the answer is ``function(worker, task)``, or
    :class:`Raised`. The process ends at once where nobody can ask any more.
    """
    received: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_receive, args=(calls, received), daemon=True).start()
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


def _receive(calls: BinaryIO, received: "SimpleQueue[bytes]") -> None:
    """Receive calls also while one is answered: their end is the end of the parent or of its interest."""
    try:
        while True:
            received.put(pickle.load(calls))
    finally:
        os._exit(0)


def main() -> None:
    """Serve on the standard streams; what calls print goes to standard error."""
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        serve(sys.stdin.buffer, answers)
