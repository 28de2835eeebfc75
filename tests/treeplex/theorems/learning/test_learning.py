"""Theorems on regret minimisers: they hold, false twins fail, and what is said to be tight is."""

import numpy as np
import pytest

from treeplex.theorems import registry
from treeplex.theorems.effort import Effort
from treeplex.theorems.learning.courses import MATCH, course_name, course_of
from treeplex.theorems.learning.sampling.samples import every_sample
from treeplex.theorems.measuring import points

THEOREMS = [t for t in registry.THEOREMS if t.measure.__module__.startswith("treeplex.theorems.learning")]
QUICK, FULL = Effort(quick=True, seed=1000), Effort(seed=500)
"""Other seeds than those of ``treeplex verify``."""


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


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: t.name)
def test_a_theorem_holds_and_its_twin_fails(theorem):
    check(theorem, QUICK)


@pytest.mark.seconds(20)
@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: t.name)
def test_a_theorem_holds_on_all_its_instances(theorem):
    check(theorem, FULL)


def test_a_course_is_what_its_adversary_makes_of_it():
    """Regret matching on two actions: the first plays, and the regrets of all parts and of the whole."""
    course = course_of(MATCH, 1, 0, course_name("cfr", "shifting", iterations=4))
    assert course.gradients[:, 1:].tolist() == [[1, 0], [1, 0], [0, 1], [0, 1]]
    assert course.plans[:3, 1:].tolist() == [[0.5, 0.5], [1, 0], [1, 0]]
    assert course.regrets[1, 1:].tolist() == [0.5, -1.5]
    assert course.regret(0, 2) == 0.5
    assert course.regret(2, 4) == pytest.approx(2 - course.plans[3, 2])
    assert course.regret() == pytest.approx(course.steps.sum(axis=0).max())
    assert np.array_equal(course.weights, np.ones(4))


def test_samples_are_enumerated_once_each_with_their_probabilities():
    def run(script):
        return script.pick([0.5, 0.0, 0.5]) * 10 + script.pick([0.25, 0.75])

    found = every_sample(run)
    assert [(out, script.probability) for script, out in found] == [
        (0, 0.125),
        (1, 0.375),
        (20, 0.125),
        (21, 0.375),
    ]
    assert found[-1][0].draws == [0.75, 0.625]
    with pytest.raises(ValueError, match="samples must be at most 3, got more"):
        every_sample(run, 3)
