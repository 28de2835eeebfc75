"""The average strategy of a blueprint: actions for each betting line, public cluster and bucket."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.blueprint.tables.layout import BlueprintLayout
from treeplex.games.cards.deck import Cards
from treeplex.games.display.shown import Shown
from treeplex.seqform.factored.infosets import check_suits
from treeplex.seqform.forms.profile import Row
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
        return _shares(self.weight(node))

    def weight(self, node: int) -> Floats:
        """Return the weights of actions at a betting line, (clusters, buckets, actions)."""
        rows = self._rows(node).astype(np.float64)
        return rows.sum(axis=0, keepdims=True) if self._is_shared(node) else rows

    def _rows(self, node: int) -> NDArray[Any]:
        """Return a line's entries of all clusters' tables, (clusters, buckets, actions)."""
        record = self.layout.nodes[node]
        buckets = self.layout.abstraction.counts[record["street"]]
        n, base = int(record["count"]), int(record["base"])
        return self.total[:, base : base + buckets * n].reshape(-1, buckets, n)

    def _is_shared(self, node: int) -> bool:
        return int(self.layout.nodes[node]["base"]) < self.layout.shared

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return how likely a player takes each action at an infoset of the game.

        Raises
        ------
        ValueError
            If the player has no such infoset, or the game hides suits, which the strategy sees.
        """
        game = self.layout.game
        check_suits(game)
        label, _, line = infoset.partition(":")
        hand, _, dealt = label.partition("|")
        mine, board = (tuple(sorted(game.deck.parse(hand))), game.deck.parse(dealt))
        game.deck.require("the cards of an infoset", (*mine, *board))
        point = game.point(line)
        key = f"{game.hand_label(mine)}{game.joiner}{game.public_key(board, line)}"
        dealt_to = len(mine) == game.hole_cards and len(board) == point.n_board
        if point.player != player or infoset != key or not dealt_to:
            raise ValueError(f"player {player} of {game.name} has no infoset {infoset!r}")
        row = self.play(line, board, np.array([mine]))[0]
        return dict(zip(point.moves, row.tolist(), strict=True))

    def rows(self) -> Iterator[Row]:
        """Refuse to list infosets, which are more than a table can hold.

        Raises
        ------
        ValueError
        """
        raise ValueError(f"{self.brief()}: infosets are too many for a table, write it as .npz")

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
        rows, bucket = self._rows(node), self.layout.abstraction.buckets(street, board, hands)
        weight = rows.sum(axis=0, dtype=np.float64) if self._is_shared(node) else rows[cluster]
        return _shares(weight[bucket].astype(np.float64))


def _shares(weight: Floats) -> Floats:
    """Return weights (..., actions) over their sums; uniform where these are 0."""
    mass = weight.sum(axis=-1, keepdims=True)
    return np.where(mass > 0, weight / np.where(mass > 0, mass, 1.0), 1.0 / weight.shape[-1])
