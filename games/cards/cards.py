"""Cards as small integers: ``4 * rank + suit``, ranks "23456789TJQKA" and suits "shdc"."""

from collections.abc import Iterable

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
        raise ValueError(f"a card is one rank of {RANKS} and one suit of {SUITS}, such as Ks; got {text!r}")
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
                raise ValueError(f"{card_text(card)} is there twice in {text!r}; cards must differ")
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
        raise ValueError(f"a card's id is 0 to {N_CARDS - 1}, got {card}")
    return RANKS[card // len(SUITS)] + SUITS[card % len(SUITS)]


def cards_text(cards: Iterable[int]) -> str:
    """Return cards run together in the order given, such as ``KsTh7s``."""
    return "".join(card_text(card) for card in cards)
