"""Methods that a user's solver may be: a variant, an order of updates and an average."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count

import numpy as np

from treeplex.bench.examination.learner import Learner, Update
from treeplex.bench.examination.observed import Averaging, Counted, Difference, Observed, averagings
from treeplex.bench.examination.plan_steps import Chooser, Histories, Step, Walk, full_width
from treeplex.cfr.variant import PLUS, VARIANTS, BestResponding, Matching, Minimiser
from treeplex.seqform.forms.sequence_form import NumberedTree, SequenceForm
from treeplex.seqform.forms.treeplex import Floats

ORDERS: dict[int | None, str] = {
    0: "alternating, player 0 first",
    None: "simultaneous",
    1: "alternating, player 1 first",
}
"""Orders of updates by who updates first."""
DURING = "regrets updated during the walk"
METHODS: dict[str, tuple[Minimiser, Minimiser]] = {
    **{name: variant.minimisers for name, variant in VARIANTS.items() if not variant.is_planned},
    "cfr-br, player 0 best responds": (VARIANTS["cfr-br"].minimisers[1], VARIANTS["cfr-br"].minimisers[0]),
}
"""The local minimisers of each variant; those with plans of so many iterations depend on the plan."""
WALKED: dict[str, tuple[Matching, bool]] = {
    "cfr": (Matching(), False),
    "cfr+": (PLUS, False),
    "cfr+, regrets clipped at each history": (PLUS, True),
    "lcfr": (Matching(1.0, 1.0), False),
    "dcfr": (Matching(1.5, 0.0), False),
}
"""Regret matching during walks: its rule, and whether negative regrets are set to zero at each history."""


@dataclass(frozen=True)
class Candidate:
    """A variant in an order of updates with a way of averaging.

    Attributes
    ----------
    variant, order : str
    first : int or None
        Who updates first; None if both update at once.
    averaging : Averaging
    run : callable
        Returns the plans of a run, iteration by iteration, given what decides ties.
    follows : bool
        Whether ties are decided so; walks decide them themselves.
    responds : bool
        Whether a player best responds: pure plans, which agree with much by chance.
    """

    variant: str
    order: str
    first: int | None
    averaging: Averaging
    run: Callable[[Chooser], Iterator[Step]] = field(repr=False, compare=False)
    follows: bool = True
    responds: bool = False

    @property
    def is_usual(self) -> bool:
        """Whether the weights are those that the variant is known with."""
        variant = VARIANTS.get(self.variant)
        usual = variant is not None and variant.average.exponent == self.averaging.exponent
        return usual and self.averaging.offset == 0

    def differences(self, observed: Observed) -> Iterator[tuple[int, Difference]]:
        """Yield each observed number of iterations with where this candidate's average differs."""
        totals = [np.zeros(n) for n in observed.form.n_sequences]
        last = observed.times[-1]
        choose = partial(_as_observed, observed, self.averaging, self.first)
        for t, step in zip(range(1, last + 1), self.run(choose), strict=False):
            weight, keeps = self.averaging.weight(t), self.averaging.keeps()
            totals = [keeps * totals[p] + weight * self._counted(step, p) for p in (0, 1)]
            if t in observed.profiles:
                yield t, observed.difference(t, (totals[0], totals[1]))

    def _counted(self, step: Step, player: int) -> Floats:
        if self.averaging.counted == "during":
            assert step.during is not None
            return step.during[player]
        is_after = self.averaging.is_after(player, self.first)
        if self.averaging.has_reaches:
            return (step.after if is_after else step.before)[player]
        assert step.behaviour is not None
        return step.behaviour[is_after][player]


def candidates(
    form: SequenceForm, offsets: tuple[int, ...], *, has_reaches: bool = True
) -> Iterator[Candidate]:
    """Yield every variant in every order with every average of some offsets of weights."""
    players = {
        variant: (Learner.fresh(form, 0, minimisers[0]), Learner.fresh(form, 1, minimisers[1]))
        for variant, minimisers in METHODS.items()
    }
    for first, order in ORDERS.items():
        # Where both update at once, each updates against the plan that the other had before.
        counted: tuple[Counted, ...] = ("after", "before") if first is None else ("after", "before", "seen")
        for variant, fresh in players.items():
            responds = any(isinstance(learner.minimiser, BestResponding) for learner in fresh)
            run = partial(full_width, form, fresh, first)
            own = VARIANTS[variant].average.exponent if variant in VARIANTS else None
            for averaging in averagings(counted, offsets, own, has_reaches=has_reaches):
                yield Candidate(variant, order, first, averaging, run, responds=responds)


def walked(game: NumberedTree, offsets: tuple[int, ...]) -> Iterator[Candidate]:
    """Yield regret matching in all forms and orders with regrets updated during a walk over histories."""
    histories = Histories(game)
    for variant, (rule, clips) in WALKED.items():
        for first, order in ORDERS.items():
            run = _Recorded(Walk(histories, rule, clips).steps(first))
            for averaging in averagings(("during", "after", "before"), offsets):
                yield Candidate(variant, f"{order}, {DURING}", first, averaging, run.steps, follows=False)


class _Recorded:
    """The steps of a run that many averages share; they are computed once, when first asked for."""

    def __init__(self, steps: Iterator[Step]) -> None:
        self._rest = steps
        self._known: list[Step] = []

    def steps(self, _choose: Chooser) -> Iterator[Step]:
        """Yield the steps from the start."""
        for k in count():
            while len(self._known) <= k:
                self._known.append(next(self._rest))
            yield self._known[k]


def _as_observed(
    observed: Observed, averaging: Averaging, first: int | None, player: int, t: int, update: Update
) -> Learner:
    """Return a player after an update, who plays what is observed where only rounding errors decide."""
    known = observed.play(averaging, player, t, first) if update.tied.any() else None
    if known is None:
        return update.learner
    play, told = known
    return update.learner.playing(np.where(told & update.allows(play), play, update.learner.behaviour))
