"""All boards after one up to suits, and how values of hands on them add up on it."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.suit_symmetry import Group, renamed, stabiliser, symmetries
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.judge.range_hands import RangeHands


@dataclass(frozen=True)
class NextBoards:
    """The classes of boards after a board, F of them, and the symmetries of it that make them.

    Attributes
    ----------
    boards : (F,) int64
        In the tree of boards.
    share : (F,) float64
        The number of boards in each class, or their weight where listed, by the number that two hands leave.
    images : (G, W) int64
        The hand to which each permutation of suits that fixes the board takes each of a player's live hands
        there.
    """

    boards: Index
    share: Floats
    images: Index

    @staticmethod
    def of(game: PokerGame, boards: BoardTree, player: int, board: int = 0) -> "NextBoards":
        """Return the boards after one of a tree, for values of one player's hands."""
        number = np.flatnonzero(boards.parent == board)
        street, hands = int(boards.street[board]), boards.hands[player]
        ranged = RangeHands(game, player)
        live = hands.hand[hands.on(board)].astype(np.int64)
        place = np.full(len(ranged.cards), -1)
        place[live] = np.arange(len(live))
        images = [
            place[ranged.number(np.array([renamed(p, hand) for hand in hands.cards[live].tolist()]))]
            for p in _fixing(game, boards, board)
        ]
        share = boards.ways[number] / (boards.runouts[street + 1] / boards.runouts[street])
        return NextBoards(number, share, np.array(images))

    def total(self, values: Iterable[Floats]) -> Floats:
        """Return sums over all boards of values (., W) on one of each class, in the order of ``boards``.

        The same strategy is played on all boards of a class, suits renamed. Where a renaming fixes the board,
        it is drawn too.
        """
        total = sum(share * one for share, one in zip(self.share.tolist(), values, strict=True))
        return np.asarray(np.mean([total[:, image] for image in self.images], axis=0))


def _fixing(game: PokerGame, boards: BoardTree, board: int) -> Group:
    """Return the permutations of suits that fix a board, street by street."""
    if board == 0:
        return symmetries(game)
    parent = int(boards.parent[board])
    return stabiliser(_fixing(game, boards, parent), boards.cards[board][len(boards.cards[parent]) :])
