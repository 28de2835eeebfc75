"""How often one hand beats each of the opponent's, over the boards to come."""

from itertools import combinations

import numpy as np

from treeplex.games.cards.deck import Cards
from treeplex.games.evaluation.evaluator import holdem_strength
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.treeplex import Floats, Index


def shares_won(game: PokerGame, mine: Cards, hands: Index, board: Cards) -> Floats:
    """Return the probability that a hand wins, ties counted half, against each other hand, (H,).

    Parameters
    ----------
    game : PokerGame
    mine : tuple of int
        Card ids of the hand.
    hands : (H, K) int64
        Hands without cards of ``mine`` and of the board.
    board : tuple of int
        The board so far; all ways to complete it without cards of either hand are equally likely.
    """
    due = game.n_board - len(board)
    left = [card for card in game.deck.cards if card not in (*mine, *board)]
    won, count = np.zeros((2, len(hands)))
    for cards in combinations(left, due):
        apart = ~np.isin(hands, cards).any(axis=1)
        won[apart] += _won(game, mine, hands[apart], (*board, *cards))
        count += apart
    return won / count


def _won(game: PokerGame, mine: Cards, hands: Index, board: Cards) -> Floats:
    """Return 1 where a hand wins on a full board, 1/2 where it ties, 0 where it loses."""
    if game.ranking == "holdem" and game.hole_cards == 2:
        strength = holdem_strength(board, np.vstack([[mine], hands]))
    else:
        strength = np.array([game.strength(hand, board) for hand in (mine, *map(tuple, hands.tolist()))])
    return np.asarray((1.0 + np.sign(strength[0] - strength[1:])) / 2.0)
