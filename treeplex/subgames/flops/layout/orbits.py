"""All flops of a game up to suits, and how values of hands on them add up before the flop."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.suit_symmetry import renamed, symmetries
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.judge.range_hands import RangeHands


@dataclass(frozen=True)
class Flops:
    """The classes of flops of a game, F of them, and the symmetries that make them.

    Attributes
    ----------
    boards : (F,) int64
        In the tree of boards.
    share : (F,) float64
        The number of flops in each class, or their weight where listed, by the number that two hands leave.
    images : (G, H) int64
        The hand to which each permutation of suits takes each of the opponent's hands.
    """

    boards: Index
    share: Floats
    images: Index

    @staticmethod
    def of(game: PokerGame, boards: BoardTree, opponent: int) -> "Flops":
        """Return the flops of a tree of boards, for values of one player's hands."""
        number = np.flatnonzero(boards.street == 1)
        hands = RangeHands(game, opponent)
        images = [
            hands.number(np.array([renamed(p, hand) for hand in hands.cards.tolist()]))
            for p in symmetries(game)
        ]
        return Flops(number, boards.ways[number] / boards.runouts[1], np.array(images))

    def total(self, values: Iterable[Floats]) -> Floats:
        """Return sums over all flops of values (., H) on one of each class, in the order of ``boards``.

        The same strategy is played on all flops of a class, suits renamed. Where a renaming fixes the flop,
        it is drawn too.
        """
        total = sum(share * one for share, one in zip(self.share.tolist(), values, strict=True))
        return np.asarray(np.mean([total[:, image] for image in self.images], axis=0))
