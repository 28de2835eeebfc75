"""The numbers of docs/VALUES.md are those that are computed."""

import re
from fractions import Fraction
from importlib import import_module

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.profiles import uniform_profile
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.references.references import BY_SPEC

PAGE = (ROOT / "docs" / "VALUES.md").read_text(encoding="utf-8")
ITERATIONS = (1, 2, 3, 10, 100)


def rows(heading):
    """Return the cells of all rows of a section's tables that begin with code or a number, no back-quotes."""
    lines = PAGE.split(f"\n## {heading}")[1].split("\n## ")[0].splitlines()
    found = [line.strip("| ").split("|") for line in lines if re.match(r"\| [`\d]", line)]
    return [tuple(cell.strip(" `") for cell in row) for row in found]


UNIFORM = [row for row in rows("Rules") if len(row) == 5]


@over(UNIFORM)
def test_uniform_play_is_worth_what_the_page_says(spec, infosets, value, nash_conv, optimum):
    problem = tp.load(spec)
    first, second = (t.n_infosets for t in problem.form.treeplexes)
    assert infosets == f"{first} + {second}"
    certificate = tp.certify(problem.form, uniform_profile(problem.form))
    assert float(Fraction(value)) == pytest.approx(certificate.value, abs=1e-12)
    assert float(Fraction(nash_conv)) == pytest.approx(certificate.nash_conv, abs=1e-9)
    known = BY_SPEC.get(spec) or BY_SPEC[f"{spec}(ranks=3)"]
    assert float(Fraction(optimum)) == pytest.approx(float(known.value), abs=1e-12)


def seeing(game, state, player):
    """Return what a player who sees everything wins against uniform play, in player 0's payoff."""
    who = game.player(state)
    if who == TERMINAL:
        return game.payoff(state)
    if who == CHANCE:
        return sum(odds * seeing(game, game.child(state, move), player) for move, odds in game.chance(state))
    values = [seeing(game, game.child(state, action), player) for action in game.actions(state)]
    if who == player:
        return max(values) if player == 0 else min(values)
    return sum(values) / Fraction(len(values))


NAMES = {"kuhn_poker": "Kuhn poker", "leduc_poker": "Leduc"}


@over([("kuhn_poker", 1), ("leduc_poker", Fraction(53, 10))])
def test_a_best_response_that_sees_all_cards_wins_more(spec, width):
    game = load_game(spec)
    assert seeing(game, game.root(), 0) - seeing(game, game.root(), 1) == width
    assert f"{width} in {NAMES[spec]}" in PAGE


@over(["leduc_poker(raises=1)", "leduc_poker(ranks=13)"])
def test_values_of_neighbouring_games_stand_there(spec):
    assert f"{float(BY_SPEC[spec].value):.12f}" in PAGE


@pytest.mark.seconds(3)
@over(rows("The first"))
def test_first_iterations_have_these_certificates(spec, method, order, counted, *widths):
    for n, width in zip(ITERATIONS, widths, strict=True):
        result = tp.solve(spec, method, iterations=n, order=order, counted=counted)
        assert f"{result.nash_conv:.6g}" == width


@pytest.mark.seconds(15)
@over([row[:2] for row in rows("Mistakes")])
def test_wrong_solvers_have_these_certificates(width, name):
    solver = import_module(f"treeplex.examples.solvers.{name}")
    assert f"{tp.check('kuhn_poker', solver.solve(load_game('kuhn_poker'), 1000)).nash_conv:.4g}" == width
