"""Theorems on regret minimisers: they hold, false twins fail, and what is said to be tight is."""

import pytest

from treeplex.theorems import registry
from treeplex.theorems.effort import Effort
from treeplex.theorems.measuring import points

THEOREMS = [t for t in registry.THEOREMS if t.measure.__module__.startswith("treeplex.theorems.learning")]
QUICK = [Effort(quick=True, seed=seed) for seed in (1, 1000)]
FULL = Effort(seed=500)


def found(statement, theorem, effort):
    instances = statement.instances or theorem.instances
    return list(points(statement.measure, theorem.relation, instances(effort)))


def check(theorem, effort):
    measured = found(theorem, theorem, effort)
    assert measured
    worst = min(measured, key=lambda p: p.slack)
    assert worst.slack >= -theorem.tolerance, worst
    if theorem.equality:
        assert min(abs(p.slack) for p in measured) <= theorem.tolerance
    if theorem.twin is not None:
        assert min(p.slack for p in found(theorem.twin, theorem, effort)) < -theorem.tolerance


@pytest.mark.parametrize("effort", QUICK, ids=["seed-1", "seed-1000"])
@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: t.name)
def test_a_theorem_holds_and_its_twin_fails(theorem, effort):
    check(theorem, effort)


@pytest.mark.slow
@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: t.name)
def test_a_theorem_holds_on_all_its_instances(theorem):
    check(theorem, FULL)
