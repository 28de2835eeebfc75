"""Strategies by bucket, and the same ones hand by hand on boards."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.games.display.shown import Shown
from treeplex.seqform.buckets.bucket_tree import BucketTree
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.profile import Row


@dataclass(frozen=True, repr=False)
class BucketStrategy(Shown):
    """Both players' strategies by bucket.

    Attributes
    ----------
    tree : BucketTree
    weight : pair of flat tables with the layout of ``tree``, float32
        At each decision a bucket plays actions in proportion to their weights (at least 0); uniformly if all
        are zero. The table of a player without buckets is by board and hand.
    """

    tree: BucketTree
    weight: tuple[NDArray[np.float32], NDArray[np.float32]]

    def brief(self) -> str:
        """Return the game and the number of buckets by street."""
        return self.tree.brief()

    def expanded(self) -> FactoredStrategy:
        """Return the same strategy hand by hand on the boards of the tree, in the tables' number format."""
        first, second = (self._expanded(p) for p in (0, 1))
        return FactoredStrategy(self.tree.tree, (first, second))

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return the probability of each action at an infoset of the game, on any real board.

        Raises
        ------
        ValueError
            If the player has no such infoset, or the game hides suits, which the strategy sees.
        """
        return self.expanded().action_probabilities(player, infoset)

    def rows(self) -> Iterator[Row]:
        """Yield (player, infoset, action, probability) for each action on each real board.

        Raises
        ------
        ValueError
            If the game hides suits, which the strategy sees.
        """
        yield from self.expanded().rows()

    def _expanded(self, player: int) -> NDArray[Any]:
        table, tree = self.weight[player], self.tree.tree
        if not self.tree.abstracted[player]:
            return table
        base, street = tree.base[player], tree.boards.street.tolist()
        parts = [
            table[a:b].reshape(int(rows), -1)
            for a, b, rows in zip(
                self.tree.base[player], self.tree.base[player][1:], self.tree.slots[player], strict=False
            )
        ]
        found = np.empty(int(base[-1]), table.dtype)
        for board, s in enumerate(street):
            np.take(
                parts[s],
                self.tree.on(player, board),
                axis=1,
                out=found[base[board] : base[board + 1]].reshape(len(parts[s]), -1),
                mode="clip",
            )
        return found
