"""Abstractions that forget nothing: the lossless one, and buckets of which each implies those before.

An abstraction has perfect recall if each bucket implies the bucket on the street before.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.buckets.card_abstraction import (
    LOSSLESS,
    Buckets,
    CardAbstraction,
    StreetBuckets,
    bucket_dtype,
    check_game,
    rounds_of,
    street_rounds,
)
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.poker.game import PokerGame


def lossless(game: PokerGame) -> CardAbstraction:
    """Return the abstraction of a game in which each deal up to suits is a bucket, with perfect recall.

    Raises
    ------
    ValueError
        If the game has a starting board, ranges or locks.
    """
    rounds = rounds_of(game)
    check_game(game, game.deck, rounds)
    sizes = [HandIndex(game.deck, one).size for one in street_rounds(rounds, "perfect")]
    streets = tuple(StreetBuckets(LOSSLESS, size, None, None) for size in sizes)
    return CardAbstraction(game.deck, rounds, "perfect", streets, 0, LOSSLESS)


BLOCK = 1 << 18
"""Deals that are looked at together."""


def parents(abstraction: CardAbstraction, street: int, report: Report = quiet) -> Buckets:
    """Return the bucket on the street before of each bucket of a street.

    Parameters
    ----------
    abstraction : CardAbstraction
        With perfect recall.
    street : int
        From 1.
    report : callable, optional
        Told how many deals were looked up, where the street is lossless.

    Returns
    -------
    (count,) uint16 or uint32

    Raises
    ------
    ValueError
        If the recall is imperfect, or there is no such street.
    """
    _check(abstraction, street)
    stored = abstraction.streets[street].parent
    if stored is not None:
        return stored
    found = np.empty(abstraction.streets[street].count, bucket_dtype(abstraction.streets[street - 1].count))
    for index, above in _above(abstraction, street, report):
        found[index] = above
    return found


def check_nested(abstraction: CardAbstraction) -> None:
    """Refuse an abstraction with perfect recall in which a bucket does not imply the one before.

    Raises
    ------
    ValueError
        If a deal's bucket has another parent than the deal's bucket on the street before; the first is named.
    """
    for street in range(1, len(abstraction.streets)):
        _check(abstraction, street)
        one = abstraction.streets[street]
        if one.table is None or one.parent is None:
            continue
        for index, above in _above(abstraction, street, quiet):
            implied = one.parent[one.table[index]]
            wrong = np.flatnonzero(implied != above)
            if len(wrong):
                deal = abstraction.indices[street].cards(index[wrong[:1]])[0]
                raise BadInputError(
                    f"the bucket of {abstraction.deck.text(deal)} on street {street} must imply bucket"
                    f" {above[wrong[0]]:,} on the street before, got {implied[wrong[0]]:,}"
                )


def _check(abstraction: CardAbstraction, street: int) -> None:
    if abstraction.recall != "perfect":
        raise BadInputError("buckets have parents with perfect recall only, got imperfect recall")
    check_integer("street", street, 1, len(abstraction.streets) - 1)


def _above(
    abstraction: CardAbstraction, street: int, report: Report
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield numbers of deals of a street, and their buckets on the street before, in blocks."""
    index = abstraction.indices[street]
    starts = range(0, index.size, BLOCK)
    for start in reported(
        starts, report, lambda n: f"street {street}: {n * BLOCK:,} of {index.size:,} deals"
    ):
        deals = np.arange(start, min(start + BLOCK, index.size))
        cards = index.cards(deals)
        yield deals, abstraction.of_deals(street - 1, cards[:, : sum(abstraction.rounds[:street])])
