"""Every theorem on subgames holds, is tight where it says so, and its false twin fails, for any seed."""

from time import process_time

import pytest

from treeplex.theorems.effort import Effort
from treeplex.theorems.measuring import points
from treeplex.theorems.registry import THEOREMS

HERE = [t for t in THEOREMS if t.measure.__module__.startswith("treeplex.theorems.subgames.")]
QUICK_SECONDS = 6.0
"""CPU time of a quick run of one theorem on a loaded machine; about one alone."""
each_theorem = pytest.mark.parametrize("theorem", HERE, ids=lambda theorem: theorem.name)


def measured(theorem, effort):
    return list(points(theorem.measure, theorem.relation, theorem.instances(effort)))


@each_theorem
def test_holds_for_another_seed(theorem):
    clock = process_time()
    found = measured(theorem, Effort(quick=True, seed=1_000_001))
    assert min(p.slack for p in found) >= -theorem.tolerance
    if theorem.equality:
        assert min(abs(p.slack) for p in found) <= theorem.tolerance
    assert process_time() - clock < QUICK_SECONDS


@pytest.mark.parametrize("theorem", [t for t in HERE if t.twin], ids=lambda theorem: theorem.name)
def test_the_twin_fails_without_random_instances(theorem):
    instances = (theorem.twin.instances or theorem.instances)(Effort(quick=True, instances=0))
    found = points(theorem.twin.measure, theorem.relation, instances)
    assert any(p.slack < -theorem.tolerance and not p.error for p in found)


@pytest.mark.seconds(20)
@each_theorem
def test_holds_in_a_full_run(theorem):
    assert min(p.slack for p in measured(theorem, Effort())) >= -theorem.tolerance
