"""The sequence form, two treeplexes and the payoff between them, and that of a game tree."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Index, Treeplex
from treeplex.seqform.trees.game_tree import GameTree

Support = tuple[NDArray[np.bool_], NDArray[np.bool_]]
"""Which sequences may be played, (S0,) and (S1,)."""


@dataclass(frozen=True, repr=False)
class SequenceForm(Shown):
    """A two-player zero-sum game of perfect recall in sequence form.

    Attributes
    ----------
    name : str
        The spec of the game.
    unit : str
        The unit of payoffs.
    treeplexes : pair of Treeplex
    payoff : Payoff
        Player 0's, (S0, S1).
    stakes : pair of float
        The smallest payoff of a leaf that is not zero and the largest, in absolute value and without the
        probabilities of chance; zeros if every payoff is zero. Games made of parts of others have theirs.
    """

    name: str
    unit: str
    treeplexes: tuple[Treeplex, Treeplex]
    payoff: Payoff
    stakes: tuple[float, float]

    def brief(self) -> str:
        """Return the game, and numbers of infosets and sequences."""
        return "{}: {:,} and {:,} infosets, {:,} and {:,} sequences".format(
            self.name, *self.n_infosets, *self.n_sequences
        )

    @property
    def n_infosets(self) -> tuple[int, int]:
        """Number of infosets of each player."""
        return self.treeplexes[0].n_infosets, self.treeplexes[1].n_infosets

    @property
    def n_sequences(self) -> tuple[int, int]:
        """Number of sequences of each player, the empty ones included."""
        return self.treeplexes[0].n_sequences, self.treeplexes[1].n_sequences

    @cached_property
    def largest(self) -> tuple[float, float]:
        """The best-response value of each player for the payoff's magnitude, the other's plan all ones.

        Certificates use it to bound the error of products that underflow.
        """
        sizes = self.payoff.magnitude
        factors = float(sizes.left.csr.sum() + sizes.right.csr.sum())
        all_played = [np.ones(t.n_sequences) for t in self.treeplexes]
        first, second = (
            t.best_response(sizes.against(p, all_played[1 - p])).total + factors
            for p, t in enumerate(self.treeplexes)
        )
        return first, second

    def best_response(self, player: int, plan: Floats) -> BestResponse:
        """Return ``player``'s best response to the other player's plan, in the player's own payoff.

        Every infoset maximises, also those that the response itself does not reach (counterfactual values).

        Parameters
        ----------
        player : int
            The player who responds, 0 or 1.
        plan : (S,) f64
            The other player's realization plan.
        """
        return self.treeplexes[player].best_response(self.gradient(player, plan))

    def gradient(self, player: int, plan: Floats) -> Floats:
        """Return ``player``'s gradient against the other's plan, (S,): ``A @ y`` or ``-A.T @ x``."""
        earned = self.payoff.against(player, plan)
        return earned if player == 0 else -earned

    def restrict(self, support: Support) -> "SequenceForm":
        """Return the game in which only the sequences of ``support`` may be played.

        Sequences below an excluded one are excluded. The order of the others remains; :func:`closed` returns
        which these are.

        Raises
        ------
        ValueError
            If a reachable infoset has no action left.
        """
        kept = [np.flatnonzero(closed(t, s)) for t, s in zip(self.treeplexes, support, strict=True)]
        treeplexes = [_restrict(t, k) for t, k in zip(self.treeplexes, kept, strict=True)]
        return replace(self, treeplexes=(treeplexes[0], treeplexes[1]), payoff=self.payoff.select(kept))


def closed(treeplex: Treeplex, support: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether a sequence and all its ancestors are in a support, (S,); the empty one always is."""
    keep = np.array(support, dtype=np.bool_)
    if keep.shape != (treeplex.n_sequences,):
        raise BadInputError(f"a support must have shape ({treeplex.n_sequences},), got {keep.shape}")
    keep[0] = True
    for i in range(treeplex.n_infosets):
        if not keep[treeplex.parent[i]]:
            keep[treeplex.begin[i] : treeplex.end[i]] = False
    return keep


def _restrict(treeplex: Treeplex, kept: NDArray[np.int64]) -> Treeplex:
    to = np.full(treeplex.n_sequences, -1)
    to[kept] = np.arange(len(kept))
    reachable = to[treeplex.parent] >= 0
    sizes = np.bincount(treeplex.infoset_of[kept[1:]], minlength=treeplex.n_infosets)
    bare = np.flatnonzero(reachable & (sizes == 0))
    if len(bare):
        raise BadInputError(
            f"a support must keep an action at every infoset it reaches; it keeps none at "
            f"{treeplex.infosets[bare[0]]!r}"
        )
    live = np.flatnonzero(reachable)
    end = 1 + np.cumsum(sizes[live])
    return Treeplex(
        end - sizes[live],
        end,
        to[treeplex.parent[live]],
        tuple(treeplex.infosets[i] for i in live),
        tuple(treeplex.actions[s] for s in kept),
    )


def spread(values: NDArray[np.float64], kept: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return values of the sequences with ``kept`` set as values of all sequences, zero elsewhere, (S,)."""
    full = np.zeros(len(kept))
    full[kept] = values
    return full


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
        raise BadInputError(
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
