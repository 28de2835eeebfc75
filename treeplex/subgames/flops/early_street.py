"""A street before the last: the opponent's choices, its best responses, and what it gives away there."""

from dataclasses import dataclass

import numpy as np

from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.judge.betting_rows import BettingStreet, betting_street
from treeplex.seqform.judge.last_board import LastBoard, best_responses
from treeplex.subgames.flops.layout.forest import Step, endings_of, entry_of, path_to
from treeplex.subgames.flops.layout.lines import Menus
from treeplex.subgames.flops.respond import ended, given_away


@dataclass(frozen=True)
class EarlyStreet:
    """One street before the last of a betting tree, independent of the board; E lines to it, C to the next.

    Attributes
    ----------
    street : BettingStreet
        Actions of the opponent after which nobody acts have rows of values of their own.
    opponent : int
    paths : tuple of C tuples of Step
        The opponent's choices on the street before each line to the next, the last first.
    entry : (C,) int64
        The line to the street from which each comes.
    """

    street: BettingStreet
    opponent: int
    paths: tuple[tuple[Step, ...], ...]
    entry: Index

    @staticmethod
    def of(menus: Menus, tree: FactoredTree, number: int) -> "EarlyStreet":
        """Return a street of a tree of the coarse menus."""
        betting, opponent = tree.betting, menus.opponent
        acting = np.flatnonzero((betting.player == opponent) & (betting.street == number)).tolist()
        kept = frozenset(n for node in acting for n in endings_of(betting, node))
        street = betting_street(menus.full, tree, number, kept)
        row_of = {row: node for node, row in street.value_row.items()}
        ends = [row_of[row] for row in street.chance.tolist()]
        return EarlyStreet(
            street=street,
            opponent=opponent,
            paths=tuple(path_to(betting, street, node, menus) for node in ends),
            entry=np.array([entry_of(betting, street, node) for node in ends], np.int64),
        )

    @property
    def steps(self) -> list[int]:
        """The rows of the defender's reach at the opponent's choices."""
        return sorted({step.reach for path in self.paths for step in path})

    def values(self, last: LastBoard, own_reach: Floats, nexts: Floats) -> Floats:
        """Return the opponent's values at leaves and at lines to the next street, (V, T).

        Parameters
        ----------
        last : LastBoard
        own_reach : (rows, D) float64
            The defender's.
        nexts : (C, T) float64
            What the lines to the next street are worth.
        """
        values = last.leaf_values(self.street, self.opponent, own_reach)
        values[self.street.chance] = nexts
        return values

    def best(self, values: Floats) -> Floats:
        """Return the opponent's best-response values at all rows, (V, T)."""
        return best_responses(self.street, self.opponent, values)

    def gifts(self, values: Floats, met: Floats, before: Floats) -> Floats:
        """Return what the opponent gave away before each line to the next street, per unit of reach, (C, T).

        Parameters
        ----------
        values : (V, T) float64
            As :meth:`best` returns them.
        met : (rows, T) float64
            The weight of the defender's hands that are met at ``steps``.
        before : (E, T) float64
            What it gave away before the street.
        """
        gifts = before[self.entry]
        for line, path in enumerate(self.paths):
            for step in path:
                gifts[line] += given_away(ended(step, values) - values[step.taken], met[step.reach])
        return gifts
