"""A user's average strategies after some numbers of iterations, and what they tell of single plans.

Ways of averaging the plans of a run: weights, their offset, and which plan of an iteration counts.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from treeplex.bench.examination.learner import Flags
from treeplex.cfr.variant import AVERAGES, Exponent
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex

Counted = Literal["after", "before", "seen", "during"]
TEXTS: dict[Counted, str] = {
    "after": "after the update",
    "before": "before the update",
    "seen": "as the other player updated against",
    "during": "met during the walk",
}
NAMES = {exponent: name for name, exponent in AVERAGES.items()}


BEHAVIOUR = "behaviour without reaches"
"""What averages are called in which behaviour is not weighted with the player's own reach."""


@dataclass(frozen=True)
class Averaging:
    """A way of averaging plans: iteration t has weight ``(t + offset)**exponent``, 0 if t + offset is.

    Attributes
    ----------
    exponent : float
        0 is uniform, 1 linear; infinity is the last plan alone.
    counted : {"after", "before", "seen", "during"}
        Which plan of iteration t: that after its player's update, that before it, that against which the
        other player updated, or what was met during the walk over histories.
    offset : int
        1 counts iterations from one further; -d leaves out the first d (a delay).
    has_reaches : bool
        Whether plans are averaged; else behaviour is, whatever the player's own reach, which is a mistake.
    """

    exponent: float
    counted: Counted
    offset: int = 0
    has_reaches: bool = True

    @property
    def name(self) -> str:
        """The averaging in words, such as ``linear, before the update``."""
        words = NAMES[self.exponent]
        if math.isinf(self.exponent) and self.counted == "after":
            return words
        if self.offset > 0:
            words += f" with t + {self.offset}"
        elif self.offset < 0:
            words += f" with t - {-self.offset}" if self.exponent else f" from iteration {1 - self.offset}"
        return f"{'' if self.has_reaches else f'{BEHAVIOUR}, '}{words}, {TEXTS[self.counted]}"

    def weight(self, t: int) -> float:
        """Return the weight of iteration t; 1 where only the last plan counts."""
        if math.isinf(self.exponent):
            return 1.0
        return float((t + self.offset) ** self.exponent) if t + self.offset > 0 else 0.0

    def shown(self, player: int, first: int | None, t: int) -> int:
        """Return after how many iterations the average first counts a player's plan made by update t."""
        return t if self.is_after(player, first) else t + 1

    def sum_of_weights(self, t: int) -> float:
        """Return the sum of the weights that iterations 1 to t have in the average after t; 0 for none."""
        if math.isinf(self.exponent):
            return float(t > 0)
        return sum(self.weight(k) for k in range(1, t + 1))

    def keeps(self) -> float:
        """Return by what the sum of earlier plans is multiplied before one is added."""
        return 0.0 if math.isinf(self.exponent) else 1.0

    def is_after(self, player: int, first: int | None) -> bool:
        """Return whether a player's plan after the update is counted; ``first`` is who updates first."""
        return self.counted == "after" or (self.counted == "seen" and player == first)


def averagings(
    counted: tuple[Counted, ...],
    offsets: tuple[int, ...],
    own: Exponent | None = None,
    *,
    has_reaches: bool = True,
) -> tuple[Averaging, ...]:
    """Return all ways with these plans and offsets, common ones first.

    Exponents between 3 and infinity are rare: only that of a method's own average is among them.
    """
    exponents = [one for one in NAMES if not 3.0 < one < math.inf or one == own]
    return tuple(
        Averaging(exponent, which, offset, has_reaches)
        for offset in offsets
        for exponent in exponents
        for which in counted
        if not (math.isinf(exponent) and (offset or not has_reaches or which not in ("after", "before")))
        and not (exponent == 0.0 and offset > 0)
    )


EQUAL = 1e-9
"""Probabilities that differ by less are equal."""
REACHED = 1e-9
"""Infosets whose own player reaches them less are not compared."""


@dataclass(frozen=True)
class Difference:
    """Where strategies differ.

    Attributes
    ----------
    treeplexes : pair of Treeplex
    sizes : pair of (I,) f64
        The largest difference of a probability at each infoset of each player; 0 where they are equal.
    """

    treeplexes: tuple[Treeplex, Treeplex]
    sizes: tuple[Floats, Floats]

    @cached_property
    def count(self) -> int:
        """How many infosets differ."""
        return int(sum(np.count_nonzero(sizes) for sizes in self.sizes))

    @property
    def largest(self) -> float:
        """The largest difference of a probability."""
        return max(float(np.max(sizes, initial=0.0)) for sizes in self.sizes)

    @property
    def infosets(self) -> tuple[tuple[int, str], ...]:
        """The infosets (player, key) that differ, those with the most own actions before them first.

        Values flow upwards, and errors with them; of equally deep ones the largest difference is first.
        """
        found = [
            (-int(tree.depth[tree.parent[i]]), -float(sizes[i]), player, tree.infosets[i])
            for player, (tree, sizes) in enumerate(zip(self.treeplexes, self.sizes, strict=True))
            for i in np.flatnonzero(sizes).tolist()
        ]
        return tuple((player, key) for _, _, player, key in sorted(found))


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

    def shifted(self, extra: int) -> "Observed":
        """Return the strategies as those after ``extra`` more iterations; those after none are left out."""
        return Observed(self.form, {t + extra: one for t, one in self.profiles.items() if t + extra > 0})

    def difference(self, t: int, totals: tuple[Floats, Floats]) -> Difference:
        """Return where weighted sums of plans, (S,) each, differ from the strategies after t iterations."""
        first, second = (self._sizes(p, t, totals[p]) for p in (0, 1))
        return Difference(self.form.treeplexes, (first, second))

    def _sizes(self, player: int, t: int, total: Floats) -> Floats:
        """Return by how much each of a player's infosets differs, (I,); 0 for those that are not reached."""
        tree = self.form.treeplexes[player]
        if tree.n_infosets == 0:
            return np.zeros(0)
        off = np.abs(tree.behaviour(total) - self.profiles[t].behaviour[player])
        sizes = np.maximum.reduceat(off[1:], tree.begin - 1)
        reached = np.add.reduceat(total[1:], tree.begin - 1) > REACHED * total[0]
        # Where no plan has weight yet, the average is uniform everywhere.
        return np.where((sizes > EQUAL) & (reached | (total[0] == 0.0)), sizes, 0.0)

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
        known = _known(tree, plan) if averaging.has_reaches else np.ones(len(plan), dtype=np.bool_)
        return tree.behaviour(plan), known

    def _total(self, averaging: Averaging, player: int, t: int) -> Floats | None:
        """Return the observed average after t iterations times the sum of its weights; None if not given."""
        whole = averaging.sum_of_weights(t)
        if whole == 0.0:
            return np.zeros(self.form.treeplexes[player].n_sequences)
        if t not in self.plans:
            return None
        told = self.plans[t] if averaging.has_reaches else self.profiles[t].behaviour
        return np.asarray(whole * told[player])


def _known(tree: Treeplex, plan: Floats) -> Flags:
    """Return at which sequences a plan that was computed as a difference tells the behaviour, (S,)."""
    known = plan[tree.parent_of] > 1e-6
    known[0] = True
    return known
