"""The average strategy of a blueprint: actions for each betting line, public cluster and bucket.

Also on the boards of a factored tree, where best responses can judge it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.bucket_sampling.sampler_layout import BlueprintLayout
from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reporting import Report, quiet
from treeplex.games.cards.cards import Cards
from treeplex.seqform.boards.bucket_labels import labels_by
from treeplex.seqform.boards.bucket_tree import BucketStrategy, BucketTree
from treeplex.seqform.boards.factored_strategy import FactoredTree, check_suits
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
            raise BadInputError(f"player {player} of {game.name} has no infoset {infoset!r}")
        row = self.play(line, board, np.array([mine]))[0]
        return dict(zip(point.moves, row.tolist(), strict=True))

    def rows(self) -> Iterator[Row]:
        """Refuse to list infosets, which are more than a table can hold.

        Raises
        ------
        ValueError
        """
        raise BadInputError(f"{self.brief()}: infosets are too many for a table, write it as .npz")

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


def bucket_tree(layout: BlueprintLayout, tree: FactoredTree, report: Report = quiet) -> BucketTree:
    """Return the buckets of a blueprint on the boards of its game.

    After the first street, bucket b of public cluster c has number ``c * count + b``.

    Parameters
    ----------
    layout : BlueprintLayout
    tree : FactoredTree
        Of the same game.
    report : callable, optional
        Told a few times a second how many boards are done.
    """
    counts = np.array(layout.abstraction.counts)
    cluster = _clusters(layout, tree)
    # both players have the same hands, as no game with an abstraction has ranges
    width = np.diff(tree.boards.hands[0].start)
    label = labels_by(tree, layout.abstraction, report) + np.repeat(
        cluster * counts[tree.boards.street], width
    )
    numbers = (counts * np.where(np.arange(len(counts)) > 0, layout.clusters.count, 1)).tolist()
    found = BucketTree.of(tree, (label, label), (numbers, numbers), report)
    return replace(found, abstraction=layout.abstraction)


def on_boards(tree: BucketTree, strategy: BlueprintStrategy) -> BucketStrategy:
    """Return a blueprint's average strategy on the boards of :func:`bucket_tree`."""
    first, second = (_weights(tree, strategy, p) for p in (0, 1))
    return BucketStrategy(tree, (first, second))


def _clusters(layout: BlueprintLayout, tree: FactoredTree) -> Index:
    """Return the public cluster of each board, 0 before the first board cards, (B,)."""
    boards, found = tree.boards, np.zeros(tree.boards.n_boards, np.int64)
    dealt = np.flatnonzero(boards.street > 0)
    if len(dealt):
        first = layout.abstraction.rounds[1]
        found[dealt] = layout.clusters.of(np.array([boards.cards[board][:first] for board in dealt]))
    return found


def _weights(tree: BucketTree, strategy: BlueprintStrategy, player: int) -> NDArray[np.float32]:
    """Return a player's table with the layout of ``tree``; where there is one action it is zero."""
    table, betting = np.zeros(tree.length(player), np.float32), tree.tree.betting
    for line, node in strategy.layout.lines.index.items():
        record, there = strategy.layout.nodes[node], betting.node_of[line]
        if record["kind"] == player:
            street = int(record["street"])
            rows = strategy.weight(node).reshape(-1, int(record["count"])).T
            start = int(tree.base[player][street] + tree.tree.slot[there] * tree.count[player][street])
            table[start : start + rows.size] = rows.reshape(-1)
    return table
