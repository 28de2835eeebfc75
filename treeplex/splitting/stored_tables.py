"""Tables of subgames read from a store's files, as strategies take them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.split.tables import Place, Tables
from treeplex.executors.file_shelf import FileShelf
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.split.split_tree import SplitTree

Weights = tuple[NDArray[np.int32], NDArray[np.int32]]
TreeOf = Callable[[int, int], FactoredTree]
"""Returns the tree of a subgame by its flop and line."""


def half_of(player: int, halves: int) -> int:
    """Return the half after which a player's tables were written last, when so many are done."""
    return halves - (halves + player + 1) % 2


@dataclass(frozen=True)
class Generation:
    """Which tables of a store are meant.

    Attributes
    ----------
    store : Path
    run : str
        The digest of the run.
    halves : int
        Those after so many halves.
    is_last : bool
        Whether regrets are wanted, of which the last plan is made, instead of averages.
    """

    store: Path
    run: str
    halves: int
    is_last: bool


@dataclass(frozen=True)
class StoredTables:
    """The loader of both players' tables in a subgame.

    Attributes
    ----------
    generation : Generation
    tree : callable
        As ``TreeOf``.
    """

    generation: Generation
    tree: TreeOf

    def __call__(self, flop: int, line: int) -> Weights:
        """Return both players' tables in a subgame; raises ``ValueError`` if files are missing or damaged."""
        shelf = FileShelf(self.generation.store, self.generation.run, in_memory=False)
        tree = self.tree(flop, line)
        first, second = (self._read(shelf, Place(flop, line, p), tree) for p in (0, 1))
        return first, second

    def _read(self, shelf: FileShelf, place: Place, tree: FactoredTree) -> NDArray[np.int32]:
        """Return one player's table; zeros before its first half."""
        half = half_of(place.player, self.generation.halves)
        if half == 0:
            return np.zeros(int(tree.base[place.player][-1]), np.int32)
        return chosen(shelf.read(place, half, tree), is_last=self.generation.is_last)


def chosen(tables: Tables, *, is_last: bool) -> NDArray[np.int32]:
    """Return regrets or averages."""
    return tables.regret if is_last else tables.average


def trees_of(split: SplitTree) -> TreeOf:
    """Return the trees of a split game's subgames; the boards of the flop asked for last are kept."""
    boards = lru_cache(maxsize=1)(split.boards)
    return lambda flop, line: split.tree(flop, line, boards(flop))
