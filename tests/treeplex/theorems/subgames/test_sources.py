"""Every theorem on subgames holds, is tight where it says so, and its false twin fails, for any seed."""

from time import process_time

import pytest

from treeplex.theorems.effort import Effort
from treeplex.theorems.measuring import points
from treeplex.theorems.subgames import (
    brown_sandholm_2017,
    brown_sandholm_2017_distributions,
    brown_sandholm_2017_figures,
    brown_sandholm_2017_nested,
    brown_sandholm_2018_estimates,
    brown_sandholm_amos_2018,
    burch_johanson_bowling_2014_resolve,
    derived,
    ganzfried_sandholm_2015,
    kubicek_lisy_sandholm_2026,
    moravcik_et_al_2016,
)

SOURCES = (
    brown_sandholm_2017,
    brown_sandholm_2017_distributions,
    brown_sandholm_2017_figures,
    brown_sandholm_2017_nested,
    brown_sandholm_2018_estimates,
    brown_sandholm_amos_2018,
    burch_johanson_bowling_2014_resolve,
    derived,
    ganzfried_sandholm_2015,
    kubicek_lisy_sandholm_2026,
    moravcik_et_al_2016,
)
each_theorem = pytest.mark.parametrize(
    "theorem",
    [theorem for source in SOURCES for theorem in source.THEOREMS],
    ids=lambda theorem: theorem.name,
)
QUICK_SECONDS = 6.0
"""CPU time of a quick run of one theorem on a loaded machine; about one alone."""


def measured(theorem, effort):
    return list(points(theorem.measure, theorem.relation, theorem.instances(effort)))


def failures_of_the_twin(theorem, effort):
    twin = theorem.twin
    instances = (twin.instances or theorem.instances)(effort)
    return [p for p in points(twin.measure, theorem.relation, instances) if p.slack < -theorem.tolerance]


@each_theorem
@pytest.mark.parametrize("seed", [1, 1_000_001])
def test_holds_and_its_twin_fails(theorem, seed):
    effort, clock = Effort(quick=True, seed=seed), process_time()
    found = measured(theorem, effort)
    assert min(p.slack for p in found) >= -theorem.tolerance
    if theorem.equality:
        assert min(abs(p.slack) for p in found) <= theorem.tolerance
    if theorem.twin:
        assert failures_of_the_twin(theorem, effort)
    assert process_time() - clock < QUICK_SECONDS


@each_theorem
def test_twins_fail_without_random_instances(theorem):
    if theorem.twin:
        assert failures_of_the_twin(theorem, Effort(quick=True, instances=0))


@pytest.mark.slow
@each_theorem
def test_holds_in_a_full_run(theorem):
    assert min(p.slack for p in measured(theorem, Effort())) >= -theorem.tolerance
