"""Features of all hands of boards of one deck, relative to the last street, and their kinds.

A kind is how what a hand wins over last boards becomes a point, and how far points are apart. Before any
board: what hands win over all last boards, and clusters of them as opponents. Features that are known
beforehand are by the number of each deal.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.parameters import check_integer, check_word
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.base.threads import blocks, in_order
from treeplex.games.buckets.clusters import k_means
from treeplex.games.buckets.points import Points
from treeplex.games.buckets.run_outs import Ints, RunOutScratch, Totals, add_last_boards, add_run_outs
from treeplex.games.cards.cards import Deck
from treeplex.games.cards.evaluator import tables
from treeplex.games.cards.hand_index import HandIndex

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Kind:
    """A kind of features.

    Attributes
    ----------
    values : callable
        Takes totals, returns points (R, D).
    cumulative : bool
        Whether points are cumulative distributions, compared by the sum of absolute differences; Euclidean
        distances otherwise.
    clusters : int
        How many clusters of opposing hands there are.
    bins : int
        How many bins of equity.
    """

    values: Callable[[Totals], Floats]
    cumulative: bool = False
    clusters: int = 1
    bins: int = 1

    def points(self, totals: Totals) -> Singles:
        """Return the points of totals, (R, D) float32."""
        return self.values(totals).astype(np.float32)

    def strength(self, points: Singles) -> Floats:
        """Return a number for each point (K, D) by which weaker hands come first, (K,)."""
        mean: Floats = points.mean(axis=1, dtype=np.float64)
        return -mean if self.cumulative else mean


def mean_equity(totals: Totals) -> Floats:
    """Return E[HS], the mean equity over last boards, (R, 1)."""
    equity: Floats = totals.doubled.sum(axis=1) / totals.most.sum(axis=1)
    return equity[:, None]


def mean_square(totals: Totals) -> Floats:
    """Return E[HS^2], the mean square of the equity over last boards, (R, 1).

    Each last board has equally many opposing hands.
    """
    most = totals.most.sum(axis=1) / totals.boards
    square: Floats = totals.squares / (totals.boards * most * most)
    return square[:, None]


def cumulative_histogram(totals: Totals) -> Floats:
    """Return the part of last boards in each bin of equity or a lower one, (R, bins - 1)."""
    return np.cumsum(totals.histogram[:, :-1], axis=1) / totals.boards[:, None]


def cluster_equities(totals: Totals) -> Floats:
    """Return the mean equity against each cluster of opposing hands, 1/2 where there are none, (R, G)."""
    known = totals.most > 0
    return np.where(known, totals.doubled / np.where(known, totals.most, 1), 0.5)


BINS = 50
"""Bins of equity."""
CLUSTERS = 8
"""Clusters of opposing hands."""
KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "equity": Kind(mean_equity),
        "ehs2": Kind(mean_square),
        "hist": Kind(cumulative_histogram, cumulative=True, bins=BINS),
        "ochs": Kind(cluster_equities, clusters=CLUSTERS),
    }
)
"""Kinds by name: equity, E[HS^2], histograms of last equities, and opponent cluster hand strength.

Histograms and clusters of opponents after Johanson, Burch, Valenzano and Bowling, Evaluating state-space
abstractions in extensive-form games (2013). On the last street a histogram is one spike, so that ``hist`` is
``equity`` in 50 steps there.
"""


BLOCK = 512
"""Boards that a thread takes at a time."""


def deck_hands(deck: Deck) -> Ints:
    """Return all hands of two cards, (H, 2) int64, in lexicographic order."""
    cards = np.array(deck.cards, np.int64)
    first, second = np.triu_indices(len(cards), 1)
    return np.column_stack((cards[first], cards[second]))


def preflop_totals(
    deck: Deck, n_last: int, kind: Kind, cluster: Ints, threads: int = 1, report: Report = quiet
) -> Totals:
    """Return what the hands of each class up to suits win over all last boards.

    One board of each class up to suits is dealt, and counted as often as there are boards in the class: a
    class of hands meets the same in each.

    Parameters
    ----------
    deck : Deck
    n_last : int
        Cards of a last board.
    kind : Kind
        Whose clusters and bins are counted.
    cluster : (H,) int64
        The cluster of each hand of ``deck_hands``.
    threads : int
    report : callable, optional

    Returns
    -------
    Totals
        A row for each hand class, as ``HandIndex(deck, (2,))`` numbers them, summed over its hands.
    """
    hands, classes, boards = deck_hands(deck), HandIndex(deck, (2,)), HandIndex(deck, (n_last,))
    row = classes.of(hands)

    def one(block: slice) -> Totals:
        index = np.arange(block.start, block.stop)
        totals, scratch = (
            Totals.of(classes.size, kind.clusters, kind.bins),
            RunOutScratch.of(len(hands), kind.clusters),
        )
        add_last_boards(
            tables(), boards.cards(index), boards.orbit(index), hands, cluster, row, scratch, totals
        )
        return totals

    whole = Totals.of(classes.size, kind.clusters, kind.bins)
    found = in_order(one, blocks(boards.size, BLOCK), threads)
    for part in reported(
        found, report, lambda n: f"preflop equities: {n * BLOCK:,} of {boards.size:,} boards"
    ):
        whole = whole.plus(part)
    return whole


def opposing_clusters(
    deck: Deck, n_last: int, count: int, seed: int, threads: int = 1, report: Report = quiet
) -> Ints:
    """Return the cluster of each hand of ``deck_hands``, (H,) int64, the weakest cluster first.

    Hand classes are clustered by the histogram of their equities on last boards, with the earth mover's
    distance, and weigh as many hands as they have (Johanson et al. 2013, for opponent cluster hand strength).
    Where fewer than ``count`` classes differ there are fewer clusters.
    """
    kind, hands, classes = KINDS["hist"], deck_hands(deck), HandIndex(deck, (2,))
    totals = preflop_totals(deck, n_last, kind, np.zeros(len(hands), np.int64), threads, report)
    orbit = classes.orbit(np.arange(classes.size)).astype(np.float64)
    found = k_means(Points(kind.points(totals), orbit, absolute=kind.cumulative), count, (seed, n_last))
    place = np.argsort(np.argsort(kind.strength(found.centres), kind="stable"), kind="stable")
    return place[found.label][classes.of(hands)]


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


@dataclass(frozen=True)
class Features:
    """Features of one kind, against hands that are all equally likely, over all cards to come.

    Hands are of two cards and ranked as in hold'em. A game that ends on the flop has last boards of three
    cards.

    Attributes
    ----------
    deck : Deck
    n_last : int
        Cards of a last board, 3 to 5.
    kind : Kind
    cluster : (H,) int64
        The cluster of each hand of ``deck_hands`` as an opponent.
    """

    deck: Deck
    n_last: int
    kind: Kind
    cluster: Ints

    @staticmethod
    def of(
        deck: Deck, n_last: int, name: str, seed: int = 0, threads: int = 1, report: Report = quiet
    ) -> "Features":
        """Return features by name; clusters of opponents are made by ``opposing_clusters``.

        Raises
        ------
        ValueError
            If there is no such kind, or last boards have not 3 to 5 cards.
        """
        check_word("the kind of features", name, (*KINDS,))
        check_integer("cards of a last board", n_last, 3, 5)
        kind = KINDS[name]
        if kind.clusters == 1:
            cluster = np.zeros(len(deck_hands(deck)), np.int64)
        else:
            cluster = opposing_clusters(deck, n_last, kind.clusters, seed, threads, report)
        return Features(deck, n_last, kind, cluster)

    def on(self, boards: Ints) -> tuple[Ints, Singles]:
        """Return the live hands of boards and their features.

        Parameters
        ----------
        boards : (B, n) int64
            At least one card, at most as many as a last board.

        Returns
        -------
        deals : (B W, 2 + n) int64
            Each board's W live hands, with the board's cards.
        points : (B W, D) float32

        Raises
        ------
        ValueError
            If a card is not in the deck.
        """
        self.deck.require("boards", np.unique(boards).tolist())
        hands, n_cards = deck_hands(self.deck), len(self.deck.cards)
        rows = len(boards) * comb(n_cards - boards.shape[1], 2)
        deals = np.empty((rows, 2 + boards.shape[1]), np.int64)
        totals = Totals.of(rows, self.kind.clusters, self.kind.bins)
        scratch = RunOutScratch.of(len(hands), self.kind.clusters)
        missing = self.n_last - boards.shape[1]
        deck = np.array(self.deck.cards, np.int64)
        add_run_outs(tables(), boards, deck, missing, hands, self.cluster, scratch, deals, totals)
        return deals, self.kind.points(totals)

    def cloud(self, points: Singles, weight: Floats, threads: int = 1) -> Points:
        """Return weighted points among which centres are sought."""
        return Points(points, weight, self.kind.cumulative, threads)

    def strength(self, centres: Singles) -> Floats:
        """Return a number for each centre by which those of weaker hands come first, (K,)."""
        return self.kind.strength(centres)

    def before_boards(self, threads: int = 1, report: Report = quiet) -> Singles:
        """Return the features of each class of hands before any board, by its number up to suits, (C, D)."""
        totals = preflop_totals(self.deck, self.n_last, self.kind, self.cluster, threads, report)
        return self.kind.points(totals)
