"""Choices among many actions taken in steps of a few, which regret matching learns in fewer iterations."""

from collections import deque
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.subgames.root_decisions import Entry, RootDecisions


@dataclass(frozen=True)
class Steps:
    """Root decisions taken in steps, and where the sequences of the given ones are among theirs.

    Attributes
    ----------
    decisions : RootDecisions
        The same ways into the subgame and the same payoffs.
    to : (S,) int64
        The sequence with which each of the given sequences ends.
    """

    decisions: RootDecisions
    to: Index

    def plan(self, behaviour: Floats) -> Floats:
        """Return the plan (S,) of the given decisions under a behaviour of the steps."""
        return np.asarray(self.decisions.header.plan(behaviour)[self.to])


def in_steps(root: RootDecisions, worth: Floats, most: int) -> Steps:
    """Return root decisions in which nobody chooses among more than a few actions at a time.

    A choice among n actions becomes a choice of one of ``most`` runs of actions, then of one of that run's
    runs, and so on. Mixtures of the n actions are what they were, so that the game is the same. But regret is
    now at most the sum over one path of steps, and grows as log(n) sqrt(most) instead of sqrt(n); and what is
    learned of a run holds for all its actions. Tops of like worth come into one run.

    Parameters
    ----------
    root : RootDecisions
    worth : (T,) f64
        What tops are sorted by; NaN comes last.
    most : int
        At least 2.
    """
    header = root.header
    if (header.end - header.begin).max(initial=0) <= most:
        return Steps(root, np.arange(header.n_sequences))
    key, to = _worth_after(root, worth), np.zeros(header.n_sequences, np.int64)
    parents: list[int] = []
    sizes: list[int] = []
    n = 1
    for i in range(header.n_infosets):
        own = np.arange(header.begin[i], header.end[i])
        own = own[np.argsort(key[own], kind="stable")]
        waiting = deque([(0, len(own), int(to[header.parent[i]]))])
        while waiting:
            lo, hi, parent = waiting.popleft()
            size = min(most, hi - lo)
            parents.append(parent)
            sizes.append(size)
            cuts = [lo + (hi - lo) * k // size for k in range(size + 1)]
            for place, (a, b) in enumerate(pairwise(cuts), start=n):
                to[own[a:b]] = place
                if b - a > 1:
                    waiting.append((a, b, place))
            n += size
    entries = tuple(
        Entry(np.where(e.at >= 0, to[np.maximum(e.at, 0)], -1), e.weight, e.suffix) for e in root.entries
    )
    stay = to[root.stay[0]], root.stay[1]
    return Steps(RootDecisions(_treeplex(parents, sizes), entries, stay), to)


def _worth_after(root: RootDecisions, worth: Floats) -> Floats:
    """Return the worth of a top entered after each sequence, (S,); NaN where none is."""
    found = np.full(root.header.n_sequences, np.nan)
    for entry in root.entries:
        live = entry.at >= 0
        found[entry.at[live]] = worth[live]
    return found


def _treeplex(parents: list[int], sizes: list[int]) -> Treeplex:
    end = 1 + np.cumsum(np.array(sizes, np.int64))
    keys = tuple(f"step {i}" for i in range(len(sizes)))
    return Treeplex(end - sizes, end, np.array(parents, np.int64), keys, ("",) * int(end[-1]))
