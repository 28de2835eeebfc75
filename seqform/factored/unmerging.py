"""Strategies on merged boards as strategies on every board of the game."""

import numpy as np
from numpy.typing import NDArray

from treeplex.games.reporting import Report, quiet, reported
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.real_boards import RealBoard, images_of, real_hands
from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.forms.treeplex import Index
from treeplex.seqform.trees.poker_deals import codes


def unmerged(strategy: FactoredStrategy, tree: FactoredTree, *, report: Report = quiet) -> FactoredStrategy:
    """Return a strategy as the same one on another tree of its game, on which fewer boards are merged.

    Parameters
    ----------
    strategy : FactoredStrategy
    tree : FactoredTree
        Of the same game; usually with no boards merged. Its tables are as many times larger.
    report : callable, optional
        Told a few times a second how many boards are done.

    Returns
    -------
    FactoredStrategy
        The same weights in the same dtype, hand by hand.

    Raises
    ------
    ValueError
        If the trees are of different games, or a board of ``tree`` has no board that represents it.
    """
    merged = strategy.tree
    if merged.game != tree.game or merged.betting.line != tree.betting.line:
        raise ValueError(f"both trees must be of one game, got {merged.game.name} and {tree.game.name}")
    first, second = (
        np.empty(int(base[-1]), weight.dtype) for base, weight in zip(tree.base, strategy.weight, strict=True)
    )
    every, images = tree.boards.n_boards, images_of(tree.game, merged.boards, tree.boards)
    for board, image in enumerate(reported(images, report, lambda n: f"{n:,} of {every:,} boards")):
        for p, table in enumerate((first, second)):
            columns = columns_of(merged.boards, tree.boards, p, board, image)
            there = rows_on(merged, p, image.image, strategy.weight[p])
            rows_on(tree, p, board, table)[:] = there[:, columns]
    return FactoredStrategy(tree, (first, second))


def columns_of(merged: BoardTree, boards: BoardTree, player: int, board: int, image: RealBoard) -> Index:
    """Return the column of each live hand of a board on the board that represents it.

    Parameters
    ----------
    merged : BoardTree
        With the board that represents.
    boards : BoardTree
        With the board that is represented.
    player : int
    board : int
        Of ``boards``.
    image : RealBoard
        How ``merged`` represents it.
    """
    hands = boards.hands[player]
    wanted = codes(hands.cards[hands.hand[hands.on(board)]])
    there = codes(np.sort(real_hands(merged, player, image), axis=1))
    order = np.argsort(there)
    return order[np.searchsorted(there, wanted, sorter=order)]


def rows_on(tree: FactoredTree, player: int, board: int, table: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return the part of a player's table on a board, (rows, live hands)."""
    start, end = tree.base[player][board : board + 2]
    width = int(np.diff(tree.boards.hands[player].start[board : board + 2])[0])
    return table[start:end].reshape(-1, width) if width else table[start:end].reshape(0, 0)
