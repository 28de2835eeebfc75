"""Numbers of deals up to permutations of suits, for any deck and any rounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.games.cards.cards import N_CARDS, Deck
from treeplex.games.cards.index_kernels import (
    IndexArrays,
    Ints,
    first_wrong_deal,
    index_arrays,
    write_cards,
    write_indices,
    write_orbits,
)

MOST_DEALS = 1 << 58
"""The most deals: numbers and what they are computed from are int64."""
MOST_SHAPES = 128
"""The most ways in which the cards of one suit can fall in the rounds: a table has their cube."""


@dataclass(frozen=True)
class HandIndex:
    """A dense, invertible numbering of deals of groups of cards, up to permutations of suits.

    A deal is a sequence of disjoint sets of cards, one each round. Two deals have one number if a permutation
    of suits takes one to the other. After Waugh, A fast and optimal hand isomorphism algorithm (2013).

    Attributes
    ----------
    deck : Deck
        Of at most 13 ranks.
    rounds : tuple of int
        How many cards each round deals: (2, 3, 1) is a hand, a flop and a turn; (2, 4) a hand and four board
        cards whose order is forgotten.

    Raises
    ------
    ValueError
        If a round deals no card, or all together more than the deck has, or there would be too many deals.

    Examples
    --------
    >>> HandIndex(Deck(13, 4, False), (2, 3)).size
    1286792
    """

    deck: Deck
    rounds: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.deck.is_numbered:
            raise BadInputError(f"the deck must have at most 13 ranks, got {self.deck.ranks}")
        check_rounds(self.deck, self.rounds)

    @cached_property
    def arrays(self) -> IndexArrays:
        """What kernels take."""
        return index_arrays(self.deck, self.rounds)

    @property
    def size(self) -> int:
        """How many numbers there are: classes of deals up to suits."""
        return int(self.arrays.first[-1])

    @property
    def n_cards(self) -> int:
        """Number of cards of a deal."""
        return sum(self.rounds)

    def of(self, cards: ArrayLike) -> Ints:
        """Return the number of each deal.

        Parameters
        ----------
        cards : (N, n_cards) integers
            Card ids, the rounds one after the other, within a round in any order.

        Returns
        -------
        (N,) int64
            0 to ``size - 1``.

        Raises
        ------
        ValueError
            If the shape is another, or a deal has a card twice or one that is not in the deck.
        """
        deals = np.ascontiguousarray(cards)
        if deals.dtype.kind not in "iu":
            raise TypeError(f"cards must be integers, got dtype {deals.dtype}")
        if deals.ndim != 2 or deals.shape[1] != self.n_cards:
            raise BadInputError(f"cards must have shape (N, {self.n_cards}), got {deals.shape}")
        deals = deals.astype(np.int64, copy=False)
        wrong = first_wrong_deal(deals, self._of_deck)
        if wrong >= 0:
            self.deck.require("the cards of a deal", deals[wrong].tolist())
        index = np.empty(len(deals), np.int64)
        write_indices(self.arrays, deals, index)
        return index

    def cards(self, index: ArrayLike) -> Ints:
        """Return a deal with each number, (N, n_cards) int64; each round is in increasing order.

        Parameters
        ----------
        index : (N,) integers
            From 0 to ``size - 1``.

        Raises
        ------
        ValueError
            If a number is not in this range.
        """
        numbers = self._checked(index)
        cards = np.empty((len(numbers), self.n_cards), np.int64)
        write_cards(self.arrays, numbers, cards)
        return cards

    def orbit(self, index: ArrayLike) -> Ints:
        """Return how many deals have each number, (N,) int64; takes and raises what :meth:`cards` does."""
        numbers = self._checked(index)
        orbit = np.empty(len(numbers), np.int64)
        write_orbits(self.arrays, numbers, orbit)
        return orbit

    @cached_property
    def _of_deck(self) -> NDArray[np.bool_]:
        there = np.zeros(N_CARDS, np.bool_)
        there[[*self.deck.cards]] = True
        return there

    def _checked(self, index: ArrayLike) -> Ints:
        numbers = np.ascontiguousarray(index)
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"numbers of deals must be integers, got dtype {numbers.dtype}")
        if numbers.ndim != 1:
            raise BadInputError(f"numbers of deals must have shape (N,), got {numbers.shape}")
        bad = numbers[(numbers < 0) | (numbers >= self.size)]
        if len(bad):
            raise BadInputError(f"numbers of deals must be from 0 to {self.size - 1:,}, got {bad[0]}")
        return numbers.astype(np.int64, copy=False)


def check_rounds(deck: Deck, rounds: Sequence[int]) -> None:
    """Raise ValueError unless rounds can be dealt from a deck and their deals be numbered."""
    if not isinstance(rounds, tuple) or not rounds or any(type(n) is not int or n < 1 for n in rounds):
        raise BadInputError(f"rounds must be a tuple of integers of at least 1, got {shown(rounds)}")
    cards = deck.ranks * deck.suits
    if sum(rounds) > cards:
        raise BadInputError(f"rounds must deal at most the {cards} cards of the deck, got {shown(rounds)}")
    if prod(n + 1 for n in rounds) > MOST_SHAPES:
        raise BadInputError(
            f"rounds must let a suit's cards fall in at most {MOST_SHAPES} ways, got {shown(rounds)}"
        )
    before = [cards - sum(rounds[:k]) for k in range(len(rounds))]
    if prod(map(comb, before, rounds)) > MOST_DEALS:
        raise BadInputError(f"rounds must give at most 2**58 deals, got {shown(rounds)}")
