"""Wins minus losses of each hand against a uniform hand on full boards, as integers.

Unlike ``equity``, which sums float weights of a range, these kernels count hands: strengths fit 16 bits, so
that hands of a board are ordered by a radix sort, and the counts index a table of values.
"""

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.cards.deck import Cards
from treeplex.games.evaluation.evaluator import DEAD, add_up, strength_of
from treeplex.games.evaluation.evaluator_tables import Tables, tables
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.rankings import RANKINGS
from treeplex.seqform.forms.treeplex import Floats, Index

Strengths = NDArray[np.int32]
Ranker = Callable[[Index], Strengths]
"""From boards (B, n) to the strengths of hands on them, (B, H): below 2**16, ``DEAD`` if a card is shared."""
MOST_STRENGTHS = 1 << 16
"""The largest number of strengths on one board."""
_BYTE = 256


def ranker(game: PokerGame, hands: Index) -> Ranker:
    """Return the function from boards to the strengths of hands (H, hole); all as card ids.

    Raises
    ------
    ValueError
        If there are more hands than strengths.
    """
    if len(hands) > MOST_STRENGTHS:
        raise ValueError(f"{game.name}: there may be at most {MOST_STRENGTHS:,} hands, got {len(hands):,}")
    return _HoldemRanker(hands) if game.ranking == "holdem" else _SlowRanker(game, hands)


class _HoldemRanker:
    """Strengths by the evaluator's tables; the words of each hand are summed once."""

    def __init__(self, hands: Index) -> None:
        self._tables = tables()
        self._word = self._tables.word[hands].sum(axis=1)
        self._suited = np.bitwise_or.reduce(self._tables.suited[hands], axis=1)

    def __call__(self, boards: Index) -> Strengths:
        strengths = np.empty((len(boards), len(self._word)), dtype=np.int32)
        _rank_holdem(self._tables, boards, self._word, self._suited, strengths)
        return strengths


class _SlowRanker:
    """Strengths by any ranking, hand by hand, renumbered 0, 1, ... on each board."""

    def __init__(self, game: PokerGame, hands: Index) -> None:
        self._ranking = RANKINGS[game.ranking]
        self._hands = [tuple(hand) for hand in hands.tolist()]

    def __call__(self, boards: Index) -> Strengths:
        return np.array([self._on(tuple(board)) for board in boards.tolist()], dtype=np.int32)

    def _on(self, board: Cards) -> Index:
        strengths = [
            self._ranking(hand, board) if set(hand).isdisjoint(board) else DEAD for hand in self._hands
        ]
        known, dense = np.unique(np.array(strengths, dtype=np.int64), return_inverse=True)
        return dense + (DEAD if known[0] == DEAD else 0)


@njit(cache=True)
def _rank_holdem(tables: Tables, boards: Index, word: Index, suited: Index, strengths: Strengths) -> None:
    for b in range(len(boards)):
        board_word, board_suited = add_up(tables, boards[b])
        for h in range(len(word)):
            if board_suited & suited[h]:
                strengths[b, h] = DEAD
            else:
                strengths[b, h] = strength_of(tables, board_word + word[h], board_suited | suited[h])


@njit(cache=True, error_model="numpy")
def add_last(
    strengths: Strengths, times: Floats, hands: Index, n_cards: int, table: Floats, sums: Floats
) -> None:
    """Add to ``sums``, for each board and live hand, ``times`` the table row of its wins minus losses."""
    n_others, n_starts = len(table) // 2, table.shape[1]
    order, edges = np.empty(len(hands), dtype=np.int64), np.empty(len(hands), dtype=np.int64)
    spare, below, up_to = np.empty_like(order), np.empty(n_cards, np.int64), np.empty(n_cards, np.int64)
    for b in range(len(strengths)):
        alive = sort_by_strength(strengths[b], order, spare)
        wins_less_losses(strengths[b], hands, order[:alive], n_others, below, up_to, edges)
        for h in order[:alive]:
            row = edges[h] + n_others
            for s in range(n_starts):
                sums[h, s] += times[b] * table[row, s]


@njit(cache=True)
def sort_by_strength(strengths: Strengths, order: Index, spare: Index) -> int:
    """Write the live hands in order of strength (below 2**16), by radix sort; return their number."""
    low, high = np.zeros(_BYTE + 1, dtype=np.int64), np.zeros(_BYTE + 1, dtype=np.int64)
    for strength in strengths:
        if strength >= 0:
            low[(strength & 255) + 1] += 1
            high[(strength >> 8) + 1] += 1
    for k in range(_BYTE):
        low[k + 1] += low[k]
        high[k + 1] += high[k]
    alive = low[_BYTE]
    for h in range(len(strengths)):
        if strengths[h] >= 0:
            byte = strengths[h] & 255
            spare[low[byte]] = h
            low[byte] += 1
    for h in spare[:alive]:
        byte = strengths[h] >> 8
        order[high[byte]] = h
        high[byte] += 1
    return int(alive)


@njit(cache=True, error_model="numpy")
def wins_less_losses(
    strengths: Strengths, hands: Index, order: Index, n_others: int, below: Index, up_to: Index, edges: Index
) -> None:
    """Write wins minus losses of each hand of ``order`` against all hands without its cards.

    With n such hands, w of them weaker and u not stronger: wins - losses = w - (n - u). Both w and u are
    counts over all hands minus, for each card of the hand, counts over the hands that hold it (the hand
    itself, included in u, is the only one with both cards). ``below`` and ``up_to``: work arrays (cards,).
    """
    below[:] = 0
    up_to[:] = 0
    hole, alive, first = hands.shape[1], len(order), 0
    while first < alive:
        end, strength = first, strengths[order[first]]
        while end < alive and strengths[order[end]] == strength:
            for k in range(hole):
                up_to[hands[order[end], k]] += 1
            end += 1
        for i in range(first, end):
            h, edge = order[i], first + end + hole - 1 - n_others
            for k in range(hole):
                edge -= below[hands[h, k]] + up_to[hands[h, k]]
            edges[h] = edge
        for i in range(first, end):
            for k in range(hole):
                below[hands[order[i], k]] += 1
        first = end
