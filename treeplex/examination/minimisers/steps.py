"""The plans of a run of regret minimisers, iteration by iteration."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from treeplex.examination.minimisers.learner import Learner, Update
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats

Pair = tuple[Floats, Floats]
Chooser = Callable[[int, int, Update], Learner]
"""Returns a player after an update, given the player, the iteration and the update, ties decided."""


class Step(NamedTuple):
    """The plans of one iteration, a pair of (S,) each.

    before, after : both players' plans before and after their updates.
    during : the plans met on a walk over histories, summed over the histories of each infoset; None where an
        iteration updates all histories at once.
    """

    before: Pair
    after: Pair
    during: Pair | None = None


def full_width(
    form: SequenceForm, fresh: tuple[Learner, Learner], first: int | None, choose: Chooser
) -> Iterator[Step]:
    """Yield the plans of full-width iterations, without end.

    Parameters
    ----------
    form : SequenceForm
    fresh : pair of Learner
        Both players before the first iteration.
    first : int or None
        Who updates first, so that the other updates against the new plan; None if both update against the
        plans from before.
    choose : callable
        Decides ties.
    """
    learners = list(fresh)
    t = 0
    while True:
        t += 1
        before = learners[0].plan, learners[1].plan
        for p in (0, 1) if first != 1 else (1, 0):
            other = before[1 - p] if first is None else learners[1 - p].plan
            learners[p] = choose(p, t, learners[p].updated(form.gradient(p, other), t))
        yield Step(before, (learners[0].plan, learners[1].plan))
