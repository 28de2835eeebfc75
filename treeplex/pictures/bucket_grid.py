"""Buckets of the hands of a board by classes of hands."""

from dataclasses import dataclass

import numpy as np

from treeplex.games.base.display import Shown
from treeplex.games.cards.cards import Deck
from treeplex.pictures.hand_colours import Colour, value_colour
from treeplex.pictures.hand_grid import class_cells, class_labels
from treeplex.seqform.forms.treeplex import Floats, Index


@dataclass(frozen=True, repr=False)
class BucketGrid(Shown):
    """Which hands of each class are in which bucket.

    Attributes
    ----------
    labels : (R, C) str
        Such as ``AKs``, highest ranks first, suited hands above the diagonal.
    buckets : (B,) int64
        The buckets that hands of this board have, the one of least equity first.
    hands : (B,) int64
        How many of the board's hands each has.
    equity : (B,) float64
        Mean equity of those hands.
    parts : (R, C, B) int64
        How many hands of each class are in each bucket.
    """

    labels: tuple[tuple[str, ...], ...]
    buckets: Index
    hands: Index
    equity: Floats
    parts: Index

    def brief(self) -> str:
        """Return the numbers of hands and buckets."""
        return f"{self.hands.sum():,} hands in {len(self.buckets):,} buckets"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.labels), len(self.labels[0])

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the largest mean equity of a bucket."""
        return float(self.equity[0]), float(self.equity[-1])

    def split(self, row: int, column: int) -> list[tuple[float, Colour]]:
        """Return the share and the colour of each bucket of a class, by increasing equity."""
        hands = self.parts[row, column]
        return [
            (float(hands[b] / hands.sum()), value_colour(float(self.equity[b]), *self.ends))
            for b in np.flatnonzero(hands)
        ]

    def text(self, row: int, column: int) -> str:
        """Return the bucket that most of a class's hands are in, and how many others there are: ``17+2``."""
        hands = self.parts[row, column]
        if not hands.any():
            return ""
        others = np.count_nonzero(hands) - 1
        return f"{self.buckets[hands.argmax()]}{f'+{others}' if others else ''}"


def bucket_grid(deck: Deck, hands: Index, bucket: Index, equity: Floats) -> BucketGrid:
    """Return the grid of the hands of a board.

    Parameters
    ----------
    deck : Deck
    hands : (H, 2) int64
        Card ids.
    bucket : (H,) int64
    equity : (H,) float64
    """
    labels = class_labels(deck, 2, ranks_only=False)
    found, place, many = np.unique(bucket, return_inverse=True, return_counts=True)
    mean = np.bincount(place, weights=equity) / many
    order = np.argsort(mean, kind="stable")
    rank = np.argsort(order, kind="stable")
    cell = class_cells(deck, hands, ranks_only=False)
    parts = np.zeros((deck.ranks**2, len(found)), np.int64)
    np.add.at(parts, (cell, rank[place]), 1)
    shape = (deck.ranks, deck.ranks, len(found))
    return BucketGrid(labels, found[order], many[order], mean[order], parts.reshape(shape))
