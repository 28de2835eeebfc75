"""The numbers of docs/VALUES.md are those that are computed."""

import re
from dataclasses import fields
from fractions import Fraction
from functools import partial
from importlib import import_module

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.profiles import uniform_profile
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.counting.references import BY_SPEC
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.game import PokerGame

PAGE = (ROOT / "docs" / "VALUES.md").read_text(encoding="utf-8")
ITERATIONS = (1, 2, 3, 10, 100)


def rows(heading):
    """Return the cells of all rows of a section's tables that begin with code or a number, no back-quotes."""
    lines = PAGE.split(f"\n## {heading}")[1].split("\n## ")[0].splitlines()
    found = [line.strip("| ").split("|") for line in lines if re.match(r"\| [`\d]", line)]
    return [tuple(cell.strip(" `") for cell in row) for row in found]


def figure(mistake):
    """Return the number with which the row of a mistake begins."""
    (row,) = (line for line in PAGE.splitlines() if line.startswith("| -") and mistake in line)
    return Fraction(row.split()[1])


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


class LastMoverPaid:
    """Kuhn poker, paid to the player who moved last; a state is one of Kuhn poker and that player."""

    name, unit = "paid_to_the_last_mover", "chips"

    def __init__(self):
        self.game = load_game("kuhn_poker")
        for question in ("player", "actions", "chance", "public"):
            setattr(self, question, partial(self.ask, question))

    def ask(self, question, state):
        return getattr(self.game, question)(state[0])

    def root(self):
        return self.game.root(), 0

    def child(self, state, action):
        last = state[1] if self.player(state) == CHANCE else self.player(state)
        return self.game.child(state[0], action), last

    def payoff(self, state):
        return self.game.payoff(state[0]) * (1 if state[1] == 0 else -1)

    def infoset(self, state, player):
        return self.game.infoset(state[0], player)


class RankPlusTen(PokerGame):
    """Leduc in which a pair scores as its rank plus 10, too little for 13 ranks."""

    def strength(self, hand, board):
        (own,), (common,) = hand, board
        return own // 4 + (10 if own // 4 == common // 4 else 0)


def test_payoffs_of_the_last_mover_have_the_value_of_the_page():
    assert tp.solve(LastMoverPaid(), exact=True).exact_value == figure(
        "payoffs are of the player who moved last"
    )


@pytest.mark.seconds(8)
def test_a_pair_that_scores_too_little_has_the_value_of_the_page():
    """To the interval that is proved, whose ends are 1e-11 apart; the page has twelve decimals."""
    right = load_game("leduc_poker(ranks=13)")
    wrong = RankPlusTen(**{field.name: getattr(right, field.name) for field in fields(right) if field.init})
    proved = tp.solve(wrong).certificate
    assert proved.nash_conv < 1e-9
    assert proved.lower - 1e-12 <= figure("a pair scores as its rank plus 10") <= proved.upper + 1e-12


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
