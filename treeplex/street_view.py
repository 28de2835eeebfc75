"""A decision of a street strategy, betting times boards, hand by hand."""

import numpy as np

from games.deck import Cards
from games.poker import PokerGame
from seqform.board_tree import BoardTree
from seqform.street_strategy import StreetStrategy
from seqform.suit_symmetry import Permutation, moved, symmetries
from seqform.treeplex import Floats, Index
from treeplex.node_view import NodeView, compatible
from treeplex.public_point import find_point, streets_of


def street_view(game: PokerGame, strategy: StreetStrategy, line: str, board: str = "") -> NodeView:
    """Return what a street strategy plays at a betting line on a board.

    The board may be any: suits are renamed to those of the board that stands for it, and back in the hands.

    Parameters
    ----------
    game : PokerGame
        Whose betting and boards ``strategy.tree`` was made from.
    strategy : StreetStrategy
    line, board : str
        As :func:`treeplex.public_point.find_point` reads them.

    Raises
    ------
    ValueError
        If the game has no such node, or the strategy's boards are not the game's.
    """
    point = find_point(game, line, board)
    tree, me = strategy.tree, point.player
    if line not in tree.betting.node_of:
        raise ValueError(f"the strategy is of another game: it has no betting line {line!r}")
    node = tree.betting.node_of[line]
    place, back = _place(game, tree.boards, point.board)
    hands, others = (tree.boards.hands[p] for p in (me, 1 - me))
    live, theirs = hands.hand[hands.on(place)], others.hand[others.on(place)]
    mine, opponents = _renamed(hands.cards[live], back), _renamed(others.cards[theirs], back)
    opponent_weight = others.weight[theirs] * _reach(strategy, 1 - me, node, place)
    return NodeView(
        point=point,
        hands=mine,
        weight=hands.weight[live],
        reach=_reach(strategy, me, node, place),
        behaviour=strategy.at(me, node, place),
        opponent_hands=opponents,
        opponent_weight=opponent_weight,
        met=compatible(mine, opponents) @ opponent_weight,
    )


def _place(game: PokerGame, boards: BoardTree, cards: Cards) -> tuple[int, Permutation]:
    """Return the board that stands for some cards, and the suits that lead back from it."""
    known = {streets_of(game, one): place for place, one in enumerate(boards.cards)}
    streets = streets_of(game, cards)
    for permutation in symmetries(game):
        place = known.get(tuple(moved(permutation, street) for street in streets))
        if place is not None:
            return place, tuple(int(suit) for suit in np.argsort(permutation))
    raise ValueError(f"the strategy is of another game: it has no board {game.deck.text(cards)}")


def _renamed(hands: Index, suits: Permutation) -> Index:
    """Return hands (H, K) with their suits renamed, each in increasing order."""
    return np.sort(hands - hands % 4 + np.array(suits)[hands % 4], axis=1)


def _reach(strategy: StreetStrategy, player: int, node: int, board: int) -> Floats:
    """Return how likely the player's own actions lead to a node with each hand that lives on a board."""
    betting, boards = strategy.tree.betting, strategy.tree.boards
    hands = boards.hands[player]
    place = np.arange(len(hands.hand[hands.on(board)]))
    reach = np.ones(len(place))
    while node > 0:
        above = int(betting.parent[node])
        if betting.street[above] < betting.street[node]:
            place = hands.above[hands.on(board)][place].astype(np.int64)
            board = int(boards.parent[board])
        elif betting.player[above] == player:
            action = int(np.flatnonzero(betting.children[above] == node)[0])
            reach *= strategy.at(player, above, board)[place, action]
        node = above
    return reach
