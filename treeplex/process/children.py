"""Calls made in child processes, which end with what they are made for, or with this process.

Python is started in a process of its own. Tasks under way: so many at a time, results in the order of the
tasks.
"""

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

BETWEEN_LOOKS = 0.1
"""Seconds from one call of ``look`` to the next."""
PROGRAM = ("-m", "treeplex.process.child")


@dataclass(frozen=True)
class Ended:
    """What stands for the answer of a child process that ended before it gave one.

    Attributes
    ----------
    code : int
        Its exit code; below 0 the number of the signal that ended it.
    """

    code: int


def answers_of(
    work: Callable[[T], R], tasks: Sequence[T], children: int, look: Callable[[], object]
) -> Generator[tuple[int, R | Ended], None, None]:
    """Yield the number of each task and what a function returns for it, in the order in which they are done.

    Parameters
    ----------
    work : callable
        At the top level of a module that children can import; it must not raise. What it prints goes to
        standard error.
    tasks : sequence
        They and the answers are pickled.
    children : int
        How many processes, at least 1. They are started when they are needed, import the module of
        ``work`` and no main module, and hear no signals of this process's terminal.
    look : callable
        Called at least ten times a second; what it raises ends the children.

    Notes
    -----
    The children end when the generator is closed, also by an error; and by themselves if this process ends.
    """
    pool: _Pool[T, R] = _Pool(work)
    threads = ThreadPoolExecutor(children)
    try:
        done: SimpleQueue[Future[R | Ended]] = SimpleQueue()
        numbers: dict[Future[R | Ended], int] = {}
        for k, task in enumerate(tasks):
            future = threads.submit(pool.answer, task)
            numbers[future] = k
            future.add_done_callback(done.put)
        while numbers:
            look()
            with suppress(Empty):
                future = done.get(timeout=BETWEEN_LOOKS)
                yield numbers.pop(future), future.result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        pool.kill()
        threads.shutdown()
        pool.close()


class _Pool(Generic[T, R]):
    """Child processes: as many as calls are made at one time."""

    def __init__(self, work: Callable[[T], R]) -> None:
        self._work, self._lock, self._is_killed = work, Lock(), False
        self._all: list[subprocess.Popen[bytes]] = []
        self._idle: list[subprocess.Popen[bytes]] = []

    def answer(self, task: T) -> R | Ended:
        """Return what a child answers; one that ends is followed by a new one."""
        child = self._taken()
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            pickle.dump(pickle.dumps((self._work, task)), child.stdin)
            child.stdin.flush()
            answer: R = pickle.load(child.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            child.kill()  # it may have closed its streams alone
            return Ended(child.wait())
        with self._lock:
            self._idle.append(child)
        return answer

    def _taken(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._idle:
                return self._idle.pop()
            if self._is_killed:
                raise RuntimeError("the children have been ended")
            child = started_python(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._all.append(child)
            return child

    def kill(self) -> None:
        """End all children, and start none any more."""
        with self._lock:
            self._is_killed = True
            for child in self._all:
                child.kill()

    def close(self) -> None:
        """Close the streams of children that were ended."""
        for child in self._all:
            with suppress(OSError):  # of what was not written any more
                child.__exit__(None, None, None)


def started_python(arguments: Sequence[str], **streams: Any) -> "subprocess.Popen[bytes]":
    """Start Python with some arguments; it finds modules where this process finds them.

    It is in a session of its own, so that it does not hear Ctrl-C, which the parent hears and passes on.

    Parameters
    ----------
    arguments : sequence of str
    streams : Any
        What ``subprocess.Popen`` takes on streams and descriptors.
    """
    return subprocess.Popen(
        [sys.executable, "-P", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))},
        start_new_session=True,
        **streams,
    )


Task = TypeVar("Task")
Handle = TypeVar("Handle")
Found = TypeVar("Found")


def in_window(
    begin: Callable[[Task], Handle],
    end: Callable[[Handle], Found],
    drop: Callable[[Handle], object],
    tasks: Sequence[Task],
    size: int,
) -> Iterator[Found]:
    """Yield the result of each task in order, with at most ``size`` of them under way or waiting.

    Parameters
    ----------
    begin, end : callable
        Start a task; wait for its result, or raise what it raised.
    drop : callable
        Waits for a task whose result nobody wants any more, as an earlier one failed; not called where the
        results are not asked for to the end, as after Ctrl-C.
    tasks : sequence
    size : int
        At least 1.
    """
    waiting: deque[Handle] = deque()
    try:
        for task in tasks:
            waiting.append(begin(task))
            if len(waiting) == size:
                yield end(waiting.popleft())
        while waiting:
            yield end(waiting.popleft())
    except Exception:
        for handle in waiting:
            drop(handle)
        raise
