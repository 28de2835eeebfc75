"""Cases run one by one or several at a time, each within its time and in a temporary folder of its own."""

import contextlib
import io
import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.baseline.commands import INPUTS, TEXT_ONLY, TYPED, commands
from benchmarks.baseline.engines import engines
from benchmarks.baseline.records import FOLDER, file_record, printed

SECONDS = 120.0
"""Which no case may take; the first one that needs a kernel compiles it."""


class OverTimeError(BaseException):
    """A case took too long; no command may take this for an error of its own."""


def names() -> tuple[str, ...]:
    """Return the names of all cases."""
    return (*commands(), *engines())


def run_cases(chosen: Sequence[str], jobs: int = 1) -> Iterator[tuple[str, Any, float]]:
    """Yield each case's name, its record and the seconds it took, in the order they end."""
    if jobs == 1:
        yield from map(run_case, chosen)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(run_case, chosen)


def run_case(name: str) -> tuple[str, Any, float]:
    """Run a case; what it raises is its record."""
    clock = time.perf_counter()
    os.environ.pop("COLUMNS", None)
    lines = commands().get(name)
    try:
        with _at_most(SECONDS):
            record = engines()[name]() if lines is None else run_commands(lines)
    except OverTimeError:
        record = {"error": f"not done after {SECONDS:.0f} s"}
    except Exception as error:
        record = {"error": f"{type(error).__name__}: {error}"}
    return name, record, time.perf_counter() - clock


def run_commands(lines: Sequence[str]) -> dict[str, Any]:
    """Run command lines in a new folder: what each printed, its exit code, and what they wrote."""
    from treeplex.cli.main import run

    with TemporaryDirectory() as place:
        folder = Path(place)
        for name, text in INPUTS.items():
            (folder / name).write_text(text)
        steps = {str(i): _step(run, line, folder) for i, line in enumerate(lines, 1)}
        written = sorted(p for p in folder.rglob("*") if p.is_file() and p.name not in INPUTS)
        files = {str(p.relative_to(folder)): file_record(p, folder) for p in written}
    return {**steps, **({"files": files} if files else {})}


def _step(run: Callable[[Sequence[str]], int], line: str, folder: Path) -> dict[str, Any]:
    arguments = [word.replace(FOLDER, str(folder)) for word in shlex.split(line)]
    if arguments[0] not in TEXT_ONLY:
        arguments.append("--json")
    for word in arguments:  # a file in a folder of its own
        if word.startswith(str(folder)):
            Path(word).parent.mkdir(exist_ok=True)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _typed(TYPED):
        code = run(arguments)
    said = [line.replace(str(folder), FOLDER) for line in err.getvalue().splitlines()]
    return {"exit": code, "stderr": said, "out": printed(out.getvalue(), folder)}


@contextlib.contextmanager
def _typed(text: str) -> Iterator[None]:
    """Let standard input hold a text."""
    before, sys.stdin = sys.stdin, io.StringIO(text)
    try:
        yield
    finally:
        sys.stdin = before


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise ``OverTimeError`` in the main thread after so many seconds."""

    def stop(*_: object) -> None:
        raise OverTimeError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
