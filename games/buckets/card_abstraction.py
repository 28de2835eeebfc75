"""Card abstractions of poker games: one numbering of buckets for each street, and what they fit.

An abstraction of a deck and of streets fits some games. What is shown of a card abstraction is a row for
each street.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.packed_arrays import digest_of
from treeplex.games.base.parameters import check_integer, check_kind, check_word
from treeplex.games.cards.cards import Deck
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.spots import STREETS

Buckets = NDArray[np.uint16] | NDArray[np.uint32]
LOSSLESS = "lossless"
"""The kind whose buckets are the deals up to suits themselves."""
KINDS = (LOSSLESS, "equity", "ehs2", "hist", "ochs", "emd", "weva")
"""How buckets were made."""
MOST_BUCKETS = 1 << 32
"""The most buckets of a street: tables are uint32."""


def bucket_dtype(count: int) -> np.dtype[Any]:
    """Return the dtype of tables of bucket numbers below ``count``: uint16, or uint32 above 65,536."""
    return np.dtype(np.uint16 if count <= 1 << 16 else np.uint32)


@dataclass(frozen=True, eq=False)
class StreetBuckets:
    """The buckets of one street.

    Attributes
    ----------
    kind : str
        One of ``KINDS``, how they were made.
    count : int
        How many there are.
    table : (deals,) uint16 or uint32, or None
        The bucket of each deal by its number up to suits; None where each is a bucket, which has its number.
    parent : (count,) uint16 or uint32, or None
        The bucket on the street before, of abstractions with perfect recall; None on the first street, where
        ``table`` is None, and with imperfect recall.

    Raises
    ------
    ValueError
        If the kind is none of these, an array has another dtype or dimension, or a bucket of the table is not
        below ``count``.
    """

    kind: str
    count: int
    table: Buckets | None
    parent: Buckets | None

    def __post_init__(self) -> None:
        check_word("the kind of buckets", self.kind, KINDS)
        check_integer("the number of buckets", self.count, 1, MOST_BUCKETS)
        if (self.kind == LOSSLESS) != (self.table is None):
            raise BadInputError(f"buckets without a table must be {LOSSLESS} and no others, got {self.kind}")
        if self.table is not None:
            _check_array("a table of buckets", self.table)
            if len(self.table) and (largest := int(self.table.max())) >= self.count:
                raise BadInputError(f"buckets must be below their number {self.count:,}, got {largest:,}")
        if self.parent is not None:
            _check_array("the parents of buckets", self.parent)
            if self.table is None or len(self.parent) != self.count:
                raise BadInputError(
                    f"{self.count:,} buckets of a table have a parent, got {len(self.parent):,}"
                )

    @property
    def n_bytes(self) -> int:
        """Bytes of the arrays."""
        return sum(array.nbytes for array in (self.table, self.parent) if array is not None)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many deals up to suits each bucket has, (count,); of a table only."""
        if self.table is None:
            raise BadInputError("lossless buckets have one deal up to suits each")
        return np.bincount(self.table, minlength=self.count)


def _check_array(what: str, array: object) -> None:
    check_kind(what, array, np.ndarray, "an array")
    assert isinstance(array, np.ndarray)
    if array.ndim != 1 or array.dtype not in (np.uint16, np.uint32):
        shape = f"{array.ndim} dimensions, {array.dtype}"
        raise BadInputError(f"{what} must have one dimension, uint16 or uint32, got {shape}")


def rounds_of(game: PokerGame) -> tuple[int, ...]:
    """Return a game's hole cards, then the board cards of each street on which any are dealt."""
    return (game.hole_cards, *(n for n in game.board_cards if n))


def street_name(street: int) -> str:
    """Return the name of a street, 0 before any board card: hold'em's, and others by number."""
    return STREETS[street] if street < len(STREETS) else f"street{street}"


def check_game(game: PokerGame, deck: Deck, rounds: tuple[int, ...]) -> None:
    """Refuse a game of another deck or other streets, or that treats suits or hands unequally.

    Parameters
    ----------
    game : PokerGame
    deck : Deck
    rounds : tuple of int
        Hole cards, then the board cards of each street.

    Raises
    ------
    ValueError
    """
    if game.deck != deck:
        raise BadInputError(
            f"the abstraction is of {_deck_text(deck)}, {game.name} has {_deck_text(game.deck)}"
        )
    own = rounds_of(game)
    if own != rounds:
        raise BadInputError(f"the abstraction is of rounds of {rounds} cards, {game.name} deals {own}")
    for what, there in (("a starting board", game.board), ("ranges", game.ranges), ("locks", game.locks)):
        if there:
            raise BadInputError(f"an abstraction is of games without {what}, which {game.name} has")
    if not _suits_are_alike(game):
        raise BadInputError(
            f"an abstraction is of games whose suits are alike, flops of {game.name} tell them apart"
        )


def _suits_are_alike(game: PokerGame) -> bool:
    """Return whether listed flops have equal weights however suits are renamed: swaps make all renamings."""
    weights = {frozenset(cards): weight for cards, weight in game.flops or ()}
    for suit in range(1, game.suits):
        swap = {suit: suit - 1, suit - 1: suit}
        for cards, weight in weights.items():
            if weights.get(frozenset(c - c % 4 + swap.get(c % 4, c % 4) for c in cards)) != weight:
                return False
    return True


def _deck_text(deck: Deck) -> str:
    top = " up to the king" if deck.top_is_king else ""
    return f"a deck of {deck.ranks} ranks{top} and {deck.suits} suits"


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
            raise BadInputError(
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
            raise BadInputError(f"the board of street {street} must have {n_board} cards, got {len(board)}")
        held = np.asarray(hands)
        dealt = np.broadcast_to(np.asarray(board, np.int64), (len(held), n_board))
        return self.of_deals(street, np.hstack([held, dealt]))

    def of_deals(self, street: int, cards: Ints) -> Ints:
        """Return the bucket of each deal (N, cards), hole cards first, (N,)."""
        index = self.indices[street].of(cards)
        table = self.streets[street].table
        return index if table is None else table[index].astype(np.int64)

    def of_game(self, game: PokerGame) -> "CardAbstraction":
        """Return the abstraction of a game's streets; where it has fewer, the last ones are left out.

        What is left has an identity of its own, and the text by which the whole was asked for.

        Raises
        ------
        ValueError
            If deck or hole cards are others, the streets do not begin with the game's, or the game has a
            starting board, ranges or locks.
        """
        rounds = rounds_of(game)
        first = self.rounds[: len(rounds)]
        check_game(game, self.deck, first if first == rounds else self.rounds)
        if rounds == self.rounds:
            return self
        return replace(self, rounds=rounds, streets=self.streets[: len(rounds)])

    def brief(self) -> str:
        """Return the numbers of buckets and the recall."""
        return f"{' / '.join(f'{count:,}' for count in self.counts)} buckets, {self.recall} recall"

    def blocks(self) -> tuple[Block, ...]:
        """Return a table of the streets."""
        return abstraction_table(self)

    def _check_street(self, street: int) -> None:
        one, deals = self.streets[street], self.indices[street].size
        found = one.count if one.table is None else len(one.table)
        if found != deals:
            raise BadInputError(f"street {street} must have {deals:,} deals up to suits, got {found:,}")
        nested = self.recall == "perfect" and street > 0 and one.table is not None
        if nested != (one.parent is not None):
            must = "must have" if nested else "must not have"
            raise BadInputError(f"street {street} {must} parents of its buckets, with {self.recall} recall")
        above = self.streets[street - 1].count
        if one.parent is not None and int(one.parent.max()) >= above:
            raise BadInputError(
                f"parents of street {street} must be below {above:,}, got {int(one.parent.max()):,}"
            )


def street_rounds(rounds: tuple[int, ...], recall: Recall) -> tuple[tuple[int, ...], ...]:
    """Return how deals of each street are numbered: (2, 3, 1), or (2, 4) where the order is forgotten."""
    if recall == "perfect":
        return tuple(rounds[: street + 1] for street in range(len(rounds)))
    return (rounds[:1], *((rounds[0], sum(rounds[1 : street + 1])) for street in range(1, len(rounds))))


HEADERS = ("street", "made by", "buckets", "deals", "smallest", "median", "largest", "bytes")


def abstraction_table(abstraction: CardAbstraction) -> tuple[Block, ...]:
    """Return a row for each street: its buckets, their sizes in deals up to suits, and bytes in memory."""
    rows = tuple(
        (street_name(street), one.kind, f"{one.count:,}", f"{index.size:,}", *_sizes(one), f"{one.n_bytes:,}")
        for street, (one, index) in enumerate(zip(abstraction.streets, abstraction.indices, strict=True))
    )
    deck = f"{abstraction.deck.ranks} ranks and {abstraction.deck.suits} suits"
    title = f"card abstraction of {deck}, {abstraction.recall} recall: {abstraction.text}"
    footer = Line(f"seed {abstraction.seed}, identity {abstraction.identity[:12]}")
    return Columns(title, HEADERS, rows, left=HEADERS[:2]), footer


def _sizes(street: StreetBuckets) -> tuple[str, str, str]:
    """Return the smallest, median and largest number of deals in a bucket."""
    if street.table is None:
        return "1", "1", "1"
    sizes = street.sizes
    return f"{sizes.min():,}", f"{np.median(sizes):,.0f}", f"{sizes.max():,}"
