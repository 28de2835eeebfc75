"""Compilation of kernels by numba: a clock that stands still meanwhile, and reports that say so."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

from numba.core import event

Teller = Callable[[str], object]
"""Takes one line."""
COMPILING = "compiling kernels, once after installation"


class _Watch(event.Listener):  # type: ignore[misc]  # numba has no types
    """Adds up the seconds in which this process compiles; one compilation may start others."""

    def __init__(self) -> None:
        self._depth, self._since, self._seconds = 0, 0.0, 0.0
        self.tellers: list[Teller] = []

    @property
    def seconds(self) -> float:
        """Seconds spent compiling so far, those of a compilation under way included."""
        return self._seconds + (time.perf_counter() - self._since if self._depth else 0.0)

    def on_start(self, event: Any) -> None:
        """Begin to count, and tell."""
        if not self._depth:
            self._since = time.perf_counter()
            for tell in self.tellers[-1:]:
                # A report that is to end the work is made again soon; numba is not to be left half-way.
                with suppress(Exception, KeyboardInterrupt):
                    tell(COMPILING)
        self._depth += 1

    def on_end(self, event: Any) -> None:
        """Add what the outermost compilation took."""
        self._depth -= 1
        if not self._depth:
            self._seconds += time.perf_counter() - self._since


@cache
def _watch() -> _Watch:
    watch = _Watch()
    event.register("numba:compile", watch)
    return watch


def compiling_seconds() -> float:
    """Return the seconds for which this process has compiled kernels since this was first asked."""
    return _watch().seconds


def working_seconds() -> float:
    """Return the time of a clock like ``time.perf_counter`` that stands still while kernels are compiled."""
    return time.perf_counter() - _watch().seconds


@contextmanager
def compilation_told(tell: Teller) -> Iterator[None]:
    """Tell whenever kernels begin to be compiled in the block; numba keeps them, so that it is said once."""
    tellers = _watch().tellers
    tellers.append(tell)
    try:
        yield
    finally:
        tellers.remove(tell)
