"""Names that a person typed: games, gadgets and claims of one's own are called, and nothing of Python's."""

import sys

import pytest

from tests.helpers.cells import over
from treeplex.bench.challenges.claim_targets import loaded
from treeplex.bench.examination.solvers_by_name import solver_named
from treeplex.gadgets.off_tree.off_tree import off_tree_method
from treeplex.gadgets.own_gadgets import load_gadget
from treeplex.games.base.own_games import load_object
from treeplex.games.formats.specs import load_game

MINE = """
from functools import cache, partial
from os import system
from subprocess import Popen
from numpy import save
from treeplex.games.poker.named import kuhn_poker
from treeplex.games.base.packed_arrays import digest_of

made = []

class Wrapped:
    def __init__(self, ranks=3):
        made.append("Wrapped")
        self.game = kuhn_poker(ranks)

    def __getattr__(self, name):
        return getattr(self.__dict__["game"], name)

class Nothing:
    def __init__(self, *given):
        made.append("Nothing")

class Maker:
    def __call__(self, ranks=3):
        return kuhn_poker(ranks)

    def method(self, ranks=3):
        return kuhn_poker(ranks)

@cache
def cached(ranks=3):
    return kuhn_poker(ranks)

four = partial(kuhn_poker, ranks=4)
nothing = partial(Nothing)
maker, method = Maker(), Maker().method
writes = partial(save, "ran.npy")
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("mine", None)


@over(
    [load_game, load_gadget, off_tree_method, solver_named, loaded],
    [
        ("os:system", "os"),
        ("os.path:exists", "os"),
        ("subprocess:getoutput", "subprocess"),
        ("builtins:open", "builtins"),
        ("mine:system", "posix"),
        ("mine:Popen", "subprocess"),
    ],
)
def test_what_is_pythons_own_is_refused(load, name, module, mine):
    arguments = (name, "claim") if load is loaded else (name,)
    with pytest.raises(
        ValueError, match=f"must not be of Python's own module {module}, got '{name}'"
    ) as error:
        load(*arguments)
    assert "\n" not in str(error.value)


def test_modules_of_python_are_not_even_imported():
    sys.modules.pop("antigravity", None)
    with pytest.raises(ValueError, match="Python's own module antigravity"):
        load_object("antigravity:fly", "game")
    assert "antigravity" not in sys.modules


@over(["Wrapped", "kuhn_poker", "Maker", "cached", "maker", "method"])
def test_games_are_called(spec, mine):
    if spec == "Maker":
        with pytest.raises(ValueError, match="'mine:Maker' is no game: it lacks root, player"):
            load_game("mine:Maker")
    else:
        assert load_game(f"mine:{spec}(ranks=5)").name == "kuhn_poker(ranks=5)"
    assert load_game("mine:four").name == "kuhn_poker(ranks=4)"


def test_nothing_else_is_called(mine):
    for name in ("save", "writes", "digest_of", "made"):
        with pytest.raises(ValueError, match=f"'mine:{name}' is no game: it must be a game, a class"):
            load_game(f"mine:{name}")
    for load in (load_game, load_gadget, off_tree_method, lambda name: loaded(name, "claim", ("breach",))):
        with pytest.raises(ValueError, match=r"mine:Nothing'? is no "):
            load("mine:Nothing")
    with pytest.raises(ValueError, match="'mine:nothing' is no game: it lacks root"):
        load_game("mine:nothing")
    assert sys.modules["mine"].made == []
    assert [path.name for path in mine.iterdir() if path.suffix == ".npy"] == []
