"""Schedules of certificates, and conditions on traces that end a run."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from treeplex.core.trace import TracePoint
from treeplex.seqform.certify.target import Target

Trace = tuple[TracePoint, ...]


@dataclass(frozen=True)
class Checks:
    """Schedule of certificates: after ``first`` iterations, then growing by ``growth``, and at the end."""

    first: int
    growth: float

    def after(self, checked: int) -> int:
        """Return the first check after so many iterations, whatever was run in one stretch."""
        check = self.first
        while check <= checked:
            check = max(check + 1, int(check * self.growth))
        return check


FOR_TARGETS, FOR_TRACES, AT_THE_END = Checks(64, 1.5), Checks(1, 1.25), Checks(sys.maxsize, 1.0)


def narrower_than(target: Target | None) -> Callable[[Trace], bool]:
    """Return whether the last certificate meets a target; without one no trace is enough."""
    return never if target is None else lambda trace: target.is_met(trace[-1].certificate)


def never(trace: Trace) -> bool:
    """Return that no trace is enough."""
    return False
