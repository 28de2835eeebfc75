"""Statements measured on instances: every comparison, and what is kept of them."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import process_time

from treeplex.bench.theorems.theorem import Comparison, Instance, Measure, Relation
from treeplex.games.base.reading import complaint

WORST = 5
"""So many of the comparisons with the least slack are kept, of different instances."""
NOTHING = Comparison(math.nan, math.nan)
"""Both sides where measuring raised an error."""


@dataclass(frozen=True)
class MeasuredPoint:
    """One comparison of one instance.

    Attributes
    ----------
    instance : Instance
    comparison : Comparison
    slack : float
        In parts of the comparison's scale; see :meth:`Comparison.slack`.
    error : str
        What measuring raised instead, with a slack of minus infinity.
    """

    instance: Instance
    comparison: Comparison
    slack: float
    error: str = ""


@dataclass(frozen=True)
class Measured:
    """What is kept of the comparisons on some instances.

    Attributes
    ----------
    instances, checks : int
        How many instances compared something or raised an error, how many comparisons they offered.
    zeros : int
        How many comparisons are of two zeros.
    tight, violations : int
        How many comparisons hold with equality, up to the tolerance, and how many do not hold.
    errors : int
        How many instances raised an error; their points are violations.
    worst : tuple of MeasuredPoint
        Those with the least slack, of different instances, the least first.
    tightest : MeasuredPoint or None
        The comparison nearest to equality of those that hold.
    seconds : float
        Of processor time.
    """

    instances: int = 0
    checks: int = 0
    zeros: int = 0
    tight: int = 0
    violations: int = 0
    errors: int = 0
    worst: tuple[MeasuredPoint, ...] = ()
    tightest: MeasuredPoint | None = None
    seconds: float = 0.0


def points(measure: Measure, relation: Relation, instances: Iterable[Instance]) -> Iterator[MeasuredPoint]:
    """Yield every comparison of some instances; what raises an error ends in a point that says so."""
    for instance in instances:
        try:
            for comparison in measure(instance):
                yield MeasuredPoint(instance, comparison, comparison.slack(relation))
        except Exception as error:
            yield MeasuredPoint(instance, NOTHING, -math.inf, described(error))


def described(error: Exception) -> str:
    """Return an error as a text of one line."""
    return complaint(f"{type(error).__name__}: {error}")


def measured(
    measure: Measure, relation: Relation, tolerance: float, instances: Iterable[Instance]
) -> Measured:
    """Measure a statement on instances and return what is kept."""
    began = process_time()
    found = [*points(measure, relation, instances)]
    return _kept(found, tolerance, process_time() - began)


def failed(instances: Sequence[Instance], error: str) -> Measured:
    """Return what stands for instances that could not be measured."""
    found = [MeasuredPoint(instance, NOTHING, -math.inf, error) for instance in instances]
    return _kept(found, 0.0, 0.0)


def _kept(found: list[MeasuredPoint], tolerance: float, seconds: float) -> Measured:
    """Return what is kept of some points."""
    errors = sum(bool(point.error) for point in found)
    holding = [point for point in found if point.slack >= -tolerance]
    return Measured(
        instances=len({point.instance for point in found}),
        checks=len(found) - errors,
        zeros=sum(point.comparison.left == 0 == point.comparison.right for point in found),
        tight=sum(abs(point.slack) <= tolerance for point in holding),
        violations=len(found) - len(holding),
        errors=errors,
        worst=_worst(found),
        tightest=min(holding, key=_distance, default=None),
        seconds=seconds,
    )


def joined(parts: Iterable[Measured]) -> Measured:
    """Return what is kept of several groups of instances; of equals the first come first."""
    every = [*parts]
    return Measured(
        instances=sum(part.instances for part in every),
        checks=sum(part.checks for part in every),
        zeros=sum(part.zeros for part in every),
        tight=sum(part.tight for part in every),
        violations=sum(part.violations for part in every),
        errors=sum(part.errors for part in every),
        worst=_worst(point for part in every for point in part.worst),
        tightest=min((part.tightest for part in every if part.tightest), key=_distance, default=None),
        seconds=math.fsum(part.seconds for part in every),
    )


def _distance(point: MeasuredPoint) -> float:
    return abs(point.slack)


def _worst(found: Iterable[MeasuredPoint]) -> tuple[MeasuredPoint, ...]:
    """Return the points with the least slack, one for each instance."""
    chosen: dict[Instance, MeasuredPoint] = {}
    for point in sorted(found, key=lambda point: point.slack):
        chosen.setdefault(point.instance, point)
        if len(chosen) == WORST:
            break
    return tuple(chosen.values())
