"""Kubíček, Lisý and Sandholm 2026: which equilibrium is played, and what is played off its path."""

from collections.abc import Callable, Iterator

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_instances import instances, of_case, parts
from treeplex.bench.theorems.solved_measures import safe
from treeplex.bench.theorems.solved_subgames import blueprint, composed_value, solutions
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.gadgets.gadget import UNREACHED
from treeplex.gadgets.subgame_solvers import SubgameSolution
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.cut import weighted

SOURCE = "Kubíček, Lisý and Sandholm 2026"
REFINED = "quasi-perfect-"
Choice = Callable[[SubgameSolution], Floats]
"""From a subgame's solution to the defender's behaviour in the whole game, (S,)."""


def _refined(effort: Effort) -> Iterator[Instance]:
    yield of_case(("kuhn_poker", 0, "uniform"), f"{REFINED}resolve")
    yield from instances(effort, (f"{REFINED}resolve", f"{REFINED}maxmargin"), quick=2, full=20)


def _any_as_good(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, method = parts(instance)
    refined = solutions(spec, seat, start, method)
    if refined:
        plain = solutions(spec, seat, start, method.removeprefix(REFINED))
        before = blueprint(spec, start)
        yield Comparison(composed_value(before, plain), composed_value(before, refined), spread(spec))


REFINED_SAFETY = Theorem(
    name="refined-safety",
    plain="A quasi-perfect equilibrium of the game of Resolve or Maxmargin is as safe as any.",
    tex=r"\exp(\sigma'_{qp}) \le \exp(\sigma)",
    source=f"after {SOURCE}; derived for quasi-perfect equilibria",
    relation="<=",
    instances=_refined,
    measure=safe,
    tolerance=1e-8,
    equality="At tops whose constraint binds.",
    twin=Twin(
        "Every equilibrium of a gadget's game concedes no more than the refined one: which is played is "
        "indifferent.",
        _any_as_good,
    ),
)


def off_path(solution: SubgameSolution) -> list[int]:
    """Return the defender's infosets inside to which its own moves from the subgame's start do not come."""
    cut, treeplex = solution.subgame.cut, solution.subgame.cut.own.treeplex
    inside, found = np.zeros(treeplex.n_sequences), []
    for i in cut.own.infosets.tolist():
        above, at = int(treeplex.parent[i]), slice(treeplex.begin[i], treeplex.end[i])
        reach = float(inside[above]) if cut.inside[above] else float(solution.subgame.plan[above] > 0.0)
        if reach <= UNREACHED:
            found.append(i)
        inside[at] = reach * solution.behaviour[at]
    return found


def _replies(choice: Choice) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of what is played off the path, and of the best reply there."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, method = parts(instance)
        for solution in solutions(spec, seat, start, method):
            if not solution.kept:
                yield from _at_each(solution, choice(solution), spread(spec))

    return measure


def _at_each(solution: SubgameSolution, played: Floats, scale: float) -> Iterator[Comparison]:
    """Yield what is played off the path, and the best, against the opponent's best response."""
    piece, cut, treeplex = solution.subgame, solution.subgame.cut, solution.subgame.cut.own.treeplex
    met = solution.behaviour.copy()  # the blueprint off the path, as it is before the choice is made there
    unmet = off_path(solution)
    for i in unmet:
        at = slice(treeplex.begin[i], treeplex.end[i])
        met[at] = piece.blueprint.behaviour[cut.defender][at]
    response = cut.game.form.best_response(cut.opponent, treeplex.plan(met))
    paid = cut.leaves.amount * cut.other.plan(response.behaviour())[cut.leaves.other]
    best = treeplex.best_response(weighted(cut.leaves.own, -paid, treeplex.n_sequences))
    for i in unmet:
        at = slice(treeplex.begin[i], treeplex.end[i])
        left = float(np.dot(played[at], best.q[at]))
        yield Comparison(left, float(best.value[i]), scale, f"{treeplex.infosets[i]} in {cut.name}")


OFF_PATH_REPLIES = Theorem(
    name="off-path-replies",
    plain=(
        "Where the defender's own moves of a solution do not come, so that the gadget's game leaves play "
        "open, a best reply to the opponent's best response is played."
    ),
    tex=r"\pi_{def}^{\sigma'}(I) = 0 \Rightarrow u_I(\sigma', BR(\sigma')) = \max_a u_I(a, BR(\sigma'))",
    source=f"derived; the need for it after {SOURCE}",
    relation="==",
    instances=lambda effort: instances(effort, ("resolve", "maxmargin"), quick=4, full=40),
    measure=_replies(lambda solution: solution.behaviour),
    twin=Twin(
        "The blueprint is a best reply there as well.",
        _replies(lambda solution: solution.subgame.blueprint.behaviour[solution.subgame.cut.defender]),
    ),
)

THEOREMS = (REFINED_SAFETY, OFF_PATH_REPLIES)
