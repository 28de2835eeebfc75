"""Time cases one by one, each in a process of its own, and print them beside their targets."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One thing to time.

    Attributes
    ----------
    name : str
    target : str
        What is aimed at, in words.
    prepare : callable
        Untimed: imports, compilation, reading; returns what ``run`` is given.
    run : callable
        Timed; returns what to print of the outcome.
    """

    name: str
    target: str
    prepare: Callable[[], object]
    run: Callable[[object], str]


def main(module: str, cases: list[Case]) -> None:
    """Run the case named on the command line here, or every case in a fresh process."""
    if len(sys.argv) > 1:
        _measure(next(c for c in cases if c.name == sys.argv[1]))
        return
    for case in cases:
        subprocess.run([sys.executable, "-m", module, case.name], check=False)


def _measure(case: Case) -> None:
    given = case.prepare()
    cpu, wall = time.process_time(), time.perf_counter()
    outcome = case.run(given)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{case.name}: {outcome}")
    print(f"    {cpu:.3f} CPU s, {wall:.3f} s wall, {peak:.0f} MiB peak; target: {case.target}", flush=True)
