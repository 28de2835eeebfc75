"""Gifts on the way to tops: how much the opponent lost by not playing better actions, per unit of reach."""

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.subgames.cut import Cut, weighted


def gifts_on_the_way(
    cut: Cut, plan: Floats, live: NDArray[np.bool_], last: Index, q: Floats, rival: Floats
) -> Floats:
    """Sum (best rival - value of the sequence taken) / reach over the sequences up to ``last``, (T,).

    Normalised by the reach of the infoset where the choice is made, not of the top: all tops below one
    choice then gain together no more than that choice gave away.

    Parameters
    ----------
    cut : Cut
    plan : (S,) f64
        The defender's.
    live : (T,) bool
        Tops that are reached; others get 0.
    last : (T,) int64
        The opponent's sequence before each top at which to start upwards.
    q : (S,) f64
        What each of the opponent's sequences is worth, unnormalised.
    rival : (S,) f64
        The same of what could have been played instead; -inf where that does not count.
    """
    treeplex = cut.other.treeplex
    reach = infoset_reach(cut.game, cut.opponent, plan)
    gifts = np.zeros(len(cut.tops))
    for t in np.flatnonzero(live).tolist():
        s = int(last[t])
        while s > 0:
            i = int(treeplex.infoset_of[s])
            best = float(rival[treeplex.begin[i] : treeplex.end[i]].max())
            gifts[t] += max(best - float(q[s]), 0.0) / reach[i]
            s = int(treeplex.parent[i])
    return gifts


def terminal(cut: Cut, q: Floats) -> Floats:
    """Return the values of sequences that end the game wherever they are played, (S,), -inf elsewhere."""
    return np.where(cut.game.final[cut.opponent], q, -np.inf)


def infoset_reach(game: NumberedTree, player: int, plan: Floats) -> Floats:
    """Return the probability that chance and the other player's plan (S,) play to each infoset, (I,)."""
    nodes = np.flatnonzero(game.acting[player] >= 0)
    together = game.tree.chance_floats[nodes] * plan[game.last[1 - player][nodes]]
    return weighted(game.acting[player][nodes], together, game.form.treeplexes[player].n_infosets)
