"""Plant faults one by one and list which files of tests notice each; hours, not part of the tests.

From the root of the repository:

    python -m benchmarks.faults.matrix --out FILE.json                     all that FILE.json does not hold
    python -m benchmarks.faults.matrix --out FILE.json --only NAME ...     these, if it does not hold them
    python -m benchmarks.faults.matrix --out FILE.json --operators 0:35    random edits of operators
    python -m benchmarks.faults.matrix --out FILE.json --stop-at-first     no further than the first failure
    python -m benchmarks.faults.matrix --out FILE.json --executed DIR      tests that execute what is edited
    python -m benchmarks.faults.matrix --out FILE.json --table             totals of what the file holds
    python -m benchmarks.faults.matrix --out FILE.json --page              docs/FAULTS.md by what it holds

Each fault is planted in a temporary copy with the tests; compiled kernels are kept by their sources. Tests of
the faulty file's room run first, then those that import it by the fewest steps, within ``--seconds`` of
processor time on the package without fault; compilation comes on top. A file of tests runs without any fault
before it is used the first time: what fails then is left out. With ``--executed DIR`` the cheapest tests that
execute the edited statement run instead, where there are any. What that takes is left in DIR by

    COVERAGE_FILE=DIR/coverage make test PYTEST="--cov --cov-context=test --costs DIR/costs.jsonl"
"""

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Event, Lock

from benchmarks.faults.catalogue import FAULTS, FOR_TESTS, named
from benchmarks.faults.copies import WITH_TESTS, copied
from benchmarks.faults.executed import Executed
from benchmarks.faults.fault import Fault
from benchmarks.faults.nearness import near
from benchmarks.faults.noticed import MOST_NAMES, Matrix, Row, Usual, digest, read, table, totals, write
from benchmarks.faults.operators import operators
from benchmarks.faults.testing import Tested, tested

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "FAULTS.md"
MARKS = "<!-- noticed by tests -->\n", "\n<!-- end -->"
"""What stands around the generated part of the page."""
DEAR = 1.0
"""Tests of so many seconds are chosen one by one, cheaper ones together."""
LONGEST = 900
"""Most processor seconds of a file of tests without fault."""
SLOWER = 5, 120
"""With a fault tests may take so many times as long, and so many seconds more: kernels are compiled again."""


@dataclass
class Runner:
    """Runs tests on faults, and keeps what is known after each.

    Attributes
    ----------
    right : Path
        A copy without fault.
    out : Path
    matrix : Matrix
    seconds : float
        For which tests are chosen.
    first_only : bool
        Whether a fault ends at the first test that fails.
    executed : Executed or None
        Where given, tests that execute the edited statement run, and the nearest only if there are none.
    stop : Event
        Set to end what runs.
    """

    right: Path
    out: Path
    matrix: Matrix
    seconds: float
    first_only: bool
    executed: Executed | None = None
    stop: Event = field(default_factory=Event)
    _lock: Lock = field(default_factory=Lock)
    _looked_at: set[str] = field(default_factory=set)

    def run(self, fault: Fault) -> Row:
        """Plant a fault and return what tests notice of it."""
        found: dict[str, Tested] = {}
        with ExitStack() as stack:
            with self._lock:  # files of bytecode come into the right copy while tests run on it
                copy = stack.enter_context(copied(self.right, WITH_TESTS))
            fault.plant(copy)
            for tests, skip, seconds in self._groups(fault):
                if tests:
                    most = int(SLOWER[0] * seconds + SLOWER[1])
                    found |= tested(copy, tests, skip, most, self.stop, first_only=self.first_only)
                if self.first_only and any(one.failed for one in found.values()):
                    break
        return self._row(fault, found)

    def _groups(self, fault: Fault) -> Iterator[tuple[list[str], list[str], float]]:
        """Yield what runs together: files of tests or single ones, tests left out, and what they take."""
        if self.executed is not None:
            source = (self.right / fault.file).read_text(encoding="utf-8")
            tests, spent = self.executed.tests(source, fault, self.seconds)
            if tests:
                yield tests, [], spent
                return
        own, others = near(self.right, fault.file)
        left = self.seconds
        for group in (own, others) if self.first_only else ([*own, *others],):
            files, skip, spent = self._chosen(group, left)
            left -= spent
            yield files, skip, spent

    def keep(self, fault: Fault, row: Row) -> None:
        """Write down what is known of a fault."""
        with self._lock:
            self.matrix.rows[fault.name] = row
            write(self.out, self.matrix)

    def _chosen(self, group: Sequence[str], left: float) -> tuple[list[str], list[str], float]:
        """Return files of tests for so many seconds, the tests in them that are left out, and the seconds.

        The cheap tests of a file are taken or left together, then dear ones one by one, the cheapest first.
        """
        files: list[str] = []
        skip: list[str] = []
        spent = 0.0
        for file in group:
            if spent + DEAR > left:
                break
            usual = self._usual(file)
            cheap = usual.seconds - sum(usual.dear.values())
            taken = spent + cheap <= left and len(usual.dear) < usual.tests
            spent += cheap if taken else 0.0
            skip += usual.failed
            for test, seconds in sorted(usual.dear.items(), key=lambda one: one[1]):
                if spent + seconds > left or not (taken or len(usual.dear) == usual.tests):
                    skip.append(test)
                else:
                    spent, taken = spent + seconds, True
            if taken:
                files.append(file)
        return files, skip, spent

    def _usual(self, file: str) -> Usual:
        """Return a file of tests without fault; run if its text is not known, or some of it failed."""
        text = sha256((self.right / file).read_bytes()).hexdigest()[:12]
        with self._lock:
            known = self.matrix.usual.get(file)
            stale = known is None or known.digest != text or (known.failed and file not in self._looked_at)
            self._looked_at.add(file)
            if known is None or stale:
                found = tested(self.right, [file], (), LONGEST, self.stop, first_only=False)[file]
                dear = {test: seconds for test, seconds in found.seconds.items() if seconds >= DEAR}
                seconds = round(sum(found.seconds.values()), 2)
                known = Usual(text, len(found.seconds), seconds, dear, found.failed)
                self.matrix.usual[file] = known
                write(self.out, self.matrix)
        return known

    def _row(self, fault: Fault, found: dict[str, Tested]) -> Row:
        killed = {file: one.failed for file, one in found.items() if one.failed}
        return Row(
            file=fault.file,
            digest=digest(fault),
            seconds=round(sum(sum(one.seconds.values()) for one in found.values()), 1),
            budget=self.seconds,
            whole=not (self.first_only and killed),
            ran={file: len(one.seconds) for file, one in found.items() if one.seconds},
            killed={file: len(failed) for file, failed in killed.items()},
            by={
                file: [test.partition("::")[2] for test in failed[:MOST_NAMES]]
                for file, failed in killed.items()
            },
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for and return the exit code."""
    asked = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # children and copies are tidied away
    matrix, faults = read(asked.out), _asked(asked)
    if asked.page:
        PAGE.write_text(paged(PAGE.read_text(encoding="utf-8"), matrix), encoding="utf-8")
    elif not asked.table:
        with copied(ROOT, WITH_TESTS) as right:
            executed = None
            if (left := asked.executed) is not None:
                executed = Executed.read(ROOT, left / "coverage", left / "costs.jsonl")
            runner = Runner(right, asked.out, matrix, asked.seconds, asked.stop_at_first, executed)
            known = matrix.rows
            due = (f for f in faults if is_due(f, known.get(f.name), first_only=asked.stop_at_first))
            _run(runner, faults if asked.again else [*due], asked.jobs)
    if not asked.page:
        print("\n".join(totals(faults, matrix)))
    return 0


def paged(text: str, matrix: Matrix) -> str:
    """Return a page with what tests noticed of the faults that are for them, in place of what it said."""
    before, _, rest = text.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    return "".join((before, MARKS[0], noticed_by_tests(matrix), MARKS[1], after))


def noticed_by_tests(matrix: Matrix) -> str:
    """Return the generated part of the page: a table, and totals of what tests and theorems must notice."""
    of_tests, of_theorems = (next(totals(faults, matrix)) for faults in (FOR_TESTS, FAULTS))
    return f"{table(FOR_TESTS, matrix)}\n\nOf this table: {of_tests} Of the first one: {of_theorems}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.faults.matrix", description="Which tests notice planted faults."
    )
    parser.add_argument("--out", type=Path, required=True, help="what was found, kept after each fault")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these, not the whole catalogue")
    parser.add_argument("--operators", metavar="SEED:COUNT", help="random edits of operators instead")
    parser.add_argument("--again", action="store_true", help="also what the file holds")
    parser.add_argument("--jobs", type=int, default=1, help="faults at a time")
    parser.add_argument("--seconds", type=float, default=60.0, help="processor time of the tests of a fault")
    parser.add_argument("--executed", type=Path, metavar="DIR", help="what a run of the tests executed")
    parser.add_argument("--stop-at-first", action="store_true", help="end a fault at the first failure")
    parser.add_argument("--table", action="store_true", help="run nothing, print totals")
    parser.add_argument("--page", action="store_true", help="run nothing, write the table of docs/FAULTS.md")
    return parser


def _asked(asked: argparse.Namespace) -> tuple[Fault, ...]:
    """Return the faults that are asked for; those for the tests come first."""
    if asked.operators:
        seed, _, count = asked.operators.partition(":")
        return operators(ROOT, int(seed), int(count))
    return named(asked.only) if asked.only else (*FOR_TESTS, *FAULTS)


def is_due(fault: Fault, known: Row | None, *, first_only: bool) -> bool:
    """Whether nothing is known of this edit, or less than is asked for."""
    return known is None or known.digest != digest(fault) or not (known.whole or first_only)


def _run(runner: Runner, faults: Sequence[Fault], jobs: int) -> None:
    """Run tests on faults, several at a time."""
    with ThreadPoolExecutor(jobs) as threads:
        waiting = {threads.submit(runner.run, fault): fault for fault in faults}
        try:
            for k, done in enumerate(as_completed(waiting), 1):
                fault, row = waiting[done], done.result()
                runner.keep(fault, row)
                by = ", ".join(f"{file} ({n})" for file, n in row.killed.items()) or "MISSED"
                print(f"{k}/{len(faults)} {fault.name}: {by} ({row.seconds:.0f} s)", flush=True)
        finally:
            runner.stop.set()
            threads.shutdown(wait=True, cancel_futures=True)


if __name__ == "__main__":
    sys.exit(main())
