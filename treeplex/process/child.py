"""A child process that takes calls on standard input and answers on standard output, see `children.py`."""

import os
import pickle
import sys
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO


def serve(calls: BinaryIO, answers: BinaryIO) -> None:
    """Answer one call after the other; the process ends at once where nobody can ask any more.

    A call is a pickled pair of a function and its argument, and that pickled once more, so that it is
    received whole before anything is imported for it. An answer is what the function returns, pickled.
    """
    received = receiving(calls)
    while True:
        function, argument = pickle.loads(received.get())
        pickle.dump(function(argument), answers)
        answers.flush()


def receiving(calls: BinaryIO) -> "SimpleQueue[bytes]":
    """Return the queue that pickled calls are put into, also while one is answered.

    The end of the calls is that of the parent, or of its interest: it ends this process at once.
    """
    received: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_receive, args=(calls, received), daemon=True).start()
    return received


def _receive(calls: BinaryIO, received: "SimpleQueue[bytes]") -> None:
    try:
        while True:
            received.put(pickle.load(calls))
    finally:
        os._exit(0)


def on_standard_streams(serve: Callable[[BinaryIO, BinaryIO], None]) -> None:
    """Serve on the standard streams; what calls print goes to standard error."""
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    on_standard_streams(serve)
