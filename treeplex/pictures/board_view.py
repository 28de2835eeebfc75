"""The view of a strategy on betting times boards at a node, hand by hand."""

from dataclasses import replace

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.game import PokerGame
from treeplex.pictures.node_view import NodeView, compatible
from treeplex.pictures.profile_view import SMALLEST_MET
from treeplex.pictures.public_node import find_point
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.real_boards import RealBoard, boards_to, real_hands
from treeplex.seqform.certify.board_values import factored_values
from treeplex.seqform.forms.treeplex import Floats, Index

_CODE = 1024
"""More than any card id."""


def factored_view(game: PokerGame, strategy: FactoredStrategy, line: str, board: str = "") -> NodeView:
    """Return what a street strategy plays at a betting line on a board.

    The board may be any: suits are renamed to those of the board that stands for it, and back in the hands,
    as the certificate does.

    Parameters
    ----------
    game : PokerGame
        Whose betting and boards ``strategy.tree`` was made from.
    strategy : FactoredStrategy
    line, board : str
        As :func:`treeplex.pictures.public_node.find_point` reads them.

    Raises
    ------
    ValueError
        If the game has no such node, or the strategy's boards are not the game's.
    """
    point = find_point(game, line, board)
    tree, me = strategy.tree, point.player
    node = _node(strategy, line)
    boards = boards_to(game, tree.boards, point.board)
    mine, opponents = (np.sort(real_hands(tree.boards, p, boards[-1]), axis=1) for p in (me, 1 - me))
    opponent_weight = _weight(strategy, 1 - me, boards[-1]) * _reach(strategy, 1 - me, node, boards)
    return NodeView(
        point=point,
        hands=mine,
        weight=_weight(strategy, me, boards[-1]),
        reach=_reach(strategy, me, node, boards),
        behaviour=strategy.at(me, node, boards[-1].image),
        opponent_hands=opponents,
        opponent_weight=opponent_weight,
        met=compatible(mine, opponents) @ opponent_weight,
    )


def with_values(game: PokerGame, strategy: FactoredStrategy, view: NodeView) -> NodeView:
    """Return a view of a street strategy with each hand's expected value, over every board to come.

    Parameters
    ----------
    game, strategy : as :func:`factored_view` takes them
    view : NodeView
        What that returned.

    Raises
    ------
    ValueError
        If the strategy is not the game's.
    """
    earned = factored_values(game, strategy, _node(strategy, view.point.line), view.point.board)
    known = view.met > SMALLEST_MET * view.opponent_weight.sum()
    values = np.full(len(earned), np.nan)
    values[known] = earned[known] / view.met[known]
    return replace(view, values=values + float(view.point.put))


def _node(strategy: FactoredStrategy, line: str) -> int:
    """Return the node at a betting line."""
    node = strategy.tree.betting.node_of.get(line)
    if node is None:
        raise BadInputError(f"the strategy is of another game: it has no betting line {line!r}")
    return node


def _weight(strategy: FactoredStrategy, player: int, board: RealBoard) -> Floats:
    """Return the weight in the range of each hand that lives on a board."""
    hands = strategy.tree.boards.hands[player]
    return hands.weight[hands.hand[hands.on(board.image)]]


def _reach(strategy: FactoredStrategy, player: int, node: int, boards: tuple[RealBoard, ...]) -> Floats:
    """Return how likely the player's own actions lead to a node, hand by hand on the last board."""
    betting = strategy.tree.betting
    hands = [real_hands(strategy.tree.boards, player, board) for board in boards]
    reach = np.ones(len(hands[-1]))
    while node > 0:
        above = int(betting.parent[node])
        if betting.player[above] == player:
            street = int(betting.street[above])
            action = int(np.flatnonzero(betting.children[above] == node)[0])
            played = strategy.at(player, above, boards[street].image)[:, action]
            reach *= played[_places(hands[street], hands[-1])]
        node = above
    return reach


def _places(hands: Index, others: Index) -> Index:
    """Return where wanted hands (., K), cards in any order, stand among hands (H, K)."""
    codes, other_codes = (np.sort(one, axis=1) @ _CODE ** np.arange(one.shape[1]) for one in (hands, others))
    order = np.argsort(codes)
    return order[np.searchsorted(codes[order], other_codes)]
