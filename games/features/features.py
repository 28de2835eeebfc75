"""Features of all hands of boards of one deck, relative to the last street."""

from dataclasses import dataclass
from math import comb

import numpy as np

from treeplex.games.cards.deck import Deck
from treeplex.games.clusters.points import Points
from treeplex.games.evaluation.evaluator_tables import tables
from treeplex.games.features.kinds import KINDS, Floats, Kind, Singles
from treeplex.games.features.preflop import deck_hands, opposing_clusters, preflop_totals
from treeplex.games.features.run_outs import Scratch, Totals, add_run_outs
from treeplex.games.features.showdowns import Ints
from treeplex.games.inputs.parameters import check_integer, check_word
from treeplex.games.reporting import Report, quiet


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
        scratch = Scratch.of(len(hands), self.kind.clusters)
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
