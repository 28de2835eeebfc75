"""Checkpoints spoilt at random: every one is refused in one line, or goes on to a valid result."""

from functools import cache

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.answers import answered
from tests.helpers.archive_members import signed
from tests.helpers.archive_mutations import spoilt
from tests.helpers.cells import over

GAME = "leduc_poker(ranks=2,raises=1)"
DONE, MORE = 4, 3
"""Iterations in the checkpoints, and how many are done after that."""
ENGINES = {
    "sequence form": {"method": "cfr+", "form": "tree"},
    "hedge": {"method": "hedge", "form": "tree"},
    "warm start": {"method": "dcfr", "form": "tree", "warm_iterations": 5},
    "public tree": {"method": "pdcfr", "form": "public"},
    "hedge on the public tree": {"method": "hedge", "form": "public"},
    "boards": {"method": "dcfr", "form": "boards"},
    "boards with prediction": {"method": "pcfr+", "form": "boards"},
    "boards in 16 bits": {"method": "dcfr", "form": "boards", "storage": "int16"},
    "boards in double precision": {"method": "pcfr+", "form": "boards", "storage": "float64"},
    "boards in fixed point": {"method": "cfr+", "form": "boards", "storage": "int32"},
    "the last plan in fixed point": {
        **{"method": "cfr+", "form": "boards", "storage": "int32"},
        **{"average": "last", "scales": "100,200"},
    },
    "streams": {"method": "mccfr-external", "form": "tree", "streams": 2},
    "average sampling": {"method": "mccfr-average", "form": "tree"},
    "public chance": {"method": "mccfr-public", "form": "public"},
    "CFR-D": {"method": "cfr-d", "form": "tree"},
}
TABLES = {
    "external": {"method": "mccfr-external", "form": "table"},
    "outcome": {"method": "mccfr-outcome", "form": "table"},
}


@cache
def problem():
    return tp.load(GAME)


@cache
def value():
    return tp.solve(problem(), "lp").certificate.value


def solved(kind, iterations, path):
    options = dict({**ENGINES, **TABLES}[kind])
    if "warm_iterations" in options:
        options["warm_start"] = tp.solve(problem(), "cfr+", iterations=20).profile
    traced = options["form"] != "table"
    return tp.solve(problem(), **options, iterations=iterations, traced=traced, checkpoint=path)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A function from a kind of run to the bytes of its checkpoint."""

    @cache
    def call(kind):
        path = tmp_path_factory.mktemp("kept") / "run.npz"
        solved(kind, DONE if kind in ENGINES else 30, path)
        return path.read_bytes()

    return call


def check_result(result):
    """Fail a result that is no legal one of the game."""
    if result.form == "table":
        for player in (0, 1):
            for _, row in result.strategy.table.items(player):
                assert abs(sum(row.values()) - 1) < 1e-9
                assert min(row.values()) >= 0
        return
    certificate = result.certificate
    assert certificate.lower <= value() + 1e-9
    assert certificate.upper >= value() - 1e-9
    assert np.isfinite(certificate.nash_conv)


@pytest.mark.seconds(15)
@over([ENGINES, TABLES])
def test_a_thousand_spoilt_checkpoints(kinds, kept, tmp_path):
    path, kinds = tmp_path / "run.npz", [*kinds]
    counts = {"refused": 0, "accepted": 0}
    for seed in range(1000):
        kind = kinds[seed % len(kinds)]
        path.write_bytes(spoilt(f"{kind} {seed}", kept(kind), signed))
        result = answered(lambda kind=kind: solved(kind, 33 if kind in TABLES else DONE + MORE, path))
        counts["refused" if result is None else "accepted"] += 1
        if result is not None:
            check_result(result)
    assert min(counts.values()) > 0
