"""Games of one's own on the command line: every command takes them, and their errors name the line."""

import json
import sys

import pytest

from tests.helpers.cells import over
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run

SOURCE = '''
from fractions import Fraction

class Offer:
    """Player 0's type is good or bad; an offer of 0, 1 or 2 is taken or left."""
    name, unit = "my offer", "points"

    def root(self):
        return ()

    def player(self, state):
        return (-1, 0, 1, -2)[len(state)]

    def actions(self, state):
        return (0, 1, 2) if len(state) == 1 else ("take", "leave")

    def chance(self, state):
        return [("good", Fraction(1, 3)), ("bad", Fraction(2, 3))]

    def child(self, state, action):
        return (*state, action)

    def infoset(self, state, player):
        return "/".join(map(str, state if player == 0 else state[1:]))

    def public(self, state):
        return "/".join(map(str, state[1:]))

    def payoff(self, state):
        worth = 3 if state[0] == "good" else 0
        return state[1] - worth if state[2] == "take" else 0

class Faulty(Offer):
    def payoff(self, state):
        return {}[state]

class Strict(Offer):
    def payoff(self, state):
        raise ValueError("no payoff")
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "my_offer.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("my_offer", None)


def test_solve_check_and_the_checkpoint_know_the_game_by_its_name(folder, capsys):
    assert run(["solve", "my_offer:Offer", "--exact", "--json", "--out", "plan.csv"]) == SUCCESS
    solved = json.loads(capsys.readouterr().out)
    assert solved["game"] == "my offer"
    assert run(["check", "my_offer:Offer", "plan.csv", "--target", "1e-9", "--json"]) == SUCCESS
    assert json.loads(capsys.readouterr().out)["nash_conv"] <= 1e-9
    again = ["solve", "my_offer:Offer", "--method", "cfr+", "--iterations", "64", "--checkpoint", "run.npz"]
    assert run(again) == SUCCESS
    assert run([*again[:-3], "128", *again[-2:], "--json"]) == SUCCESS


@over(
    [
        "export --out game.efg",
        "export --out game.mps",
        "export --out game.dot",
        "draw --out tree.svg",
        "theory --method cfr --iterations 8",
        "solve --method mccfr-external --iterations 64",
        "gadget --defender 1 --at 1 --method resolve --blueprint uniform",
    ]
)
def test_commands_take_games_of_ones_own_with_integers_as_actions(command, folder, capsys):
    name, *options = command.split()
    assert run([name, "my_offer:Offer", *options]) == SUCCESS
    assert capsys.readouterr().out


def test_errors_inside_a_game_name_the_line(folder, complaint):
    assert "KeyError: ('good', 0, 'take') (my_offer.py, line 35)" in complaint("solve", "my_offer:Faulty")
    assert "no payoff (my_offer.py, line 39)" in complaint("solve", "my_offer:Strict")
