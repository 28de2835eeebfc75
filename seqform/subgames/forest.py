"""Forests: a player's decisions below several entries, which can be attached to any treeplex."""

from dataclasses import dataclass

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex

NOTHING = Treeplex(*(np.zeros(0, dtype=np.int64),) * 3, (), ("",))
"""The treeplex of a player without decisions."""


@dataclass(frozen=True)
class Forest:
    """A downward closed set of infosets of a treeplex, below entries instead of a root.

    Local sequences: entries are 0 to ``n_entries - 1``, then the infosets' sequences in their old order.

    Attributes
    ----------
    treeplex : Treeplex
        Of the whole game.
    infosets : (I,) int64
        The indices of its infosets, ascending.
    n_entries : int
    parent : (I,) int64
        The local sequence before each infoset, or the entry above it.
    """

    treeplex: Treeplex
    infosets: Index
    n_entries: int
    parent: Index

    @staticmethod
    def of(treeplex: Treeplex, infosets: Index, entry: Index, n_entries: int) -> "Forest":
        """Return the forest of some infosets; ``entry`` (I,): the entry of those with parent outside."""
        inside = np.zeros(treeplex.n_sequences, dtype=np.bool_)
        sequences = _sequences(treeplex, infosets)
        inside[sequences] = True
        to = np.full(treeplex.n_sequences, -1)
        to[sequences] = n_entries + np.arange(len(sequences))
        above = treeplex.parent[infosets]
        return Forest(treeplex, infosets, n_entries, np.where(inside[above], to[above], entry))

    @property
    def sequences(self) -> Index:
        """The sequences of the infosets in the treeplex; element k is local sequence ``n_entries + k``."""
        return _sequences(self.treeplex, self.infosets)

    @property
    def sizes(self) -> Index:
        """Number of actions of each infoset, (I,)."""
        return self.treeplex.end[self.infosets] - self.treeplex.begin[self.infosets]

    @property
    def n_local(self) -> int:
        """Number of local sequences, entries included."""
        return self.n_entries + int(self.sizes.sum())

    def local(self, sequences: Index, entry: Index) -> Index:
        """Return the local sequences of the treeplex's, (L,); ``entry`` (L,) replaces those outside."""
        to = np.full(self.treeplex.n_sequences, -1)
        to[self.sequences] = self.n_entries + np.arange(len(self.sequences))
        found = to[sequences]
        return np.where(found >= 0, found, entry)

    def plan(self, behaviour: Floats) -> Floats:
        """Return the own reach of each sequence from the entries on, (S,); 1 at sequences outside.

        Parameters
        ----------
        behaviour : (S,) f64
            The player's, in the whole game.

        Raises
        ------
        ValueError
            If the behaviour has another shape.
        """
        size = self.treeplex.n_sequences
        if np.shape(behaviour) != (size,):
            raise BadInputError(f"a behaviour must have shape ({size},), got {np.shape(behaviour)}")
        inside = np.ones(size)
        inside[self.sequences] = behaviour[self.sequences]
        return self.treeplex.plan(inside)

    def graft(self, onto: Treeplex, at: Index, suffix: str = "") -> tuple[Treeplex, Index]:
        """Attach the infosets below sequences of a treeplex.

        Parameters
        ----------
        onto : Treeplex
        at : (n_entries,) int64
            The sequence of ``onto`` for each entry; -1 leaves out all below it.
        suffix : str
            Appended to the infosets' keys, where one forest is grafted several times.

        Returns
        -------
        treeplex : Treeplex
        to : (n_local,) int64
            Each local sequence in the new treeplex, -1 where left out.
        """
        to = np.concatenate((at, np.full(self.n_local - self.n_entries, -1)))
        local, new = self.n_entries, onto.n_sequences
        parents: list[int] = []
        sizes: list[int] = []
        keys: list[str] = []
        labels: list[str] = []
        for i, size, parent in zip(
            self.infosets.tolist(), self.sizes.tolist(), self.parent.tolist(), strict=True
        ):
            if to[parent] >= 0:
                to[local : local + size] = np.arange(new, new + size)
                parents.append(int(to[parent]))
                sizes.append(size)
                keys.append(self.treeplex.infosets[i] + suffix)
                begin = self.treeplex.begin[i]
                labels += self.treeplex.actions[begin : begin + size]
                new += size
            local += size
        end = onto.n_sequences + np.cumsum(np.array(sizes, dtype=np.int64))
        grafted = Treeplex(
            np.concatenate((onto.begin, end - sizes)).astype(np.int64),
            np.concatenate((onto.end, end)),
            np.concatenate((onto.parent, parents)).astype(np.int64),
            (*onto.infosets, *keys),
            (*onto.actions, *labels),
        )
        return grafted, to


def choice(key: str, actions: tuple[str, ...]) -> Treeplex:
    """Return the treeplex of one infoset at the root."""
    return Treeplex(np.array([1]), np.array([1 + len(actions)]), np.array([0]), (key,), ("", *actions))


def choices(keys: tuple[str, ...], actions: tuple[str, ...]) -> Treeplex:
    """Return the treeplex of several infosets at the root, all with the same actions."""
    begin = 1 + len(actions) * np.arange(len(keys))
    return Treeplex(
        begin, begin + len(actions), np.zeros(len(keys), dtype=np.int64), keys, ("", *actions * len(keys))
    )


def _sequences(treeplex: Treeplex, infosets: Index) -> Index:
    sizes = treeplex.end[infosets] - treeplex.begin[infosets]
    first = np.repeat(treeplex.begin[infosets] - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
    return np.asarray(first + np.arange(int(sizes.sum())), dtype=np.int64)
