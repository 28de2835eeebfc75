"""A child process that takes calls on standard input and answers on standard output, see `children.py`."""

import os
import pickle
import sys
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO


def serve(calls: BinaryIO, answers: BinaryIO) -> None:
    """Answer one call after the other; the process ends at once where nobody can ask any more.

    A call is a pickled pair of a function and its argument, and that pickled once more, so that it is
    received whole before anything is imported for it. An answer is what the function returns, pickled.
    """
    received: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_receive, args=(calls, received), daemon=True).start()
    while True:
        function, argument = pickle.loads(received.get())
        pickle.dump(function(argument), answers)
        answers.flush()


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


if __name__ == "__main__":
    main()
