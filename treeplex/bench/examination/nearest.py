"""Which of many candidates is nearest to strategies that none agrees with, and where these first differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from treeplex.bench.examination.candidate import Candidate
from treeplex.bench.examination.early_moves import Consistency
from treeplex.bench.examination.observed import Difference, Observed

MOST_REFINED = 40
"""So many candidates that differ equally late and little are compared over all iterations."""
MOST_VIOLATIONS = 0.5
"""Above this part of wrong updates, updates tell nothing: the average is not what the candidate says."""


@dataclass(frozen=True)
class Held:
    """A candidate held against strategies.

    Attributes
    ----------
    candidate : Candidate
    observed : Observed
        The strategies, in the candidate's numbering.
    agreed : int
        With how many strategies it agrees before it differs.
    iteration : int
        The number of iterations of the strategy from which it first differs.
    count : int
        At how many infosets it differs there.
    largest : float
        The largest difference of a probability there.
    """

    candidate: Candidate
    observed: Observed
    agreed: int
    iteration: int
    count: int
    largest: float

    @staticmethod
    def of(candidate: Candidate, observed: Observed) -> "Held | None":
        """Hold a candidate against strategies until it differs; None if it does not."""
        for agreed, (t, difference) in enumerate(candidate.differences(observed)):
            if difference.count:
                return Held(candidate, observed, agreed, t, difference.count, difference.largest)
        return None

    @property
    def order(self) -> tuple[float, ...]:
        """Sorts the longest agreement first, then the fewest infosets, then the smallest difference."""
        return -self.agreed, self.count, self.largest

    def difference(self) -> Difference:
        """Return where it first differs."""
        return next(at for t, at in self.candidate.differences(self.observed) if t == self.iteration)

    def differing(self) -> int:
        """Return how many infosets differ, summed over all numbers of iterations."""
        return sum(at.count for _, at in self.candidate.differences(self.observed))


class Found(NamedTuple):
    """The nearest candidate, the first number of iterations that shows a difference, and where."""

    candidate: Candidate
    iteration: int
    difference: Difference


def nearest(found: Sequence[Held]) -> Found:
    """Return the nearest candidate and where strategies first differ from it.

    That is the candidate whose updates follow best from the user's own plans, where averages tell these;
    otherwise that which agrees longest and differs least there, of equals that which differs least over all
    iterations. A recursion that agrees longer than all others is nearest in any case, and methods that best
    respond never are: their plans are pure, and agree with much by chance.

    Parameters
    ----------
    found : sequence of Held
        At least one.
    """
    ranked = sorted((held for held in found if not held.candidate.responds), key=lambda held: held.order)
    equals = [held for held in ranked if held.order == ranked[0].order][:MOST_REFINED]
    longest = min(equals, key=Held.differing) if len(equals) > 1 else equals[0]
    followed = [held for held in ranked if held.candidate.follows]
    if not longest.candidate.follows and longest.agreed > max(held.agreed for held in followed):
        return Found(longest.candidate, longest.iteration, longest.difference())
    return _most_consistent(followed) or Found(longest.candidate, longest.iteration, longest.difference())


def _most_consistent(ranked: Sequence[Held]) -> Found | None:
    """Return the candidate with the fewest wrong updates and the first of them; None if they tell nothing."""
    best: Consistency | None = None
    for held in ranked:
        one = Consistency(held.candidate, held.observed)
        if one.run(most=best.violations - 1 if best else one.all_infosets):
            best = one
    first = best.first() if best else None
    if best is None or first is None or best.violations > MOST_VIOLATIONS * best.compared:
        return None
    return Found(best.candidate, *first)
