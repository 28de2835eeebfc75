"""Root decisions: what a player does before a subgame begins, and how its tops are entered from there."""

from dataclasses import dataclass

import numpy as np

from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.subgames.forest import NOTHING


@dataclass(frozen=True)
class Entry:
    """One way into a subgame.

    Attributes
    ----------
    at : (T,) int64
        The sequence after which each top is entered; -1 leaves a top out.
    weight : (T,) f64
        What each top's leaves are multiplied by.
    suffix : str
        Appended to the player's keys, where there are several ways in.
    """

    at: Index
    weight: Floats
    suffix: str = ""


@dataclass(frozen=True)
class RootDecisions:
    """One player's decisions before a subgame: those of the opponent in a gadget's game.

    Attributes
    ----------
    header : Treeplex
        The decisions.
    entries : tuple of Entry
        Ways from its sequences into the subgame.
    stay : pair of (n,) int64 and (n,) f64
        Sequences of the header after which the player is paid, and how much: at each in units of the whole
        game's payoffs times probabilities, as the leaves of the subgame pay.
    """

    header: Treeplex
    entries: tuple[Entry, ...]
    stay: tuple[Index, Floats]

    @staticmethod
    def fixed(weight: Floats) -> "RootDecisions":
        """Return root decisions without any choice: each top is entered with a weight, (T,)."""
        at = np.zeros(len(weight), dtype=np.int64)
        return RootDecisions(NOTHING, (Entry(at, weight),), nothing())

    @property
    def most_weight(self) -> Floats:
        """The most that a top's leaves can be multiplied by, (T,): the sum of all entries."""
        return np.asarray(sum(np.where(e.at >= 0, e.weight, 0.0) for e in self.entries))

    def entered(self, plan: Floats) -> Floats:
        """Return what each top's leaves are multiplied by under a plan of the header (S,), (T,)."""
        return np.asarray(
            sum(np.where(e.at >= 0, e.weight * plan[np.maximum(e.at, 0)], 0.0) for e in self.entries)
        )

    def paid(self, values: Floats) -> Floats:
        """Return what each sequence of the header earns at once and by tops entered there, (S,).

        Parameters
        ----------
        values : (T,) f64
            What a top is worth, unnormalised.
        """
        earned = np.zeros(self.header.n_sequences)
        np.add.at(earned, self.stay[0], self.stay[1])
        for entry in self.entries:
            live = entry.at >= 0
            np.add.at(earned, entry.at[live], (entry.weight * values)[live])
        return earned


def nothing() -> tuple[Index, Floats]:
    """Return the ``stay`` of a header that never pays."""
    return np.zeros(0, dtype=np.int64), np.zeros(0)
