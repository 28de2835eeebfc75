"""Work done in threads, its results in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
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
