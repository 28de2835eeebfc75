"""Gifts: what the opponent has given away on the way to a top, so that entering there no longer pays."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from games.protocol import TERMINAL
from seqform.cut import weighted
from seqform.subgame import Subgame
from seqform.tree_form import NumberedTree
from seqform.treeplex import Floats, Index


class Gifts(Protocol):
    """How much the opponent has already given away on the way to each top."""

    def of(self, subgame: Subgame) -> Floats:
        """Return the gifts, (T,)."""


@dataclass(frozen=True)
class NoGifts:
    """Nothing is given away."""

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

    def of(self, subgame: Subgame) -> Floats:
        """Return the sum of the gifts on the way to each top, (T,)."""
        q = subgame.response.q.copy()
        q[~_ends_at_once(subgame.cut.trunk, subgame.cut.opponent)] = -np.inf
        return self.scale * _on_the_way(subgame, q)


@dataclass(frozen=True)
class EstimatedGifts:
    """Gifts as the blueprint has them: what the best action of all would have been worth.

    Another subgame's new strategy may take them back, so with several subgames safety rests on luck.

    Attributes
    ----------
    scale : float
    """

    scale: float = 1.0

    def of(self, subgame: Subgame) -> Floats:
        """Return the sum of the gifts on the way to each top, (T,)."""
        return self.scale * _on_the_way(subgame, subgame.response.q)


def _on_the_way(subgame: Subgame, rival: Floats) -> Floats:
    """Sum (best rival - value of the sequence taken) / reach over the sequences that lead to each top, (T,).

    Normalised by the reach of the infoset where the choice is made, not of the top: all tops below one
    choice then gain together no more than that choice gave away.
    """
    treeplex, q = subgame.cut.other.treeplex, subgame.response.q
    reach = infoset_reach(subgame.cut.trunk, subgame.cut.opponent, subgame.plan)
    gifts = np.zeros(len(subgame.cut.tops))
    for t in np.flatnonzero(subgame.live).tolist():
        s = int(subgame.cut.entry[t])
        while s > 0:
            i = int(treeplex.infoset_of[s])
            best = float(rival[treeplex.begin[i] : treeplex.end[i]].max())
            gifts[t] += max(best - float(q[s]), 0.0) / reach[i]
            s = int(treeplex.parent[i])
    return gifts


def infoset_reach(trunk: NumberedTree, player: int, plan: Floats) -> Floats:
    """Return the probability that chance and the other player's plan (S,) play to each infoset, (I,)."""
    nodes, infosets = _decisions(trunk, player)
    together = trunk.tree.chance_floats[nodes] * plan[trunk.last[1 - player][nodes]]
    return weighted(infosets, together, trunk.form.treeplexes[player].n_infosets)


def _decisions(trunk: NumberedTree, player: int) -> tuple[Index, Index]:
    """Return the histories where a player acts and the infoset of each."""
    nodes = np.flatnonzero(trunk.tree.player == player)
    # The first child, which is the next history, follows the infoset's first sequence.
    return nodes, trunk.form.treeplexes[player].infoset_of[trunk.last[player][nodes + 1]]


def _ends_at_once(trunk: NumberedTree, player: int) -> NDArray[np.bool_]:
    """Whether each of a player's sequences ends the game wherever it is played, (S,)."""
    tree, last = trunk.tree, trunk.last[player]
    after = np.flatnonzero(tree.player[tree.parent] == player)
    after = after[after > 0]
    ends = np.ones(trunk.form.treeplexes[player].n_sequences, dtype=np.bool_)
    ends[last[after[tree.player[after] != TERMINAL]]] = False
    ends[0] = False
    return ends
