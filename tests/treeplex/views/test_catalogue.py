"""The catalogue of games: what is written down of the small ones is computed again."""

import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.games.formats.specs import REGISTRY, load_game
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_tree import compile_public
from treeplex.views.catalogue import SMALL_SIZES

SMALL_TREE_BYTES = 2**24
"""Up to this estimate a poker game's public tree is compiled in a moment."""
SMALL_HISTORIES = 20_000
"""Up to so many histories any other game is walked in a moment."""
SMALL_INFOSETS = 2_000
"""Up to so many infosets of both players together a game is solved in a moment."""


@over(SMALL_SIZES)
def test_sizes_and_values_are_those_that_are_computed(name):
    known, problem = SMALL_SIZES[name], tp.load(REGISTRY[name].example)
    result = tp.solve(problem, exact=True)
    assert result.exact_value == known.exact_value
    sizes = (sum(problem.form.n_infosets), sum(problem.form.n_sequences))
    assert sizes == (known.n_infosets, known.n_sequences)
    assert result.fact(tp.LPSize) == known.lp


@over([name for name in REGISTRY if name not in SMALL_SIZES])
def test_games_without_sizes_are_large(name):
    game = load_game(REGISTRY[name].example)
    try:
        if isinstance(game, PokerGame):
            compile_public(game, memory_limit=SMALL_TREE_BYTES)
        else:
            build_tree(game, max_nodes=SMALL_HISTORIES)
    except ValueError:
        return
    assert sum(tp.load(game).form.n_infosets) > SMALL_INFOSETS


def test_every_game_is_listed_in_the_order_of_the_registry():
    found = tp.catalogue()
    assert [entry.name for entry in found] == list(REGISTRY)
    assert [entry.spec for entry in found] == [entry.example for entry in REGISTRY.values()]
    assert {entry.name: entry.sizes for entry in found if entry.sizes is not None} == SMALL_SIZES


def test_nothing_is_solved_to_list_games(monkeypatch):
    from treeplex.solving import solve

    monkeypatch.setattr(solve, "solve_program", lambda *_, **__: pytest.fail("a game was solved"))
    assert tp.catalogue()
