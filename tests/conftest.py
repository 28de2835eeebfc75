"""How property tests run, and what many tests share."""

import os
from functools import cache
from math import inf

import pytest
from hypothesis import settings

from tests.helpers import kernels  # noqa: F401  # before numba
from treeplex.cli import progress
from treeplex.cli.main import BAD_INPUT, run
from treeplex.games.formats.specs import load_game
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.trees.game_tree import build_tree

pytest_plugins = ["tests.helpers.tiers"]

# Properties are checked on the same examples everywhere where it counts; at home each run tries new ones.
settings.register_profile("ci", derandomize=True, max_examples=25, deadline=None, database=None)
settings.register_profile("home", max_examples=25, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "home")


@pytest.fixture(autouse=True)
def _no_lines_of_progress(monkeypatch):
    """Let commands in this process say nothing of how far they are, however slow the machine is."""
    monkeypatch.setattr(progress, "FIRST_LINE", inf)


@pytest.fixture(autouse=True)
def _width_of_files(monkeypatch):
    """Let tables be as wide as in files: a test runner may set COLUMNS for its own."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture(scope="session")
def form_of():
    """A function from a spec to its sequence form, compiled history by history, once a session."""
    return cache(lambda spec: tree_form(build_tree(load_game(spec))))


@pytest.fixture
def complaint(capsys, tmp_path):
    """A function that runs a command which must fail in one line and write nothing; returns the line."""

    def files():  # but compiled sources of the user's own modules
        return sorted(path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts)

    def call(*arguments):
        before = files()
        capsys.readouterr()
        assert run([*map(str, arguments)]) == BAD_INPUT
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith("treeplex: ")
        assert files() == before
        return err

    return call
