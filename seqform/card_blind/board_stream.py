"""Mean values of hands over all deals against a uniform hand, by a depth-first walk over boards.

One board of each street is in memory at a time; of each class of boards under permutations of suits one is
visited.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from treeplex.games.cards.deck import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.card_blind.betting import Street, play_street
from treeplex.seqform.card_blind.board_counts import add_last, ranker
from treeplex.seqform.factored.suit_symmetry import renamed, symmetries
from treeplex.seqform.forms.treeplex import Floats, Index

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
