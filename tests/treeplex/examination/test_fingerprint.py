"""Fingerprints of our own minimisers: each variant, average and order is named; samplers are not."""

import pytest

from treeplex.core.loading import load
from treeplex.examination.fingerprint import Fingerprint, fingerprint
from treeplex.solving.solve import solve

FIRST = range(1, 13)
CHOICES = [
    ("cfr", {}, "uniform, after the update", "alternating, player 0 first"),
    ("cfr", {"order": "simultaneous"}, "uniform, after the update", "simultaneous"),
    ("cfr", {"average": "last"}, "last", "alternating, player 0 first"),
    (
        "cfr",
        {"average": "cubic", "counted": "seen"},
        "cubic, as the other player updated against",
        "alternating, player 0 first",
    ),
    ("cfr+", {}, "linear, after the update", "alternating, player 0 first"),
    ("cfr+", {"counted": "before"}, "linear, before the update", "alternating, player 0 first"),
    ("cfr+", {"average": "uniform"}, "uniform, after the update", "alternating, player 0 first"),
    ("lcfr", {"order": "simultaneous"}, "linear, after the update", "simultaneous"),
    ("dcfr", {"counted": "before"}, "quadratic, before the update", "alternating, player 0 first"),
    ("pcfr+", {}, "quadratic, after the update", "alternating, player 0 first"),
    ("pdcfr", {}, "quadratic, after the update", "alternating, player 0 first"),
    ("hedge", {}, "uniform, after the update", "alternating, player 0 first"),
    ("cfr-br", {}, "linear, after the update", "alternating, player 0 first"),
]


def strategies(problem, method, times=FIRST, **choices):
    return {t: solve(problem, method=method, iterations=t, **choices).profile for t in times}


@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker"])
@pytest.mark.parametrize(("method", "choices", "averaging", "order"), CHOICES)
def test_our_own_minimisers_are_named(spec, method, choices, averaging, order):
    problem = load(spec)
    found = fingerprint(problem, strategies(problem, method, **choices))
    assert found == Fingerprint(method, averaging, order)


@pytest.mark.parametrize("method", ["mccfr-external", "mccfr-outcome", "mccfr-chance"])
@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker"])
def test_samplers_have_none(spec, method):
    problem = load(spec)
    for seed in range(4):
        assert fingerprint(problem, strategies(problem, method, seed=seed)) is None


def test_exact_solvers_and_no_strategies_have_none():
    problem = load("kuhn_poker")
    assert fingerprint(problem, {}) is None
    same = solve(problem).profile
    assert fingerprint(problem, dict.fromkeys(FIRST, same)) is None
