"""CFR and CFR+ beside OpenSpiel's: NashConv of both averages, as the benchmark compares them."""

import pytest

import treeplex as tp
from benchmarks.cfr.bench_openspiel import BATTLESHIP, HEAD, METHODS, beside, row

pytest.importorskip("pyspiel", reason="pip install 'treeplex[openspiel]' installs it")


TIED = BATTLESHIP.format(2)


def apart(spec: str) -> float:
    """Return by how much the NashConvs of a game are apart, at most."""
    problem = tp.load(f"openspiel:{spec}")
    return max(beside(problem, method, rounds=1, least=0.0).apart for method in METHODS)


@pytest.mark.seconds(2)
def test_averages_are_those_of_openspiel():
    for spec in ("kuhn_poker", "liars_dice(dice_sides=3)", "dark_hex(num_rows=2,num_cols=2)"):
        assert apart(spec) < 1e-12, spec


@pytest.mark.seconds(2)
def test_where_ties_keep_averages_apart_they_are_equal_with_noise():
    assert apart(TIED) > 0.01
    assert apart(f"add_noise(epsilon=0.01,seed=1,game={TIED})") < 1e-12


def test_a_row_has_the_cells_of_the_head(monkeypatch):
    monkeypatch.setattr("benchmarks.cfr.bench_openspiel.SLICE", 0.0)
    assert row("kuhn_poker").count("|") == HEAD.splitlines()[0].count("|")
