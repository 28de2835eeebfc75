"""What gadgets know of a subgame, wherever it is from: its tops, and how they are entered.

Tops are vectors. Root decisions are what a player does before a subgame begins. Choices among many actions
are taken in steps of a few, which regret matching learns in fewer iterations.
"""

from collections import deque
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.subgames.forest import NOTHING

SMALLEST_REACH = 1e-290
"""Reach below this counts as zero: quotients of such numbers are dominated by rounding."""


class Tops(Protocol):
    """The T tops of a subgame under a blueprint; values are the opponent's.

    Unnormalised values are payoffs times the probability that chance and the defender come there; values per
    unit of reach are divided by ``reach``. ``Subgame`` has these of enumerated games, where a top is what the
    opponent knows, ``BoardSubgame`` of betting times boards, where it is a hand.
    """

    @property
    def name(self) -> str:
        """The name of the subgame."""

    @property
    def tops(self) -> tuple[str, ...]:
        """What the opponent knows at each top."""

    @property
    def reach(self) -> Floats:
        """The reach of each top by chance and the defender's blueprint, (T,)."""

    @property
    def live(self) -> NDArray[np.bool_]:
        """Whether they reach each top, (T,)."""

    @property
    def opponent_reach(self) -> Floats:
        """The opponent's own reach of each top under the blueprint, (T,)."""

    @property
    def cbv(self) -> Floats:
        """The counterfactual best-response value of each live top per unit of reach, (T,), NaN elsewhere."""

    @property
    def blueprint_value(self) -> Floats:
        """The counterfactual value of each top if both play the blueprint, (T,), unnormalised."""

    @property
    def lower_bound_gifts(self) -> Floats:
        """What the opponent gave away on the way by not ending the game at once, (T,), per unit of reach."""

    @property
    def estimated_gifts(self) -> Floats:
        """What it gave away by not playing the best action of all, (T,), if nothing else changes."""

    def normalised(self, values: Floats) -> Floats:
        """Return unnormalised values (T,) per unit of reach; NaN where that is zero."""


class Valued(Protocol):
    """Tops with reaches and counterfactual best-response values."""

    @property
    def reach(self) -> Floats:
        """The reach of each top by chance and the defender's blueprint, (T,)."""

    @property
    def value(self) -> Floats:
        """The opponent's counterfactual best-response value of each top, (T,), unnormalised."""


class PerReach:
    """What follows from the ``reach`` and the ``value`` of a ``Valued``: a base of classes of tops."""

    @property
    def live(self: Valued) -> NDArray[np.bool_]:
        """Whether chance and the defender reach each top, (T,); values of the others are zero."""
        return self.reach > SMALLEST_REACH

    @property
    def cbv(self: Valued) -> Floats:
        """The counterfactual best-response value of each live top per unit of reach, (T,), NaN elsewhere."""
        return per_reach(self.value, self.reach)

    def normalised(self: Valued, values: Floats) -> Floats:
        """Return unnormalised values (T,) per unit of reach; NaN where that is zero."""
        return per_reach(values, self.reach)


def read_only(values: Floats) -> Floats:
    """Return the same numbers, which cannot be written to: gadgets share what reports are made from."""
    view = values.view()
    view.flags.writeable = False
    return view


def per_reach(values: Floats, reach: Floats) -> Floats:
    """Return unnormalised values (T,) per unit of reach (T,); NaN where that is zero."""
    unknown = np.full(len(values), np.nan)
    return np.asarray(np.divide(values, reach, out=unknown, where=reach > SMALLEST_REACH))


def reach_anywhere(tops: Tops) -> Floats:
    """Return the opponent's reaches, (T,): all alike where its own strategy never comes to the subgame.

    Unsafe solving is undefined there, and takes tops to be as likely as chance and the defender make them.
    """
    come = np.any(tops.opponent_reach * tops.reach > SMALLEST_REACH)
    return tops.opponent_reach if come else np.ones(len(tops.reach))


@dataclass(frozen=True)
class Entry:
    """One way into a subgame.

    Attributes
    ----------
    at : (T,) int64
        The sequence after which each top is entered; -1 leaves a top out.
    weight : (T,) f64
        What each top's leaves are multiplied by.
    suffix : str
        Appended to the player's keys, where there are several ways in.
    """

    at: Index
    weight: Floats
    suffix: str = ""


@dataclass(frozen=True)
class RootDecisions:
    """One player's decisions before a subgame: those of the opponent in a gadget's game.

    Attributes
    ----------
    header : Treeplex
        The decisions.
    entries : tuple of Entry
        Ways from its sequences into the subgame.
    stay : pair of (n,) int64 and (n,) f64
        Sequences of the header after which the player is paid, and how much: at each in units of the whole
        game's payoffs times probabilities, as the leaves of the subgame pay.
    """

    header: Treeplex
    entries: tuple[Entry, ...]
    stay: tuple[Index, Floats]

    @staticmethod
    def fixed(weight: Floats) -> "RootDecisions":
        """Return root decisions without any choice: each top is entered with a weight, (T,)."""
        at = np.zeros(len(weight), dtype=np.int64)
        return RootDecisions(NOTHING, (Entry(at, weight),), nothing())

    @property
    def n_sums(self) -> int:
        """The number of sequences, over which what is paid is added up."""
        return self.header.n_sequences

    @property
    def most_weight(self) -> Floats:
        """The most that a top's leaves can be multiplied by, (T,): the sum of all entries."""
        return np.asarray(sum(np.where(e.at >= 0, e.weight, 0.0) for e in self.entries))

    def entered(self, plan: Floats) -> Floats:
        """Return what each top's leaves are multiplied by under a plan of the header (S,), (T,)."""
        return np.asarray(
            sum(np.where(e.at >= 0, e.weight * plan[np.maximum(e.at, 0)], 0.0) for e in self.entries)
        )

    def outside(self, plan: Floats) -> float:
        """Return what a plan of the header (S,) earns without entering."""
        return float(replace(self, entries=()).paid(np.zeros(0)) @ plan)

    def best(self, values: Floats) -> float:
        """Return the most that the opponent can get if tops are worth values (T,), unnormalised."""
        return self.header.best_response(self.paid(values)).total

    def best_inside(self, values: Floats) -> float:
        """Return the most that it can get if it is paid for entering alone."""
        return replace(self, stay=nothing()).best(values)

    @property
    def most_outside(self) -> float:
        """The most that it can get for staying out if all amounts counted as positive."""
        return replace(self, entries=(), stay=(self.stay[0], np.abs(self.stay[1]))).best(np.zeros(0))

    def in_unit(self, unit: float) -> "RootDecisions":
        """Return the same decisions with payoffs for staying out in another unit."""
        return replace(self, stay=(self.stay[0], self.stay[1] / unit))

    def paid(self, values: Floats) -> Floats:
        """Return what each sequence of the header earns at once and by tops entered there, (S,).

        Parameters
        ----------
        values : (T,) f64
            What a top is worth, unnormalised.
        """
        earned = np.zeros(self.header.n_sequences)
        np.add.at(earned, self.stay[0], self.stay[1])
        for entry in self.entries:
            live = entry.at >= 0
            np.add.at(earned, entry.at[live], (entry.weight * values)[live])
        return earned


def nothing() -> tuple[Index, Floats]:
    """Return the ``stay`` of a header that never pays."""
    return np.zeros(0, dtype=np.int64), np.zeros(0)


@dataclass(frozen=True)
class RootSteps:
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


def in_steps(root: RootDecisions, worth: Floats, most: int) -> RootSteps:
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
        return RootSteps(root, np.arange(header.n_sequences))
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
    return RootSteps(RootDecisions(_treeplex(parents, sizes), entries, stay), to)


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
