"""The average strategy of a blueprint: actions for each betting line, public cluster and bucket."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.blueprint.tables.layout import BlueprintLayout
from treeplex.games.cards.deck import Cards
from treeplex.games.display.shown import Shown
from treeplex.seqform.forms.treeplex import Floats, Index


@dataclass(frozen=True, repr=False)
class BlueprintStrategy(Shown):
    """What a blueprint plays.

    Attributes
    ----------
    layout : BlueprintLayout
    total : (clusters, L) integers or floats
        Weights of actions, with the layout's rows.
    """

    layout: BlueprintLayout
    total: NDArray[Any]

    def brief(self) -> str:
        """Return how many buckets it plays by."""
        counts = " / ".join(f"{count:,}" for count in self.layout.abstraction.counts)
        clusters = self.layout.clusters.count
        return f"{self.layout.game.name}: {counts} buckets" + (
            f" x {clusters} clusters" if clusters > 1 else ""
        )

    def at(self, node: int) -> Floats:
        """Return the probabilities of actions at a betting line, (clusters, buckets, actions).

        On the first street there is one cluster. Rows without weight are uniform.
        """
        weight = self.weight(node)
        mass = weight.sum(axis=-1, keepdims=True)
        return np.where(mass > 0, weight / np.where(mass > 0, mass, 1.0), 1.0 / weight.shape[-1])

    def weight(self, node: int) -> Floats:
        """Return the weights of actions at a betting line, (clusters, buckets, actions)."""
        record = self.layout.nodes[node]
        buckets, n, base = (
            self.layout.abstraction.counts[record["street"]],
            int(record["count"]),
            int(record["base"]),
        )
        rows = self.total[:, base : base + buckets * n].astype(np.float64).reshape(-1, buckets, n)
        return rows.sum(axis=0, keepdims=True) if base < self.layout.shared else rows

    def play(self, line: str, board: Cards, hands: Index) -> Floats:
        """Return what hands do at a betting line on a board.

        Parameters
        ----------
        line : str
        board : tuple of int
            Card ids in the order of dealing.
        hands : (H, K) int64
            Hands without cards of the board.

        Returns
        -------
        (H, actions) float64
            Probabilities; 1 where there is one action.

        Raises
        ------
        ValueError
            If the line is none of the game, or the board is not one of its street.
        """
        node = self.layout.lines.index.get(line)
        if node is None:
            return np.ones((len(hands), len(self.layout.game.point(line).moves)))
        street = int(self.layout.nodes[node]["street"])
        first = self.layout.abstraction.rounds[1] if street else 0
        cluster = int(self.layout.clusters.of(np.array([board[:first]], np.int64))[0]) if street else 0
        rows: Floats = self.at(node)[cluster][self.layout.abstraction.buckets(street, board, hands)]
        return rows
