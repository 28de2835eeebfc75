"""The sequence form of a game tree."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.display.shown import Shown
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Index, Treeplex
from treeplex.seqform.trees.game_tree import GameTree

Flags = NDArray[np.bool_]


@dataclass(frozen=True, repr=False)
class NumberedTree(Shown):
    """A game tree with its sequence form, and both players' last sequences at each history.

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

    def brief(self) -> str:
        """Return the game and the number of histories."""
        return self.tree.brief()

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
        """Number of histories of each infoset of each player, (I,)."""
        first, second = (
            np.bincount(a[a >= 0], minlength=n)
            for a, n in zip(self.acting, self.form.n_infosets, strict=True)
        )
        return first, second

    @cached_property
    def final(self) -> tuple[Flags, Flags]:
        """Whether nobody acts after a sequence, for each player, (S,)."""
        first, second = (self._final(p) for p in (0, 1))
        return first, second

    def _final(self, player: int) -> Flags:
        tree = self.tree
        after = np.flatnonzero(np.append(False, tree.player[tree.parent[1:]] == player))
        acts = np.append(0, np.cumsum(tree.player >= 0))
        final = np.ones(self.form.treeplexes[player].n_sequences, dtype=np.bool_)
        final[self.last[player][after[acts[tree.end[after]] > acts[after]]]] = False
        final[0] = False
        return final


def number_tree(tree: GameTree) -> NumberedTree:
    """Return a game tree with its sequence form; leaves are summed into the payoff matrix.

    Raises
    ------
    ValueError
        If recall is imperfect: two histories of one infoset follow different sequences of its player; the
        message names the infoset.
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
    form = SequenceForm(tree.name, tree.unit, (t0, t1), Payoff.sparse(payoff), tree.stakes)
    return NumberedTree(tree, form, (last_0, last_1))


def tree_form(tree: GameTree) -> SequenceForm:
    """Return the sequence form of a game tree; raises what :func:`number_tree` raises."""
    return number_tree(tree).form


def _number(tree: GameTree, player: int) -> tuple[Treeplex, Index]:
    """Return a player's treeplex and the player's last sequence at each node (N,)."""
    labels, keys = tree.labels[player], tree.keys[player]
    sizes = np.array([len(own) for own in labels], dtype=np.int64)
    begin, above = np.zeros((2, len(keys)), dtype=np.int64)
    infosets = np.zeros(np.count_nonzero(sizes), dtype=np.int64)
    last = np.zeros(tree.n_nodes, dtype=np.int64)
    known = np.ascontiguousarray(tree.infoset[:, player])
    forgot = _follow(
        tree.parent, tree.action, tree.player == player, known, sizes, begin, above, infosets, last
    )
    names = ["", *(label for k in infosets for label in labels[k])]
    if forgot >= 0:
        k = known[forgot]
        raise ValueError(
            f"player {player} has imperfect recall: infoset {keys[k]!r} follows both "
            f"{_sequence_name(names, above[k])} and {_sequence_name(names, last[forgot])}"
        )
    starts = begin[infosets]
    treeplex = Treeplex(
        starts, starts + sizes[infosets], above[infosets], tuple(keys[k] for k in infosets), tuple(names)
    )
    return treeplex, last


@njit(cache=True)
def _follow(
    parent: NDArray[np.int32],
    action: NDArray[np.int32],
    acts: Flags,
    known: NDArray[np.int32],
    sizes: Index,
    begin: Index,
    above: Index,
    infosets: Index,
    last: Index,
) -> int:
    """Number a player's sequences in the order of their first histories.

    Writes each key's first sequence and the one it follows (K,), the keys of infosets in order (I,), the last
    sequence at each node (N,); returns the first node whose infoset is reached by another sequence, or -1.
    """
    n, next_sequence = 0, 1
    for node in range(len(parent)):
        up = parent[node]
        if up >= 0:
            last[node] = begin[known[up]] + action[node] if acts[up] else last[up]
        if not acts[node]:
            continue
        k = known[node]
        if begin[k] == 0:
            begin[k], above[k], infosets[n] = next_sequence, last[node], k
            next_sequence += sizes[k]
            n += 1
        elif above[k] != last[node]:
            return node
    return -1


def _sequence_name(labels: list[str], sequence: int) -> str:
    return f"sequence {sequence} (last action {labels[sequence]!r})" if sequence else "no action of its own"
