"""Theorems on games: each holds on other seeds than a quick run's and in full, and its false twin fails."""

import pytest

from treeplex.theorems.effort import Effort
from treeplex.theorems.registry import THEOREMS

HERE = [t for t in THEOREMS if t.measure.__module__.startswith("treeplex.theorems.games.")]
EFFORTS = [Effort(quick=True, instances=1, seed=77), pytest.param(Effort(), marks=pytest.mark.seconds(20))]


def slacks(measure, instances, relation):
    return [comparison.slack(relation) for instance in instances for comparison in measure(instance)]


@pytest.mark.parametrize("effort", EFFORTS, ids=str)
@pytest.mark.parametrize("theorem", HERE, ids=lambda theorem: theorem.name)
def test_a_theorem_holds_and_its_twin_does_not(theorem, effort):
    instances = list(theorem.instances(effort))
    found = slacks(theorem.measure, instances, theorem.relation)
    assert min(found) >= -theorem.tolerance
    assert not theorem.equality or min(found) <= theorem.tolerance
    if theorem.twin is not None:
        own = theorem.twin.instances
        there = instances if own is None else list(own(effort))
        assert min(slacks(theorem.twin.measure, there, theorem.relation)) < -theorem.tolerance
