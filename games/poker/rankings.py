"""Rankings of poker hands by name: functions from hole cards and board to a strength.

A ranking takes hole cards and board as card ids, ``4 * rank + suit``, and returns an integer: larger is
better, equal if and only if tied.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.evaluator import evaluate_batch

Ranking = Callable[[tuple[int, ...], tuple[int, ...]], int]
"""(hole cards, board cards) to a strength, comparable within one ranking."""

_N_SUITS = 4
_PAIRED = 1 << 32
"""More than any rank, however long the deck."""
_ACE = 12


def high_card(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """Return the rank of one hole card, as in Kuhn poker; the board is ignored.

    Raises
    ------
    ValueError
        If the hand is not one card.
    """
    _require("high_card", hole, 1)
    return hole[0] // _N_SUITS


def pair_with_board(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """Return the rank of one hole card, above all others if it pairs the board card, as in Leduc poker.

    Raises
    ------
    ValueError
        If hand or board is not one card.
    """
    _require("pair_with_board", hole, 1)
    _require("pair_with_board", board, 1)
    rank = hole[0] // _N_SUITS
    return _PAIRED + rank if rank == board[0] // _N_SUITS else rank


def three_card(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """Return the strength of one hole card and two board cards, as in Rhode Island hold'em.

    Straight flush, three of a kind, straight, flush, pair, high card, in this order (Shi and Littman,
    Abstraction methods for game theoretic poker, 2001); A23 is the lowest straight.

    Raises
    ------
    ValueError
        If the hand is not one card or the board not two.
    """
    _require("three_card", hole, 1)
    _require("three_card", board, 2)
    cards = hole + board
    ranks = [card // _N_SUITS for card in cards]
    high, middle, low = _by_frequency(ranks)
    if (high, middle, low) == (_ACE, 1, 0):
        high, middle, low = 1, 0, -1
    straight = high == middle + 1 == low + 2
    flush = len({card % _N_SUITS for card in cards}) == 1
    tests = (high == middle, flush, straight, high == low, straight and flush)
    category = max((place for place, holds in enumerate(tests, start=1) if holds), default=0)
    # the low ace of A23 has rank -1: ranks are shifted by one to be digits from 0 to 15
    return category << 12 | (high + 1) << 8 | (middle + 1) << 4 | (low + 1)


def trips_or_pair(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """Return the strength of two hole cards and one board card by ranks alone, as in Slumbot's small games.

    Three of a kind, pair with its kicker, three high cards, in this order. Straights and flushes, which
    take five cards in hold'em, do not count.

    Raises
    ------
    ValueError
        If the hand is not two cards or the board not one.
    """
    _require("trips_or_pair", hole, 2)
    _require("trips_or_pair", board, 1)
    high, middle, low = _by_frequency([card // _N_SUITS for card in hole + board])
    category = 2 if high == low else 1 if high == middle else 0
    return category << 12 | high << 8 | middle << 4 | low


def holdem(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """Return the strength of the best five of 5 to 7 cards in all, as in hold'em.

    The scale is that of :mod:`treeplex.games.cards.evaluator`.

    Raises
    ------
    ValueError
        If there are not 5 to 7 cards in all, a card comes twice or is none.
    """
    return int(evaluate_batch([hole + board])[0])


def _by_frequency(ranks: list[int]) -> list[int]:
    """Return ranks, the most frequent first, then from the highest down."""
    return sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)


def _require(ranking: str, cards: tuple[int, ...], number: int) -> None:
    if len(cards) != number:
        raise BadInputError(f"{ranking} needs {number} such card(s), got {cards}")


RANKINGS: Mapping[str, Ranking] = MappingProxyType(
    {
        "high_card": high_card,
        "pair_with_board": pair_with_board,
        "three_card": three_card,
        "holdem": holdem,
        "trips_or_pair": trips_or_pair,
    }
)
"""Every ranking by name."""
CARDS_RANKED = {
    "high_card": (1, 1),
    "pair_with_board": (2, 2),
    "three_card": (3, 3),
    "holdem": (5, 7),
    "trips_or_pair": (3, 3),
}
"""The least and the largest number of cards, hole and board together, of each ranking."""
SUITLESS_RANKINGS = ("high_card", "pair_with_board")
"""The rankings that ignore suits; their short decks end with the king."""
HOLE_CARDS = {"high_card": 1, "pair_with_board": 1, "three_card": 1, "trips_or_pair": 2}
"""The number of hole cards of a ranking; hold'em's takes any number."""
