"""Fingerprints: which regret minimiser, average and order a user's strategies are, or come nearest to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from treeplex.cfr.variants.variant import Matching
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.examination.minimisers.candidate import Candidate, candidates, walked
from treeplex.examination.minimisers.learner import Learner
from treeplex.examination.minimisers.observed import EQUAL, REACHED, Difference, Observed
from treeplex.seqform.forms.profile import Profile

MOST_ITERATIONS = 100
"""Strategies after more iterations are left out: rounding errors decide ties by then."""
MOST_HISTORIES = 20_000
"""Walks over histories are tried on games of at most so many."""
OFFSETS = (0, -1, 1)
"""Offsets of weights that are tried first."""
DELAYS = tuple(range(-2, -11, -1))
"""Offsets of averages that leave out more iterations at the start."""
FEW = 0.5
"""A solver samples if fewer than this part of the infosets that full-width methods move have moved."""
MOST_REFINED = 40
"""So many candidates that differ equally late and little are compared over all iterations."""


@dataclass(frozen=True)
class Fingerprint:
    """The method that strategies agree with.

    Attributes
    ----------
    variant : str
        Such as ``cfr+``.
    averaging : str
        Weights, and which plan of an iteration has them, such as ``linear, before the update``; ``last``.
    order : str
        ``simultaneous`` or ``alternating, player 0 first``; also whether regrets change during the walk.
    """

    variant: str
    averaging: str
    order: str

    def as_json(self) -> dict[str, Any]:
        """Return the fingerprint as the object that ``--json`` prints."""
        return {"variant": self.variant, "averaging": self.averaging, "order": self.order}


@dataclass(frozen=True)
class Nearest:
    """The method that strategies agree with the longest, and where they first differ from it.

    Attributes
    ----------
    nearest : Fingerprint
    iteration : int
        The first number of iterations after which an infoset differs.
    infosets : tuple of (player, infoset)
        Those that differ there, the ones furthest down first: values flow upwards, so the first is nearest to
        the cause.
    difference : float
        The largest difference of a probability there.
    """

    nearest: Fingerprint
    iteration: int
    infosets: tuple[tuple[int, str], ...]
    difference: float

    def as_json(self) -> dict[str, Any]:
        """Return what is nearest as the object that ``--json`` prints."""
        infosets = [{"player": player, "infoset": infoset} for player, infoset in self.infosets]
        return {
            "nearest": self.nearest.as_json(),
            "first_difference": {"iteration": self.iteration, "infosets": infosets},
        }


@dataclass(frozen=True)
class _Held:
    """A candidate held against strategies: with how many it agrees, and where it differs from the next."""

    candidate: Candidate
    observed: Observed
    agreed: int
    iteration: int
    difference: Difference

    def differing(self) -> int:
        """Return how many infosets differ, summed over all numbers of iterations."""
        return sum(len(at.infosets) for _, at in self.candidate.differences(self.observed))

    @property
    def order(self) -> tuple[float, ...]:
        """Sorts the longest agreement first, then the fewest infosets, then the smallest difference."""
        return -self.agreed, len(self.difference.infosets), self.difference.largest


def fingerprint(
    problem: Problem, strategies: Mapping[int, Profile], progress: Progress = silent
) -> Fingerprint | Nearest | None:
    """Return which full-width regret minimiser a solver's strategies are.

    They are held against every variant, order of updates and average, and against recursions that change
    regrets during the walk. Probabilities must agree to ``EQUAL`` at every infoset that its own player
    reaches. Of several that agree the first is returned, common ones before others.

    Parameters
    ----------
    problem : Problem
    strategies : mapping of int to Profile
        Of ``problem.whole``, by the number of iterations: the more of 1, 2, 3, ..., the more is told apart,
        and ties are followed only over consecutive ones. Those above ``MOST_ITERATIONS`` are left out.
    progress : callable, optional
        Called with what they are held against.

    Returns
    -------
    Fingerprint or Nearest or None
        None where nothing is to be told: no strategies, the same ones whatever the iterations, or a solver
        that samples, which does not move most infosets in its first iterations.

    Raises
    ------
    ValueError
        If a strategy is of another game, or iterations are not positive.
    """
    observed = _observed(problem, strategies)
    if _is_constant(observed) or _samples(observed):
        return None
    found: list[_Held] = []
    for candidate, seen in _tried(problem, observed):
        progress(f"held against {candidate.variant}, {candidate.order}", inf)
        held = _held(candidate, seen)
        if held is None:
            return _named(candidate)
        found.append(held)
    best = _nearest(found)
    return Nearest(_named(best.candidate), best.iteration, best.difference.infosets, best.difference.largest)


def _observed(problem: Problem, strategies: Mapping[int, Profile]) -> Observed:
    bad = next((t for t in strategies if t < 1), None)
    if bad is not None:
        raise ValueError(f"strategies must be after at least 1 iteration, got {bad}")
    profiles = {
        t: problem.played(strategy.transfer(problem.whole.treeplexes))
        for t, strategy in sorted(strategies.items())
        if t <= MOST_ITERATIONS
    }
    return Observed(problem.form, profiles)


def _is_constant(observed: Observed) -> bool:
    """Return whether strategies are the same whatever the number of iterations, as an exact solver's are."""
    if len(observed.times) < 2:
        return not observed.times
    first = observed.plans[observed.times[0]]
    return all(
        float(np.max(np.abs(plan - start))) <= EQUAL
        for plans in observed.plans.values()
        for plan, start in zip(plans, first, strict=True)
    )


def _samples(observed: Observed) -> bool:
    """Return whether most infosets that a full-width iteration moves stay uniform when others first move."""
    for t in observed.times:
        shares = [share for p in (0, 1) if (share := _moved_share(observed, t, p)) > 0.0]
        if shares:
            return max(shares) < FEW
    return False


def _moved_share(observed: Observed, t: int, player: int) -> float:
    """Return which part of the probabilities that a first update changes have changed after t iterations.

    Infosets that the new plan does not reach keep their averages.
    """
    tree, other = observed.form.treeplexes[player], observed.form.treeplexes[1 - player]
    if tree.n_infosets == 0:
        return 0.0
    fresh = Learner.fresh(observed.form, player, Matching())
    after = fresh.updated(observed.form.gradient(player, other.plan(other.uniform())), 1).learner
    due = np.abs(after.behaviour - fresh.behaviour) > EQUAL
    due &= np.minimum(after.plan, observed.plans[t][player])[tree.parent_of] > REACHED
    moved = np.abs(observed.profiles[t].behaviour[player] - fresh.behaviour) > EQUAL
    return float(np.mean(moved[due])) if due.any() else 0.0


def _tried(problem: Problem, observed: Observed) -> Iterator[tuple[Candidate, Observed]]:
    """Yield what strategies are held against, each with these in its numbering; common ones first."""
    for candidate in candidates(observed, OFFSETS):
        yield candidate, observed
    if problem.locked is None and problem.is_enumerable and problem.enumerated.tree.n_nodes <= MOST_HISTORIES:
        walks = observed.on(problem.enumerated.form)
        for candidate in walked(problem.enumerated, OFFSETS):
            yield candidate, walks
    for candidate in candidates(observed, DELAYS):
        yield candidate, observed


def _held(candidate: Candidate, observed: Observed) -> _Held | None:
    """Hold a candidate against strategies until it differs; None if it does not."""
    for agreed, (t, difference) in enumerate(candidate.differences(observed)):
        if difference.infosets:
            return _Held(candidate, observed, agreed, t, difference)
    return None


def _nearest(found: Sequence[_Held]) -> _Held:
    """Return what agrees longest and differs least there; of equals, what differs least over all."""
    least = min(held.order for held in found)
    equals = [held for held in found if held.order == least][:MOST_REFINED]
    return min(equals, key=_Held.differing) if len(equals) > 1 else equals[0]


def _named(candidate: Candidate) -> Fingerprint:
    return Fingerprint(candidate.variant, candidate.averaging.name, candidate.order)
