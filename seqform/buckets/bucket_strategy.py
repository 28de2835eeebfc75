"""Strategies by bucket, and the same ones hand by hand on boards."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
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
        shapes = zip(self.tree.slots[player], self.tree.count[player], strict=True)
        cuts = zip(pairwise(self.tree.base[player]), shapes, strict=True)
        parts = [table[a:b].reshape(shape) for (a, b), shape in cuts]
        base = tree.base[player]
        found = np.empty(int(base[-1]), table.dtype)
        for board, street in enumerate(tree.boards.street.tolist()):
            part, bucket = parts[street], self.tree.on(player, board)
            out = found[base[board] : base[board + 1]].reshape(len(part), len(bucket))
            np.take(part, bucket, axis=1, out=out, mode="clip")
        return found
