"""Treeplexes: a player's infosets and sequences as integer arrays; plans, values and best responses."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError

Floats = NDArray[np.float64]
Index = NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class Treeplex(Shown):
    """A player's infosets and sequences, parents before children.

    Sequence 0 is empty. The sequences of infoset i are ``begin[i]`` to ``end[i] - 1``, one an action, and
    infosets fill the sequences in order: ``begin[0] == 1`` and ``end[i] == begin[i + 1]``.

    Attributes
    ----------
    begin, end : (I,) int64
        First sequence of each infoset, and one past its last.
    parent : (I,) int64
        The player's last sequence before the infoset; smaller than ``begin``.
    infosets : tuple of I str
        The key of each infoset.
    actions : tuple of S str
        The label of each sequence's last action; empty for sequence 0.
    """

    begin: Index
    end: Index
    parent: Index
    infosets: tuple[str, ...]
    actions: tuple[str, ...]

    def brief(self) -> str:
        """Return numbers of infosets and sequences."""
        return f"{self.n_infosets:,} infosets, {self.n_sequences:,} sequences"

    def __post_init__(self) -> None:
        stops = np.concatenate(([1], self.end))
        if np.any(stops[:-1] != self.begin) or np.any(self.end <= self.begin):
            raise BadInputError("a treeplex's infosets must fill sequences 1, 2, ... in order, none empty")
        if len(self.parent) != len(self.begin):
            raise BadInputError(
                f"a treeplex needs one parent an infoset, got {len(self.parent)} for {len(self.begin)}"
            )
        if np.any(self.parent >= self.begin) or np.any(self.parent < 0):
            raise BadInputError("an infoset's parent sequence must come before its own sequences")
        if len(self.infosets) != len(self.begin) or len(self.actions) != stops[-1]:
            raise BadInputError("a treeplex needs one key an infoset and one label a sequence")
        if len(set(self.infosets)) != len(self.infosets):
            twice = next(k for k, n in Counter(self.infosets).items() if n > 1)
            raise BadInputError(f"two infosets have one key, {twice!r}; strategies could not tell them apart")

    @property
    def n_infosets(self) -> int:
        """Number of infosets I."""
        return len(self.begin)

    @property
    def n_sequences(self) -> int:
        """Number of sequences S, the empty one included."""
        return len(self.actions)

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of each infoset by its key."""
        return {key: i for i, key in enumerate(self.infosets)}

    @cached_property
    def infoset_of(self) -> Index:
        """The infoset of each sequence, (S,); -1 for the empty one."""
        return np.concatenate(([-1], np.repeat(np.arange(self.n_infosets), self.end - self.begin)))

    @cached_property
    def parent_of(self) -> Index:
        """The parent sequence of each sequence, (S,); -1 for the empty one."""
        return np.concatenate(([-1], np.repeat(self.parent, self.end - self.begin)))

    @cached_property
    def depth(self) -> Index:
        """Number of own actions of each sequence, (S,)."""
        depth = np.zeros(self.n_sequences, dtype=np.int64)
        for i in range(self.n_infosets):
            depth[self.begin[i] : self.end[i]] = depth[self.parent[i]] + 1
        return depth

    def uniform(self) -> Floats:
        """Return the behaviour that plays every action of an infoset equally often, (S,)."""
        return 1.0 / np.concatenate(([1], np.repeat(self.end - self.begin, self.end - self.begin)))

    def plan(self, behaviour: Floats) -> Floats:
        """Return the realization plan x of a behaviour, both (S,): x[s] is the player's own reach."""
        x = self._copied(behaviour)
        x[0] = 1.0
        _multiply_down(self.begin, self.end, self.parent, x)
        return x

    def behaviour(self, plan: Floats, fallback: Floats | None = None) -> Floats:
        """Return the behaviour of a plan, normalised at every infoset.

        Parameters
        ----------
        plan : (S,) f64
            Approximately a realization plan; negative entries count as zero.
        fallback : (S,) f64, optional
            The behaviour at infosets that the plan does not reach; uniform by default.
        """
        behaviour = self.uniform() if fallback is None else self._copied(fallback)
        _normalise(self.begin, self.end, np.maximum(self._copied(plan), 0.0), behaviour)
        return behaviour

    def best_response(self, gradient: Floats) -> "BestResponse":
        """Maximise ``gradient @ x`` over realization plans x, at every infoset, reached or not.

        The maximum is taken also at infosets that the player's own choices exclude: ``value`` contains the
        counterfactual best-response values of all infosets.

        Parameters
        ----------
        gradient : (S,) f64
            ``A @ y`` for player 0, ``-A.T @ x`` for player 1.
        """
        q = self._copied(gradient)
        value, choice = np.empty(self.n_infosets), np.empty(self.n_infosets, dtype=np.int64)
        _maximise_up(self.begin, self.end, self.parent, q, value, choice)
        return BestResponse(float(q[0]), q, value, choice)

    def evaluate(self, behaviour: Floats, gradient: Floats) -> tuple[Floats, Floats]:
        """Return the counterfactual values of a behaviour, of sequences q (S,) and of infosets v (I,).

        ``q[s] = gradient[s] + sum of v[i]`` over the infosets i right below s, and
        ``v[i] = sum of behaviour[s] q[s]`` over the sequences s of i; unnormalised.

        Parameters
        ----------
        behaviour : (S,) f64
        gradient : (S,) f64
            As in :meth:`best_response`.
        """
        q, value = self._copied(gradient), np.empty(self.n_infosets)
        _average_up(self.begin, self.end, self.parent, self._copied(behaviour), q, value)
        return q, value

    def _copied(self, values: Floats) -> Floats:
        """Return a float64 copy of values (S,), shape checked; the compiled loops do not check bounds."""
        if np.shape(values) != (self.n_sequences,):
            raise BadInputError(
                f"an array over sequences must have shape ({self.n_sequences},), got {np.shape(values)}"
            )
        return np.array(values, dtype=np.float64)


@dataclass(frozen=True, repr=False)
class BestResponse(Shown):
    """The best response to a gradient.

    Attributes
    ----------
    total : float
        The maximum of ``gradient @ x``.
    q : (S,) f64
        Unnormalised best-response value of each sequence.
    value : (I,) f64
        Unnormalised counterfactual best-response value of each infoset.
    choice : (I,) int64
        A maximising sequence of each infoset, the first among equals.
    """

    total: float
    q: Floats
    value: Floats
    choice: Index

    def brief(self) -> str:
        """Return its value."""
        return f"value {self.total:.9g}"

    def behaviour(self) -> Floats:
        """Return the pure behaviour of ``choice``, (S,)."""
        behaviour = np.zeros(len(self.q))
        behaviour[0] = 1.0
        behaviour[self.choice] = 1.0
        return behaviour


@njit(cache=True)
def _multiply_down(begin: Index, end: Index, parent: Index, x: Floats) -> None:
    """Turn a behaviour into a plan in place: x[s] becomes x[s] * x[parent]."""
    for i in range(len(begin)):
        for s in range(begin[i], end[i]):
            x[s] *= x[parent[i]]


@njit(cache=True)
def _normalise(begin: Index, end: Index, plan: Floats, behaviour: Floats) -> None:
    """Write plan[s] / (sum over the infoset) into behaviour in place where the sum is positive and finite."""
    for i in range(len(begin)):
        total = plan[begin[i] : end[i]].sum()
        if 0.0 < total < np.inf:
            for s in range(begin[i], end[i]):
                behaviour[s] = plan[s] / total


@njit(cache=True)
def _maximise_up(begin: Index, end: Index, parent: Index, q: Any, value: Any, choice: Index) -> None:
    """Add the best value of each infoset to its parent sequence, children first; writes q, value, choice."""
    for i in range(len(begin) - 1, -1, -1):
        best = begin[i]
        for s in range(begin[i] + 1, end[i]):
            if q[s] > q[best]:
                best = s
        choice[i] = best
        value[i] = q[best]
        q[parent[i]] += q[best]


@njit(cache=True)
def _average_up(begin: Index, end: Index, parent: Index, behaviour: Floats, q: Floats, value: Floats) -> None:
    """Add the mean value of each infoset to its parent sequence, children first; writes q and value."""
    for i in range(len(begin) - 1, -1, -1):
        value[i] = 0.0
        for s in range(begin[i], end[i]):
            value[i] += behaviour[s] * q[s]
        q[parent[i]] += value[i]
