"""A player's realization plan on boards: a row for each line at which a street begins and for each action."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeplex.games.protocol import CHANCE
from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.forms.treeplex import Floats, Index


@dataclass(frozen=True)
class PlanRows:
    """The rows of a player's plan on each street: the lines at which it begins, then the actions by slot.

    Attributes
    ----------
    tree : FactoredTree
    player : int
    row : (N,) int64
        The row of the player's last action before each node, on the node's street.
    n_entries : (S,) int64
        Number of lines at which each street begins.
    exits : tuple of (n_entries,) int64
        For each street after the first, the rows of the street before from which its entries are copied.
    """

    tree: FactoredTree
    player: int
    row: Index
    n_entries: Index
    exits: tuple[Index, ...]

    @staticmethod
    def of(tree: FactoredTree, player: int) -> "PlanRows":
        """Number the rows of a player."""
        betting = tree.betting
        begins = (betting.parent < 0) | (betting.player[betting.parent] == CHANCE)
        n_entries = np.bincount(betting.street[begins], minlength=betting.n_streets)
        row, seen = np.zeros(betting.n_nodes, np.int64), [0] * betting.n_streets
        exits: list[list[int]] = [[] for _ in n_entries]
        for node, (above, street) in enumerate(
            zip(betting.parent.tolist(), betting.street.tolist(), strict=True)
        ):
            if begins[node]:
                row[node] = seen[street]
                seen[street] += 1
                exits[street].append(int(row[above]) if node else 0)
            elif betting.player[above] == player:
                a = int(np.searchsorted(betting.children[above], node))
                row[node] = n_entries[street] + tree.slot[above] + a
            else:
                row[node] = row[above]
        return PlanRows(tree, player, row, n_entries, tuple(np.array(one, np.int64) for one in exits))

    def plan(self, strategy: FactoredStrategy, board: int, above: Floats) -> Floats:
        """Return a strategy's plan on a board, (rows, live hands).

        Parameters
        ----------
        strategy : FactoredStrategy
            On ``tree``, no hands locked.
        board : int
        above : (rows, live hands) float64
            The plan on the board before; ignored on the first one.
        """
        tree, p = self.tree, self.player
        street, hands = int(tree.boards.street[board]), tree.boards.hands[p]
        here, nodes = hands.on(board), decisions_of(tree, p, street)
        behaviour = normalised(strategy.weight[p][slice(*tree.base[p][board : board + 2])], tree, p, board)
        n, width = int(self.n_entries[street]), here.stop - here.start
        plan = np.ones((n + len(behaviour), width))
        if board:
            plan[:n] = above[self.exits[street]][:, hands.above[here]]
        plan[n:] = behaviour
        for node in nodes:
            first = n + int(tree.slot[node])
            plan[first : first + len(tree.betting.children[node])] *= plan[self.row[node]]
        return plan


def decisions_of(tree: FactoredTree, player: int, street: int) -> list[int]:
    """Return a player's nodes on a street, in preorder."""
    found: list[int] = np.flatnonzero(
        (tree.betting.player == player) & (tree.betting.street == street)
    ).tolist()
    return found


def normalised(
    table: NDArray[np.generic], tree: FactoredTree, player: int, board: int, empty: float | None = None
) -> Floats:
    """Return a player's table on a board as probabilities, (rows, live hands).

    Parameters
    ----------
    table : (entries,) flat, or (rows, live hands)
        Weights of at least 0.
    tree : FactoredTree
    player, board : int
    empty : float, optional
        What actions get where all weights of a decision are zero; equal shares unless given.
    """
    width = int(np.diff(tree.boards.hands[player].start[board : board + 2])[0])
    nodes = decisions_of(tree, player, int(tree.boards.street[board]))
    counts = np.array([len(tree.betting.children[node]) for node in nodes], np.int64)
    weight = np.asarray(table, np.float64).reshape(int(counts.sum()), width)
    if not nodes:
        return weight
    first = tree.slot[nodes]
    largest = np.repeat(np.maximum.reduceat(weight, first), counts, axis=0)
    weight = weight / np.where(largest > 0, largest, 1.0)  # sums stay in the range of floats
    mass = np.repeat(np.add.reduceat(weight, first), counts, axis=0)
    rest = 1.0 / np.repeat(counts, counts)[:, None] if empty is None else empty
    return np.where(mass > 0, weight / np.where(mass > 0, mass, 1.0), rest)
