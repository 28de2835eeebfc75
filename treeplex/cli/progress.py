"""A progress line on standard error where that is a terminal."""

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from treeplex.core.progress import Progress
from treeplex.process.interruption import current


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Show a bar with the stage, the width proved so far and the time, on standard error.

    The bar disappears at the end. Where standard error is not a terminal nothing is shown at all. If a signal
    has asked the command to stop, ``KeyboardInterrupt`` is raised in whoever reports progress.
    """
    interruption = current()
    if not sys.stderr.isatty():
        yield lambda stage, width: interruption.look()
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
    return f"{stage}, proved width {width:.2g}" if math.isfinite(width) else stage
