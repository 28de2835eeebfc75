"""Deals drawn by a number: both hands and the cards of a street, without listing all that may come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import Cards, Deck, Range, scaled_weights

Flops = tuple[tuple[Cards, int], ...]
"""Deals of the first board cards with their weights."""


@dataclass(frozen=True)
class HandDraws:
    """Pairs of hands with their weights, from which a number in [0, 1) draws one.

    Attributes
    ----------
    hands : pair of tuples of Cards
        Those of both players.
    weights : float64 array, hands of player 0 by hands of player 1
        Up to a factor; 0 where two hands share a card, or leave no flop that may come.
    upper : float64 array
        Weights of player 0's hands, added up.
    """

    hands: tuple[tuple[Cards, ...], tuple[Cards, ...]]
    weights: NDArray[np.float64]
    upper: NDArray[np.float64]

    @staticmethod
    def of(first: Range, second: Range, flops: Flops | None) -> HandDraws:
        """Return the pairs of two ranges of cards 0 to 63, weighted by the flops that are left."""
        hands = tuple(first), tuple(second)
        held = [_bits(one) for one in hands]
        own = [np.array(scaled_weights(one)) for one in (first, second)]
        weights = np.where(held[0][:, None] & held[1], 0.0, own[0][:, None] * own[1])
        if flops is not None:
            dealt = _bits([cards for cards, _ in flops])
            odds = np.array([float(weight) for _, weight in flops])
            free = [(one[:, None] & dealt == 0).astype(float) for one in held]
            weights *= (free[0] * odds) @ free[1].T
        return HandDraws(hands, weights, np.cumsum(weights.sum(axis=1)))

    @property
    def n_pairs(self) -> int:
        """Number of pairs that can be dealt."""
        return int(np.count_nonzero(self.weights))

    def drawn(self, number: float) -> tuple[Cards, Cards]:
        """Return the pair on whose share of [0, 1) a number lies; pairs are in the order of both hands."""
        at = number * self.upper[-1]
        row = _place(self.upper, at)
        column = _place(np.cumsum(self.weights[row]), at - (self.upper[row - 1] if row else 0.0))
        return self.hands[0][row], self.hands[1][column]

    def has(self, first: Cards, second: Cards) -> bool:
        """Return whether two hands can be dealt together."""
        if first not in self.hands[0] or second not in self.hands[1]:
            return False
        return bool(self.weights[self.hands[0].index(first), self.hands[1].index(second)] > 0)


def _place(upper: NDArray[np.float64], at: float) -> int:
    """Return the first entry of sums that is above a number, the first of the largest where none is."""
    found = int(np.searchsorted(upper, at, side="right"))
    return found if found < len(upper) else int(np.searchsorted(upper, upper[-1]))


def _bits(hands: Sequence[Cards]) -> NDArray[np.int64]:
    return np.array([sum(1 << card for card in hand) for hand in hands], np.int64)


def drawn_street(
    deck: Deck, flops: Flops | None, hands: tuple[Cards, Cards], board: Cards, due: int, number: float
) -> Cards:
    """Return the cards of a street on whose share of [0, 1) a number lies.

    Parameters
    ----------
    deck : Deck
    flops : Flops or None
        Listed first deals; None where all sets of cards are equally likely.
    hands : pair of Cards
        Of both players; their cards do not come.
    board : Cards
        Nor do these.
    due : int
        Number of cards.
    number : float
        In [0, 1). Sets of cards are in the order of combinations of the deck from high to low.
    """
    if flops is not None and not board:
        held = {*hands[0], *hands[1]}
        left = [(cards, weight) for cards, weight in flops if held.isdisjoint(cards)]
        upper = [*accumulate(weight for _, weight in left)]
        return left[_place(np.array(upper, float), number * upper[-1])][0]
    gone = {*hands[0], *hands[1], *board}
    live = [card for card in reversed(deck.cards) if card not in gone]
    rank, cards, start = int(number * comb(len(live), due)), [], 0
    for left_to_draw in range(due, 0, -1):
        # Combinations that begin with live[start] come first; skip as many whole blocks of them as fit.
        while rank >= (block := comb(len(live) - start - 1, left_to_draw - 1)):
            rank -= block
            start += 1
        cards.append(live[start])
        start += 1
    return tuple(cards)


def is_street(
    deck: Deck, flops: Flops | None, hands: tuple[Cards, Cards], board: Cards, due: int, label: str
) -> bool:
    """Return whether a label is a deal of a street that may come; parameters as of :func:`drawn_street`."""
    try:
        cards = deck.parse(label)
    except BadInputError:
        return False
    gone = {*hands[0], *hands[1], *board}
    if len(cards) != due or len({*cards}) != due or not gone.isdisjoint(cards) or deck.text(cards) != label:
        return False
    return board != () or flops is None or any(cards == one for one, _ in flops)
