"""The hands of a player's range as arrays, and the numbers of boards that can be dealt."""

from itertools import accumulate
from math import comb
from operator import mul

import numpy as np

from treeplex.games.poker.game import PokerGame
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
