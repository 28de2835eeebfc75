"""A user's average strategies after some numbers of iterations, and what they tell of single plans."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from treeplex.examination.minimisers.averaging import Averaging
from treeplex.examination.minimisers.learner import Flags
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex

EQUAL = 1e-9
"""Probabilities that differ by less are equal."""
REACHED = 1e-9
"""Infosets whose own player reaches them less are not compared."""


class Spot(NamedTuple):
    """An infoset where strategies differ: own actions before it, the largest difference, player and key."""

    depth: int
    size: float
    key: tuple[int, str]

    @staticmethod
    def of(tree: Treeplex, player: int, infoset: int, size: float) -> "Spot":
        """Return the spot of a player's infoset by its number."""
        return Spot(int(tree.depth[tree.parent[infoset]]), size, (player, tree.infosets[infoset]))


class Difference(NamedTuple):
    """Where a strategy differs from an observed one.

    infosets : pairs (player, infoset), those with the most own actions before them first, then the largest.
    largest : the largest difference of a probability.
    """

    infosets: tuple[tuple[int, str], ...]
    largest: float


@dataclass(frozen=True)
class Observed:
    """A user's average strategies on a form.

    Attributes
    ----------
    form : SequenceForm
    profiles : mapping of int to Profile
        By the number of iterations, on the form's treeplexes.
    """

    form: SequenceForm
    profiles: Mapping[int, Profile]

    @cached_property
    def times(self) -> tuple[int, ...]:
        """The numbers of iterations, rising."""
        return tuple(sorted(self.profiles))

    @cached_property
    def plans(self) -> Mapping[int, tuple[Floats, Floats]]:
        """Both players' plans by the number of iterations."""
        return {t: profile.plans for t, profile in self.profiles.items()}

    def on(self, form: SequenceForm) -> "Observed":
        """Return the strategies on another form of the game."""
        return Observed(form, {t: profile.transfer(form.treeplexes) for t, profile in self.profiles.items()})

    def difference(self, t: int, totals: tuple[Floats, Floats]) -> Difference:
        """Return where weighted sums of plans, (S,) each, differ from the strategies after t iterations."""
        return sorted_difference(spot for p in (0, 1) for spot in self._differing(p, t, totals[p]))

    def _differing(self, player: int, t: int, total: Floats) -> Iterator[Spot]:
        """Yield each infoset that differs."""
        tree = self.form.treeplexes[player]
        if tree.n_infosets == 0:
            return
        off = np.abs(tree.behaviour(total) - self.profiles[t].behaviour[player])
        sizes = np.maximum.reduceat(off[1:], tree.begin - 1)
        whole = float(total[0])
        if whole > 0.0:
            sizes = np.where(np.add.reduceat(total[1:], tree.begin - 1) > REACHED * whole, sizes, 0.0)
        for i in np.flatnonzero(sizes > EQUAL).tolist():
            yield Spot.of(tree, player, i, float(sizes[i]))

    def play(
        self, averaging: Averaging, player: int, t: int, first: int | None
    ) -> tuple[Floats, Flags] | None:
        """Return a player's behaviour after the update of iteration t, and where it is known, (S,) each.

        Two averages that follow each other differ by one weighted plan. None where they are not both given.
        """
        at = averaging.shown(player, first, t)
        total = self._total(averaging, player, at)
        before = self._total(averaging, player, at - 1 if averaging.keeps() else 0)
        if total is None or before is None or averaging.weight(at) == 0.0:
            return None
        tree = self.form.treeplexes[player]
        plan = np.maximum(total - before, 0.0) / averaging.weight(at)
        return tree.behaviour(plan), _known(tree, plan)

    def _total(self, averaging: Averaging, player: int, t: int) -> Floats | None:
        """Return the observed average after t iterations times the sum of its weights; None if not given."""
        whole = averaging.sum_of_weights(t)
        if whole == 0.0:
            return np.zeros(self.form.treeplexes[player].n_sequences)
        return whole * self.plans[t][player] if t in self.plans else None


def sorted_difference(spots: Iterable[Spot]) -> Difference:
    """Return the infosets that differ, furthest down first: values flow upwards, and errors with them."""
    found = sorted(spots, key=lambda spot: (-spot.depth, -spot.size))
    return Difference(tuple(spot.key for spot in found), max((spot.size for spot in found), default=0.0))


def _known(tree: Treeplex, plan: Floats) -> Flags:
    """Return at which sequences a plan that was computed as a difference tells the behaviour, (S,)."""
    known = plan[tree.parent_of] > 1e-6
    known[0] = True
    return known
