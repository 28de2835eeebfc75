"""A plugin of pytest that keeps the outcome and the processor seconds of each test, line by line.

Started with ``-p benchmarks.faults.outcomes`` and the variable ``TREEPLEX_OUTCOMES``, a path, to which lines
of JSON are appended: what test begins, then whether it failed and what it took, its own processes included.
What ``PATH.skip`` lists, a JSON list of tests, is left out.
"""

import json
import os
import resource
from pathlib import Path

import pytest
from hypothesis import settings

PATH = "TREEPLEX_OUTCOMES"
"""The variable that says where outcomes go."""
SKIP = ".skip"
"""The suffix of the list of tests that are left out."""


class Outcomes:
    """Writes outcomes as tests end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        skip = path.with_suffix(SKIP)
        self._skip = frozenset(json.loads(skip.read_text(encoding="utf-8")) if skip.exists() else ())
        self._failed, self._begun = False, 0.0

    def pytest_sessionstart(self) -> None:
        """Check properties on the same examples each time."""
        settings.register_profile("faults", derandomize=True, max_examples=40, deadline=None, database=None)
        settings.load_profile("faults")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item], config: pytest.Config) -> None:
        """Leave out what is not to be run; files and tests come in the order in which they were asked for."""
        place = {asked: number for number, asked in enumerate(config.args)}
        kept = [item for item in reversed(items) if item.nodeid not in self._skip]
        items[:] = sorted(
            kept,
            key=lambda item: place.get(item.nodeid, place.get(item.nodeid.partition("::")[0], len(place))),
        )

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Let a file that cannot be imported be one test that fails."""
        if report.failed:
            self._write(test=report.nodeid, failed=True, seconds=0.0)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Say what begins: it is what does not end if nothing follows."""
        self._failed, self._begun = False, _seconds()
        self._write(test=nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Notice failures of a test, of what it needs and of what tidies it away."""
        self._failed = self._failed or report.failed

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Say how it ended."""
        self._write(test=nodeid, failed=self._failed, seconds=round(_seconds() - self._begun, 2))

    def _write(self, **line: object) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def pytest_configure(config: pytest.Config) -> None:
    """Keep outcomes if that is asked for."""
    if path := os.environ.get(PATH):
        config.pluginmanager.register(Outcomes(Path(path)))


def _seconds() -> float:
    """Return the processor seconds of this process and of those that it has waited for."""
    spent = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in spent)
