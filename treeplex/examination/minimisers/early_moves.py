"""What the first strategies tell: whether they ever change, and whether most infosets move at once."""

import numpy as np

from treeplex.cfr.variants.variant import Matching
from treeplex.examination.minimisers.learner import Learner
from treeplex.examination.minimisers.observed import EQUAL, REACHED, Observed

FEW = 0.5
"""A solver samples if fewer than this part of what a full-width iteration moves has moved."""


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
