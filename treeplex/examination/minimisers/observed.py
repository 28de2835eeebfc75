"""A user's average strategies after some numbers of iterations, and what they tell of single plans."""

from collections.abc import Iterator, Mapping
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
        found = sorted(
            (one for p in (0, 1) for one in self._differing(p, t, totals[p])),
            key=lambda one: (-one[0], -one[1]),
        )
        return Difference(tuple(key for _, _, key in found), max((size for _, size, _ in found), default=0.0))

    def _differing(self, player: int, t: int, total: Floats) -> Iterator[tuple[int, float, tuple[int, str]]]:
        """Yield (own actions before, size, key) of each infoset that differs."""
        tree = self.form.treeplexes[player]
        if tree.n_infosets == 0:
            return
        off = np.abs(tree.behaviour(total) - self.profiles[t].behaviour[player])
        sizes = np.maximum.reduceat(off[1:], tree.begin - 1)
        whole = float(total[0])
        if whole > 0.0:
            sizes = np.where(np.add.reduceat(total[1:], tree.begin - 1) > REACHED * whole, sizes, 0.0)
        for i in np.flatnonzero(sizes > EQUAL).tolist():
            yield int(tree.depth[tree.parent[i]]), float(sizes[i]), (player, tree.infosets[i])

    def play(
        self, averaging: Averaging, player: int, t: int, first: int | None
    ) -> tuple[Floats, Flags] | None:
        """Return a player's behaviour after the update of iteration t, and where it is known, (S,) each.

        Two averages that follow each other differ by one weighted plan. None where they are not both given.
        """
        at = t if averaging.is_after(player, first) else t + 1
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


def _known(tree: Treeplex, plan: Floats) -> Flags:
    """Return at which sequences a plan that was computed as a difference tells the behaviour, (S,)."""
    known = plan[tree.parent_of] > 1e-6
    known[0] = True
    return known
