"""The hands of a player's range as arrays, those that live on a board, and the numbers of boards dealt."""

from itertools import accumulate
from math import comb
from operator import mul
from typing import NamedTuple

import numpy as np

from treeplex.games.evaluation.evaluator import holdem_strength
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.rankings import RANKINGS
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.real_boards import RealBoard, real_hands
from treeplex.seqform.forms.treeplex import Index


def runouts(game: PokerGame) -> list[tuple[int, int]]:
    """Return for each deal of board cards the number of sets of cards: in all, and given both hands.

    Of listed flops it is their number, and their total weight whatever the hands: the flop was drawn first.
    """
    left, found = len(game.deck.cards) - len(game.board), []
    for n in game.board_cards:
        if n:
            found.append((comb(left, n), comb(left - 2 * game.hole_cards, n)))
            left -= n
    if game.flops is not None:
        found[0] = len(game.flops), sum(weight for _, weight in game.flops)
    return found


def n_real_boards(game: PokerGame) -> int:
    """Return the number of boards of all streets, none merged with another."""
    return sum(accumulate((every for every, _ in runouts(game)), mul, initial=1))


class RangeHands:
    """One player's hands, independent of the board.

    Attributes
    ----------
    cards : (H, 2) int64
        The second card of one-card hands is a dummy, different from all cards and the other player's.
    holds : (cards, H) bool
        Whether a hand holds a card.
    """

    def __init__(self, game: PokerGame, player: int) -> None:
        cards = np.array([*game.reach[player]], np.int64).reshape(-1, game.hole_cards)
        self._n_cards = game.deck.cards[-1] + 1
        self.n_codes = self._n_cards + 2
        spare = np.full((len(cards), 2 - game.hole_cards), self._n_cards + player)
        self.cards = np.hstack([cards, spare])
        self.holds = (cards[None] == np.arange(self._n_cards)[:, None, None]).any(axis=2)
        self._number = np.full(self._n_cards**game.hole_cards, -1)
        self._number[self._codes(cards)] = np.arange(len(cards))
        self._number[self._codes(cards[:, ::-1])] = np.arange(len(cards))

    def number(self, cards: Index) -> Index:
        """Return the index in the range of hands (., K), cards in any order; -1 if it is not in the range."""
        return self._number[self._codes(cards)]

    def _codes(self, cards: Index) -> Index:
        return cards @ self._n_cards ** np.arange(cards.shape[1])


class LiveHands(NamedTuple):
    """One player's hands on a board.

    Attributes
    ----------
    hand : (W,) int64
        The live hands, in the order of the strategy's columns.
    place : (H,) int64
        The position of each hand of the range, -1 if it is dead.
    order, strength : (W,) int64
        As in ``Hands``; empty before the last street.
    """

    hand: Index
    place: Index
    order: Index
    strength: Index


def live_hands(
    game: PokerGame, one: RangeHands, boards: BoardTree, player: int, board: RealBoard
) -> LiveHands:
    """Return a player's hands on a board; strengths come from the rules.

    Parameters
    ----------
    game : PokerGame
    one : RangeHands
        The player's.
    boards : BoardTree
        Of a strategy; it has the order of hands.
    player : int
    board : RealBoard

    Raises
    ------
    ValueError
        Unless the strategy's columns are all live hands of the board, each once.
    """
    hand = one.number(real_hands(boards, player, board))
    place = np.full(len(one.cards), -1)
    place[hand] = np.arange(len(hand))
    live = ~one.holds[list(board.cards)].any(axis=0)
    once = len(hand) == live.sum() and not np.any(hand < 0)
    if not (once and np.array_equal(place >= 0, live)):
        cards = game.deck.text(board.cards) or "no board"
        raise ValueError(f"the strategy must be for player {player}'s hands that live on {cards}")
    return LiveHands(hand, place, *_order(game, one.cards[hand, : game.hole_cards], board))


def _order(game: PokerGame, cards: Index, board: RealBoard) -> tuple[Index, Index]:
    """Return hands by strength, ascending, and the strengths; empty before the last street."""
    if len(board.cards) < game.n_board:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if game.ranking == "holdem" and game.hole_cards > 1:
        strength = holdem_strength(board.cards, cards)
    else:
        rank = RANKINGS[game.ranking]
        strength = np.array([rank(tuple(hand), board.cards) for hand in cards.tolist()], np.int64)
    order = np.argsort(strength, kind="stable")
    return order, strength[order]
