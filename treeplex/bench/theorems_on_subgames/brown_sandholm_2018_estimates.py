"""Brown and Sandholm 2018 (Libratus): Estimated-Maxmargin, the error of estimates, the joint optimum."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import distance_to_value, spread
from treeplex.bench.theorems.solved_bounds import estimate_error
from treeplex.bench.theorems.solved_instances import FIGURE_2, cases, instances, of_case, parts
from treeplex.bench.theorems.solved_subgames import (
    blueprint,
    composed_value,
    conceded,
    cuts,
    joint,
    solutions,
    solved,
    subgames,
)
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.gadgets.alternatives import EstimatedAlternatives
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve
from treeplex.gadgets.subgame_solvers import EquilibriumOf, Lexicographic, SubgameSolver

SOURCE = "Brown and Sandholm 2018"
STEEP = "matrix_game(payoff=[[1,0],[-19,20]])"
"""The first row falls by 1 where the second rises by 39: estimates that are off tilt the columns."""
DELTAS = (0.0, 0.1, 0.25, 0.5)
Estimates = dict[tuple[str, str], float]


def joint_value(spec: str, seat: int, start: str) -> float:
    """Return what a best response wins against the joint optimum of a blueprint's usual subgames."""
    best = blueprint(spec, start).exchanged(seat, joint(spec, seat, start).behaviour)
    return conceded(cuts(spec, seat)[0], best)


def exact_estimates(spec: str, seat: int, start: str) -> Estimates:
    """Return the values at all live tops against the joint optimum."""
    optimum = joint(spec, seat, start)
    return {key: v for piece in subgames(spec, seat, start) for key, v in optimum.estimates(piece).items()}


def _off_by(effort: Effort) -> Iterator[Instance]:
    """Yield estimates off by the same amount, up or down at each of two tops, or at random."""
    for case in (("coin_toss", 1, FIGURE_2), (STEEP, 1, "uniform")):
        for delta, signs in product(DELTAS, ("++", "+-", "-+", "--")):
            yield of_case(case, f"{delta} {signs}")
    for case, seed in cases(effort, quick=3, full=50):
        for delta in (0.0, 0.5):
            yield of_case(case, f"{delta} random", seed)


def _noisy(instance: Instance) -> Estimates:
    spec, seat, start, what = parts(instance)
    delta, signs = what.split()
    exact = exact_estimates(spec, seat, start)
    if signs == "random":
        off = np.random.default_rng(instance.seed).uniform(-1.0, 1.0, len(exact)).tolist()
    else:
        off = [1.0 if sign == "+" else -1.0 for sign in signs]
    return {key: v + float(delta) * o for (key, v), o in zip(exact.items(), off, strict=True)}


def _error_times(factor: float, instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, _ = parts(instance)
    pieces = subgames(spec, seat, start)
    if pieces:
        chosen = solved(EquilibriumOf(Maxmargin(EstimatedAlternatives(_noisy(instance)))), pieces)
        live = tuple(solution for solution in chosen if not solution.kept)
        error = estimate_error(live, joint(spec, seat, start)) if live else 0.0
        after = composed_value(blueprint(spec, start), chosen)
        yield Comparison(after, joint_value(spec, seat, start) + factor * error, spread(spec))


TWICE_THE_ERROR = Theorem(
    name="twice-the-error",
    plain=(
        "Maxmargin with estimates of what the opponent gets against the best strategy concedes more than "
        "that strategy by no more than twice the largest error of an estimate."
    ),
    tex=(
        r"|\tilde v(t) - CBV^{\sigma^*}(t)| \le \Delta \Rightarrow "
        r"\exp(\sigma') \le \exp(\sigma^*) + 2\Delta"
    ),
    source=f"{SOURCE}, Theorem 1",
    relation="<=",
    instances=_off_by,
    measure=lambda instance: _error_times(2.0, instance),
    equality="At an error of 0. A matrix game with steep rows comes as near as one likes with errors too.",
    twin=Twin(
        "Concedes more by no more than 1.9 times the largest error.",
        lambda instance: _error_times(1.9, instance),
    ),
)


def _exact(effort: Effort) -> Iterator[Instance]:
    yield from instances(effort, ("maxmargin", "resolve", "lexicographic"), quick=3, full=50)


def _one_shot(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, method = parts(instance)
    pieces = subgames(spec, seat, start)
    if pieces:
        alternatives = EstimatedAlternatives(exact_estimates(spec, seat, start))
        solvers: dict[str, SubgameSolver] = {
            "maxmargin": EquilibriumOf(Maxmargin(alternatives)),
            "resolve": EquilibriumOf(Resolve(alternatives)),
            "lexicographic": Lexicographic(alternatives),
        }
        after = composed_value(blueprint(spec, start), solved(solvers[method], pieces))
        yield Comparison(after, joint_value(spec, seat, start), spread(spec))


def _without_estimates(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, method = parts(instance)
    chosen = solutions(spec, seat, start, method)
    if chosen:
        after = composed_value(blueprint(spec, start), chosen)
        yield Comparison(after, joint_value(spec, seat, start), spread(spec))


EXACT_ESTIMATES = Theorem(
    name="exact-estimates",
    plain=(
        "With the values of the joint optimum as alternatives, subgames solved each by itself give a "
        "strategy as good as the joint optimum; with those of an equilibrium, an equilibrium."
    ),
    tex=r"\tilde v = CBV^{\sigma^*} \Rightarrow \exp(\sigma') = \exp(\sigma^*)",
    source=f"{SOURCE}, Theorem 1 with an error of 0",
    relation="==",
    instances=_exact,
    measure=_one_shot,
    tolerance=1e-8,
    twin=Twin("The same with the blueprint's own values as alternatives.", _without_estimates),
)


def _every_method(effort: Effort) -> Iterator[Instance]:
    methods = ("unsafe", "resolve", "reach-maxmargin", "distributional", "triple-gifts-resolve")
    yield from instances(effort, methods, quick=2, full=25)


def _joint_below(instance: Instance) -> Iterator[Comparison]:
    for side in _without_estimates(instance):
        yield Comparison(side.right, side.left, side.scale)


def _at_the_value(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, _ = parts(instance)
    if subgames(spec, seat, start):
        best = blueprint(spec, start).exchanged(seat, joint(spec, seat, start).behaviour)
        yield Comparison(distance_to_value(spec, seat, best), 0.0, spread(spec))


JOINT_OPTIMUM = Theorem(
    name="joint-optimum",
    plain="No way of solving subgames, safe or not, concedes less than their joint optimum.",
    tex=r"\exp(\sigma^*) \le \exp(\sigma')",
    source=f"{SOURCE}, the strategy that Theorem 1 compares with",
    relation="<=",
    instances=_every_method,
    measure=_joint_below,
    equality="Safe methods from an equilibrium.",
    twin=Twin("The joint optimum concedes no more than the game's value.", _at_the_value),
)

THEOREMS = (TWICE_THE_ERROR, EXACT_ESTIMATES, JOINT_OPTIMUM)
