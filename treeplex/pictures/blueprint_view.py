"""The view of a sampled blueprint at a node, hand by hand, on any board."""

from itertools import pairwise

import numpy as np

from treeplex.games.cards.cards import Cards
from treeplex.games.cards.equity import opposing_weight
from treeplex.games.poker.game import PokerGame
from treeplex.pictures.node_view import NodeView
from treeplex.pictures.public_node import find_point, lines_to
from treeplex.seqform.certify.local_response import HandPlay
from treeplex.seqform.forms.treeplex import Floats, Index


def blueprint_view(game: PokerGame, blueprint: HandPlay, line: str, board: str = "") -> NodeView:
    """Return what a blueprint plays at a betting line on a board, by the buckets of the hands there.

    Both players have all hands alike, as no game with a card abstraction has ranges.

    Parameters
    ----------
    game : PokerGame
        Of which the blueprint is.
    blueprint : HandPlay
    line, board : str
        As :func:`treeplex.pictures.public_node.find_point` reads them.

    Raises
    ------
    ValueError
        If the game has no such node.
    """
    point = find_point(game, line, board)
    hands = np.array([hand for hand in game.reach[0] if not {*hand} & {*point.board}], dtype=np.int64)
    hands = np.sort(hands, axis=1)
    mine, theirs = (
        _reach(game, blueprint, player, line, point.board, hands)
        for player in (point.player, 1 - point.player)
    )
    return NodeView(
        point=point,
        hands=hands,
        weight=np.ones(len(hands)),
        reach=mine,
        behaviour=blueprint.play(line, point.board, hands),
        opponent_hands=hands,
        opponent_weight=theirs,
        met=opposing_weight(hands, hands, theirs),
    )


def _reach(
    game: PokerGame, blueprint: HandPlay, player: int, line: str, board: Cards, hands: Index
) -> Floats:
    """Return how likely a player's own actions lead to a betting line with each hand, (H,)."""
    reach = np.ones(len(hands))
    for here, after in pairwise(lines_to(game, line)):
        point = game.point(here)
        if point.player == player:
            play = blueprint.play(here, board[: point.n_board], hands)
            reach *= play[:, point.nexts.index(after)]
    return reach
