"""Tables of split games as tables of whole ones, and back: the same weights, hand by hand."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.real_boards import RealBoard, boards_to
from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.factored.suit_symmetry import symmetries
from treeplex.seqform.factored.unmerging import columns_of, rows_on
from treeplex.seqform.split.places import below, flop_of
from treeplex.seqform.split.split_tree import SplitTree

Table = NDArray[Any]
Tables = tuple[Table, Table]
SubgameTables = Callable[[int, int], Tables]
"""Returns both players' tables in the subgame of a flop and a line, by their numbers in the split tree.

The layout is that of ``SplitTree.tree``.
"""


def joined(trunk: FactoredStrategy, tables: SubgameTables, split: SplitTree) -> FactoredStrategy:
    """Return the strategy of the whole game that a trunk's and its subgames' tables are.

    Its boards are merged, unless subgames have symmetries that the whole game lacks. All tables are in memory
    at once, in a dtype that holds those of the trunk and of the first subgame.
    """
    tree = FactoredTree.of(split.game, trunk.tree.betting, _whole_boards(split))
    first, second = (
        np.zeros(int(base[-1]), np.result_type(top, part))
        for base, top, part in zip(tree.base, trunk.weight, tables(0, 0), strict=True)
    )
    weight = first, second
    streets = tree.boards.street.tolist()
    later: list[list[int]] = [[] for _ in split.flops]
    for board, cards in enumerate(tree.boards.cards):
        if streets[board] <= split.street:
            image = boards_to(split.game, trunk.tree.boards, cards)[-1]
            _copy(trunk.tree, trunk.weight, image, tree, weight, board)
        else:
            later[flop_of(split, cards)[0]].append(board)
    for flop, found in enumerate(later):
        _join_flop(split, flop, tables, found, tree, weight)
    return FactoredStrategy(tree, weight)


@dataclass(frozen=True)
class Parts:
    """A strategy of a whole game taken apart; called as :data:`SubgameTables`.

    Attributes
    ----------
    strategy : FactoredStrategy
        On boards that represent those of the trunk and of the subgames.
    split : SplitTree
    """

    strategy: FactoredStrategy
    split: SplitTree

    def trunk(self) -> FactoredStrategy:
        """Return the strategy on the boards of the trunk."""
        tree = self.split.trunk
        return FactoredStrategy(tree, self._tables(tree, 0))

    def __call__(self, flop: int, line: int) -> Tables:
        """Return both players' tables in a subgame."""
        tree = self.split.tree(flop, line, self.split.boards(flop))
        return self._tables(tree, self.split.lines[line])

    def _tables(self, tree: FactoredTree, node: int) -> Tables:
        """Return tables on a tree whose betting begins at a node of the whole's."""
        whole = self.strategy.tree
        first, second = (
            np.zeros(int(base[-1]), table.dtype)
            for base, table in zip(tree.base, self.strategy.weight, strict=True)
        )
        for board, cards in enumerate(tree.boards.cards):
            image = boards_to(whole.game, whole.boards, cards)[-1]
            for p, table in enumerate((first, second)):
                columns = columns_of(whole.boards, tree.boards, p, board, image)
                rows = _rows_below(whole, node, tree, p, int(tree.boards.street[board]))
                there = rows_on(whole, p, image.image, self.strategy.weight[p])
                rows_on(tree, p, board, table)[:] = there[rows][:, columns]
        return first, second


def _whole_boards(split: SplitTree) -> BoardTree:
    flops = range(len(split.flops))
    alike = all(split.group(flop) == symmetries(split.subgame(flop, 0)) for flop in flops)
    return BoardTree.of(split.game, isomorphism=alike)


def _join_flop(
    split: SplitTree, flop: int, tables: SubgameTables, found: list[int], tree: FactoredTree, weight: Tables
) -> None:
    """Copy the tables of a flop's subgames to boards of the whole that it represents, in place."""
    boards, cards = split.boards(flop), tree.boards.cards
    images = [below(split, boards, flop, flop_of(split, cards[board])[1], cards[board]) for board in found]
    for line, node in enumerate(split.lines):
        part, values = split.tree(flop, line, boards), tables(flop, line)
        for board, image in zip(found, images, strict=True):
            _copy(part, values, image, tree, weight, board, node)


def _copy(
    part: FactoredTree,
    values: Tables,
    image: RealBoard,
    tree: FactoredTree,
    weight: Tables,
    board: int,
    node: int = 0,
) -> None:
    """Copy a board's rows from a part, whose betting begins at a node of the whole's, to the whole."""
    for p in (0, 1):
        columns = columns_of(part.boards, tree.boards, p, board, image)
        source = rows_on(part, p, image.image, values[p])
        rows = _rows_below(tree, node, part, p, int(part.boards.street[image.image]))
        rows_on(tree, p, board, weight[p])[rows] = source[:, columns]


def _rows_below(tree: FactoredTree, node: int, part: FactoredTree, player: int, street: int) -> slice:
    """Return the rows in the whole of a player's actions on a street of a part that begins at a node."""
    betting = part.betting
    acts = np.flatnonzero((betting.player == player) & (betting.street == street))
    first = int(tree.slot[node + acts[0]]) if len(acts) else 0
    return slice(first, first + sum(len(betting.children[n]) for n in acts.tolist()))
