"""Single updates held against the plans that averages tell: what follows from the user's own play so far."""

from dataclasses import dataclass, field

import numpy as np

from treeplex.examination.minimisers.candidate import Candidate
from treeplex.examination.minimisers.learner import Learner, Update
from treeplex.examination.minimisers.observed import Difference, Observed
from treeplex.seqform.forms.treeplex import Floats

TOLD = 1e-6
"""Probabilities are compared to this: a plan is a difference of averages, which loses digits."""


@dataclass
class Consistency:
    """A candidate that plays what the user plays, and counts where its own updates would play something else.

    A wrong update shows where it is made, and not also wherever it leads: the next updates are made against
    the user's own plans.

    Attributes
    ----------
    candidate : Candidate
    observed : Observed
    violations : int
        Infosets whose next play is another, over all iterations; all of a player whose plan is not told.
    compared : int
        Infosets whose next play was compared.
    sizes : mapping of int to pair of (I,) f64
        By how much each infoset's next play is another, by the number of iterations after which the user's
        strategies show it.
    """

    candidate: Candidate
    observed: Observed
    violations: int = 0
    compared: int = 0
    sizes: dict[int, tuple[Floats, Floats]] = field(default_factory=dict)

    @property
    def all_infosets(self) -> int:
        """The largest number of violations."""
        return self.observed.times[-1] * sum(self.observed.form.n_infosets)

    def run(self, most: int) -> bool:
        """Compare all iterations; return False as soon as there are more violations than ``most``."""
        for _ in zip(range(self.observed.times[-1]), self.candidate.run(self._choose), strict=False):
            if self.violations > most:
                return False
        return self.violations <= most

    def first(self) -> tuple[int, Difference] | None:
        """Return the first number of iterations that shows a violation, and where; None if there is none."""
        if not self.sizes:
            return None
        t = min(self.sizes)
        return t, Difference(self.observed.form.treeplexes, self.sizes[t])

    def _choose(self, player: int, t: int, update: Update) -> Learner:
        learner, averaging = update.learner, self.candidate.averaging
        known = self.observed.play(averaging, player, t, self.candidate.first)
        shown = averaging.shown(player, self.candidate.first, t)
        if known is None or learner.treeplex.n_infosets == 0:
            if shown <= self.observed.times[-1]:
                self.violations += learner.treeplex.n_infosets
                self.compared += learner.treeplex.n_infosets
            return learner
        play, told = known
        off = np.where(told & ~update.allows(play), np.abs(play - learner.behaviour), 0.0)
        self._note(player, shown, learner, off)
        self.compared += int(np.count_nonzero(told[learner.treeplex.begin]))
        return learner.playing(np.where(told, play, learner.behaviour))

    def _note(self, player: int, shown: int, learner: Learner, off: Floats) -> None:
        sizes = np.maximum.reduceat(off[1:], learner.treeplex.begin - 1)
        bad = sizes > TOLD
        if bad.any():
            self.violations += int(np.count_nonzero(bad))
            first, second = self.observed.form.n_infosets
            self.sizes.setdefault(shown, (np.zeros(first), np.zeros(second)))
            self.sizes[shown][player][bad] = sizes[bad]
