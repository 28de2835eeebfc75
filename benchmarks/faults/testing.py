"""Tests run on a copy of the package: which of them fail, and what they take."""

import json
import re
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from benchmarks.faults.judge import run_python
from benchmarks.faults.outcomes import PATH, SKIP

SELECTED = ("--tier", "default")
"""How pytest is told which tests count."""
PYTEST = (
    "-m",
    "pytest",
    "-p",
    "no:cacheprovider",
    "-p",
    "benchmarks.faults.outcomes",
    "-n0",
    "-q",
    "--tb=no",
)
RAN = 0, 1, 5
"""Exit codes of pytest: all passed, some failed, none was left."""
MISUSED = "unrecognized arguments"
"""What it says of unknown arguments."""
GONE = re.compile(r"ERROR: not found: (.+?)\s+\(no match")
"""What it says of a test that is not there: a fault may change the name of one, by what it is called with."""
KERNELS = "treeplex.process.kernel_cache.BySources,InTreeCacheLocator"
"""Where numba keeps kernels: by the hash of their sources, so that none is taken for a faulty one's."""


@dataclass(frozen=True)
class Tested:
    """What became of the tests of one file.

    Attributes
    ----------
    seconds : dict
        Processor seconds of each test that ran.
    failed : list of str
        Those that failed, or did not end.
    """

    seconds: dict[str, float]
    failed: list[str]


def tested(
    copy: Path,
    files: Sequence[str],
    skip: Collection[str],
    seconds: int,
    stop: Event,
    *,
    first_only: bool,
) -> dict[str, Tested]:
    """Run files of tests, or single ones, in one process, in their order; return what became of each file.

    Parameters
    ----------
    copy : Path
        With the tests.
    files : sequence of str
        Single tests as ``file::name``.
    skip : collection of str
        Tests that are left out.
    seconds : int
        Most processor seconds of each process.
    stop : Event
        As in :func:`benchmarks.faults.judge.run_python`.
    first_only : bool
        Whether to end at the first test that fails.

    Raises
    ------
    RuntimeError
        If pytest does not know its arguments.
    """
    with tempfile.TemporaryDirectory(prefix="treeplex-tests-") as folder:
        path = Path(folder, "outcomes")
        path.with_suffix(SKIP).write_text(json.dumps([*skip]), encoding="utf-8")
        places = ("--rootdir", str(copy), "--basetemp", f"{folder}/tmp", *SELECTED)
        how = ("-x",) if first_only else ("--continue-on-collection-errors",)
        code, _, err = run_python(
            copy,
            (*PYTEST, *places, *how, *files),
            seconds,
            stop,
            {PATH: str(path), "NUMBA_CACHE_LOCATOR_CLASSES": KERNELS},
        )
        if MISUSED in err:
            raise RuntimeError(err)
        if gone := GONE.findall(err):
            kept = [file for file in files if not any(one.endswith(file) for one in gone)]
            assert len(kept) < len(files)
            return tested(copy, kept, skip, seconds, stop, first_only=first_only) if kept else {}
        text = path.read_text(encoding="utf-8") if path.exists() else ""
    return _by_file(files, [json.loads(line) for line in text.splitlines()], code, err)


def _by_file(
    files: Sequence[str], lines: Sequence[dict[str, object]], code: int | None, err: str
) -> dict[str, Tested]:
    """Return outcomes by file; a test that began and did not end is one that failed."""
    found = {file.partition("::")[0]: Tested({}, []) for file in files}
    ended = {str(line["test"]): line for line in lines if "failed" in line}
    begun = dict.fromkeys(str(line["test"]) for line in lines)
    for test in begun:
        one, line = found[test.partition("::")[0]], ended.get(test)
        one.seconds[test] = float(str(line["seconds"])) if line else 0.0
        if line is None or line["failed"]:
            one.failed.append(test)
    if code not in RAN and not any(one.failed for one in found.values()):
        # what all tests share cannot be imported, or nothing of it ends
        first = next(iter(found))
        found[first].failed.append(f"{first}::exit {code}: {' '.join(err.split())[-100:]}")
    return found
