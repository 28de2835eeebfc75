"""Gifts at tops: how much the opponent lost on the way by not playing better actions, per unit of reach."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.subgames.cut import weighted
from treeplex.seqform.subgames.subgame import Subgame


class Gifts(Protocol):
    """Source of gifts: what the opponent gave away on the way to each top."""

    @property
    def prefix(self) -> str:
        """Prefix of the method's name."""

    def of(self, subgame: Subgame) -> Floats:
        """Return the gifts, (T,)."""


@dataclass(frozen=True)
class NoGifts:
    """Nothing is given away."""

    prefix: ClassVar[str] = ""

    def of(self, subgame: Subgame) -> Floats:
        """Return zeros, (T,)."""
        return np.zeros(len(subgame.cut.tops))


@dataclass(frozen=True)
class LowerBoundGifts:
    """Gifts that no other subgame's new strategy can take back (Brown and Sandholm 2017, section 5).

    At an infoset on the way the opponent could have had the value of an action that ends the game at once;
    with ``scale`` 1 the strategies of any number of subgames, each solved by itself, stay safe together.

    Attributes
    ----------
    scale : float
        What gifts are multiplied by; above 1 (the paper's "no split") nothing is promised.
    """

    scale: float = 1.0
    prefix: ClassVar[str] = "reach-"

    def of(self, subgame: Subgame) -> Floats:
        """Return the sum of the gifts on the way to each top, (T,)."""
        q = subgame.response.q
        return self.scale * gifts_on_the_way(subgame, subgame.cut.entry, q, terminal(subgame, q))


@dataclass(frozen=True)
class EstimatedGifts:
    """Gifts as the blueprint has them: what the best action of all would have been worth.

    At a scale of 1 strategies stay safe. But another subgame's new strategy may take such a gift back, and
    then a positive margin need not make the whole strategy better.

    Attributes
    ----------
    scale : float
    """

    scale: float = 1.0
    prefix: ClassVar[str] = "reach-"

    def of(self, subgame: Subgame) -> Floats:
        """Return the sum of the gifts on the way to each top, (T,)."""
        q = subgame.response.q
        return self.scale * gifts_on_the_way(subgame, subgame.cut.entry, q, q)


def gifts_on_the_way(subgame: Subgame, last: Index, q: Floats, rival: Floats) -> Floats:
    """Sum (best rival - value of the sequence taken) / reach over the sequences up to ``last``, (T,).

    Normalised by the reach of the infoset where the choice is made, not of the top: all tops below one
    choice then gain together no more than that choice gave away.

    Parameters
    ----------
    subgame : Subgame
    last : (T,) int64
        The opponent's sequence before each top at which to start upwards.
    q : (S,) f64
        What each of the opponent's sequences is worth, unnormalised.
    rival : (S,) f64
        The same of what could have been played instead; -inf where that does not count.
    """
    treeplex = subgame.cut.other.treeplex
    reach = infoset_reach(subgame.cut.game, subgame.cut.opponent, subgame.plan)
    gifts = np.zeros(len(subgame.cut.tops))
    for t in np.flatnonzero(subgame.live).tolist():
        s = int(last[t])
        while s > 0:
            i = int(treeplex.infoset_of[s])
            best = float(rival[treeplex.begin[i] : treeplex.end[i]].max())
            gifts[t] += max(best - float(q[s]), 0.0) / reach[i]
            s = int(treeplex.parent[i])
    return gifts


def terminal(subgame: Subgame, q: Floats) -> Floats:
    """Return the values of sequences that end the game wherever they are played, (S,), -inf elsewhere."""
    return np.where(subgame.cut.game.final[subgame.cut.opponent], q, -np.inf)


def infoset_reach(game: NumberedTree, player: int, plan: Floats) -> Floats:
    """Return the probability that chance and the other player's plan (S,) play to each infoset, (I,)."""
    nodes = np.flatnonzero(game.acting[player] >= 0)
    together = game.tree.chance_floats[nodes] * plan[game.last[1 - player][nodes]]
    return weighted(game.acting[player][nodes], together, game.form.treeplexes[player].n_infosets)
