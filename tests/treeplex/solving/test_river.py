"""Whole hold'em rivers: the linear program and CFR+ prove intervals for one value, and they meet."""

import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex import Problem, Result, load, solve
from treeplex.seqform.certify.certificate import Target, certify_exactly
from treeplex.seqform.programs.guided_program import solve_guided
from treeplex.solving.linear_program import program_guide

LIBRATUS = Path(os.environ.get("TREEPLEX_LIBRATUS", ROOT.parent / "shared" / "data" / "libratus"))
RIVER_VALUE = Fraction(
    -6875765594857693924947225433182188443595599, 2042703057957886081298411794102115523217554
)
"""Of examples/river.toml: the rational optimum of its merged program, proved on the whole game."""


@pytest.fixture(scope="module")
def river() -> Problem:
    return load(str(ROOT / "examples" / "river.toml"))


@pytest.fixture(scope="module")
def exact(river: Problem) -> Result:
    return solve(river, exact=True)


def test_the_river_is_solved_exactly(river: Problem, exact: Result) -> None:
    assert river.form.n_infosets == (6 * 1081, 6 * 1081)
    assert exact.certificate.lower == exact.certificate.upper == exact.exact_value == RIVER_VALUE
    # Floats of the exact plans are a little off; their own exact certificate says by how little.
    again = certify_exactly(river.form, exact.profile)
    assert again.contains(RIVER_VALUE)
    assert again.nash_conv <= 1e-9 * 100


@pytest.mark.seconds(3)
def test_the_float_program_and_cfr_plus_agree(river: Problem) -> None:
    lp, cfr = solve(river), solve(river, method="cfr+")
    assert lp.nash_conv <= 1e-6 * 100
    assert cfr.nash_conv <= 1e-4 * 100
    assert lp.certificate.contains(RIVER_VALUE)
    assert cfr.certificate.contains(RIVER_VALUE)
    assert lp.ev is not None
    assert sum(lp.ev) == pytest.approx(100)


def test_merging_loses_nothing(river: Problem) -> None:
    assert river.small.merged is not None
    assert [len(h) for h in river.small.merged.tree.hands] == [91, 91]
    lp = solve(river)
    for behaviour, treeplex in zip(lp.profile.behaviour, river.form.treeplexes, strict=True):
        np.testing.assert_allclose(np.add.reduceat(behaviour, treeplex.begin), 1.0, atol=1e-12)


@pytest.mark.seconds(15)
def test_the_river_without_merging(river: Problem) -> None:
    apart = replace(river.small, merged=None)
    solution = solve_guided(apart.form, program_guide(apart), Target(1e-6 * 100))
    assert solution.certificate.nash_conv <= 1e-6 * 100
    assert solution.certificate.contains(RIVER_VALUE)


@pytest.mark.seconds(140)
@over([(3, 292.53, 293.28), (4, 2298.396, 2298.531)])
def test_libratus_rivers(number, lower, upper) -> None:
    path = LIBRATUS / f"subgame{number}.txt"
    if not path.exists():
        pytest.skip(f"the published endgame {path.name} is not here; TREEPLEX_LIBRATUS names its folder")
    problem = load(str(path), bets="0.5,1,a", raises="1,a")
    assert problem.pot is not None
    pot = float(problem.pot)
    lp, cfr = solve(problem), solve(problem, method="cfr+")
    assert lp.nash_conv <= 1e-6 * pot
    assert cfr.nash_conv <= 1e-4 * pot
    assert not lp.certificate.disjoint(cfr.certificate)
    assert lower <= lp.lower + pot / 2 <= lp.upper + pot / 2 <= upper
