"""From a game tree to its sequence form."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from games.protocol import TERMINAL
from seqform.game_tree import GameTree
from seqform.payoff import ExactMatrix, Payoff
from seqform.sequence_form import SequenceForm
from seqform.treeplex import Index, Treeplex

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class NumberedTree:
    """A game tree beside its sequence form: which sequences each history follows.

    Attributes
    ----------
    tree : GameTree
    form : SequenceForm
        Infosets are numbered in the order of their first history.
    last : pair of (N,) int64
        Each player's last sequence at each history.
    """

    tree: GameTree
    form: SequenceForm
    last: tuple[Index, Index]

    @cached_property
    def acting(self) -> tuple[Index, Index]:
        """The infoset in which each player acts at each history, (N,); -1 where the player does not act."""
        first, second = (self._acting(p) for p in (0, 1))
        return first, second

    def _acting(self, player: int) -> Index:
        nodes = np.flatnonzero(self.tree.player == player)
        acting = np.full(self.tree.n_nodes, -1, dtype=np.int64)
        # The first child, which is the next history, follows the infoset's first sequence.
        acting[nodes] = self.form.treeplexes[player].infoset_of[self.last[player][nodes + 1]]
        return acting

    @cached_property
    def histories(self) -> tuple[Index, Index]:
        """How many histories each of each player's infosets has, (I,)."""
        first, second = (
            np.bincount(a[a >= 0], minlength=n)
            for a, n in zip(self.acting, self.form.n_infosets, strict=True)
        )
        return first, second

    @cached_property
    def final(self) -> tuple[Flags, Flags]:
        """Whether each of each player's sequences ends the game wherever it is played, (S,)."""
        first, second = (self._final(p) for p in (0, 1))
        return first, second

    def _final(self, player: int) -> Flags:
        tree = self.tree
        after = np.flatnonzero(np.append(False, tree.player[tree.parent[1:]] == player))
        final = np.ones(self.form.treeplexes[player].n_sequences, dtype=np.bool_)
        final[self.last[player][after[tree.player[after] != TERMINAL]]] = False
        final[0] = False
        return final


def number_tree(tree: GameTree) -> NumberedTree:
    """Number the sequences of a game tree and sum its leaves into the payoff matrix.

    Raises
    ------
    ValueError
        If a player forgets: two histories of one infoset follow different sequences of its own
        (imperfect recall); the message names the infoset.
    """
    (t0, last_0), (t1, last_1) = _number(tree, 0), _number(tree, 1)
    z = tree.leaves
    payoff = ExactMatrix.of(
        last_0[z],
        last_1[z],
        tree.chance[z] * tree.payoff[z],
        tree.chance_den * tree.payoff_den,
        (t0.n_sequences, t1.n_sequences),
    )
    form = SequenceForm(tree.name, tree.unit, (t0, t1), Payoff.sparse(payoff))
    return NumberedTree(tree, form, (last_0, last_1))


def tree_form(tree: GameTree) -> SequenceForm:
    """Return the sequence form of a game tree; raises what :func:`number_tree` raises."""
    return number_tree(tree).form


def _number(tree: GameTree, player: int) -> tuple[Treeplex, Index]:
    """Return a player's treeplex and the player's last sequence at each node (N,)."""
    last = np.zeros(tree.n_nodes, dtype=np.int64)
    begin: dict[int, int] = {}
    parents: dict[int, int] = {}
    infosets: list[str] = []
    labels = [""]
    acting = tree.player == player
    known = tree.infoset[:, player].tolist()
    up, action, acts = tree.parent.tolist(), tree.action.tolist(), acting.tolist()
    sequence = last.tolist()
    for n in range(tree.n_nodes):
        p = up[n]
        if p >= 0:
            sequence[n] = begin[known[p]] + action[n] if acts[p] else sequence[p]
        if acts[n]:
            k = known[n]
            if k not in begin:
                begin[k], parents[k] = len(labels), sequence[n]
                infosets.append(tree.keys[player][k])
                labels += tree.labels[player][k]
            elif parents[k] != sequence[n]:
                raise ValueError(
                    f"player {player} has imperfect recall: infoset {tree.keys[player][k]!r} follows both "
                    f"{_sequence_name(labels, parents[k])} and {_sequence_name(labels, sequence[n])}"
                )
    starts = np.array(list(begin.values()), dtype=np.int64)
    ends = np.append(starts[1:], len(labels)) if len(starts) else starts
    treeplex = Treeplex(
        starts, ends, np.array(list(parents.values()), dtype=np.int64), tuple(infosets), tuple(labels)
    )
    return treeplex, np.array(sequence, dtype=np.int64)


def _sequence_name(labels: list[str], sequence: int) -> str:
    return f"sequence {sequence} (last action {labels[sequence]!r})" if sequence else "no action of its own"
