"""Samples of a random program are complete; runs are those of ``tp.solve``."""

from fractions import Fraction

import pytest

import treeplex as tp
from lecture.sampled_runs import every_sample, sampled, timed

THIRD = Fraction(1, 3)


def two_picks(pick):
    first = pick([THIRD, 2 * THIRD])
    return (first, pick([Fraction(1, 2)] * 2)) if first else (first,)


def test_every_sample_comes_with_its_probability():
    assert every_sample(two_picks) == [(THIRD, (0,)), (THIRD, (1, 0)), (THIRD, (1, 1))]


@pytest.mark.seconds(2)
def test_a_sampled_run_is_that_of_solve():
    problem = tp.load("kuhn_poker")
    for scheme in ("chance", "external", "outcome"):
        visited, convs = sampled(problem, scheme, [4, 64], seed=3)
        run = tp.solve(problem, method=f"mccfr-{scheme}", iterations=64, seed=3)
        assert convs[-1] == pytest.approx(run.nash_conv)
        assert 0 < visited[0] < visited[1]


@pytest.mark.seconds(2)
def test_a_timed_run_is_that_of_solve():
    problem = tp.load("kuhn_poker")
    for method in ("cfr", "mccfr-external"):
        options = {"seed": 1} if method.startswith("mccfr") else {}
        spent, convs = timed(problem, method, [8, 32])
        run = tp.solve(problem, method=method, iterations=32, **options)
        assert convs[-1] == pytest.approx(run.nash_conv)
        assert 0 <= spent[0] <= spent[1]
