"""Work in threads: results in order, and calls whose waiting thread hears Ctrl-C."""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Thread, current_thread, main_thread
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def in_order(work: Callable[[T], R], items: Iterable[T], threads: int) -> Iterator[R]:
    """Yield what the work returns for each item, in the order of the items, done by so many threads.

    Threads help where the work lets go of the interpreter, as kernels do. No more than three items a thread
    are under way, so that results wait for little and an interruption too.
    """
    if threads == 1:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[R]] = deque()
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) == 3 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def blocks(n: int, size: int) -> list[slice]:
    """Return slices of so many that cover n places."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


BETWEEN_LOOKS = 0.1
"""Seconds from one call of ``look`` to the next."""


def run_aside(
    work: Callable[[], R],
    *,
    look: Callable[[], object] | None = None,
    stop: Callable[[], object] | None = None,
    patience: float = math.inf,
) -> R:
    """Return what a call returns that is made in another thread; ``KeyboardInterrupt`` ends the wait for it.

    Python raises ``KeyboardInterrupt`` in the main thread only, and only between its own instructions:
    compiled code that the main thread calls runs to its end first. In another thread, and without ``look``,
    the call is made directly.

    Parameters
    ----------
    work : callable
    look : callable, optional
        Called now and then; what it raises ends the wait.
    stop : callable, optional
        Called when the wait was interrupted, to ask the work to end. Without it Python's own end does not
        wait for the work either.
    patience : float
        Seconds to wait for its end then; after these the work is left to itself.

    Raises
    ------
    BaseException
        What the work or ``look`` raises.
    KeyboardInterrupt
        If Ctrl-C came, after the work has ended or patience has.
    """
    if look is None and current_thread() is not main_thread():
        return work()
    made: Future[R] = Future()
    try:
        Thread(target=_make, args=(made, work), daemon=stop is None).start()
        while not wait((made,), None if look is None else BETWEEN_LOOKS).done:
            assert look is not None
            look()
    except BaseException:
        if stop is not None:
            stop()
        if not made.cancel():  # it has begun
            wait((made,), None if patience == math.inf else patience)
        raise
    return made.result()


def _make(made: "Future[R]", work: Callable[[], R]) -> None:
    if made.set_running_or_notify_cancel():
        try:
            made.set_result(work())
        except BaseException as error:
            made.set_exception(error)
