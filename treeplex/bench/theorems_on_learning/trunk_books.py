"""What CFR-D plays in whole games, iteration by iteration."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from treeplex.bench.theorems.prepared import enumerated
from treeplex.bench.theorems_on_learning.learning_runs import variant_of
from treeplex.cfr.sequences import cfr_d
from treeplex.cfr.sequences.cfr_d import Decomposition, Exact, Iterated, Solver, TrunkAverage
from treeplex.cfr.sequences.two_sided_trunk import TwoSidedTrunk
from treeplex.cfr.theory.regret_log import Regrets, regrets_of
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats


@dataclass
class Recorder:
    """A solver of subgames that keeps what it was asked and answered."""

    solver: Solver
    kept: list[tuple[SequenceForm, Profile]] = field(default_factory=list)

    def solve(self, form: SequenceForm) -> Profile:
        """Return the solver's profile."""
        profile = self.solver.solve(form)
        self.kept.append((form, profile))
        return profile


@dataclass(frozen=True)
class Books:
    """What CFR-D played in the whole game in T iterations of simultaneous updates.

    Attributes
    ----------
    average : TrunkAverage
    plans : pair of lists of T plans (S,)
        Trunk plans and that iteration's solutions of the subgames together.
    gaps : (T,) f64
        The NashConvs of an iteration's subgame solutions, added up.
    weights : (T,) f64
    """

    average: TrunkAverage
    plans: tuple[list[Floats], list[Floats]]
    gaps: Floats
    weights: Floats

    @property
    def played(self) -> Regrets:
        """The exact regrets of whole plays."""
        form = self.average.trunk.game.form
        return regrets_of(form, *self.plans, self.weights.tolist(), "simultaneous")


def solver_named(name: str) -> Solver:
    """Return ``exact``, the linear program, or the number of iterations of CFR+ that solve a subgame."""
    return Exact() if name == "exact" else Iterated(int(name))


@lru_cache(128)
def books_of(spec: str, choice: str) -> Books:
    """Return the books of a run's name and a solver: ``cfr simultaneous uniform 12, 30``."""
    run, solver = choice.split(", ")
    trunk, variant, count = (
        TwoSidedTrunk.of(enumerated(spec)),
        variant_of(run),
        int(run.rsplit(maxsplit=1)[-1]),
    )
    recorder, gaps = Recorder(solver_named(solver)), []
    plans: tuple[list[Floats], list[Floats]] = ([], [])
    engine = cfr_d.prepare(trunk, Decomposition(variant, recorder))
    state = engine.start()
    for _ in range(count):
        recorder.kept.clear()
        above = tuple(t.behaviour(m.plan) for t, m in zip(trunk.form.treeplexes, state.memories, strict=True))
        state = engine.advance(state, 1)
        for kept, plan in zip(plans, _whole_plans(trunk, above, recorder.kept), strict=True):
            kept.append(plan)
        gaps.append(sum(_nash_conv(form, profile) for form, profile in recorder.kept))
    weights = variant.average.weights(0, count)
    return Books(engine.strategy(state), plans, np.array(gaps), weights)


def _whole_plans(
    trunk: TwoSidedTrunk, above: tuple[Floats, ...], solved: list[tuple[SequenceForm, Profile]]
) -> tuple[Floats, Floats]:
    """Return both players' plans in the whole game: behaviour in the trunk, solutions in the subgames."""
    whole = trunk.whole(Profile(trunk.form.treeplexes, (above[0], above[1])))
    behaviour = [b.copy() for b in whole.behaviour]
    for piece, (_, profile) in zip(trunk.cuts, solved, strict=True):
        for p in (0, 1):
            behaviour[p][piece.views[p].other.sequences] = profile.behaviour[p][1:]
    first, second = (t.plan(b) for t, b in zip(trunk.game.form.treeplexes, behaviour, strict=True))
    return first, second


def _nash_conv(form: SequenceForm, profile: Profile) -> float:
    x, y = profile.plans
    return form.best_response(0, y).total + form.best_response(1, x).total
