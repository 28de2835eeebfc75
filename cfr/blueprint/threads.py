"""Functions called side by side on threads, whose kernels need no lock of the interpreter."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

RunAll = Callable[[Iterable[Callable[[], Any]]], list[Any]]
"""Calls functions and returns what they return, in their order."""


def on_threads(stack: ExitStack, workers: int) -> RunAll:
    """Return what calls functions on so many threads, which end with the stack; one after the other if 1."""
    if workers == 1:
        return _one_by_one
    threads = stack.enter_context(ThreadPoolExecutor(workers))

    def run_all(tasks: Iterable[Callable[[], Any]]) -> list[Any]:
        return [future.result() for future in [threads.submit(task) for task in tasks]]

    return run_all


def _one_by_one(tasks: Iterable[Callable[[], Any]]) -> list[Any]:
    return [task() for task in tasks]
