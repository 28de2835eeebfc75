"""Cases: games held node by node, drawn ones, edits, files."""

import json
import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count, islice

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.bench.challenges.case import rational
from treeplex.bench.challenges.case_drawing import (
    BLUEPRINTS,
    case_of,
    drawn_game,
    drawn_strategy,
    rng_of,
)
from treeplex.bench.challenges.case_edits import EDITS
from treeplex.bench.challenges.case_file import case_object, read_case
from treeplex.bench.challenges.claim import Breach
from treeplex.bench.challenges.safe_claim import drawn_case
from treeplex.bench.challenges.shrink import Broken, shrunk
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.seqform.certify.certificate import rational_plan
from treeplex.seqform.trees.efg_writer import efg_text
from treeplex.seqform.trees.game_tree import build_tree

LEAF = {"player": TERMINAL, "known": ["", ""], "public": "", "payoff": "1"}


@cache
def sound_cases(n):
    found = (drawn_case(3, draw) for draw in count())
    return list(islice((case for case in found if case is not None), n))


class AlwaysBroken:
    """A claim that every case breaks; what cannot be built is none."""

    def edits(self, target):
        return EDITS

    def breach(self, target, case):
        assert len(case.form.treeplexes) == 2
        return Breach(Fraction(1), Fraction(1), ())


@over(["kuhn_poker", "coin_toss(subgames=2)", "random_game(seed=5,depth=6)"])
def test_a_game_held_node_by_node_is_the_game(spec):
    case = case_of(spec)
    rules = load_game(spec)
    assert efg_text(case.numbered.tree) == efg_text(build_tree(rules)).replace(rules.name, spec)
    paths = [path for path, _ in case.root.paths()]
    assert len(set(paths)) == len(paths) == sum(1 for _ in case.root.histories())


def test_harm_is_shared_by_the_scale():
    breach = Breach(Fraction(3), Fraction(4), ())
    assert breach.share == 0.75
    assert breach.is_broken
    assert not replace(breach, harm=Fraction(0)).is_broken


def test_draws_are_the_same_for_one_seed_and_number():
    for draw in range(8):
        one, two = drawn_case(2, draw), drawn_case(2, draw)
        assert (one is None) == (two is None)
        if one is not None:
            assert case_object(one) == case_object(two)
    assert drawn_game(1, rng_of(1, 1)).origin != drawn_game(1, rng_of(2, 1)).origin


@over(BLUEPRINTS)
def test_strategies_are_rational_with_small_denominators(kind):
    case = case_of("kuhn_poker")
    strategy = drawn_strategy(kind, case.form, rng_of(1, 1))
    assert len(strategy) == case.infosets
    for row in strategy.values():
        assert sum(row.values()) == 1
        assert all(isinstance(p, Fraction) and p >= 0 for p in row.values())
    profile = replace(case, strategies=(strategy,)).profile()
    for player in (0, 1):
        exact = rational_plan(
            case.form.treeplexes[player], replace(case, strategies=(strategy,)).behaviour(player)
        )
        np.testing.assert_allclose(exact.num.astype(float) / exact.den, profile.plans[player], atol=1e-12)


def test_floats_become_the_rationals_that_they_stand_for():
    treeplex = case_of("coin_toss").form.treeplexes[1]
    assert rational(treeplex, np.array([1.0, 1 / 3, 2 / 3, 0.0])) == [1, Fraction(1, 3), Fraction(2, 3), 0]
    assert rational(treeplex, np.array([1.0, -1e-17, 1.0, 0.0])) == [1, 0, 1, 0]


@over(EDITS)
def test_edits_make_cases_smaller_or_simpler(edit):
    seen = 0
    for case in sound_cases(12):
        before = weight(case)
        for candidate in islice(edit(case), 20):
            assert weight(candidate.tidied()) < before or edit.__name__ == "plain_keys"
            for node in candidate.root.histories():
                if node.player == CHANCE:
                    assert len(node.weights) == len(node.moves)
                    assert sum(node.weights) == 1
            seen += 1
    assert seen or edit.__name__ in ("without_strategies", "simpler_weights")


def weight(case):
    """Return histories and subgames, and how long all numbers are, in this order."""
    nodes = list(case.root.histories())
    numbers = [abs(node.payoff.numerator) + node.payoff.denominator for node in nodes]
    rows = [node.weights for node in nodes if node.weights]
    rows += [tuple(row.values()) for strategy in case.strategies for row in strategy.values()]
    spelled = [max(p.denominator for p in row) + sum(p != 0 for p in row) / 100 for row in rows]
    return len(nodes) + len({node.subgame for node in nodes}), sum(numbers) + math.fsum(spelled)


def test_a_claim_that_always_breaks_shrinks_to_one_leaf():
    for case in sound_cases(4):
        found = [Broken(case, Breach(Fraction(1), Fraction(1), ()))]
        shrunk(AlwaysBroken(), None, found[0], math.inf, found.append, lambda text, width: None)
        assert [node.moves for node in found[-1].case.root.histories()] == [()]
        assert found[-1].case.origin == f"shrunk from {case.origin}"


def test_cases_are_read_as_written(tmp_path):
    for case in sound_cases(6):
        path = tmp_path / "case.json"
        path.write_text(json.dumps(case_object(case)))
        assert case_object(read_case(path)) == case_object(case.tidied())


@over(
    [
        ("format", "2", "format must be"),
        ("seat", 2, "seat must be 0, 1 or null"),
        ("game", {"player": 0}, "'known' is missing"),
        ("game", {"player": 0, "known": ["", ""], "public": "", "moves": []}, "actions must be distinct"),
        ("weights", ["1/0"], "not as challenge --out writes it"),
        ("strategies", [{"0": {"J:": {"c": "-1"}}}], "probabilities must be at least 0"),
        ("strategies", [{"0": {"J:": {"c": float("inf")}}}], "not as challenge --out writes it"),
        ("game", {**LEAF, "payoff": float("inf")}, "not as challenge --out writes it"),
        ("game", {**LEAF, "payoff": "1e400"}, "payoffs must be in the range of floats"),
        ("game", {**LEAF, "subgame": float("inf")}, "not as challenge --out writes it"),
    ]
)
def test_files_that_hold_no_case_are_refused_in_one_line(key, value, message, tmp_path):
    path = tmp_path / "case.json"
    path.write_text(json.dumps({**case_object(case_of("kuhn_poker")), key: value}))
    with pytest.raises(ValueError, match=message) as caught:
        read_case(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
