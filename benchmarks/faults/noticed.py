"""What tests noticed of faults: kept as JSON, added up, and as a table in Markdown."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

from benchmarks.faults.fault import Fault

HEAD = ("fault", "what is wrong", "file", "noticed by", "seconds")
NOT_RUN = "not run yet"
MOST_NAMES = 8
"""Most tests of one file that are named."""


@dataclass(frozen=True)
class Usual:
    """A file of tests on the package without any fault.

    Attributes
    ----------
    digest : str
        Of its text: another text is run again.
    tests : int
        How many it has.
    seconds : float
        Processor seconds of all.
    dear : dict
        Those that take a second or more, with their seconds.
    failed : list of str
        Those that fail anyway, and are left out.
    """

    digest: str
    tests: int
    seconds: float
    dear: dict[str, float] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Row:
    """What tests noticed of one fault.

    Attributes
    ----------
    file : str
        Where it is planted.
    digest : str
        Of the edit: what is kept of another edit of that name counts no more.
    seconds : float
        Processor seconds of the tests.
    budget : float
        Seconds that tests were chosen for.
    whole : bool
        Whether all that were chosen ran; else it ended at the first that failed.
    ran : dict
        Number of tests that ran of each file.
    killed : dict
        Number of those that failed, of files with any.
    by : dict
        At most ``MOST_NAMES`` of these.
    """

    file: str
    digest: str
    seconds: float
    budget: float
    whole: bool
    ran: dict[str, int]
    killed: dict[str, int]
    by: dict[str, list[str]]


@dataclass(frozen=True)
class Matrix:
    """All that is known: files of tests without fault, and faults by name."""

    usual: dict[str, Usual] = field(default_factory=dict)
    rows: dict[str, Row] = field(default_factory=dict)

    def of(self, fault: Fault) -> Row | None:
        """Return what is known of a fault; None if nothing is of this edit."""
        row = self.rows.get(fault.name)
        return None if row is None or row.digest != digest(fault) else row


def digest(fault: Fault) -> str:
    """Return a digest of an edit."""
    return hashlib.sha256("\0".join((fault.file, fault.old, fault.new)).encode()).hexdigest()[:12]


def read(path: Path) -> Matrix:
    """Return what a file holds, nothing if it is not there."""
    if not path.exists():
        return Matrix()
    found = json.loads(path.read_text(encoding="utf-8"))
    usual = {name: Usual(**one) for name, one in found["usual"].items()}
    return Matrix(usual, {name: Row(**one) for name, one in found["faults"].items()})


def write(path: Path, matrix: Matrix) -> None:
    """Write what is known, a line for each file of tests and for each fault."""
    parts: dict[str, Mapping[str, Any]] = {"usual": matrix.usual, "faults": matrix.rows}
    text = ",\n".join(f'"{name}": {{\n{_lines(part)}\n}}' for name, part in parts.items())
    path.write_text(f"{{{text}}}\n", encoding="utf-8")


def _lines(part: Mapping[str, Any]) -> str:
    return ",\n".join(f"{json.dumps(name)}: {json.dumps(asdict(part[name]))}" for name in sorted(part))


def totals(faults: Sequence[Fault], matrix: Matrix) -> Iterator[str]:
    """Yield how many faults were noticed, which were not, and which files and tests alone noticed any."""
    known = {fault.name: row for fault in faults if (row := matrix.of(fault)) is not None}
    missed = [name for name, row in known.items() if not row.killed]
    yield (
        f"{len(faults)} faults: {len(known)} run, {len(known) - len(missed)} noticed by tests, "
        f"{len(missed)} missed, {len(faults) - len(known)} {NOT_RUN}."
    )
    if missed:
        yield f"Missed: {', '.join(missed)}."
    whole = [row for row in known.values() if row.whole]
    files = Counter(file for row in whole if len(row.killed) == 1 for file in row.killed)
    alone = (row.by for row in whole if sum(row.killed.values()) == 1)
    tests = {f"{file}::{test}" for by in alone for file, names in by.items() for test in names}
    if whole:
        yield f"Of {len(whole)} on which all chosen tests ran, these files alone noticed some:"
    yield from (f"{file}: {count}" for file, count in sorted(files.items()))
    if tests:
        yield "Tests that were the only ones to notice some fault:"
    yield from sorted(tests)


def table(faults: Sequence[Fault], matrix: Matrix) -> str:
    """Return one row a fault in Markdown."""
    rows = [HEAD, ("---",) * len(HEAD), *(_cells(fault, matrix.of(fault)) for fault in faults)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _cells(fault: Fault, row: Row | None) -> tuple[str, ...]:
    seconds = "" if row is None else str(ceil(row.seconds))
    return fault.name, fault.why, f"`{fault.file}`", _by(row), seconds


def _by(row: Row | None) -> str:
    if row is None:
        return NOT_RUN
    if not row.killed:
        return f"nothing in {sum(row.ran.values()):,} tests"
    file = next(iter(row.killed))
    test = row.by[file][0].replace("|", "\\|")
    more = sum(row.killed.values()) - 1
    return f"`{file}`: {test}" + (f" and {more:,} more" if more else "")
