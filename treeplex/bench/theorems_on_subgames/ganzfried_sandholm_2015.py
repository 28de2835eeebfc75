"""Ganzfried and Sandholm 2015: Unsafe endgame solving, and against whom it is right."""

from collections.abc import Iterator

import numpy as np

from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_instances import instances, parts
from treeplex.bench.theorems.solved_measures import given
from treeplex.bench.theorems.solved_subgames import SOLVERS, blueprint, composed_value, solutions
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.gadgets.alternatives import values_against
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.subgame import Subgame

RIVALS = ("resolve", "maxmargin", "uniform", "random:1")


def _comes_by_blueprint(subgame: Subgame, behaviour: Floats) -> float:
    """Return what the opponent gets who comes as its blueprint does and plays on as well as possible."""
    values = np.nan_to_num(values_against(subgame, behaviour))
    return float(np.dot(subgame.opponent_reach * subgame.reach, values))


def _rival(instance: Instance) -> tuple[Floats, ...]:
    """Return the defender's behaviour of the instance's method or strategy, for each subgame."""
    spec, seat, start, choice = parts(instance)
    if choice in SOLVERS:
        return tuple(solution.behaviour for solution in solutions(spec, seat, start, choice))
    pieces = [solution.subgame for solution in solutions(spec, seat, start, "unsafe")]
    played, old = (blueprint(spec, name).behaviour[seat] for name in (choice, start))
    return tuple(np.where(piece.cut.inside, played, old) for piece in pieces)


def _against_blueprint(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, _ = parts(instance)
    for solution, rival in zip(solutions(spec, seat, start, "unsafe"), _rival(instance), strict=True):
        if not solution.kept:
            subgame = solution.subgame
            best = _comes_by_blueprint(subgame, solution.behaviour)
            yield Comparison(best, _comes_by_blueprint(subgame, rival), spread(spec), subgame.cut.name)


def _against_anybody(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, _ = parts(instance)
    chosen = solutions(spec, seat, start, "unsafe")
    if chosen:
        others = zip(chosen, _rival(instance), strict=True)
        rivals = tuple(given(solution.subgame, behaviour) for solution, behaviour in others)
        before = blueprint(spec, start)
        yield Comparison(composed_value(before, chosen), composed_value(before, rivals), spread(spec))


UNSAFE_IS_BEST = Theorem(
    name="unsafe-against-blueprint",
    plain=(
        "Against an opponent who comes to the subgame as its blueprint does and plays on as well as "
        "possible, no strategy inside concedes less than Unsafe's."
    ),
    tex=r"\sum_t \pi_{opp}^{\sigma}(t)\, V_t^{unsafe} \le \sum_t \pi_{opp}^{\sigma}(t)\, V_t^{\sigma'}",
    source="Ganzfried and Sandholm 2015, section 2; Brown and Sandholm 2017, section 4.1",
    relation="<=",
    instances=lambda effort: instances(effort, RIVALS, quick=3, full=30),
    measure=_against_blueprint,
    equality="Where the other strategy is optimal against that opponent too.",
    twin=Twin("The same against an opponent who comes as it likes.", _against_anybody),
)

THEOREMS = (UNSAFE_IS_BEST,)
