"""How property tests run, and the sequence forms that many tests share."""

import os
from functools import cache

import pytest
from hypothesis import settings

from games.specs import load_game
from seqform.game_tree import build_tree
from seqform.tree_form import tree_form

# Properties are checked on the same examples everywhere where it counts; at home each run tries new ones.
settings.register_profile("ci", derandomize=True, max_examples=40, deadline=None, database=None)
settings.register_profile("home", max_examples=40, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "home")


@pytest.fixture(scope="session")
def form_of():
    """A function from a spec to its sequence form, compiled history by history, once a session."""
    return cache(lambda spec: tree_form(build_tree(load_game(spec))))
