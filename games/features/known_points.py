"""Features that are known beforehand, by the number of each deal."""

from dataclasses import dataclass

import numpy as np

from treeplex.games.cards.deck import Deck
from treeplex.games.clusters.points import Points
from treeplex.games.features.kinds import Floats, Singles
from treeplex.games.features.preflop import deck_hands
from treeplex.games.features.showdowns import Ints
from treeplex.games.indexing.hand_index import HandIndex
from treeplex.games.reporting import Report, quiet


def live_deals(deck: Deck, boards: Ints) -> Ints:
    """Return the live hands of each board (B, n) with the board's cards, (B W, 2 + n)."""
    hands, width = deck_hands(deck), boards.shape[1]
    alive = ~(hands[None, :, :, None] == boards[:, None, None, :]).any(axis=(2, 3))
    board, hand = np.nonzero(alive)
    deals = np.empty((len(hand), 2 + width), np.int64)
    deals[:, :2], deals[:, 2:] = hands[hand], boards[board]
    return deals


@dataclass(frozen=True)
class KnownPoints:
    """Points of all deals of a street, compared by Euclidean distance.

    Attributes
    ----------
    index : HandIndex
        Numbers deals: hole cards and board.
    points : (deals,) rows of D float32
        The larger a point's coordinates are, the stronger is the hand.
    """

    index: HandIndex
    points: Singles

    def on(self, boards: Ints) -> tuple[Ints, Singles]:
        """Return the live hands of boards (B, n) with the boards' cards (B W, 2 + n), and their points."""
        deals = live_deals(self.index.deck, boards)
        return deals, self.points[self.index.of(deals)]

    def before_boards(self, threads: int = 1, report: Report = quiet) -> Singles:
        """Return the points of each class of hands before any board, by its number up to suits."""
        return self.points

    def cloud(self, points: Singles, weight: Floats, threads: int = 1) -> Points:
        """Return weighted points among which centres are sought."""
        return Points(points, weight, absolute=False, threads=threads)

    def strength(self, centres: Singles) -> Floats:
        """Return the mean coordinate of each centre, (K,): weaker hands come first."""
        mean: Floats = centres.mean(axis=1, dtype=np.float64)
        return mean
