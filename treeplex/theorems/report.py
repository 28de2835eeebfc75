"""What a run of the theorems found: a report of each, and whether all is well."""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from treeplex.theorems.measuring import Measured, Point
from treeplex.theorems.theorem import Theorem


@dataclass(frozen=True)
class TheoremReport:
    """A theorem measured on all its instances.

    Attributes
    ----------
    name, source : str
    instances, checks : int
        How many instances were measured, how many comparisons they offered.
    min_slack : float
        Of all comparisons, in parts of their scales: infinity without any, minus infinity where measuring
        raised an error or a side was not a number.
    tight : int
        How many comparisons hold with equality, up to the tolerance.
    violations : int
        How many comparisons do not hold, and instances that raised an error.
    false_twin_violations : int or None
        How many comparisons of the false twin do not hold; None if the theorem has no twin.
    seconds : float
        Of processor time, the twin's included.
    worst : tuple of Point
        The comparisons with the least slack, of different instances.
    tightest : Point or None
        The comparison nearest to equality.
    faults : tuple of str
        Why the theorem is not verified; empty if it is.
    """

    name: str
    source: str
    instances: int
    checks: int
    min_slack: float
    tight: int
    violations: int
    false_twin_violations: int | None
    seconds: float
    worst: tuple[Point, ...]
    tightest: Point | None
    faults: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether it holds everywhere, its twin fails and its equality was seen."""
        return not self.faults

    def as_json(self) -> dict[str, Any]:
        """Return the report as the object that ``--json`` prints; what is no finite number is null."""
        return {
            "name": self.name,
            "source": self.source,
            "instances": self.instances,
            "checks": self.checks,
            "min_slack": _finite(self.min_slack),
            "tight": self.tight,
            "violations": self.violations,
            "false_twin_violations": self.false_twin_violations,
            "seconds": self.seconds,
            "faults": list(self.faults),
            "worst": [_point(point) for point in self.worst],
        }


@dataclass(frozen=True)
class Verification:
    """A run of several theorems.

    Attributes
    ----------
    seconds : float
        Of wall time.
    checks : tuple of TheoremReport
        In the order of the catalogue. Where the run stopped at the first violation, those that were
        measured to the end, and the one that stopped it.
    """

    seconds: float
    checks: tuple[TheoremReport, ...]

    @property
    def ok(self) -> bool:
        """Whether every theorem is verified."""
        return bool(self.checks) and all(report.ok for report in self.checks)

    def as_json(self) -> dict[str, Any]:
        """Return the run as the object that ``--json`` prints."""
        checks = [report.as_json() for report in self.checks]
        return {"ok": self.ok, "seconds": self.seconds, "checks": checks}


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


def _point(point: Point) -> dict[str, Any]:
    comparison = point.comparison
    return {
        **asdict(point.instance),
        "at": comparison.at,
        "left": _finite(float(comparison.left)),
        "right": _finite(float(comparison.right)),
        "slack": _finite(point.slack),
        "error": point.error or None,
    }


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None
