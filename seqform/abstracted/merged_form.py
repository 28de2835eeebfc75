"""The sequence form of an abstract game: infosets of a bucket are one infoset."""

from dataclasses import dataclass, replace

import numpy as np

from treeplex.games.display.shown import Shown
from treeplex.seqform.abstracted.partition import Partition
from treeplex.seqform.certify.exact_certificate import ExactPlan
from treeplex.seqform.forms.payoff import Payoff
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.reductions.forced import renumbered


@dataclass(frozen=True, repr=False)
class MergedForm(Shown):
    """A game and its abstract game, in which a player knows the bucket of an infoset alone.

    Plans of the abstract game are those plans of the game that play alike in all infosets of a bucket, and
    pay the same.

    Attributes
    ----------
    whole, form : SequenceForm
        The game, and the abstract one.
    partitions : pair of Partition
        Of perfect recall.
    """

    whole: SequenceForm
    form: SequenceForm
    partitions: tuple[Partition, Partition]

    def brief(self) -> str:
        """Return the abstract game."""
        return self.form.brief()

    def lift(self, profile: Profile) -> Profile:
        """Return a profile of the abstract game as one of the game: infosets play as their buckets do."""
        first, second = (
            own.lift(behaviour) for own, behaviour in zip(self.partitions, profile.behaviour, strict=True)
        )
        return Profile(self.whole.treeplexes, (first, second))

    def lift_plan(self, player: int, plan: Floats) -> Floats:
        """Return a player's plan of the abstract game as a plan of the game, (S,)."""
        return plan[self.partitions[player].sequence]

    def lift_exactly(self, player: int, plan: ExactPlan) -> ExactPlan:
        """Return :meth:`lift_plan` of an exact plan."""
        return ExactPlan(plan.num[self.partitions[player].sequence], plan.den)


def merged_form(form: SequenceForm, partitions: tuple[Partition, Partition]) -> MergedForm:
    """Return the abstract game of two partitions; an unabstracted player's is ``Partition.trivial``.

    With perfect recall the plan of a bucket's sequence is that of every infoset's sequence which becomes it,
    so that the abstract payoff is the sum ``A'[s, t]`` of all ``A[s0, t0]`` of sequences that become s and t.

    Raises
    ------
    ValueError
        If a partition is of other infosets, or its recall is imperfect; the message names the infosets.
    """
    for player, (own, partition) in enumerate(zip(form.treeplexes, partitions, strict=True)):
        if partition.treeplex.infosets != own.infosets or partition.treeplex.actions != own.actions:
            raise ValueError(f"player {player}'s partition is of other infosets than the game's")
    treeplexes = tuple(partition.merged() for partition in partitions)
    first, second = (partition.sequence for partition in partitions)
    payoff, chain = form.payoff, np.arange(len(form.payoff.link))
    merged = Payoff(
        renumbered(payoff.base, first, second),
        renumbered(payoff.left, first, chain),
        payoff.link,
        renumbered(payoff.right, second, chain),
    )
    abstract = replace(form, treeplexes=(treeplexes[0], treeplexes[1]), payoff=merged)
    return MergedForm(form, abstract, partitions)
