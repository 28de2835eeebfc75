"""Subgames of small games on boards, and the same subgames enumerated."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from treeplex.core.problem import Problem
from treeplex.gadgets.boards.board_subgame import board_subgame
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.subtree import Subtree
from treeplex.seqform.certify.board_values import recorded_values
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.trees.game_tree import build_tree


@lru_cache(8)
def poker(spec):
    """Return a poker game by its spec, suits seen."""
    return replace(load_game(spec), suits_visible=True)


@lru_cache(8)
def board_tree(spec, isomorphism=True):
    """Return a game's factored tree."""
    return Problem(poker(spec)).boards(isomorphism=isomorphism)


@lru_cache(8)
def histories(spec):
    """Return a game history by history."""
    return number_tree(build_tree(poker(spec)))


def random_blueprint(tree, seed):
    """Return a strategy with weights of several magnitudes, a tenth of them zero."""
    rng = np.random.default_rng(seed)
    first, second = (
        10.0 ** rng.uniform(-2, 0, int(base[-1])) * (rng.random(int(base[-1])) > 0.1) for base in tree.base
    )
    return FactoredStrategy(tree, (first, second))


def on_boards(blueprint, defender, line, which=0, gifts=None):
    """Return the subgame at a line, on a board of its street by number."""
    tree = blueprint.tree
    node = tree.betting.node_of[line]
    board = int(np.flatnonzero(tree.boards.street == tree.betting.street[node])[which])
    record = recorded_values(tree.game, blueprint, [(node, board)], below=board)[node, board]
    return board_subgame(Subtree.of(tree, node, board), blueprint, defender, record, gifts)


def enumerated(spec, blueprint, defender, name):
    """Return the enumerated subgame at a public state with the same blueprint."""
    game = histories(spec)
    piece = cut(PublicStates.of(game.tree), game, [name], defender)
    return Subgame.of(piece, profile_of(poker(spec), blueprint, game.form))
