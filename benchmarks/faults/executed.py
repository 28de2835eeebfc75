"""Which tests execute the statement that a fault edits, by what coverage recorded of a run of all tests."""

import ast
import json
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from coverage import CoverageData

from benchmarks.faults.fault import Fault
from benchmarks.faults.nearness import LEFT_OUT

MOST = 500
"""Most tests of a fault: their names are arguments of a process."""


@dataclass(frozen=True)
class Executed:
    """The tests of each line of the package, and what each takes.

    Attributes
    ----------
    lines : CoverageData
        With a context for each test: ``pytest --cov --cov-context=test``.
    files : dict
        The names of files in it, by their paths from the root of the repository.
    seconds : dict
        Of the processor, by the test's name: ``pytest --costs FILE``.
    """

    lines: CoverageData
    files: dict[str, str]
    seconds: dict[str, float]

    @staticmethod
    def read(root: Path, lines: Path, costs: Path) -> "Executed":
        """Return what a run of the tests in the repository at ``root`` left in two files."""
        data = CoverageData(str(lines))
        data.read()
        places = {(root / name).resolve(): name for name in data.measured_files()}
        inside = {path: name for path, name in places.items() if path.is_relative_to(root.resolve())}
        names = {path.relative_to(root.resolve()).as_posix(): name for path, name in inside.items()}
        found = map(json.loads, costs.read_text(encoding="utf-8").splitlines())
        return Executed(data, names, {one["test"]: one["cpu"] for one in found})

    def tests(self, source: str, fault: Fault, seconds: float) -> tuple[list[str], float]:
        """Return the cheapest tests that execute the edited statement, and what they take together.

        There are none if the statement is in no function, since it runs once, for the test that imports its
        module first, or if it is in a compiled kernel or runs in other processes.

        Parameters
        ----------
        source : str
            Of the file without fault.
        fault : Fault
        seconds : float
            What they take at most.
        """
        if (name := self.files.get(fault.file)) is None:
            return [], 0.0
        edited = statement(source, edited_line(source, fault))
        contexts = self.lines.contexts_by_lineno(name)
        tests = {one.rpartition("|")[0] for line in edited for one in contexts.get(line, ())} - {""}
        chosen, spent = [], 0.0
        for test in sorted(tests & self.seconds.keys(), key=lambda one: (self.seconds[one], one))[:MOST]:
            if test.partition("::")[0] in LEFT_OUT:
                continue
            if spent + self.seconds[test] > seconds:
                break
            chosen.append(test)
            spent += self.seconds[test]
        return chosen, spent


def edited_line(source: str, fault: Fault) -> int:
    """Return the number of the first line that a fault changes."""
    pairs = zip_longest(source.splitlines(), fault.applied(source).splitlines())
    return next(number for number, (old, new) in enumerate(pairs, 1) if old != new)


def statement(source: str, line: int) -> range:
    """Return the lines of the innermost statement around a line, without the statements inside of it.

    There are none if it is in no function.
    """
    found, in_function = range(0), False
    for node in ast.walk(ast.parse(source)):  # outer statements come before inner ones
        if isinstance(node, ast.stmt) and node.end_lineno is not None:
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno
            if node.lineno <= line <= max(last, node.lineno):
                found = range(node.lineno, max(last, node.lineno) + 1)
            elif isinstance(node, ast.FunctionDef) and node.lineno < line <= node.end_lineno:
                in_function = True
    return found if in_function else range(0)
