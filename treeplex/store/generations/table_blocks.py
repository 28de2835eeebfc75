"""A player's tables in a subgame as blocks, one a board: rows of actions, hands in order of strength."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.games.evaluation.evaluator import holdem_strength
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.strategy import FactoredTree

Index = NDArray[np.int64]
RANKED_CARDS = 3
"""Board cards from which hold'em hands have a strength."""
PAIR = 2


class BoardOrders(NamedTuple):
    """Columns of each board from the weakest hand to the strongest, of one player.

    Attributes
    ----------
    start : (B,) int64
        Where the order of a board's hands begins in ``order``; -1 where columns are in order already.
    order : (.,) int64
    """

    start: Index
    order: Index

    @staticmethod
    def of(game: PokerGame, boards: BoardTree, player: int) -> "BoardOrders":
        """Return the orders of a player's hands.

        On the last street columns are in order of strength already; on the starting board, where nobody
        acts, and in games that are not hold'em, they stay as they are.
        """
        hands, last = boards.hands[player], int(boards.street.max())
        start, orders, n = np.full(boards.n_boards, -1), [np.zeros(0, np.int64)], 0
        if game.ranking != "holdem" or game.hole_cards != PAIR:
            return BoardOrders(start, orders[0])
        for board, cards in enumerate(boards.cards):
            if 0 < boards.street[board] < last and len(cards) >= RANKED_CARDS:
                live = hands.cards[hands.hand[hands.on(board)]]
                start[board], n = n, n + len(live)
                orders.append(np.argsort(holdem_strength(cards, live), kind="stable"))
        return BoardOrders(start, np.concatenate(orders))


@dataclass(frozen=True)
class TableBlocks:
    """The blocks of one player's table in a subgame, board by board.

    Attributes
    ----------
    base : (B + 1,) int64
        First entry of each board in the table.
    width : (B,) int64
        Live hands of each board; a block has ``(base[b + 1] - base[b]) / width[b]`` rows.
    orders : BoardOrders
    """

    base: Index
    width: Index
    orders: BoardOrders

    @staticmethod
    def of(tree: FactoredTree, player: int, orders: BoardOrders | None = None) -> "TableBlocks":
        """Return the blocks of a player's table; the orders are shared by all lines on a flop."""
        known = BoardOrders.of(tree.game, tree.boards, player) if orders is None else orders
        return TableBlocks(tree.base[player], np.diff(tree.boards.hands[player].start), known)

    @property
    def n_blocks(self) -> int:
        """Number of boards."""
        return len(self.width)

    @property
    def n_entries(self) -> int:
        """Entries of the table."""
        return int(self.base[-1])

    @property
    def layout(self) -> tuple[Index, Index, Index, Index]:
        """What filters take of it."""
        return self.base, self.width, *self.orders

    def of_board(self, board: int) -> "TableBlocks":
        """Return the block of one board as a table of its own."""
        return TableBlocks(
            self.base[board : board + 2] - self.base[board],
            self.width[board : board + 1],
            BoardOrders(self.orders.start[board : board + 1], self.orders.order),
        )
