"""One flop: its hands, the judge's view of it, and engines for every shape of betting on it.

All boards after one up to suits, and how values of hands on them add up on it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.boards.factored_cfr import FactoredCFR
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.boards.hand_classes import HandClasses, one_board
from treeplex.seqform.boards.suit_symmetry import Group, renamed, stabiliser, symmetries
from treeplex.seqform.certify.board_walk import RangeHands
from treeplex.seqform.certify.last_board import LastBoard
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.subgames.street_betting import Bet, StreetLayout

NO_SYMMETRY: Group = (tuple(range(4)),)
"""The identity alone."""


@dataclass(frozen=True)
class Flop:
    """One board of a game that ends on it; one thread at a time.

    Attributes
    ----------
    boards : BoardTree
        The board alone; its ranges are the live hands, in the order of the whole game's board.
    number : int
        Of the board in the whole game's tree.
    hand : pair of (W,) int64
        The live hands as indices into the whole game's ranges.
    last : LastBoard
    config : FactoredConfig
        Of the engines.
    group : Group
        Permutations of suits that fix the board and both ranges.
    engines : dict from layouts and classes of hands to engines
        Those made so far.
    """

    boards: BoardTree
    number: int
    hand: tuple[Index, Index]
    last: LastBoard
    config: FactoredConfig
    group: Group
    engines: dict[tuple[StreetLayout, HandClasses], FactoredCFR] = field(default_factory=dict)

    @staticmethod
    def of(
        game: PokerGame, boards: BoardTree, board: int, config: FactoredConfig, group: Group = NO_SYMMETRY
    ) -> "Flop":
        """Return a board of the last street of a game's boards.

        Parameters
        ----------
        game, boards, board, config
        group : Group, optional
            The symmetries of the game, by which hands may be put into classes; none unless given.
        """
        alone = one_board(boards, board)
        first, second = (hands.hand[hands.on(board)].astype(np.int64) for hands in boards.hands)
        cards = alone.hands[0].cards, alone.hands[1].cards
        last = LastBoard.of(game, boards.cards[board], cards)
        return Flop(alone, board, (first, second), last, config, fixing(group, boards, board))

    @cached_property
    def each(self) -> HandClasses:
        """Every hand in a class of its own."""
        return HandClasses.under(self.group[:1], self.boards)

    @cached_property
    def alike(self) -> HandClasses:
        """Hands that suits alone tell apart in one class."""
        return HandClasses.under(self.group, self.boards)

    def engine(self, layout: StreetLayout, classes: HandClasses) -> FactoredCFR:
        """Return the engine of a betting tree on this board; its root decisions are to be replaced.

        Parameters
        ----------
        layout : StreetLayout
        classes : HandClasses
            What learns: ``each`` hand, or hands that are ``alike`` as one.
        """
        if (layout, classes) not in self.engines:
            tree = FactoredTree.of(layout.tree.game, layout.tree.betting, classes.boards)
            self.engines[layout, classes] = factored_cfr.prepare(tree, self.config)
        return self.engines[layout, classes]


class FlopEngines(NamedTuple):
    """The engines of an off-tree bet on a flop; satisfies ``Engines``."""

    flop: Flop
    bet: Bet

    @property
    def tree(self) -> FactoredTree:
        """The tree of the betting after the bet."""
        layout = self.bet.below.layout
        return FactoredTree.of(layout.tree.game, layout.tree.betting, self.flop.boards)

    def after(self) -> tuple[FactoredCFR, float]:
        """Return the one of the betting after the bet."""
        return self.flop.engine(self.bet.below.layout, self.flop.each), self.bet.below.unit

    def again(self) -> tuple[FactoredCFR, float]:
        """Return the one from the choice on, the bet added as its last action."""
        return self.flop.engine(self.bet.again, self.flop.each), self.bet.again_unit


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
            for p in fixing(symmetries(game), boards, board)
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


def fixing(group: Group, boards: BoardTree, board: int) -> Group:
    """Return the permutations of suits of a group that fix a board, street by street."""
    if board == 0:
        return group
    parent = int(boards.parent[board])
    return stabiliser(fixing(group, boards, parent), boards.cards[board][len(boards.cards[parent]) :])
