"""One theorem measured on its instances."""

from collections.abc import Iterable
from dataclasses import dataclass

from treeplex.theorems.theorem import Comparison, Instance, Measure, Relation

WORST = 5
"""So many of the comparisons with the least slack are kept, of different instances."""


@dataclass(frozen=True)
class Point:
    """One comparison of one instance.

    Attributes
    ----------
    instance : Instance
    comparison : Comparison
    slack : float
        In parts of the comparison's scale; see :meth:`Comparison.slack`.
    """

    instance: Instance
    comparison: Comparison
    slack: float


def points(measure: Measure, relation: Relation, instances: Iterable[Instance]) -> Iterable[Point]:
    """Yield every comparison of some instances."""
    for instance in instances:
        for comparison in measure(instance):
            yield Point(instance, comparison, comparison.slack(relation))
