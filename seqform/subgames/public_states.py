"""The public states of a game tree: names, roots, and the usual places to cut a game."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE
from treeplex.seqform.forms.treeplex import Index
from treeplex.seqform.trees.game_tree import GameTree


@dataclass(frozen=True)
class PublicStates:
    """The public states of a game tree.

    Attributes
    ----------
    tree : GameTree
    state : (N,) int
        The public state of each history, an index into ``names``.
    names : tuple of str
    """

    tree: GameTree
    state: Index
    names: tuple[str, ...]

    @staticmethod
    def of(tree: GameTree) -> "PublicStates":
        """Return the game's own public states, or derived ones if the game has only one.

        Derived states are the finest partition in which histories of one infoset of either player are in one
        state. Each is named by the moves to its first history, those of chance by number, such as ``0/Play``.
        """
        if len(tree.public_keys) > 1 or tree.n_nodes == 1:
            return PublicStates(tree, tree.public.astype(np.int64), tree.public_keys)
        from scipy.sparse.csgraph import connected_components

        n, keys = tree.n_nodes, len(tree.keys[0])
        nodes = np.concatenate((np.arange(n), np.arange(n)))
        known = np.concatenate((n + tree.infoset[:, 0], n + keys + tree.infoset[:, 1]))
        size = n + keys + len(tree.keys[1])
        graph = coo_array((np.ones(2 * n), (nodes, known)), shape=(size, size))
        _, component = connected_components(graph, directed=False)
        _, first, state = np.unique(component[:n], return_index=True, return_inverse=True)
        # Labels may contain a slash: different paths may have equal texts.
        paths = [tree.path(int(node)) for node in first]
        names = tuple(f"{p} ({paths[:k].count(p) + 1})" if p in paths[:k] else p for k, p in enumerate(paths))
        return PublicStates(tree, state, names)

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of each public state by its name."""
        return {name: k for k, name in enumerate(self.names)}

    def roots(self, names: Sequence[str]) -> Index:
        """Return the roots of a union of public states: its histories with no other of them above.

        Raises
        ------
        ValueError
            If a name is not a public state of the game, or no name is given.
        """
        if not names:
            raise BadInputError("a subgame begins at one public state at least, got none")
        for name in names:
            if name not in self.index:
                raise BadInputError(f"{self.tree.name} has no public state {name!r}{self._hint(name)}")
        order, cuts = self._grouped
        found = [order[cuts[k] : cuts[k + 1]] for k in {self.index[name] for name in names}]
        return self._earliest(np.sort(np.concatenate(found)))

    @cached_property
    def _grouped(self) -> tuple[Index, Index]:
        """The histories sorted by state, and the first of each state."""
        order = np.argsort(self.state, kind="stable")
        return order, np.searchsorted(self.state[order], np.arange(len(self.names) + 1))

    def first_subgames(self, defender: int) -> tuple[str, ...]:
        """Return the public states right after the first chance move that follows a decision.

        In Leduc poker these are the 15 boards. If chance moves only at the start, those right after the first
        decision (Coin Toss: after Play). States without decisions of the defender below are left out.

        Raises
        ------
        ValueError
            If there are none.
        """
        decided = self._decided()
        dealt = decided & self._moved_by(self.tree.player == CHANCE)
        for after in (dealt, decided):
            names = [
                self.names[k]
                for k in dict.fromkeys(self.state[self._earliest(np.flatnonzero(after))].tolist())
                if self._decides_below(k, defender)
            ]
            if names:
                return tuple(names)
        raise BadInputError(f"{self.tree.name}: player {defender} decides nothing after the first decision")

    def _earliest(self, chosen: Index) -> Index:
        """Return those of ``chosen`` (ascending) that have no other of them above."""
        roots, end = [], -1
        for node in chosen.tolist():
            if node >= end:
                roots.append(node)
                end = int(self.tree.end[node])
        return np.array(roots, dtype=np.int64)

    def _decided(self) -> NDArray[np.bool_]:
        """Whether a player has decided before each history, (N,)."""
        decided = np.zeros(self.tree.n_nodes, dtype=np.bool_)
        for node in np.flatnonzero(self.tree.player >= 0).tolist():
            decided[node + 1 : self.tree.end[node]] = True
        return decided

    def _moved_by(self, by: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether the parent of each history is in ``by``, (N,)."""
        moved = by[self.tree.parent]
        moved[0] = False
        return moved

    def _decides_below(self, state: int, defender: int) -> bool:
        return any(
            bool(np.any(self.tree.player[root : self.tree.end[root]] == defender))
            for root in self.roots([self.names[state]]).tolist()
        )

    def _hint(self, name: str) -> str:
        near = get_close_matches(name, self.names, n=3, cutoff=0.5) or list(self.names[:5])
        return f"; there are {len(self.names):,}, such as {', '.join(map(repr, near))}"
