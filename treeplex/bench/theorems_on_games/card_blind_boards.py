"""Mean values of hands over all deals against a uniform hand, by a depth-first walk over boards.

One board of each street is in memory at a time; of each class of boards under permutations of suits one is
visited. On full boards wins minus losses against a uniform hand are integers: unlike ``equity``, which sums
float weights of a range, these kernels count hands. Strengths fit 16 bits, so that hands of a board are
ordered by a radix sort, and the counts index a table of values.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.bench.theorems_on_games.card_blind_betting import Street, play_street
from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import Cards
from treeplex.games.cards.evaluator import DEAD, Tables, add_up, strength_of, tables
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.rankings import RANKINGS
from treeplex.seqform.boards.suit_symmetry import renamed, symmetries
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
        raise BadInputError(f"{game.name}: there may be at most {MOST_STRENGTHS:,} hands, got {len(hands):,}")
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


_BATCH = 64
"""Number of full boards evaluated at a time."""


class Symmetry(NamedTuple):
    """A permutation of suits: the image of each card and of each hand."""

    card: tuple[int, ...]
    hand: Index


@dataclass(frozen=True)
class StreamedMeans:
    """Mean values over all boards.

    Attributes
    ----------
    values : (S,) f64
        The mean over all hands of the value of each start row of the first street.
    boards : int
        Full boards visited, one for each class under the symmetries.
    roundings : int
        A bound n on the number of roundings behind each term of a value: the error is at most
        ``n u / (1 - n u)`` times the largest payoff, u = 2**-53 (Higham 2002, section 3.1).
    """

    values: Floats
    boards: int
    roundings: int


def stream_boards(
    game: PokerGame, streets: Sequence[Street], suits: Sequence[tuple[int, ...]] | None = None
) -> StreamedMeans:
    """Return the mean values of the first street's start rows over all deals of a game.

    Parameters
    ----------
    game : PokerGame
        With uniform hands and no starting board.
    streets : sequence of Street
        One before any board card, then one for each deal of board cards.
    suits : sequence of permutations, optional
        A group of permutations of the suits; of each orbit of boards one is visited. By default all
        symmetries of the game.
    """
    stream = _Stream(game, streets, symmetries(game) if suits is None else suits)
    values = stream.values(0, (), stream.symmetries).mean(axis=1)
    return StreamedMeans(values, stream.boards, stream.roundings)


class _Stream:
    """A walk over all boards; cards are indices into the deck, hands one or two cards, ascending."""

    def __init__(self, game: PokerGame, streets: Sequence[Street], suits: Sequence[tuple[int, ...]]) -> None:
        self._game, self._streets = game, streets
        self._ids = np.array(game.deck.cards)
        self._sizes = [size for size in game.board_cards if size]
        hands = list(combinations(range(len(self._ids)), game.hole_cards))
        self._hands = np.array(hands)
        self.symmetries = [_symmetry(game.deck.cards, hands, one) for one in suits]
        self._rank = ranker(game, self._ids[self._hands])
        self.boards = 0

    @cached_property
    def _others(self) -> int:
        """Number of the opponent's possible hands on a full board."""
        return comb(len(self._ids) - sum(self._sizes) - self._game.hole_cards, self._game.hole_cards)

    @cached_property
    def _table(self) -> Floats:
        """Values of the last street's start rows, (2 n + 1, S), by wins minus losses of n hands."""
        edges = np.arange(-self._others, self._others + 1) / self._others
        return np.ascontiguousarray(play_street(self._streets[-1], edges[None, :]).T)

    @property
    def roundings(self) -> int:
        """A bound on the roundings: a path visits a row at most once and sums at most its children there."""
        betting = sum(3 * len(s.kind) + len(s.child) for s in self._streets)
        deals = sum(comb(len(self._ids), size) + len(self.symmetries) + 3 for size in self._sizes)
        return betting + deals + len(self._hands) + 3

    def values(self, level: int, board: Cards, symmetries: Sequence[Symmetry]) -> Floats:
        """Return the value of each start row of a street for each hand on a board, (S, H).

        ``symmetries`` are the permutations that fix each street of the board.
        """
        if level == len(self._sizes):
            return self._last_sums([board], [1])
        return play_street(self._streets[level], self._mean(level, board, symmetries))

    def _mean(self, level: int, board: Cards, symmetries: Sequence[Symmetry]) -> Floats:
        """Return the means over the next cards of the next street's values, (S, H); 0 for dead hands.

        The sum for hand h is over next cards T of V(h, T), which is 0 if they share a card. For g in the
        group G of suit permutations that fix the board, V(g h, g T) = V(h, T). Each member of the orbit O of
        T is g T for |G| / |O| of the g, so that the sum over the orbit is
        |O| / |G| sum_g V(h, g T) = |O| / |G| sum_g V(g^-1 h, T) = |O| mean_g V(g h, T).
        The mean is linear and is taken once, after the sum over orbits.
        """
        size = self._sizes[level]
        after = list(self._next_streets(board, symmetries, size))
        if level + 1 == len(self._sizes):
            sums = self._last_sums([board + street for street, _, _ in after], [n for _, n, _ in after])
        else:
            sums = np.zeros((len(self._streets[level + 1].start), len(self._hands)))
            for street, times, left in after:
                worth = self.values(level + 1, board + street, left)
                worth[:, np.isin(self._hands, board + street).any(axis=1)] = 0.0
                sums += times * worth
        if len(symmetries) > 1:
            sums = sum((sums[:, g.hand] for g in symmetries), np.zeros_like(sums)) / len(symmetries)
        ways = comb(len(self._ids) - len(board) - self._game.hole_cards, size)
        return np.ascontiguousarray(sums / ways)

    def _next_streets(
        self, board: Cards, symmetries: Sequence[Symmetry], size: int
    ) -> Iterator[tuple[Cards, int, list[Symmetry]]]:
        """Yield a street of each orbit, the orbit's size, and the symmetries that fix the street."""
        visited: set[Cards] = set()
        for street in combinations([c for c in range(len(self._ids)) if c not in board], size):
            if street not in visited:
                images = [tuple(sorted(g.card[c] for c in street)) for g in symmetries]
                visited.update(images)
                left = [g for g, image in zip(symmetries, images, strict=True) if image == street]
                yield street, len(symmetries) // len(left), left

    def _last_sums(self, boards: Sequence[Cards], times: Sequence[int]) -> Floats:
        """Return the sums over full boards of the values of the last street's start rows, (S, H)."""
        sums = np.zeros((len(self._hands), self._table.shape[1]))
        self.boards += len(boards)
        ids = self._ids[np.array(boards, dtype=np.int64)]
        counts = np.array(times, dtype=np.float64)
        for low in range(0, len(boards), _BATCH):
            batch = slice(low, low + _BATCH)
            strengths = self._rank(ids[batch])
            add_last(strengths, counts[batch], self._hands, len(self._ids), self._table, sums)
        return np.ascontiguousarray(sums.T)


def _symmetry(deck: Cards, hands: Sequence[Cards], suits: tuple[int, ...]) -> Symmetry:
    place = {card: k for k, card in enumerate(deck)}
    index = {hand: k for k, hand in enumerate(hands)}
    card = tuple(place[c] for c in renamed(suits, deck))
    return Symmetry(card, np.array([index[tuple(sorted(card[c] for c in hand))] for hand in hands]))
