"""Sequence forms of games, by the game or its spec."""

from functools import lru_cache

from treeplex.games.formats.specs import load_game
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import number_tree, tree_form
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_tree import compile_public


def game_of(game):
    return load_game(game) if isinstance(game, str) else game


def compiled(game):
    """Return the form of a game walked history by history."""
    return tree_form(build_tree(game_of(game)))


def numbered(game):
    """Return the numbered tree of a game walked history by history, kept for a spec."""
    return _kept(game) if isinstance(game, str) else number_tree(build_tree(game))


@lru_cache(32)
def _kept(spec):
    return number_tree(build_tree(load_game(spec)))


def public_form(game, **options):
    """Return the form of a poker game's public tree."""
    return sequence_form(compile_public(game_of(game)), **options)
