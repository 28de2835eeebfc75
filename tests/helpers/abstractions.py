"""Card abstractions for tests, made without features."""

import numpy as np

from treeplex.games.abstraction.card_abstraction import CardAbstraction, street_rounds
from treeplex.games.abstraction.game_cards import rounds_of
from treeplex.games.abstraction.street_buckets import StreetBuckets
from treeplex.games.indexing.hand_index import HandIndex


def drawn_abstraction(game, counts, seed=0):
    """Return an abstraction with imperfect recall that puts deals into buckets at random.

    ``counts`` says how many buckets each street has; None leaves a street lossless.
    """
    rng, streets = np.random.default_rng(seed), []
    for count, rounds in zip(counts, street_rounds(rounds_of(game), "imperfect"), strict=True):
        size = HandIndex(game.deck, rounds).size
        if count is None:
            streets.append(StreetBuckets("lossless", size, None, None))
        else:
            table = rng.integers(0, count, size).astype(np.uint16)
            streets.append(StreetBuckets("equity", count, table, None))
    return CardAbstraction(game.deck, rounds_of(game), "imperfect", tuple(streets), seed, "drawn")
