"""Card abstractions for tests: buckets drawn at random, with and without perfect recall."""

import numpy as np

from treeplex.games.buckets.card_abstraction import CardAbstraction, StreetBuckets, bucket_dtype, rounds_of
from treeplex.games.cards.hand_index import HandIndex


def drawn(deck, rounds, counts, recall, seed=0):
    """Return random buckets, lossless where a count is None; nested if recall is perfect."""
    rng = np.random.default_rng(seed)
    streets = []
    for street, count in enumerate(counts):
        ordered = recall == "perfect" or street == 0
        own = rounds[: street + 1] if ordered else (rounds[0], sum(rounds[1 : street + 1]))
        index = HandIndex(deck, own)
        if count is None:
            streets.append(StreetBuckets("lossless", index.size, None, None))
        elif recall == "imperfect" or street == 0:
            streets.append(StreetBuckets("equity", count, _every(rng, index.size, count), None))
        else:
            above = CardAbstraction(deck, rounds[:street], recall, tuple(streets), seed, "drawn")
            cards = index.cards(np.arange(index.size))[:, : sum(rounds[:street])]
            before = above.of_deals(street - 1, cards)
            pairs = before * count + rng.integers(0, count, index.size)
            found, table = np.unique(pairs, return_inverse=True)
            dtype, up = bucket_dtype(len(found)), bucket_dtype(above.counts[-1])
            streets.append(
                StreetBuckets("equity", len(found), table.astype(dtype), (found // count).astype(up))
            )
    return CardAbstraction(deck, rounds, recall, tuple(streets), seed, "drawn")


def drawn_abstraction(game, counts, seed=0):
    """Return random buckets for a game, with imperfect recall; lossless where a count is None."""
    return drawn(game.deck, rounds_of(game), counts, "imperfect", seed)


def _every(rng, deals, count):
    """Return a bucket for each deal, each bucket at least once."""
    table = np.arange(deals) % count
    return rng.permutation(table).astype(bucket_dtype(count))
