"""The trunk of a game: the part above disjoint cuts."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.forms.treeplex import Index, Treeplex
from treeplex.seqform.subgames.cut import Cut
from treeplex.seqform.subgames.forest import NOTHING, Forest


class TrunkSide(NamedTuple):
    """One player's decisions in the trunk.

    infosets : (I,) which of the player's infosets in the game are in the trunk, ascending.
    treeplex : these infosets.
    sequences : (S,) each of the player's sequences in the game as one of the treeplex, -1 below a cut.
    """

    infosets: Index
    treeplex: Treeplex
    sequences: Index


def trunk_side(game: NumberedTree, cuts: Sequence[Cut], player: int) -> TrunkSide:
    """Return a player's decisions outside all cuts of a game."""
    whole = game.form.treeplexes[player]
    outside = np.ones(whole.n_infosets, dtype=np.bool_)
    for cut in cuts:
        outside[cut.forest(player).infosets] = False
    infosets = np.flatnonzero(outside)
    forest = Forest.of(whole, infosets, np.zeros_like(infosets), 1)
    treeplex, to = forest.graft(NOTHING, np.zeros(1, dtype=np.int64))
    sequences = np.full(whole.n_sequences, -1)
    sequences[0], sequences[forest.sequences] = 0, to[1:]
    return TrunkSide(infosets, treeplex, sequences)


def trunk_leaves(game: NumberedTree, cuts: Sequence[Cut]) -> Index:
    """Return the leaves of a game outside all cuts, ascending."""
    inside = np.concatenate([np.zeros(0, dtype=np.int64), *(cut.leaves.node for cut in cuts)])
    return np.setdiff1d(game.tree.leaves, inside)
