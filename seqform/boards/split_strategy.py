"""Strategies of split games: tables of the trunk, and of subgames where they are asked for.

Tables of split games as tables of whole ones, and back: the same weights, hand by hand.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import Cards
from treeplex.seqform.boards.board_conversions import columns_of, rows_on
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import (
    FactoredStrategy,
    FactoredTree,
    board_cards,
    check_suits,
    played,
    probabilities_at,
)
from treeplex.seqform.boards.real_boards import RealBoard, boards_to
from treeplex.seqform.boards.split_tree import SplitTree, TreeOf, below, flop_of, n_trunk_cards, trees_of
from treeplex.seqform.boards.suit_symmetry import moved, renamed, symmetries
from treeplex.seqform.forms.profile import Row

Table = NDArray[Any]
Tables = tuple[Table, Table]


class SubgameTables(Protocol):
    """Tables of subgames, by the numbers of a flop and of a line; laid out as ``SplitTree.tree``."""

    @property
    def tree(self) -> TreeOf:
        """The trees of subgames, by the same numbers."""

    def __call__(self, flop: int, line: int) -> Tables:
        """Return both players' tables in a subgame."""

    def block(self, flop: int, line: int, player: int, board: int) -> Table:
        """Return a player's part of a board of a subgame, (rows, live hands); nothing else is read."""


@dataclass(frozen=True)
class SubgameBehaviour:
    """A strategy in one subgame, of which a board is read when it is asked for.

    Attributes
    ----------
    tree : FactoredTree
    block : callable
        Returns a player's part of a board, (rows, live hands).
    """

    tree: FactoredTree
    block: Callable[[int, int], Table]

    def at(self, player: int, node: int, board: int) -> NDArray[np.float64]:
        """Return the behaviour at a decision on a board, (live hands, actions)."""
        first, n_actions = int(self.tree.slot[node]), len(self.tree.betting.children[node])
        rows = self.block(player, board)[first : first + n_actions]
        return played(self.tree, player, node, board, rows)


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
class SplitParts:
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

    @cached_property
    def tree(self) -> TreeOf:
        """The trees of subgames, by the numbers of a flop and of a line."""
        return trees_of(self.split)

    def __call__(self, flop: int, line: int) -> Tables:
        """Return both players' tables in a subgame."""
        return self._tables(self.tree(flop, line), self.split.lines[line])

    def block(self, flop: int, line: int, player: int, board: int) -> Table:
        """Return a player's part of a board of a subgame, (rows, live hands)."""
        return self._block(self.tree(flop, line), self.split.lines[line], player, board)

    def _tables(self, tree: FactoredTree, node: int) -> Tables:
        """Return tables on a tree whose betting begins at a node of the whole's."""
        first, second = (
            np.zeros(int(base[-1]), table.dtype)
            for base, table in zip(tree.base, self.strategy.weight, strict=True)
        )
        for board in range(tree.boards.n_boards):
            for p, table in enumerate((first, second)):
                rows_on(tree, p, board, table)[:] = self._block(tree, node, p, board)
        return first, second

    def _block(self, tree: FactoredTree, node: int, player: int, board: int) -> Table:
        whole = self.strategy.tree
        image = boards_to(whole.game, whole.boards, tree.boards.cards[board])[-1]
        columns = columns_of(whole.boards, tree.boards, player, board, image)
        rows = _rows_below(whole, node, tree, player, int(tree.boards.street[board]))
        there = rows_on(whole, player, image.image, self.strategy.weight[player])
        return there[rows][:, columns]


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


__all__ = ["SplitStrategy", "SubgameTables"]


@dataclass(frozen=True, repr=False)
class SplitStrategy(Shown):
    """Both players' strategies on a split game.

    Attributes
    ----------
    split : SplitTree
    trunk : FactoredStrategy
        On the tree of the trunk.
    tables : SubgameTables
        Called for one subgame at a time, or for one block.
    """

    split: SplitTree
    trunk: FactoredStrategy
    tables: SubgameTables

    @staticmethod
    def of(strategy: FactoredStrategy, split: SplitTree) -> "SplitStrategy":
        """Return a strategy of a whole game on its trunk and subgames.

        Raises
        ------
        ValueError
            If the strategy is of another game, or on boards that the split game merges.
        """
        if strategy.tree.game != split.game:
            raise BadInputError(
                f"the strategy must be of {split.game.name}, got one of {strategy.tree.game.name}"
            )
        known = {*split.trunk.boards.cards}
        for flop in range(len(split.flops)):
            known.update(split.boards(flop).cards)
        if not known.issuperset(strategy.tree.boards.cards):
            n = strategy.tree.boards.n_boards
            raise BadInputError(
                f"the strategy's boards must be merged as the split game's are, got {n:,} boards"
            )
        parts = SplitParts(strategy, split)
        return SplitStrategy(split, parts.trunk(), parts)

    def brief(self) -> str:
        """Return the game and the number of subgames."""
        return self.split.brief()

    def whole(self) -> FactoredStrategy:
        """Return the strategy on the tree of the whole game; all tables are in memory at once."""
        return joined(self.trunk, self.tables, self.split)

    def subgame(self, flop: int, line: int) -> SubgameBehaviour:
        """Return the strategy of a subgame, by the numbers of its flop and its line, read board by board."""
        return SubgameBehaviour(self.tables.tree(flop, line), partial(self.tables.block, flop, line))

    def line_of(self, node: int) -> int:
        """Return the number of the line whose subgames have a node of the whole betting."""
        return int(np.searchsorted(self.split.lines, node, side="right")) - 1

    def rows(self) -> Iterator[Row]:
        """Yield (player, infoset, action, probability) for each action on each real board, all tables loaded.

        Raises
        ------
        ValueError
            If the game hides suits, which the strategy sees.
        """
        yield from self.whole().rows()

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return the probability of each action at an infoset of the game, on any real board.

        At most one block is read.

        Raises
        ------
        ValueError
            If the player has no such infoset, or the game hides suits, which the strategy sees.
        """
        game, betting = self.split.game, self.split.trunk.betting
        check_suits(game)
        node = betting.node_of.get(infoset.rpartition(":")[2], 0)
        if betting.street[node] <= self.split.street:
            return self.trunk.action_probabilities(player, infoset)
        if betting.player[node] != player:
            raise BadInputError(f"player {player} has no infoset {infoset!r}")
        hand, cards = self._read(player, infoset, betting.line[node])
        flop, before = flop_of(self.split, cards)
        after = renamed(before.permutation, cards[n_trunk_cards(self.split) :])
        image = (*self.split.trunk.boards.cards[self.split.flops[flop]], *after)
        label = game.hand_label(moved(before.permutation, hand))
        key = label + game.joiner + game.public_key(image, betting.line[node])
        return probabilities_at(self.subgame(flop, self.line_of(node)), player, key)

    def _read(self, player: int, infoset: str, line: str) -> tuple[Cards, Cards]:
        """Return the hand and the board of an infoset's key.

        Raises
        ------
        ValueError
            If the player has no such infoset.
        """
        game = self.split.game
        for hand in game.reach[player]:
            before = game.hand_label(hand) + game.joiner
            if not infoset.startswith(before):
                continue
            try:
                cards = board_cards(game, infoset.removeprefix(before).removesuffix(f":{line}"))
            except (KeyError, ValueError):
                continue
            dealt = {*hand, *cards}
            whole = len(cards) == game.point(line).n_board and len(dealt) == len(hand) + len(cards)
            if whole and before + game.public_key(cards, line) == infoset:
                return hand, cards
        raise BadInputError(f"player {player} has no infoset {infoset!r}")
