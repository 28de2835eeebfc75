"""What is shown of a card abstraction: a row for each street."""

import numpy as np

from treeplex.games.abstraction.card_abstraction import CardAbstraction
from treeplex.games.abstraction.game_cards import street_name
from treeplex.games.abstraction.street_buckets import StreetBuckets
from treeplex.games.display.blocks import Block, Columns, Line

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
