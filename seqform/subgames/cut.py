"""Cuts: the part of a game below public states, closed under infosets, from its defender's view.

The trunk is the part above disjoint cuts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import TERMINAL
from treeplex.seqform.forms.sequence_form import NumberedTree
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Index, Treeplex
from treeplex.seqform.subgames.forest import NOTHING, Forest
from treeplex.seqform.subgames.public_states import PublicStates

JOINER = " | "
"""The separator of the public states in the name of a union."""


def weighted(index: Index, values: Floats, size: int) -> Floats:
    """Return ``result[i] = sum of values[k] with index[k] == i``, (size,)."""
    return np.bincount(index, values, minlength=size).astype(np.float64)


@dataclass(frozen=True)
class CutLeaves:
    """The leaves of a subgame, one by one: the payoff matrix merges leaves of different subgames.

    Attributes
    ----------
    node : (L,) int64
        The history in the tree.
    root : (L,) int64
        The number of the root above it.
    own, other : (L,) int64
        The defender's and the opponent's sequence, numbered as in the whole game.
    amount : (L,) f64
        The opponent's payoff times the probability of chance.
    """

    node: Index
    root: Index
    own: Index
    other: Index
    amount: Floats


@dataclass(frozen=True, repr=False)
class Cut(Shown):
    """A part of a game below public states, closed under infosets, from its defender's view.

    A top is the opponent's knowledge at a root of the subgame, whether or not the opponent acts there (Burch,
    Johanson and Bowling 2014: augmented infosets). Subgames do not share tops, even if the keys are equal.

    Attributes
    ----------
    name : str
        The public states at which it begins.
    game : NumberedTree
        The whole game.
    defender : int
        The player who re-solves the subgame.
    roots : (R,) int64
        The earliest histories.
    root_top : (R,) int64
        The top of each root.
    tops : tuple of T str
        The opponent's keys.
    entry : (T,) int64
        The opponent's last sequence at each top.
    own, other : Forest
        The defender's decisions inside, below one entry, and the opponent's, below one entry for each top.
    leaves : CutLeaves
    """

    name: str
    game: NumberedTree
    defender: int
    roots: Index
    root_top: Index
    tops: tuple[str, ...]
    entry: Index
    own: Forest
    other: Forest
    leaves: CutLeaves

    def brief(self) -> str:
        """Return the game, where the subgame begins, and who solves it again."""
        return f"{self.game.form.name}: player {self.defender} at {self.name}, {len(self.tops):,} tops"

    @property
    def opponent(self) -> int:
        """The other player."""
        return 1 - self.defender

    def forest(self, player: int) -> Forest:
        """Return a player's decisions inside."""
        return self.own if player == self.defender else self.other

    @cached_property
    def inside(self) -> NDArray[np.bool_]:
        """Whether each of the defender's sequences belongs to an infoset of the subgame, (S,)."""
        inside = np.zeros(self.own.treeplex.n_sequences, dtype=np.bool_)
        inside[self.own.sequences] = True
        return inside

    def entry_reach(self, plan: Floats) -> Floats:
        """Return the defender's own reach of each root under a plan (S,), (R,)."""
        return plan[self.game.last[self.defender][self.roots]]

    def reach(self, plan: Floats) -> Floats:
        """Return the reach of each top by chance and the defender's plan (S,), (T,)."""
        together = self.game.tree.chance_floats[self.roots] * self.entry_reach(plan)
        return weighted(self.root_top, together, len(self.tops))

    def top_values(self, plan: Floats, response: BestResponse) -> Floats:
        """Return the opponent's counterfactual best-response value of each top, (T,), unnormalised.

        Parameters
        ----------
        plan : (S,) f64
            The defender's, in the whole game.
        response : BestResponse
            The opponent's to that plan; it has values also at tops that the response itself avoids.
        """
        values = np.zeros(len(self.tops))
        first = self.other.parent < len(self.tops)  # infosets right below a top
        np.add.at(values, self.other.parent[first], response.value[self.other.infosets[first]])
        z, top = self.leaves, self.root_top[self.leaves.root]
        direct = z.other == self.entry[top]
        np.add.at(values, top[direct], z.amount[direct] * plan[z.own[direct]])
        return values


def cut(states: PublicStates, game: NumberedTree, names: Sequence[str], defender: int) -> Cut:
    """Cut a game at a union of public states.

    Raises
    ------
    ValueError
        If a name is not a public state, the cut separates histories of one infoset, or histories with one
        top follow different sequences of the opponent.
    """
    name = JOINER.join(names)
    return cut_at(game, states.roots(names), defender, name)


def cut_at(game: NumberedTree, roots: Index, defender: int, name: str) -> Cut:
    """Cut a game at a set of histories, none below another; raises what :func:`cut` raises."""
    if type(defender) is not int or defender not in (0, 1):
        raise BadInputError(f"defender must be 0 or 1, got {defender!r}")
    tree, opponent = game.tree, 1 - defender
    ordered = np.sort(roots)
    inside_tree = len(roots) > 0 and ordered[0] >= 0 and ordered[-1] < tree.n_nodes
    if not inside_tree or np.any(tree.end[ordered[:-1]] > ordered[1:]):
        raise BadInputError(
            f"roots must be histories from 0 to {tree.n_nodes - 1}, none below another, got {roots.tolist()}"
        )
    sizes = tree.end[roots] - roots
    root = np.repeat(np.arange(len(roots)), sizes)  # the number of the root above each history inside
    inside = np.arange(len(root)) + np.repeat(roots - np.cumsum(sizes) + sizes, sizes)
    _check_closed(game, inside, name)
    keys, root_top = _in_order(tree.infoset[roots, opponent])
    names = tuple(tree.keys[opponent][k] for k in keys.tolist())
    entry = np.full(len(keys), -1, dtype=np.int64)
    entry[root_top] = game.last[opponent][roots]
    forgotten = np.flatnonzero(entry[root_top] != game.last[opponent][roots])
    if len(forgotten):
        key = names[root_top[forgotten[0]]]
        raise BadInputError(f"player {opponent} forgets its own moves in {key!r}, where {name!r} begins")
    own = _forest(game, defender, inside, np.zeros_like(root), 1, name)
    other = _forest(game, opponent, inside, root_top[root], len(keys), name)
    leaves = _leaves(game, defender, inside, root)
    return Cut(name, game, defender, roots, root_top, names, entry, own, other, leaves)


def _in_order(keys: NDArray[np.int32]) -> tuple[Index, Index]:
    """Return the distinct keys in order of first appearance, and the index of each key among them."""
    distinct, first, number = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return distinct[order].astype(np.int64), rank[number]


def _check_closed(game: NumberedTree, inside: Index, name: str) -> None:
    for p in (0, 1):
        acting = game.acting[p][inside]
        found = np.bincount(acting[acting >= 0], minlength=len(game.histories[p]))
        split = np.flatnonzero((found > 0) & (found < game.histories[p]))
        if len(split):
            key = game.form.treeplexes[p].infosets[split[0]]
            raise BadInputError(
                f"{name!r} is no subgame of {game.tree.name}: it cuts player {p}'s infoset {key!r}"
            )


def _forest(
    game: NumberedTree, player: int, inside: Index, entry: Index, n_entries: int, name: str
) -> Forest:
    """Return a player's infosets inside; ``entry`` is the entry above each history inside."""
    treeplex, acting = game.form.treeplexes[player], game.acting[player][inside]
    acts = np.flatnonzero(acting >= 0)
    infosets, first, number = np.unique(acting[acts], return_index=True, return_inverse=True)
    above = entry[acts][first]
    forgotten = np.flatnonzero(above[number] != entry[acts])
    if len(forgotten):
        key = treeplex.infosets[infosets[number[forgotten[0]]]]
        raise BadInputError(f"player {player} forgets: infoset {key!r} follows two tops of {name!r}")
    return Forest.of(treeplex, infosets, above, n_entries)


def _leaves(game: NumberedTree, defender: int, inside: Index, root: Index) -> CutLeaves:
    ends = game.tree.player[inside] == TERMINAL
    z, opponent = inside[ends], 1 - defender
    amount = leaf_amounts(game, opponent, z)
    return CutLeaves(z, root[ends], game.last[defender][z], game.last[opponent][z], amount)


def leaf_amounts(game: NumberedTree, player: int, leaves: Index) -> Floats:
    """Return a player's payoff at each leaf times the probability of chance, (L,)."""
    tree = game.tree
    den = tree.chance_den * tree.payoff_den * (1 if player == 0 else -1)
    return np.array([int(a) / den for a in tree.chance[leaves] * tree.payoff[leaves]], dtype=np.float64)


def check_disjoint(cuts: Sequence[Cut]) -> None:
    """Raise ValueError if two cuts share a leaf or have different defenders.

    Raises
    ------
    ValueError
        It names one of them.
    """
    taken: dict[int, str] = {}
    for piece in cuts:
        if piece.defender != cuts[0].defender:
            raise BadInputError(
                f"all subgames must have one defender, got {cuts[0].defender} and {piece.defender}"
            )
        for leaf in piece.leaves.node.tolist():
            if leaf in taken:
                raise BadInputError(f"subgames must be disjoint, but {piece.name!r} overlaps {taken[leaf]!r}")
            taken[leaf] = piece.name


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
