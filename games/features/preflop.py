"""Hands before any board: what they win over all last boards, and clusters of them as opponents."""

import numpy as np

from treeplex.games.cards.deck import Deck
from treeplex.games.clusters.k_means import k_means
from treeplex.games.clusters.points import Points
from treeplex.games.evaluation.evaluator_tables import tables
from treeplex.games.features.kinds import KINDS, Kind
from treeplex.games.features.run_outs import Scratch, Totals, add_last_boards
from treeplex.games.features.showdowns import Ints
from treeplex.games.indexing.hand_index import HandIndex
from treeplex.games.parallel import blocks, in_order
from treeplex.games.reporting import Report, quiet, reported

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
            Scratch.of(len(hands), kind.clusters),
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
