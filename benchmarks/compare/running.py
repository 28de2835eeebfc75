"""Run the jobs of two checkouts alternately, and keep in a file what they printed."""

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.compare.jobs import Arguments, Job, python
from benchmarks.compare.printed import Figure, figures


@dataclass(frozen=True)
class Run:
    """What one process printed.

    Attributes
    ----------
    seconds : float
        On the clock, untimed preparation included.
    figures : dict of str to Figure
        By row; none if it failed.
    error : str or None
        The last line on standard error of a process that failed.
    """

    seconds: float
    figures: dict[str, Figure]
    error: str | None = None


Sides = tuple[list[Run], list[Run]]
"""The runs of a job before and after, in the order they were made."""


def run(checkout: Path, arguments: Arguments) -> Run:
    """Run one process in a checkout and read its figures."""
    clock = time.perf_counter()
    done = python(checkout, "-m", *arguments)
    seconds = time.perf_counter() - clock
    if done.returncode:
        return Run(seconds, {}, (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1])
    return Run(seconds, figures(done.stdout))


def alternate(
    checkouts: tuple[Path, Path], todo: Sequence[Job], runs: int, found: dict[str, Sides]
) -> Iterator[Job]:
    """Add runs to ``found`` until each job has so many on each side; yield the job after each pair of runs.

    Every round goes through all jobs, before and after by turns: a machine that slows down in the course of
    hours slows both sides of every job.
    """
    for k in range(runs):
        for job in todo:
            sides = found.setdefault(job.name, ([], []))
            if len(sides[1]) > k:
                continue
            for side, checkout, arguments in zip(sides, checkouts, job.arguments, strict=True):
                side.append(run(checkout, arguments))
            yield job


def left(todo: Sequence[Job], runs: int, found: dict[str, Sides]) -> tuple[int, float, int]:
    """Return how many processes are to be run, seconds for those run before, and how many were never run."""
    processes, seconds, untimed = 0, 0.0, 0
    for job in todo:
        for side in found.get(job.name, ([], [])):
            more = max(0, runs - len(side))
            processes += more
            seconds += more * sum(r.seconds for r in side) / max(1, len(side))
            untimed += 0 if side else more
    return processes, seconds, untimed


def commit(checkout: Path) -> str:
    """Return the place and the commit of a checkout; the place alone where there is no commit."""
    command = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"{checkout} {done.stdout.strip()}".strip()


def read(path: Path, commits: Sequence[str]) -> dict[str, Sides]:
    """Return the runs in a file, none if there is no file.

    Raises
    ------
    ValueError
        If it is of other checkouts or commits.
    """
    if not path.exists():
        return {}
    kept = json.loads(path.read_text())
    if kept["commits"] != list(commits):
        raise ValueError(f"{path} is of {' and '.join(kept['commits'])}, not of {' and '.join(commits)}")
    return {name: (_runs(before), _runs(after)) for name, (before, after) in kept["runs"].items()}


def _runs(side: Any) -> list[Run]:
    return [
        Run(r["seconds"], {row: Figure(**f) for row, f in r["figures"].items()}, r["error"]) for r in side
    ]


def write(path: Path, commits: Sequence[str], found: dict[str, Sides]) -> None:
    """Replace a file of runs in one step."""
    runs = {name: [[asdict(r) for r in side] for side in sides] for name, sides in found.items()}
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps({"commits": list(commits), "runs": runs}, indent=1) + "\n")
    part.replace(path)
