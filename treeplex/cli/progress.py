"""Progress on standard error: a bar where that is a terminal, else a line now and then."""

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from time import process_time

from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from treeplex.core.progress import Progress
from treeplex.games.base.reading import visible
from treeplex.process.interruption import current

FIRST_LINE, LONGEST_SILENCE = 5.0, 600.0
"""Seconds before the first line and, at most, between two: each silence is as long as all before it."""


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Show a bar with the stage, the width proved so far and the time, on standard error.

    The bar disappears at the end. Where standard error is not a terminal, the same is a plain line after some
    seconds of work, then ever more rarely. If a signal has asked the command to stop, ``KeyboardInterrupt``
    is raised in whoever reports progress. What users' code prints meanwhile goes to standard error, so that
    standard output holds the command's own answer alone, such as one object of JSON.
    """
    with redirect_stdout(sys.stderr), _shown() as progress:
        yield progress


@contextmanager
def _shown() -> Iterator[Progress]:
    """Show progress, whatever becomes of standard output."""
    interruption = current()
    if sys.stderr is None or not sys.stderr.isatty():
        lines = _Lines()

        def tell(stage: str, width: float) -> None:
            interruption.look()
            lines.tell(described(stage, width))

        yield tell
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        # How long a run will take is unknown, so the bar has no total and only shows that it goes on.
        task = bars.add_task("", total=None)

        def show(stage: str, width: float) -> None:
            interruption.look()
            bars.update(task, description=described(stage, width))

        yield show


def described(stage: str, width: float) -> str:
    """Return a stage as one line, with the width where one has been proved.

    >>> described("CFR+, 64 iterations", 0.0123)
    'CFR+, 64 iterations, proved width 0.012'
    """
    shown = visible(stage)
    return f"{shown}, proved width {width:.2g}" if math.isfinite(width) else shown


class _Lines:
    """Lines on standard error, the first after some seconds.

    Seconds are those in which this process worked: what a command says does not depend on what else the
    machine does.
    """

    def __init__(self) -> None:
        self._began, self._due = process_time(), FIRST_LINE

    def tell(self, text: str) -> None:
        """Print a line, unless it is too early."""
        seconds = process_time() - self._began
        if seconds < self._due or sys.stderr is None:
            return
        self._due = seconds + min(seconds, LONGEST_SILENCE)
        with suppress(OSError, ValueError):  # nobody reads it any more
            print(f"treeplex: {text}", file=sys.stderr, flush=True)
