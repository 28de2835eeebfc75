"""Theorems hold on other seeds than those of ``treeplex verify``, and false twins fail."""

from itertools import groupby
from time import process_time

import pytest

from tests.helpers.cells import each, over
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.measuring import points
from treeplex.bench.verify.registry import THEOREMS
from treeplex.process.compilation import compiling_seconds

BY_NAME = {theorem.name: theorem for theorem in THEOREMS}
SOME = {
    "abstractions": ("imperfect-recall-regret-bound",),
    "games": ("perfect-recall", "strong-duality", "running-sums-equal-the-matrix"),
    "learning": ("mccfr-unbiased", "vector-form"),
    "papers": ("deals-up-to-suits", "printed-tables-agree"),
    "subgames": ("resolve-safety", "more-continuations"),
}
"""Theorems of each kind that run by default; ``.ci/run`` verifies all by ``treeplex verify --quick``."""
QUICK_SECONDS = 6.0
"""CPU time of a quick run of one theorem on a loaded machine; about one alone."""


def source_of(theorem):
    return theorem.measure.__module__.removeprefix("treeplex.bench.")


def measured(statement, theorem, effort):
    instances = statement.instances or theorem.instances
    return list(points(statement.measure, theorem.relation, instances(effort)))


def check(theorem, effort):
    """Measure a theorem, and its twin; those of subgames fail without random instances."""
    found = measured(theorem, theorem, effort)
    worst = min(found, key=lambda point: point.slack)
    assert worst.slack >= -theorem.tolerance, worst
    assert not theorem.equality or min(abs(p.slack) for p in found) <= theorem.tolerance
    if theorem.twin is not None:
        if source_of(theorem).startswith(("theorems_on_subgames.", "theorems.solved_")):
            effort = Effort(quick=True, instances=0)
        twin = measured(theorem.twin, theorem, effort)
        assert any(p.slack < -theorem.tolerance and not p.error for p in twin)


@pytest.mark.seconds(2)
@over([name for names in SOME.values() for name in names])
def test_some_theorems_of_each_kind_hold_and_their_twins_fail(name):
    clock = process_time() - compiling_seconds()
    check(BY_NAME[name], Effort(quick=True, seed=1000))
    assert process_time() - compiling_seconds() - clock < QUICK_SECONDS


SECONDS = {
    "kroer_sandholm_2014": 7,
    "lisy_bowling_2017": 15,
    "waugh_2009": 16,
    "koller_megiddo_stengel_1996": 9,
    "reductions": 19,
    "burch_moravcik_schmid_2019": 35,
    "brown_sandholm_2019": 13,
    "farina_kroer_sandholm_2020": 28,
    "lanctot_2009": 12,
    "zinkevich_2008": 24,
    "johanson_2011": 14,
    "published_values": 23,
    "derived_entries": 10,
    "derived_safety": 30,
    "derived_values": 56,
    "brown_sandholm_2017_distributions": 10,
    "brown_sandholm_2017_draws": 10,
    "brown_sandholm_2017_gifts": 20,
    "brown_sandholm_2017_nested": 21,
    "brown_sandholm_2017_reach": 10,
    "brown_sandholm_2018_estimates": 30,
    "brown_sandholm_amos_2018": 9,
    "burch_johanson_bowling_2014_resolve": 10,
    "derived": 28,
    "moravcik_et_al_2016": 12,
    "solved_measures": 33,
}
"""CPU seconds of the theorems of a source at full effort, where they are more than six."""
SOURCES = [
    pytest.param([*theorems], marks=pytest.mark.seconds(SECONDS.get(source.rpartition(".")[2], 6)), id=source)
    for source, theorems in groupby(sorted(THEOREMS, key=source_of), source_of)
]


@pytest.mark.parametrize("theorems", SOURCES)
def test_all_theorems_of_a_source_hold_at_full_effort(theorems):
    each(theorems, lambda theorem: check(theorem, Effort(seed=1000)))
