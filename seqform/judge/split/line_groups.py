"""Several lines of a split game on one flop as one tree, with their tables put together board by board."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.split.conversions import SubgameTables
from treeplex.seqform.split.split_tree import SplitTree

ENTRIES_TOGETHER = 10_000_000
"""Most entries of both players' tables of lines that are judged together; one line may have more."""


@dataclass(frozen=True)
class LineGroup:
    """Consecutive lines on a flop, whose subgames' betting is one forest.

    Attributes
    ----------
    lines : range
    tree : FactoredTree
        Its betting has a root for each line; rows of a board are those of the first line, the second, ...
    n_rows : pair of (L, S) int64
        Number of rows of each line on each street, for both players.
    """

    lines: range
    tree: FactoredTree
    n_rows: tuple[NDArray[np.int64], NDArray[np.int64]]

    def strategy(self, flop: int, tables: SubgameTables) -> FactoredStrategy:
        """Return the strategy of all lines from the tables of each.

        Raises
        ------
        ValueError
            If a table has another length than its tree says.
        """
        parts = [tables(flop, line) for line in self.lines]
        first, second = (
            self._joined(p, [np.asarray(part[p]) for part in parts], f"flop {flop}") for p in (0, 1)
        )
        return FactoredStrategy(self.tree, (first, second))

    def _joined(self, player: int, parts: list[NDArray[np.generic]], where: str) -> NDArray[np.generic]:
        boards = self.tree.boards
        sizes = np.diff(boards.hands[player].start) * self.n_rows[player][:, boards.street]
        for line, part, size in zip(self.lines, parts, sizes.sum(axis=1).tolist(), strict=True):
            if part.shape != (size,):
                raise ValueError(
                    f"the table of player {player} on line {line} of {where} must have shape ({size},),"
                    f" got {part.shape}"
                )
        if len(parts) == 1:
            return parts[0]
        starts = np.cumsum(sizes, axis=1) - sizes
        return np.concatenate(
            [
                part[start : start + size]
                for board in range(boards.n_boards)
                for part, start, size in zip(
                    parts, starts[:, board].tolist(), sizes[:, board].tolist(), strict=True
                )
            ]
        )


def line_groups(split: SplitTree, game: PokerGame, boards: BoardTree, most: int) -> Iterator[LineGroup]:
    """Yield the lines of a flop in groups of at most ``most`` entries, or of one line.

    Parameters
    ----------
    split : SplitTree
    game : PokerGame
        One of the flop's subgames.
    boards : BoardTree
        Of the flop's subgames.
    most : int
    """
    n_rows = _rows(split, 0), _rows(split, 1)
    entries = np.zeros(len(split.lines))
    for rows, hands in zip(n_rows, boards.hands, strict=True):
        entries += rows @ np.bincount(boards.street, np.diff(hands.start), minlength=rows.shape[1])
    first = 0
    while first < len(split.lines):
        size = max(1, int(np.searchsorted(np.cumsum(entries[first:]), most, side="right")))
        lines = range(first, min(first + size, len(split.lines)))
        betting = _betting_below(split.trunk.betting, [split.lines[line] for line in lines])
        part = slice(lines.start, lines.stop)
        yield LineGroup(lines, FactoredTree.of(game, betting, boards), (n_rows[0][part], n_rows[1][part]))
        first = lines.stop


def _rows(split: SplitTree, player: int) -> NDArray[np.int64]:
    """Return the number of rows of each line on each street from that of the split on."""
    betting = split.trunk.betting
    counts = np.array([len(below) for below in betting.children]) * (betting.player == player)
    found = np.zeros((len(split.lines), betting.n_streets - split.street), np.int64)
    for row, node in zip(found, split.lines, strict=True):
        part = slice(node, int(betting.end[node]))
        np.add.at(row, betting.street[part] - split.street, counts[part])
    return found


def _betting_below(betting: BettingTree, roots: Sequence[int]) -> BettingTree:
    """Return the betting from some nodes of one street on, as a forest: each of them has parent -1."""
    nodes = np.concatenate([np.arange(root, betting.end[root]) for root in roots])
    number = np.full(betting.n_nodes, -1)
    number[nodes] = np.arange(len(nodes))
    listed = nodes.tolist()
    return BettingTree(
        parent=number[betting.parent[nodes]].astype(np.int32),
        player=betting.player[nodes],
        street=betting.street[nodes] - betting.street[roots[0]],
        action=tuple(betting.action[node] for node in listed),
        line=tuple(betting.line[node] for node in listed),
        showdown=betting.showdown[nodes],
        stake=betting.stake[nodes],
        stake_den=betting.stake_den,
    )
