"""What the first strategies tell, and single updates held against the plans that averages tell."""

from dataclasses import dataclass, field

import numpy as np

from treeplex.bench.examination.candidate import Candidate
from treeplex.bench.examination.learner import Learner, Update
from treeplex.bench.examination.observed import EQUAL, REACHED, Difference, Observed
from treeplex.cfr.variant import Matching
from treeplex.seqform.forms.treeplex import Floats

FEW = 0.5
"""A solver samples if fewer than this part of what a full-width iteration moves has moved."""
MOST = 0.9
"""It does not if at least this part has moved of each player; in between it cannot be told."""


def is_constant(observed: Observed) -> bool:
    """Return whether strategies are the same whatever the number of iterations, as an exact solver's are."""
    if len(observed.times) < 2:
        return not observed.times
    first = observed.plans[observed.times[0]]
    return all(
        float(np.max(np.abs(plan - start))) <= EQUAL
        for plans in observed.plans.values()
        for plan, start in zip(plans, first, strict=True)
    )


def still_uniform(observed: Observed) -> int:
    """Return up to how many iterations the strategies are uniform, as averages are that leave these out."""
    uniform = 0
    for t in observed.times:
        for tree, behaviour in zip(observed.form.treeplexes, observed.profiles[t].behaviour, strict=True):
            if float(np.max(np.abs(behaviour - tree.uniform()))) > EQUAL:
                return uniform
        uniform = t
    return uniform


def samples(observed: Observed) -> bool:
    """Return whether most infosets that a full-width iteration moves stay uniform when others first move."""
    shares = _first_moved(observed)
    return bool(shares) and max(shares) < FEW


def is_full_width(observed: Observed) -> bool:
    """Return whether nearly all infosets that a full-width iteration moves have moved when any first do."""
    shares = _first_moved(observed)
    return bool(shares) and min(shares) >= MOST


def _first_moved(observed: Observed) -> list[float]:
    """Return the parts that have moved of each player who acts, when any have; none if nothing moves."""
    acting = [p for p in (0, 1) if observed.form.treeplexes[p].n_infosets]
    for t in observed.times:
        shares = [_moved_share(observed, t, p) for p in acting]
        if any(shares):
            return shares
    return []


def _moved_share(observed: Observed, t: int, player: int) -> float:
    """Return which part of the probabilities that a first update changes have changed after t iterations.

    Infosets that the new plan does not reach keep their averages.
    """
    tree, other = observed.form.treeplexes[player], observed.form.treeplexes[1 - player]
    fresh = Learner.fresh(observed.form, player, Matching())
    after = fresh.updated(observed.form.gradient(player, other.plan(other.uniform())), 1).learner
    due = np.abs(after.behaviour - fresh.behaviour) > EQUAL
    due &= np.minimum(after.plan, observed.plans[t][player])[tree.parent_of] > REACHED
    moved = np.abs(observed.profiles[t].behaviour[player] - fresh.behaviour) > EQUAL
    return float(np.mean(moved[due])) if due.any() else 0.0


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
