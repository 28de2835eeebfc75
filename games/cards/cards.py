"""Cards as small integers, and the deck of a poker game.

A card is ``4 * rank + suit``, ranks "23456789TJQKA" and suits "shdc".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from operator import lt

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown

RANKS = "23456789TJQKA"
"""Rank letters, weakest first; a card's rank is its index here."""
SUITS = "shdc"
"""Suit letters in the order of the card ids; no suit beats another."""
N_CARDS = len(RANKS) * len(SUITS)
"""Cards in the whole deck, 52; ids are 0 to 51."""


def parse_card(text: str) -> int:
    """Return the id of a card written as rank and suit.

    Parameters
    ----------
    text : str
        Two letters such as ``Ks``; ranks in capitals, suits in small letters.

    Returns
    -------
    int
        The id, 0 to 51.

    Raises
    ------
    ValueError
        If the text is no card; it is quoted.
    """
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise BadInputError(
            f"a card is one rank of {RANKS} and one suit of {SUITS}, such as Ks; got {text!r}"
        )
    return len(SUITS) * RANKS.index(text[0]) + SUITS.index(text[1])


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the ids of several distinct cards, in the order written.

    Parameters
    ----------
    text : str
        Cards run together or apart: ``Ks Th 7s`` or ``KsTh7s``; empty for no card.

    Raises
    ------
    ValueError
        If a card is unknown or comes twice; it is named.
    """
    cards: list[int] = []
    for word in text.split():
        for start in range(0, len(word), 2):
            card = parse_card(word[start : start + 2])
            if card in cards:
                raise BadInputError(f"{card_text(card)} is there twice in {text!r}; cards must differ")
            cards.append(card)
    return tuple(cards)


def card_text(card: int) -> str:
    """Return a card's two letters, such as ``Ks``.

    Raises
    ------
    ValueError
        If the id is not 0 to 51.
    """
    if not 0 <= card < N_CARDS:
        raise BadInputError(f"a card's id is 0 to {N_CARDS - 1}, got {card}")
    return RANKS[card // len(SUITS)] + SUITS[card % len(SUITS)]


def cards_text(cards: Iterable[int]) -> str:
    """Return cards run together in the order given, such as ``KsTh7s``."""
    return "".join(card_text(card) for card in cards)


Cards = tuple[int, ...]
"""Card ids, 4 * rank + suit. A hand's are in increasing order, a board's in the order of dealing."""

Range = Mapping[Cards, Fraction]
"""The weight of each hand, up to a factor."""
MOST_RANKS = 10_000
"""The largest number of ranks: hands are enumerated, each with its label."""


@dataclass(frozen=True)
class Deck:
    """A deck of consecutive ranks and of suits.

    Attributes
    ----------
    ranks : int
        Up to 13 they are the highest of "23456789TJQKA"; more are numbered from 1.
    suits : int
        The first of "shdc", at most 4.
    top_is_king : bool
        Whether a deck of fewer than 13 ranks ends with the king instead of the ace.
    """

    ranks: int
    suits: int
    top_is_king: bool

    def __post_init__(self) -> None:
        if not isinstance(self.ranks, int) or self.ranks < 1:
            raise BadInputError(f"ranks must be an integer of at least 1, got {shown(self.ranks)}")
        if self.ranks > MOST_RANKS:
            raise BadInputError(f"ranks must be at most {MOST_RANKS:,}, got {shown(self.ranks)}")
        if not isinstance(self.suits, int) or not 1 <= self.suits <= len(SUITS):
            raise BadInputError(f"suits must be an integer from 1 to {len(SUITS)}, got {shown(self.suits)}")

    @property
    def is_numbered(self) -> bool:
        """Whether ranks are written as numbers instead of letters."""
        return self.ranks > len(RANKS)

    @cached_property
    def cards(self) -> Cards:
        """All cards, in increasing order."""
        spare = len(RANKS) - self.ranks
        lowest = max(0, spare - 1 if self.top_is_king else spare)
        return tuple(
            4 * rank + suit for rank in range(lowest, lowest + self.ranks) for suit in range(self.suits)
        )

    @cached_property
    def rank_text(self) -> dict[int, str]:
        """The text of each card without its suit."""
        return {c: str(c // 4 + 1) if self.is_numbered else RANKS[c // 4] for c in self.cards}

    @cached_property
    def card_text(self) -> dict[int, str]:
        """The text of each card with its suit, such as "Ks"."""
        return {card: rank + SUITS[card % 4] for card, rank in self.rank_text.items()}

    def text(self, cards: Iterable[int]) -> str:
        """Return physical cards as text, the highest first."""
        return "".join(self.card_text[card] for card in sorted(cards, reverse=True))

    def require(self, what: str, cards: Sequence[int]) -> None:
        """Raise ValueError unless the cards are different cards of this deck; it names the first bad one."""
        for i, card in enumerate(cards):
            if card not in self.card_text or card in cards[:i]:
                text = card_text(card) if card in range(N_CARDS) else repr(card)
                deck = f"the deck of {self.ranks} ranks and {self.suits} suits"
                raise BadInputError(
                    f"{what} must be different cards of {deck}, got {self.card_text.get(card, text)}"
                )

    def require_range(self, one: Range, size: int) -> None:
        """Raise ValueError if a hand has another size, order or deck, or a weight is negative or inexact."""
        known = frozenset(self.card_text)
        for hand, weight in one.items():
            # Ranges of 1,326 hands are checked for every subgame: what is usual is told by few calls.
            if not (known.issuperset(hand) and len(hand) == size and all(map(lt, hand, hand[1:]))):
                self.require("a hand", hand)
                raise BadInputError(f"a hand must be {size} cards in increasing order, got {hand}")
            exact = type(weight) in (int, Fraction) or isinstance(weight, Rational)
            if not (exact and weight.numerator >= 0):
                text = self.text(hand)
                raise BadInputError(f"the weight of {text} must be exact and at least 0, got {shown(weight)}")

    def key_text(self, cards: Cards, streets: Iterable[int], ranks_only: bool) -> str:
        """Return cards as infoset keys write them: streets of the given sizes, each from high to low."""
        text = self.rank_text if ranks_only else self.card_text
        pieces: list[str] = []
        start = 0
        for size in streets:
            pieces += [text[card] for card in sorted(cards[start : start + size], reverse=True)]
            start += size
        return "".join(pieces)

    def parse(self, text: str) -> Cards:
        """Return the cards of a text that :meth:`text` wrote, in its order."""
        pieces = "".join(f"{c} " if c in SUITS else c for c in text).split()
        try:
            return tuple(self._ids[piece] for piece in pieces)
        except KeyError as error:
            raise BadInputError(f"card {error.args[0]!r} is not in the deck") from None

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {text: card for card, text in self.card_text.items()}


def held(one: Range, board: Cards) -> Range:
    """Return the hands of positive weight that share no card with a board, in increasing order."""
    live = (hand for hand in sorted(one) if one[hand] and set(hand).isdisjoint(board))
    return {hand: one[hand] for hand in live}


def scaled_weights(one: Range) -> list[float]:
    """Return the weights of a range divided by the largest, each quotient rounded once."""
    different = {*one.values()}
    largest = Fraction(max(different))
    quotient = {weight: float(Fraction(weight) / largest) for weight in different}
    return [quotient[weight] for weight in one.values()]
