"""One player's tables in a subgame, and the shelf that a worker takes them from and puts them on."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.boards.factored_strategy import FactoredTree

Integers = NDArray[np.int32]


class SubgameTables(NamedTuple):
    """One player's tables in a subgame, laid out as ``FactoredTree`` says of the subgame's tree.

    regret : (N,) int32, at least 0.
    average : (N,) int32, at least 0; empty if no averages are kept.
    """

    regret: Integers
    average: Integers


class TablePlace(NamedTuple):
    """Whose tables these are: of which subgame, by flop and line, and of which player."""

    flop: int
    line: int
    player: int


class Put(NamedTuple):
    """What became of tables: the hash of their numbers, empty if they were not written; bytes written."""

    hash: bytes
    n_bytes: int


class Shelf(Protocol):
    """Where a worker's tables are: in memory, in files, or in both. Halves are counted from 1."""

    def take(self, place: TablePlace, half: int, tree: FactoredTree) -> SubgameTables:
        """Return tables as they were after a half of an iteration; the caller may overwrite them.

        Parameters
        ----------
        place : TablePlace
        half : int
        tree : FactoredTree
            The subgame's.

        Raises
        ------
        ValueError
            If they are not there.
        """

    def write(self, place: TablePlace, half: int, tree: FactoredTree, tables: SubgameTables) -> Put:
        """Write tables to a file, where they are found after a restart."""

    def put(self, place: TablePlace, half: int, tables: SubgameTables, *, written: bool) -> None:
        """Keep tables for the next :meth:`take`, if memory is for that; a file has them if ``written``."""
