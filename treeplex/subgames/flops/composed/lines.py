"""The betting on a flop: all of it for the judge, and what follows each line to the flop for solvers."""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from treeplex.games.protocol import TERMINAL
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.judge.betting_rows import betting_street
from treeplex.subgames.flops.layout.forest import Forest, Layout
from treeplex.subgames.flops.seat import Seat


class Below(NamedTuple):
    """What follows a line to the flop.

    forest : Forest
        The betting from the first decision on.
    pot : float
        Chips in the pot there.
    """

    forest: Forest
    pot: float


@dataclass(frozen=True)
class Lines:
    """The E lines to the flop and the betting that follows them, independent of the flop.

    Attributes
    ----------
    whole : Forest
        All betting on the flop, its E entries those of ``below``; every leaf has a row of values.
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
    def of(seat: Seat) -> "Lines":
        """Return the lines of a seat's game."""
        menus, tree = seat.menus, seat.base.strategy.tree
        betting = tree.betting
        leaves = np.flatnonzero((betting.street == 1) & (betting.player == TERMINAL))
        street = betting_street(menus.full, tree, 1, frozenset(leaves.tolist()))
        first = [n for n in street.value_row if betting.street[betting.parent[n]] == 0]
        cards = seat.forests.board.cards[0]
        below: list[Below | None] = []
        for node in first:
            if (betting.player[node : betting.end[node]] == menus.defender).any():
                state = menus.full.point(betting.line[node]).betting
                forest = seat.forests.below(menus.betting(state, cards))
                below.append(Below(forest, float(sum(state.put))))
            else:
                below.append(None)
        own, rows = street.reach_row[menus.opponent], street.value_row
        return Lines(
            whole=Forest(Layout(tree, street, 1, Fraction(1)), 1.0, ()),
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
