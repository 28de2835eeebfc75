"""A game cut at public states: the part below, closed under infosets, as its defender sees it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treeplex.games.protocol import TERMINAL
from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Index
from treeplex.seqform.subgames.forest import Forest
from treeplex.seqform.subgames.public_states import PublicStates

JOINER = " | "
"""Stands between the public states of a union in its name."""


def weighted(index: Index, values: Floats, size: int) -> Floats:
    """Return the sum of the values at each index, (size,)."""
    return np.bincount(index, values, minlength=size).astype(np.float64)


@dataclass(frozen=True)
class Leaves:
    """The leaves of a subgame, kept one by one: the payoff matrix merges leaves of different subgames.

    Attributes
    ----------
    node : (L,) int64
        The history in the tree.
    root : (L,) int64
        The number of the root from which it descends.
    own, other : (L,) int64
        The defender's and the opponent's sequence, numbered as in the whole game.
    amount : (L,) f64
        What the opponent gets there times the probability that chance plays there.
    """

    node: Index
    root: Index
    own: Index
    other: Index
    amount: Floats


@dataclass(frozen=True)
class Cut:
    """A part of a game below public states, closed under infosets, as its defender sees it.

    A top is what the opponent knows where the subgame begins, also where the opponent is not the one to
    act there (Burch, Johanson and Bowling 2014: augmented infosets). One key may be the top of several
    subgames; each has its own.

    Attributes
    ----------
    name : str
        The public states at which it begins.
    game : NumberedTree
        The whole game.
    defender : int
        Who solves the subgame again.
    roots : (R,) int64
        The earliest histories.
    root_top : (R,) int64
        The top that each root belongs to.
    tops : tuple of T str
        The opponent's keys.
    entry : (T,) int64
        The opponent's last sequence at each top.
    own, other : Forest
        The defender's decisions inside, under a single entry, and the opponent's, with an entry a top.
    leaves : Leaves
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
    leaves: Leaves

    @property
    def opponent(self) -> int:
        """The other player."""
        return 1 - self.defender

    def forest(self, player: int) -> Forest:
        """Return a player's decisions inside."""
        return self.own if player == self.defender else self.other

    @cached_property
    def inside(self) -> NDArray[np.bool_]:
        """Which of the defender's sequences belong to infosets of the subgame, (S,)."""
        inside = np.zeros(self.own.treeplex.n_sequences, dtype=np.bool_)
        inside[self.own.sequences] = True
        return inside

    def entry_reach(self, plan: Floats) -> Floats:
        """Return the defender's own reach of each root under a plan (S,), (R,)."""
        return plan[self.game.last[self.defender][self.roots]]

    def reach(self, plan: Floats) -> Floats:
        """Return the probability, (T,), that chance and the defender's plan (S,) play to each top."""
        together = self.game.tree.chance_floats[self.roots] * self.entry_reach(plan)
        return weighted(self.root_top, together, len(self.tops))

    def top_values(self, plan: Floats, response: BestResponse) -> Floats:
        """Return what the opponent gets from each top on, (T,), unnormalised.

        Parameters
        ----------
        plan : (S,) f64
            The defender's, in the whole game.
        response : BestResponse
            The opponent's to that plan; counterfactual, so that a top which the response itself avoids has
            its value too.
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
        If a name is no public state, the cut separates histories that a player cannot tell apart, or the
        opponent's keys where it begins forget what the opponent did before.
    """
    name = JOINER.join(names)
    return cut_at(game, states.roots(names), defender, name)


def cut_at(game: NumberedTree, roots: Index, defender: int, name: str) -> Cut:
    """Cut a game at a set of histories, none below another; raises what :func:`cut` raises."""
    if type(defender) is not int or defender not in (0, 1):
        raise ValueError(f"defender must be 0 or 1, got {defender!r}")
    tree, opponent = game.tree, 1 - defender
    ordered = np.sort(roots)
    inside_tree = len(roots) > 0 and ordered[0] >= 0 and ordered[-1] < tree.n_nodes
    if not inside_tree or np.any(tree.end[ordered[:-1]] > ordered[1:]):
        raise ValueError(
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
        raise ValueError(f"player {opponent} forgets its own moves in {key!r}, where {name!r} begins")
    own = _forest(game, defender, inside, np.zeros_like(root), 1, name)
    other = _forest(game, opponent, inside, root_top[root], len(keys), name)
    leaves = _leaves(game, defender, inside, root)
    return Cut(name, game, defender, roots, root_top, names, entry, own, other, leaves)


def _in_order(keys: NDArray[np.int32]) -> tuple[Index, Index]:
    """Return distinct keys in the order of their first appearance, and the number of each."""
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
            raise ValueError(
                f"{name!r} is no subgame of {game.tree.name}: it cuts player {p}'s infoset {key!r}"
            )


def _forest(
    game: NumberedTree, player: int, inside: Index, entry: Index, n_entries: int, name: str
) -> Forest:
    """Cut out a player's infosets; ``entry`` is what lies above each history inside."""
    treeplex, acting = game.form.treeplexes[player], game.acting[player][inside]
    acts = np.flatnonzero(acting >= 0)
    infosets, first, number = np.unique(acting[acts], return_index=True, return_inverse=True)
    above = entry[acts][first]
    forgotten = np.flatnonzero(above[number] != entry[acts])
    if len(forgotten):
        key = treeplex.infosets[infosets[number[forgotten[0]]]]
        raise ValueError(f"player {player} forgets: infoset {key!r} follows two tops of {name!r}")
    return Forest.of(treeplex, infosets, above, n_entries)


def _leaves(game: NumberedTree, defender: int, inside: Index, root: Index) -> Leaves:
    ends = game.tree.player[inside] == TERMINAL
    z, opponent = inside[ends], 1 - defender
    amount = leaf_amounts(game, opponent, z)
    return Leaves(z, root[ends], game.last[defender][z], game.last[opponent][z], amount)


def leaf_amounts(game: NumberedTree, player: int, leaves: Index) -> Floats:
    """Return what a player gets at some leaves times the probability that chance plays there, (L,)."""
    tree = game.tree
    den = tree.chance_den * tree.payoff_den * (1 if player == 0 else -1)
    return np.array([int(a) / den for a in tree.chance[leaves] * tree.payoff[leaves]], dtype=np.float64)


def check_disjoint(cuts: Sequence[Cut]) -> None:
    """Refuse cuts that have a leaf in common, and those of different defenders.

    Raises
    ------
    ValueError
        That names one of them.
    """
    taken: dict[int, str] = {}
    for piece in cuts:
        if piece.defender != cuts[0].defender:
            raise ValueError(
                f"all subgames must have one defender, got {cuts[0].defender} and {piece.defender}"
            )
        for leaf in piece.leaves.node.tolist():
            if leaf in taken:
                raise ValueError(f"subgames must be disjoint, but {piece.name!r} overlaps {taken[leaf]!r}")
            taken[leaf] = piece.name
