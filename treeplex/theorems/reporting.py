"""Reports of theorems from what was measured of them and of their false twins."""

import math
from collections.abc import Iterator

from treeplex.theorems.measuring import Measured
from treeplex.theorems.report import TheoremReport
from treeplex.theorems.theorem import Theorem


def report_of(theorem: Theorem, found: Measured, twin: Measured | None) -> TheoremReport:
    """Return the report of a theorem from what was measured of it, and of its twin if it has one."""
    return TheoremReport(
        name=theorem.name,
        source=theorem.source,
        instances=found.instances,
        checks=found.checks,
        min_slack=min((point.slack for point in found.worst), default=math.inf),
        tight=found.tight,
        violations=found.violations,
        false_twin_violations=None if twin is None else twin.violations - twin.errors,
        seconds=found.seconds + (0.0 if twin is None else twin.seconds),
        worst=found.worst,
        tightest=found.tightest,
        faults=(*_faults(theorem, found), *(() if twin is None else _twin_faults(twin))),
    )


def _faults(theorem: Theorem, found: Measured) -> Iterator[str]:
    if found.violations:
        error = next((f" ({point.error}: {point.instance})" for point in found.worst if point.error), "")
        yield f"violations: {found.violations:,}{error}"
    elif not found.checks:
        yield "nothing was compared"
    elif theorem.equality and not found.tight:
        yield "its equality was never seen"


def _twin_faults(twin: Measured) -> Iterator[str]:
    if twin.errors:
        error = next(f"{point.error}: {point.instance}" for point in twin.worst if point.error)
        yield f"its false twin raised an error ({error})"
    elif not twin.violations:
        yield "its false twin never failed"
