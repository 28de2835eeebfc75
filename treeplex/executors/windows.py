"""Tasks under way: so many at a time, results in the order of the tasks."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

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
