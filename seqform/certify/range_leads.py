"""How far one range of hold'em hands leads another, over all hands at once and over the boards to come."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.cards.cards import N_CARDS, Cards
from treeplex.games.cards.equity import HAND_BITS, sort_hands
from treeplex.games.cards.evaluator import Tables, tables
from treeplex.games.cards.preflop import N_BOARDS, class_of, preflop_matchups
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.local_response import HandPlay
from treeplex.seqform.forms.treeplex import Floats, Index

Pair = tuple[Floats, Floats]
"""The weights of both players' hands, (H,) each; joint weights of two hands are products."""
CANCELLED = 1e-9
"""Pairs of hands that share no card are summed one by one if they are at most this part of all pairs."""


@dataclass(frozen=True)
class RangeLeads:
    """Sums over all pairs of hands of a hold'em game that share no card, one of each player.

    Attributes
    ----------
    game : PokerGame
        Ranked as hold'em, two hole cards.
    """

    game: PokerGame

    @cached_property
    def hands(self) -> Index:
        """All hands of the deck, (H, 2), their cards ascending."""
        return np.array([*combinations(sorted(self.game.deck.cards), 2)], np.int64)

    def dealt(self, player: int) -> Floats:
        """Return how a player's hands are dealt, (H,): its range without the starting board."""
        reach = self.game.reach[player]
        weight = np.array([float(reach.get(hand, 0)) for hand in map(tuple, self.hands.tolist())])
        return weight * self.off(self.game.board)

    def off(self, cards: Cards) -> NDArray[np.bool_]:
        """Return which hands hold none of some cards, (H,)."""
        held = np.zeros(N_CARDS, bool)
        held[[*cards]] = True
        return np.asarray(~held[self.hands].any(axis=1))

    def met(self, player: int, ranges: Pair) -> NDArray[np.bool_]:
        """Return which hands of a player's range share no card with some hand of the other's, (H,).

        Others are never held, and strategies need not say what they do.
        """
        other = ranges[1 - player] > 0
        by_card = np.bincount(self.hands[other].ravel(), minlength=N_CARDS)
        # An equal hand was taken out for both of its cards.
        partners = other.sum() - by_card[self.hands].sum(axis=1) + other
        return np.asarray((ranges[player] > 0) & (partners > 0))

    def after_actions(self, plan: HandPlay, line: str, board: Cards, ranges: Pair) -> list[Pair]:
        """Return both ranges after each action of who acts at a betting line on a board, by its plan."""
        point = self.game.point(line)
        live = self.met(point.player, ranges)
        played = np.zeros((len(live), len(point.moves)))
        played[live] = plan.play(line, board, self.hands[live])
        taken = (ranges[point.player] * odds for odds in played.T)
        return [(one, ranges[1]) if point.player == 0 else (ranges[0], one) for one in taken]

    def mass(self, ranges: Pair) -> float:
        """Return the sum of the weights of all pairs."""
        first, second = ranges
        by_card = [
            np.bincount(self.hands.ravel(), np.repeat(weight, 2), minlength=N_CARDS) for weight in ranges
        ]
        # A pair of equal hands was taken out for both of its cards.
        shared = float(by_card[0] @ by_card[1]) - float(first @ second)
        every = float(first.sum() * second.sum())
        if every == 0.0 or every - shared > CANCELLED * every:
            return every - shared
        held = np.flatnonzero(first)  # nearly all pairs share a card: only sums of the others are precise
        return float(sum(first[h] * second[self.off(self.hands[h].tolist())].sum() for h in held))

    def lead(self, board: Cards, ranges: Pair) -> float:
        """Return the sum of weight times P(player 0 wins) - P(player 1 wins), over all boards to come.

        Before the flop of a whole deck, means over classes of hands and boards of five cards are taken.
        """
        if self.is_tabled(board):
            return self._by_classes(ranges)
        ends = self._ends(board)
        live = self.off(board)
        total = lead_at_ends(
            tables(), np.array(board, np.int64), ends, self.hands[live], ranges[0][live], ranges[1][live]
        )
        return float(total.sum()) / self.n_ends(board)

    def is_tabled(self, board: Cards) -> bool:
        """Return whether leads on a board are from the table of classes of hands before the flop."""
        return not board and len(self.game.deck.cards) == N_CARDS

    def _left(self, board: Cards) -> int:
        """Return how many cards may come next, two hands being held."""
        return len(self.game.deck.cards) - 4 - len(board)

    def n_ends(self, board: Cards) -> int:
        """Return how many ways there are to complete a board, two hands being held."""
        return comb(self._left(board), self.game.n_board - len(board))

    def _ends(self, board: Cards) -> Index:
        """Return the sets of cards that complete a board, (E, cards)."""
        left = [card for card in self.game.deck.cards if card not in board]
        every = [*combinations(left, self.game.n_board - len(board))]
        return np.array(every, np.int64).reshape(len(every), -1)

    def _by_classes(self, ranges: Pair) -> float:
        counts, classes = preflop_matchups(), self._classes
        n, (first, second) = len(counts.pairs), ranges
        whole = [np.bincount(classes, one, minlength=n) for one in ranges]
        by_card = np.zeros((2, n, N_CARDS))
        for card in self.hands.T:
            for player, one in enumerate(ranges):
                np.add.at(by_card[player], (classes, card), one)
        # The weights of pairs that share no card, by classes; equal hands were taken out for both cards.
        pairs = np.outer(*whole) - by_card[0] @ by_card[1].T
        pairs += np.diag(np.bincount(classes, first * second, minlength=n))
        lead = (counts.wins - counts.losses) / (np.maximum(counts.pairs, 1) * N_BOARDS)
        return float((pairs * lead).sum())

    @cached_property
    def _classes(self) -> Index:
        return np.array([class_of((a, b)) for a, b in self.hands.tolist()])


@njit(cache=True)
def lead_at_ends(
    tables: Tables, board: Index, ends: Index, hands: Index, first: Floats, second: Floats
) -> Floats:
    """Return for each end of a board the sum of weights where player 0 wins, less where player 1 does, (E,).

    Parameters
    ----------
    tables : Tables
    board : (B,) int64
    ends : (E, N - B) int64
        Cards that complete it.
    hands : (H, 2) int64
        Without cards of the board; those with a card of an end are left out at it.
    first, second : (H,) float64
        Weights of the players' hands; of pairs that share no card products are summed.
    """
    found = np.zeros(len(ends))
    full = np.empty(len(board) + ends.shape[1], np.int64)
    full[: len(board)] = board
    keys = np.empty(len(hands), np.int64)
    sums = np.empty((2, 53))
    for e in range(len(ends)):
        full[len(board) :] = ends[e]
        n = sort_hands(tables, full, hands, keys)
        found[e] = _lead(hands, keys[:n], first, second, sums)
    return found


@njit(cache=True)
def _lead(hands: Index, keys: Index, first: Floats, second: Floats, sums: Floats) -> float:
    """Return the sum at one full board; ``keys`` are of :func:`sort_hands`, ``sums`` (2, 53) is scratch.

    Row p of ``sums`` is over weights of player p of weaker hands: column 52 of all of them, column c < 52 of
    those that hold card c. Weaker hands are never the hand itself.
    """
    sums[:] = 0.0
    last = (1 << HAND_BITS) - 1
    total, start = 0.0, 0
    for k in range(len(keys)):
        if keys[k] >> HAND_BITS != keys[start] >> HAND_BITS:
            for j in range(start, k):
                _add(hands, keys[j] & last, first, second, sums)
            start = k
        i = keys[k] & last
        a, b = hands[i, 0], hands[i, 1]
        total += first[i] * (sums[1, 52] - sums[1, a] - sums[1, b])
        total -= second[i] * (sums[0, 52] - sums[0, a] - sums[0, b])
    return total


@njit(cache=True)
def _add(hands: Index, i: Any, first: Floats, second: Floats, sums: Floats) -> None:
    for c in (hands[i, 0], hands[i, 1], 52):
        sums[0, c] += first[i]
        sums[1, c] += second[i]
