"""Functions of a number run in threads, their results in order."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from functools import partial
from math import inf
from typing import TypeVar

from treeplex.core.progress import Progress

_T = TypeVar("_T")
AHEAD = 4
"""So many results a thread are kept at most until they are asked for."""
PATIENCE = 0.2
"""Seconds between two calls of ``alive``."""

LONG = 60.0
"""From so many seconds on that are left progress says how many minutes."""


def flop_by_flop(
    run: Callable[[int], _T], count: int, threads: int, stage: str, progress: Progress
) -> Iterator[_T]:
    """Yield what a function returns of the number of each flop, and tell how many are done and left."""
    clock = time.perf_counter()

    def alive(done: int) -> None:
        left = (time.perf_counter() - clock) / max(done, 1) * (count - done)
        until = f", about {left / 60:,.0f} min left" if done and left > LONG else ""
        progress(f"{stage}: {done:,} of {count:,} flops{until}", inf)

    return in_order(run, count, threads, alive)


def in_order(
    run: Callable[[int], _T], count: int, threads: int, alive: Callable[[int], None]
) -> Iterator[_T]:
    """Yield ``run(0)``, ``run(1)``, ... up to ``count``.

    Parameters
    ----------
    run : callable
        Spends its time in kernels that release Python's lock.
    count, threads : int
    alive : callable
        Called often from the calling thread with the number of results so far.
    """
    pool, waiting, begun = ThreadPoolExecutor(threads), deque[Future[_T]](), 0
    try:
        for done in range(count):
            while begun < min(count, done + AHEAD * threads):
                waiting.append(pool.submit(run, begun))
                begun += 1
            yield _result(waiting.popleft(), partial(alive, done))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _result(future: Future[_T], alive: Callable[[], None]) -> _T:
    while True:
        alive()
        try:
            return future.result(PATIENCE)
        except TimeoutError:
            if future.done():
                raise
