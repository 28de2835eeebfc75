"""How often one hand beats each of the opponent's, over the boards to come."""

from itertools import combinations

import numpy as np
from numba import njit

from treeplex.games.cards.deck import Cards
from treeplex.games.evaluation.evaluator import add_up, strength_of
from treeplex.games.evaluation.evaluator_tables import Tables, tables
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
    left = [card for card in game.deck.cards if card not in (*mine, *board)]
    due = game.n_board - len(board)
    every = [*combinations(left, due)]
    ends = np.array(every, np.int64).reshape(len(every), due)
    points, count = np.zeros((2, len(hands)))
    if game.ranking == "holdem":
        _add_holdem(tables(), np.array(board, np.int64), ends, np.array(mine, np.int64), hands, points, count)
    else:
        for end in ends.tolist():
            apart = ~np.isin(hands, end).any(axis=1)
            points[apart] += _points(game, mine, hands[apart], (*board, *end))
            count += apart
    return points / (2.0 * count)


def _points(game: PokerGame, mine: Cards, hands: Index, board: Cards) -> Floats:
    """Return 2 where a hand wins on a full board, 1 where it ties, 0 where it loses."""
    own = game.strength(mine, board)
    others = np.array([game.strength(tuple(hand), board) for hand in hands.tolist()])
    return np.asarray(1.0 + np.sign(own - others))


@njit(cache=True)
def _add_holdem(
    tables: Tables, board: Index, ends: Index, mine: Index, hands: Index, points: Floats, count: Floats
) -> None:
    """Add what :func:`_points` returns, and 1, for each end (E, cards) without a card of the hand."""
    board_word, board_suited = add_up(tables, board)
    own_word, own_suited = add_up(tables, mine)
    held_word, held_suited = np.empty(len(hands), np.int64), np.empty(len(hands), np.int64)
    for h in range(len(hands)):
        held_word[h], held_suited[h] = add_up(tables, hands[h])
    none = add_up(tables, ends[0, :0])[0]
    for end in ends:
        end_word, suited = add_up(tables, end)
        word = board_word + end_word - none
        own = strength_of(tables, word + own_word - none, board_suited | suited | own_suited)
        for h in range(len(hands)):
            if suited & held_suited[h]:
                continue
            other = strength_of(tables, word + held_word[h] - none, board_suited | suited | held_suited[h])
            points[h] += 2.0 if own > other else 1.0 if own == other else 0.0
            count[h] += 1.0
