"""The betting on the last street: all of it for the judge, and what follows each line to it for solvers."""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from treeplex.games.protocol import TERMINAL
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.judge.betting_rows import betting_street
from treeplex.subgames.flops.layout.flop import one_board
from treeplex.subgames.flops.layout.forest import Forest, Forests, Layout
from treeplex.subgames.flops.layout.lines import Menus


class Below(NamedTuple):
    """What follows a line to the last street.

    forest : Forest
        The betting from the first decision on.
    pot : float
        Chips in the pot there.
    """

    forest: Forest
    pot: float


@dataclass(frozen=True)
class Lines:
    """The E lines to the last street and the betting that follows them, independent of the board.

    Attributes
    ----------
    whole : Forest
        All betting on the street, its E entries those of ``below``; every leaf has a row of values.
    below : tuple of E Below or None
        What follows each line; None where the defender decides nothing.
    names : tuple of E str
        The lines.
    leaf, own, entry : (L,) int64
        For each leaf its row of values, the row of the opponent's reach at it, and the line that it follows.
    """

    whole: Forest
    below: tuple[Below | None, ...]
    names: tuple[str, ...]
    leaf: Index
    own: Index
    entry: Index

    @staticmethod
    def of(menus: Menus, tree: FactoredTree) -> "Lines":
        """Return the lines of a tree of a defender's game."""
        betting, boards = tree.betting, tree.boards
        last = betting.n_streets - 1
        leaves = np.flatnonzero((betting.street == last) & (betting.player == TERMINAL))
        street = betting_street(menus.full, tree, last, frozenset(leaves.tolist()))
        first = [n for n in street.value_row if betting.street[betting.parent[n]] < last]
        board = one_board(boards, int(np.flatnonzero(boards.street == last)[0]))
        forests = Forests(menus, board)
        below: list[Below | None] = []
        for node in first:
            if (betting.player[node : betting.end[node]] == menus.defender).any():
                state = menus.full.point(betting.line[node]).betting
                forest = forests.below(menus.betting(state, board.cards[0]))
                below.append(Below(forest, float(sum(state.put))))
            else:
                below.append(None)
        own, rows = street.reach_row[menus.opponent], street.value_row
        return Lines(
            whole=Forest(Layout(tree, street, last, Fraction(1)), 1.0, ()),
            below=tuple(below),
            names=tuple(betting.line[node] for node in first),
            leaf=np.array([rows[n] for n in leaves.tolist()]),
            own=np.array([own[n] for n in leaves.tolist()]),
            entry=np.searchsorted(first, leaves, side="right") - 1,
        )

    def played(self, leaves: Floats, reach: Floats) -> Floats:
        """Return what the opponent gets at each line if it plays on as its reach says, (E, T).

        Parameters
        ----------
        leaves : (V, T) float64
            Its values at leaves, by row.
        reach : (rows, T) float64
            Its own, 1 at all lines.
        """
        values = np.zeros((len(self.below), leaves.shape[1]))
        np.add.at(values, self.entry, leaves[self.leaf] * reach[self.own])
        return values
