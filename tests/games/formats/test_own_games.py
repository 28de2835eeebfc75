"""Games of one's own as specs: classes, functions and objects of a module in the working folder."""

import sys
from fractions import Fraction

import pytest

from tests.helpers.cells import over
from treeplex.games.formats.specs import load_game

PENNIES = """
from dataclasses import dataclass
from fractions import Fraction

@dataclass(frozen=True)
class Pennies:
    stake: Fraction = Fraction(1)
    labels: tuple = ("heads", "tails")
    name = "my pennies"
    unit = "coins"

    def root(self):
        return ()

    def player(self, state):
        return len(state) if len(state) < 2 else -2

    def actions(self, state):
        return self.labels

    def chance(self, state):
        return []

    def child(self, state, action):
        return (*state, action)

    def infoset(self, state, player):
        return f"{player}" + (f" {state[player]}" if len(state) > player else "")

    def public(self, state):
        return str(len(state))

    def payoff(self, state):
        return self.stake if state[0] == state[1] else -self.stake

def numbered(n):
    return Pennies(labels=tuple(range(n)))

def any_keys(**keys):
    return Pennies(**keys)

def fails():
    raise KeyError("lost")

class Lacking:
    unit = "coins"
    def root(self):
        return ()
    def player(self, state):
        return 0

class NamedByMethod(Pennies):
    def name(self):
        return "pennies"

one = Pennies()
number = 3
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with modules whose names this package uses for its own folders too."""
    (tmp_path / "my_pennies.py").write_text(PENNIES)
    (tmp_path / "my_fault.py").write_text("x = 1\ny = x / 0\n")
    (tmp_path / "my_typo.py").write_text("\nx = = 1\n")
    (tmp_path / "my_import.py").write_text("import no_such_thing\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    for name in ("my_pennies", "my_fault", "my_typo", "my_import"):
        sys.modules.pop(name, None)


@over(
    [
        ("my_pennies:Pennies", 1, ("heads", "tails")),
        (" my_pennies:Pennies ( stake = 0.1 ) ", Fraction(1, 10), ("heads", "tails")),
        ("my_pennies:Pennies(labels=[a,b,c])", 1, ["a", "b", "c"]),
        ("my_pennies:numbered(n=3)", 1, (0, 1, 2)),
        ("my_pennies:any_keys(stake=2)", 2, ("heads", "tails")),
        ("my_pennies:one", 1, ("heads", "tails")),
    ]
)
def test_a_class_a_function_or_an_object(spec, stake, labels, folder):
    game = load_game(spec)
    assert (game.name, game.stake, game.labels) == ("my pennies", stake, labels)


def test_the_folder_is_searched_last(folder):
    load_game("my_pennies:Pennies")
    assert sys.path[-1] == str(folder)
    assert sys.path.index(str(folder)) == len(sys.path) - 1
    assert sys.path.count(str(folder)) == 1


def test_prefixes_win(folder):
    for prefix in ("openspiel", "example"):
        (folder / f"{prefix}.py").write_text(PENNIES)
    with pytest.raises(ValueError, match="an example must be one of"):
        load_game("example:Pennies")
    pytest.importorskip("pyspiel")
    assert load_game("openspiel:kuhn_poker").name == "openspiel:kuhn_poker()"


@over(
    [
        ("nowhere_at_all:Game", "'nowhere_at_all:Game': there is no module nowhere_at_all in the Python"),
        ("my_pennies.sub:Game", r"there is no module my_pennies\.sub in"),
        ("my_import:Game", r"ModuleNotFoundError: No module named 'no_such_thing' \(my_import\.py, line 1\)"),
        ("my_pennies:Shillings", r"my_pennies \(.*my_pennies\.py\) has no Shillings"),
        ("my_fault:Game", r"ZeroDivisionError: division by zero \(my_fault\.py, line 2\)"),
        ("my_typo:Game", r"SyntaxError: invalid syntax \(my_typo\.py, line 2\)"),
        ("my_pennies:fails", r"'my_pennies:fails': KeyError: 'lost' \(my_pennies\.py, line 43\)"),
        ("my_pennies:Lacking", r"it lacks actions, chance, child, infoset, public, payoff \(see docs/GAMES"),
        ("my_pennies:number", "must be a game, a class or a function, got 3"),
        ("my_pennies:NamedByMethod", "its name must be a text, got .*; write @property above it"),
        ("my_pennies:Pennies(stakes=1)", "unknown key 'stakes'; legal keys are stake, labels"),
        ("my_pennies:numbered", "n is missing"),
        ("my_pennies:one(stake=1)", "is a game and no class: it takes no keys, got stake"),
        ("my_pennies:one(stake=", "a spec is name"),
        ("my-pennies:Pennies", r"a spec is name, .*mymodule:MyGame.*, got 'my-pennies:Pennies'"),
        ("my_pennies:a:b", "a spec is name"),
        ("1:2", "a game of your own must be module:Name"),
    ]
)
def test_what_is_no_game_is_refused_in_one_line(spec, message, folder):
    with pytest.raises(ValueError, match=message) as refused:
        load_game(spec)
    assert "\n" not in str(refused.value)


def test_sizes_of_an_endgame_are_not_for_games_of_ones_own(folder):
    with pytest.raises(ValueError, match="bets are for Libratus endgames"):
        load_game("my_pennies:Pennies", bets="1")
