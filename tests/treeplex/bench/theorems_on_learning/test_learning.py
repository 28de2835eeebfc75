"""What theorems on regret minimisers are measured on: courses of runs, and all samples of one."""

import numpy as np
import pytest

from treeplex.bench.theorems_on_learning.adversarial_courses import MATCH, course_name, course_of
from treeplex.bench.theorems_on_learning.samples import every_sample


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
