"""The view of any strategy at a node of a poker game, by the kind of strategy and of game."""

from itertools import combinations

import numpy as np

from treeplex.core.problem import Problem
from treeplex.core.strategy import Judged
from treeplex.games.cards.cards import N_CARDS
from treeplex.games.cards.equity import opposing_weight
from treeplex.games.poker.push_fold import PushFold
from treeplex.pictures.board_view import board_view
from treeplex.pictures.node_view import NodeView
from treeplex.pictures.profile_view import find_push_fold, profile_view, push_fold_view
from treeplex.pictures.public_node import PublicPoint, find_point
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.split_strategy import SplitStrategy
from treeplex.seqform.forms.treeplex import Floats, Index

HANDS = "hands can be shown of poker games only"
"""In errors: what poker games are needed for."""


def node_view(problem: Problem, strategy: Judged | SplitStrategy, line: str, board: str = "") -> NodeView:
    """Return what a strategy plays at a betting line on a board, hand by hand.

    Parameters
    ----------
    problem : Problem
    strategy : Profile, FactoredStrategy or SplitStrategy
        A profile in the numbering of any form of the game.
    line, board : str
        As :func:`show` takes them.

    Raises
    ------
    ValueError
        If the game has no such node, or the strategy is of another game.
    """
    if isinstance(strategy, FactoredStrategy | SplitStrategy):
        return board_view(problem.poker(HANDS), strategy, line, board)
    profile = strategy.transfer(problem.whole.treeplexes)
    if isinstance(problem.game, PushFold):
        return push_fold_view(problem, profile, line, board)
    return profile_view(problem, profile, line, board)


def point_of(problem: Problem, line: str, board: str) -> PublicPoint:
    """Return the public point at a betting line on a board; raises what :func:`node_view` does."""
    if isinstance(problem.game, PushFold):
        return find_push_fold(problem.game, line, board)
    return find_point(problem.poker(HANDS), line, board)


def ranges_view(problem: Problem, point: PublicPoint) -> NodeView:
    """Return both ranges at the first decision of a game, where nobody has played yet; behaviour is nan."""
    hands, weight = range_of(problem, point.player)
    opponent_hands, opponent_weight = range_of(problem, 1 - point.player)
    return NodeView(
        point=point,
        hands=hands,
        weight=weight,
        reach=np.ones(len(hands)),
        behaviour=np.full((len(hands), len(point.actions)), np.nan),
        opponent_hands=opponent_hands,
        opponent_weight=opponent_weight,
        met=opposing_weight(hands, opponent_hands, opponent_weight),
    )


def range_of(problem: Problem, player: int) -> tuple[Index, Floats]:
    """Return a player's hands at the start, (H, K), and their weights over the largest of them."""
    if isinstance(problem.game, PushFold):
        every_hand = np.array(list(combinations(range(N_CARDS), 2)))
        return every_hand, np.ones(len(every_hand))
    reach = problem.poker(HANDS).reach[player]
    largest = max(reach.values())
    weights = np.array([float(weight / largest) for weight in reach.values()])
    return np.sort(np.array([*reach]), axis=1), weights
