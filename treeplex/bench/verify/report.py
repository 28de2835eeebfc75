"""What a run of the theorems found: a report of each, made of what was measured, and whether all is well."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from treeplex.bench.theorems.measuring import Measured, MeasuredPoint
from treeplex.bench.theorems.theorem import Theorem
from treeplex.games.base.display import Block, Columns, Line, Shown


@dataclass(frozen=True, repr=False)
class TheoremReport(Shown):
    """A theorem measured on all its instances.

    Attributes
    ----------
    name, source : str
    instances, checks : int
        How many instances compared something or raised an error, how many comparisons they offered.
    zeros : int
        How many comparisons are of two zeros, which any formula without a constant gives.
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
    worst : tuple of MeasuredPoint
        The comparisons with the least slack, of different instances.
    tightest : MeasuredPoint or None
        The comparison nearest to equality.
    faults : tuple of str
        Why the theorem is not verified; empty if it is.
    """

    name: str
    source: str
    instances: int
    checks: int
    zeros: int
    min_slack: float
    tight: int
    violations: int
    false_twin_violations: int | None
    seconds: float
    worst: tuple[MeasuredPoint, ...]
    tightest: MeasuredPoint | None
    faults: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether it holds everywhere, its twin fails and its equality was seen."""
        return not self.faults

    def blocks(self) -> tuple[Block, ...]:
        """Return the report as a run of one theorem."""
        return _table([self]), *map(Line, _fault_lines(self))

    def brief(self) -> str:
        """Return the name, the number of checks, and the verdict."""
        return f"{self.name}: {self.checks:,} checks, {'; '.join(self.faults) or 'verified'}"

    def as_json(self) -> dict[str, Any]:
        """Return the report as the object that ``--json`` prints; what is no finite number is null."""
        return {
            "name": self.name,
            "source": self.source,
            "instances": self.instances,
            "checks": self.checks,
            "zeros": self.zeros,
            "min_slack": _finite(self.min_slack),
            "tight": self.tight,
            "violations": self.violations,
            "false_twin_violations": self.false_twin_violations,
            "seconds": self.seconds,
            "faults": list(self.faults),
            "worst": [_point(point) for point in self.worst],
        }


@dataclass(frozen=True, repr=False)
class Verification(Shown):
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

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each theorem, then what is wrong with its worst case, and the verdict."""
        wrong = [line for report in self.checks for line in _fault_lines(report)]
        sizes = f"theorems {len(self.checks):,}, checks {self._n_checks:,}, seconds {self.seconds:.1f}"
        slack = (
            "instances are those that compared something, zeros comparisons of 0 with 0; "
            "slack is the least, in parts of each comparison's scale; twin counts where the false twin fails"
        )
        return _table(self.checks), *map(Line, ("", *wrong, sizes, slack, self._verdict))

    def brief(self) -> str:
        """Return the number of theorems and checks, and the verdict."""
        return f"{len(self.checks):,} theorems, {self._n_checks:,} checks, {self._verdict}"

    @property
    def _n_checks(self) -> int:
        return sum(report.checks for report in self.checks)

    @property
    def _verdict(self) -> str:
        wrong = ", ".join(report.name for report in self.checks if not report.ok)
        return "verified" if self.ok else f"NOT VERIFIED: {wrong}"

    def as_json(self) -> dict[str, Any]:
        """Return the run as the object that ``--json`` prints."""
        checks = [report.as_json() for report in self.checks]
        return {"ok": self.ok, "seconds": self.seconds, "checks": checks}


def _point(point: MeasuredPoint) -> dict[str, Any]:
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


def _table(reports: Sequence[TheoremReport]) -> Columns:
    """Return a row for each theorem."""
    headers = ("theorem", "instances", "checks", "zeros", "slack", "tight", "fails", "twin", "seconds")
    return Columns(None, headers, tuple(map(_report_cells, reports)), left=("theorem",))


def _report_cells(report: TheoremReport) -> tuple[str, ...]:
    twin = "-" if report.false_twin_violations is None else f"{report.false_twin_violations:,}"
    return (
        report.name,
        f"{report.instances:,}",
        f"{report.checks:,}",
        f"{report.zeros:,}",
        f"{report.min_slack + 0.0:.2g}",
        f"{report.tight:,}",
        f"{report.violations:,}",
        twin,
        f"{report.seconds:.2f}",
    )


def _fault_lines(report: TheoremReport) -> list[str]:
    """Return why a theorem is not verified, and its worst cases where it is violated; nothing where it is."""
    if report.ok:
        return []
    lines = [f"{report.name}: {'; '.join(report.faults)}"]
    for point in report.worst if report.violations else ():
        sides = (
            point.error or f"{float(point.comparison.left):.9g} against {float(point.comparison.right):.9g}"
        )
        where = ", at ".join(part for part in (str(point.instance), point.comparison.at) if part)
        lines.append(f"  {where}: {sides}, slack {point.slack:.3g}")
    return [*lines, ""]


def report_of(theorem: Theorem, found: Measured, twin: Measured | None) -> TheoremReport:
    """Return the report of a theorem from what was measured of it, and of its twin if it has one."""
    return TheoremReport(
        name=theorem.name,
        source=theorem.source,
        instances=found.instances,
        checks=found.checks,
        zeros=found.zeros,
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
