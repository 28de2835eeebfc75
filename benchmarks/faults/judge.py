"""What catches a fault: theorems in a quick run, then certificates, then theorems in a full run."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from types import MappingProxyType
from typing import Any

from benchmarks.faults.copies import faulty
from benchmarks.faults.fault import Fault

VERIFY = ("-m", "treeplex", "verify", "--fail-fast", "--json")
STAGES = {
    "quick": ((*VERIFY, "--quick"), 600),
    "certificates": (("-m", "benchmarks.faults.certificates"), 600),
    "full": (VERIFY, 3600),
}
"""What is run, one after the other until something is caught, and most processor seconds of each process."""
WALL = 4
"""Most seconds by the clock, as a multiple of the processor seconds."""


@dataclass(frozen=True)
class Outcome:
    """What became of a fault.

    Attributes
    ----------
    fault : str
        Its name.
    stage : str
        What caught it: one of ``STAGES``; empty if nothing did.
    by : str
        The theorem, the certificate, or how the process ended; empty if nothing caught it.
    seconds : float
        By the clock, until then.
    """

    fault: str
    stage: str
    by: str
    seconds: float


def judged(
    root: Path, fault: Fault, stages: tuple[str, ...] = tuple(STAGES), stop: Event | None = None
) -> Outcome:
    """Plant a fault in a copy of a repository and return what catches it first.

    If ``stop`` is set by another thread, what runs is ended and :exc:`KeyboardInterrupt` raised.
    """
    clock = time.perf_counter()
    with faulty(root, fault) as copy:
        for stage in stages:
            by = complaint(copy, stage, stop)
            if by:
                return Outcome(fault.name, stage, by, time.perf_counter() - clock)
    return Outcome(fault.name, "", "", time.perf_counter() - clock)


def complaint(copy: Path, stage: str, stop: Event | None = None) -> str:
    """Return what one stage says is wrong with a copy of the package; empty if nothing."""
    arguments, seconds = STAGES[stage]
    code, out, err = run_python(copy, arguments, seconds, stop or Event())
    if code == 0:
        return ""
    if code == -signal.SIGXCPU or code is None:
        return "does not end"
    try:
        return _said(json.loads(out))
    except (json.JSONDecodeError, KeyError):
        return f"exit {code}: {' '.join(err.split())[-200:]}"


def _said(found: dict[str, Any]) -> str:
    """Return what the JSON of a failed stage names first: certificates, violations, twins that never fail."""
    if "failed" in found:
        return str(found["failed"][0])
    broken = [check["name"] for check in found["checks"] if check["violations"]]
    twins = [check["name"] for check in found["checks"] if check["false_twin_violations"] == 0]
    return next(
        iter([*broken, *(f"{name}, false twin" for name in twins)]), "an equality that is never tight"
    )


def run_python(
    copy: Path,
    arguments: Sequence[str],
    seconds: int,
    stop: Event,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> tuple[int | None, str, str]:
    """Run Python on a copy; its exit code is None if it took too long. Nothing of it is left behind.

    Parameters
    ----------
    copy : Path
        Imported in place of the checkout, by the processes that it starts too.
    arguments : sequence of str
        Of Python.
    seconds : int
        Most processor seconds of each process.
    stop : Event
        Set by another thread to end what runs, which raises :exc:`KeyboardInterrupt`.
    variables : mapping, optional
        Of the environment, besides those that there are.
    """
    left_out = ("NUMBA_CACHE_DIR", "PYTEST_ADDOPTS")
    environment = {key: value for key, value in os.environ.items() if key not in left_out} | dict(variables)
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=copy,
        env={**environment, "PYTHONPATH": str(copy)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    due = time.monotonic() + WALL * seconds
    try:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds + 10))
        while time.monotonic() < due:
            if stop.is_set():
                raise KeyboardInterrupt
            with suppress(subprocess.TimeoutExpired):
                out, err = process.communicate(timeout=1.0)
                return process.returncode, out, err
        return None, "", ""
    finally:
        _end(process)


def _end(process: "subprocess.Popen[str]") -> None:
    """End a process and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
