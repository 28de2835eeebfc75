"""Card abstractions of poker games: one numbering of buckets for each street."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treeplex.games.abstraction.game_cards import check_game
from treeplex.games.abstraction.street_buckets import Buckets, StreetBuckets
from treeplex.games.cards.deck import Deck
from treeplex.games.display.blocks import Block
from treeplex.games.display.shown import Shown
from treeplex.games.indexing.hand_index import HandIndex
from treeplex.games.inputs.digests import digest_of
from treeplex.games.inputs.parameters import check_integer, check_word
from treeplex.games.poker.game import PokerGame

Ints = NDArray[np.int64]
Recall = Literal["perfect", "imperfect"]
RECALLS = ("perfect", "imperfect")


@dataclass(frozen=True, repr=False, eq=False)
class CardAbstraction(Shown):
    """A map from hands and boards to buckets, one each street, blind to which suit is which.

    With perfect recall deals are told apart by the order in which the streets came, and deals of one bucket
    had one bucket on the street before. With imperfect recall the board is a set of cards, and nothing is
    asked of the street before: what a player knew may be forgotten.

    Attributes
    ----------
    deck : Deck
    rounds : tuple of int
        Hole cards, then the board cards of each street, such as (2, 3, 1).
    recall : {"perfect", "imperfect"}
    streets : tuple of StreetBuckets
        One for each round, that before any board card first.
    seed : int
        Of the clustering.
    text : str
        What was asked for, such as ``flop:200:ehs2,turn:lossless``.

    Raises
    ------
    ValueError
        If there is not one street a round, a table is not as long as its street has deals, or parents are
        there or missing against what the recall says.
    """

    deck: Deck
    rounds: tuple[int, ...]
    recall: Recall
    streets: tuple[StreetBuckets, ...]
    seed: int
    text: str

    def __post_init__(self) -> None:
        check_word("recall", self.recall, RECALLS)
        check_integer("seed", self.seed, 0)
        if len(self.streets) != len(self.rounds):
            raise ValueError(
                f"an abstraction must have {len(self.rounds)} streets, one a round, got {len(self.streets)}"
            )
        for cards in self.rounds:
            check_integer("cards of a round", cards, 1)
        for street in range(len(self.streets)):
            self._check_street(street)

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of buckets of each street."""
        return tuple(one.count for one in self.streets)

    @cached_property
    def indices(self) -> tuple[HandIndex, ...]:
        """The numbering of the deals of each street: of ordered streets, or of hole cards and a set."""
        return tuple(HandIndex(self.deck, rounds) for rounds in street_rounds(self.rounds, self.recall))

    @cached_property
    def identity(self) -> str:
        """The SHA-256 digest of all there is, for strategies to be held against."""
        return digest_of(self.head, self.arrays)

    @property
    def head(self) -> dict[str, Any]:
        """All but the arrays, as JSON has it."""
        return {
            "ranks": self.deck.ranks,
            "suits": self.deck.suits,
            "top_is_king": self.deck.top_is_king,
            "rounds": [*self.rounds],
            "recall": self.recall,
            "kinds": [one.kind for one in self.streets],
            "counts": [*self.counts],
            "seed": self.seed,
            "text": self.text,
        }

    @property
    def arrays(self) -> dict[str, Buckets]:
        """The arrays of all streets, by the names ``table0``, ``parent1`` and so on."""
        named = {
            f"{name}{street}": getattr(one, name)
            for street, one in enumerate(self.streets)
            for name in ("table", "parent")
        }
        return {name: array for name, array in named.items() if array is not None}

    def buckets(self, street: int, board: Sequence[int], hands: ArrayLike) -> Ints:
        """Return the bucket of each hand on a board.

        Parameters
        ----------
        street : int
            0 before any board card is dealt.
        board : sequence of int
            Card ids in the order of dealing; in any order with imperfect recall.
        hands : (H, hole cards) integers
            Card ids, none of them on the board.

        Returns
        -------
        (H,) int64

        Raises
        ------
        ValueError
            If there is no such street, the board has another number of cards, or a hand shares a card with
            it.
        """
        check_integer("street", street, 0, len(self.streets) - 1)
        n_board = sum(self.rounds[1 : street + 1])
        if len(board) != n_board:
            raise ValueError(f"the board of street {street} must have {n_board} cards, got {len(board)}")
        held = np.asarray(hands)
        dealt = np.broadcast_to(np.asarray(board, np.int64), (len(held), n_board))
        return self.of_deals(street, np.hstack([held, dealt]))

    def of_deals(self, street: int, cards: Ints) -> Ints:
        """Return the bucket of each deal (N, cards), hole cards first, (N,)."""
        index = self.indices[street].of(cards)
        table = self.streets[street].table
        return index if table is None else table[index].astype(np.int64)

    def check(self, game: PokerGame) -> None:
        """Refuse a game that the abstraction does not fit.

        Raises
        ------
        ValueError
            If deck, hole cards or streets are others, or the game has a starting board, ranges or locks.
        """
        check_game(game, self.deck, self.rounds)

    def brief(self) -> str:
        """Return the numbers of buckets and the recall."""
        return f"{' / '.join(f'{count:,}' for count in self.counts)} buckets, {self.recall} recall"

    def blocks(self) -> tuple[Block, ...]:
        """Return a table of the streets."""
        # Imported late: the table is of this class.
        from treeplex.games.abstraction.abstraction_table import abstraction_table

        return abstraction_table(self)

    def _check_street(self, street: int) -> None:
        one, deals = self.streets[street], self.indices[street].size
        found = one.count if one.table is None else len(one.table)
        if found != deals:
            raise ValueError(f"street {street} must have {deals:,} deals up to suits, got {found:,}")
        nested = self.recall == "perfect" and street > 0 and one.table is not None
        if nested != (one.parent is not None):
            must = "must have" if nested else "must not have"
            raise ValueError(f"street {street} {must} parents of its buckets, with {self.recall} recall")
        above = self.streets[street - 1].count
        if one.parent is not None and int(one.parent.max()) >= above:
            raise ValueError(
                f"parents of street {street} must be below {above:,}, got {int(one.parent.max()):,}"
            )


def street_rounds(rounds: tuple[int, ...], recall: Recall) -> tuple[tuple[int, ...], ...]:
    """Return how deals of each street are numbered: (2, 3, 1), or (2, 4) where the order is forgotten."""
    if recall == "perfect":
        return tuple(rounds[: street + 1] for street in range(len(rounds)))
    return (rounds[:1], *((rounds[0], sum(rounds[1 : street + 1])) for street in range(1, len(rounds))))
