"""Reports of long loops: what is being done, a few times a second."""

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

Report = Callable[[str], None]
"""Takes what is being done, in one line; what it raises ends the loop."""
SECONDS = 0.2
"""Between two reports, about."""


def quiet(text: str) -> None:
    """Tell nobody."""


class Ticker:
    """Tells how far a loop has come, and after which step to do so again, whatever its steps cost.

    Parameters
    ----------
    report : callable
    """

    def __init__(self, report: Report) -> None:
        self._report, self._step = report, 1
        self._looked = self._reported = monotonic()

    def tell(self, done: int, text: str) -> int:
        """Report after ``done`` steps, unless that was just done; return after how many to tell again."""
        now = monotonic()
        seconds, self._looked = now - self._looked, now
        if seconds < SECONDS / 4:
            self._step *= 2
        elif seconds > SECONDS:
            self._step = max(1, int(self._step * SECONDS / (2 * seconds)))
        if now - self._reported >= SECONDS:
            self._report(text)
            self._reported = now
        return done + self._step


def reported(items: Iterable[T], report: Report, text: Callable[[int], str]) -> Iterator[T]:
    """Yield items, and report a few times a second.

    Parameters
    ----------
    items : iterable
    report : callable
    text : callable
        Returns what to report after so many items.
    """
    ticker, due = Ticker(report), 1
    for done, item in enumerate(items):
        if done >= due:
            due = ticker.tell(done, text(done))
        yield item
