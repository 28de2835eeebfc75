"""The view of a strategy on betting times boards at a node, hand by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import Cards
from treeplex.games.cards.equity import opposing_weight
from treeplex.games.poker.game import PokerGame
from treeplex.pictures.node_view import NodeView
from treeplex.pictures.profile_view import SMALLEST_MET
from treeplex.pictures.public_node import find_point
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import cards_dealt
from treeplex.seqform.boards.factored_strategy import BoardBehaviour, FactoredStrategy
from treeplex.seqform.boards.real_boards import RealBoard, boards_to, real_hands
from treeplex.seqform.boards.split_strategy import SplitStrategy
from treeplex.seqform.boards.split_tree import below, flop_of
from treeplex.seqform.certify.board_values import HandValues
from treeplex.seqform.forms.treeplex import Floats, Index

_CODE = 1024
"""More than any card id."""


def board_view(
    game: PokerGame, strategy: FactoredStrategy | SplitStrategy, line: str, board: str = ""
) -> NodeView:
    """Return what a strategy on boards plays at a betting line on a board.

    The board may be any: suits are renamed to those of the board that stands for it, and back in the hands,
    as the certificate does. Of a split strategy one board of one subgame is read for each street.

    Parameters
    ----------
    game : PokerGame
        Whose betting and boards the strategy's were made from.
    strategy : FactoredStrategy or SplitStrategy
    line, board : str
        As :func:`treeplex.pictures.public_node.find_point` reads them.

    Raises
    ------
    ValueError
        If the game has no such node, or the strategy's boards are not the game's.
    """
    point = find_point(game, line, board)
    me, betting = point.player, _top(strategy).tree.betting
    node = _node(betting, line)
    streets = _streets(game, strategy, node, point.board)
    last = streets[-1]
    hands, opponents = (np.sort(last.hands(p), axis=1) for p in (me, 1 - me))
    opponent_weight = last.weight(1 - me) * _reach(betting, streets, 1 - me, node)
    return NodeView(
        point=point,
        hands=hands,
        weight=last.weight(me),
        reach=_reach(betting, streets, me, node),
        behaviour=last.at(me, node),
        opponent_hands=opponents,
        opponent_weight=opponent_weight,
        met=opposing_weight(hands, opponents, opponent_weight),
    )


@dataclass(frozen=True)
class _Street:
    """A strategy on the board of one street.

    Attributes
    ----------
    strategy : BoardBehaviour
        Of the whole game, its trunk or a subgame.
    board : RealBoard
        As its boards represent it.
    first : int
        The node of the whole betting at which the strategy's betting begins.
    """

    strategy: BoardBehaviour
    board: RealBoard
    first: int

    def hands(self, player: int) -> Index:
        """Return the hands that live on the board, (H, K)."""
        return real_hands(self.strategy.tree.boards, player, self.board)

    def weight(self, player: int) -> Floats:
        """Return the weight in the range of each of them."""
        hands = self.strategy.tree.boards.hands[player]
        return hands.weight[hands.hand[hands.on(self.board.image)]]

    def at(self, player: int, node: int) -> Floats:
        """Return the behaviour at a node of the whole betting, (H, A)."""
        return self.strategy.at(player, node - self.first, self.board.image)


def _top(strategy: FactoredStrategy | SplitStrategy) -> FactoredStrategy:
    return strategy.trunk if isinstance(strategy, SplitStrategy) else strategy


def _streets(
    game: PokerGame, strategy: FactoredStrategy | SplitStrategy, node: int, cards: Cards
) -> list[_Street]:
    """Return the strategy on the board of each street up to a node's."""
    top = _top(strategy)
    if not isinstance(strategy, SplitStrategy) or top.tree.betting.street[node] <= strategy.split.street:
        return [_Street(top, board, 0) for board in boards_to(game, top.tree.boards, cards)]
    split = strategy.split
    flop, before = flop_of(split, cards)
    line = strategy.line_of(node)
    part = strategy.subgame(flop, line)
    streets = [_Street(top, board, 0) for board in boards_to(game, top.tree.boards, before.cards)]
    for n_cards in np.cumsum([len(before.cards), *cards_dealt(game)[split.street :]])[1:].tolist():
        if n_cards <= len(cards):
            board = below(split, part.tree.boards, flop, before, cards[:n_cards])
            streets.append(_Street(part, board, split.lines[line]))
    return streets


def with_values(judge: HandValues, view: NodeView) -> NodeView:
    """Return a view of a street strategy with each hand's expected value, over every board to come.

    Parameters
    ----------
    judge : HandValues
        Of the game and the strategy; a split strategy is not read whole.
    view : NodeView
        What :func:`board_view` returned of this strategy.
    """
    earned = judge.at(_node(judge.strategy.tree.betting, view.point.line), view.point.board)
    known = view.met > SMALLEST_MET * view.opponent_weight.sum()
    values = np.full(len(earned), np.nan)
    values[known] = earned[known] / view.met[known]
    return replace(view, values=values + float(view.point.put))


def _node(betting: BettingTree, line: str) -> int:
    """Return the node at a betting line."""
    node = betting.node_of.get(line)
    if node is None:
        raise BadInputError(f"the strategy is of another game: it has no betting line {line!r}")
    return node


def _reach(betting: BettingTree, streets: Sequence[_Street], player: int, node: int) -> Floats:
    """Return how likely the player's own actions lead to a node, hand by hand on the last board."""
    last = streets[-1].hands(player)
    reach = np.ones(len(last))
    while node > 0:
        above = int(betting.parent[node])
        if betting.player[above] == player:
            street = streets[int(betting.street[above])]
            action = int(np.flatnonzero(betting.children[above] == node)[0])
            reach *= street.at(player, above)[:, action][_places(street.hands(player), last)]
        node = above
    return reach


def _places(hands: Index, others: Index) -> Index:
    """Return where wanted hands (., K), cards in any order, stand among hands (H, K)."""
    codes, other_codes = (np.sort(one, axis=1) @ _CODE ** np.arange(one.shape[1]) for one in (hands, others))
    order = np.argsort(codes)
    return order[np.searchsorted(codes[order], other_codes)]
