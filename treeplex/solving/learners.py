"""Regret minimisers by name, and what may be asked of each."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType

from treeplex.cfr.decomposition.cfr_d import Iterated, Solver
from treeplex.cfr.decomposition.trunk import Trunk
from treeplex.cfr.monte_carlo.board_sampling import BoardSampling
from treeplex.cfr.monte_carlo.pruning import Pruning
from treeplex.cfr.monte_carlo.sampling import SCHEMES, Sampling
from treeplex.cfr.monte_carlo.streams import MOST_STREAMS
from treeplex.cfr.variants.variant import VARIANTS, Variant, exponent_named, variant_named
from treeplex.problem import Problem
from treeplex.solving.iterating import Runner
from treeplex.solving.runners import (
    Warm,
    board_runner,
    sampling_runner,
    treeplex_runner,
    trunk_runner,
    vector_runner,
)

SAMPLERS: Mapping[str, Sampling | BoardSampling] = MappingProxyType(
    {f"mccfr-{scheme}": Sampling(scheme) for scheme in SCHEMES}
    | {"mccfr-pruned": Sampling(pruning=Pruning(threshold=-115.0, constant=1150.0))}
    | {"mccfr-public": BoardSampling()}
)
"""Monte Carlo methods by their names; pruning is for payoffs from 0 to 1, and scaled to the game's."""
DECOMPOSED = "cfr-d"
SMALLEST_SPREAD, LARGEST_SPREAD = 1e-120, 1e120
"""Minimisers multiply payoffs by regrets and square them, for which floats must have room."""
SUBGAME_ITERATIONS = 100
"""How many iterations of CFR+ CFR-D solves each subgame by."""
NAMES = (*VARIANTS, *SAMPLERS, DECOMPOSED)


@dataclass(frozen=True)
class Decomposition:
    """CFR-D: what learns on the trunk, and how subgames are solved in every iteration."""

    variant: Variant
    solver: Solver


Learner = Variant | Sampling | BoardSampling | Decomposition


@dataclass(frozen=True)
class Choices:
    """What may be asked of a regret minimiser beside its name; None leaves what it has by itself.

    Attributes
    ----------
    average : str, optional
        ``uniform``, ``linear``, ``quadratic`` or ``last``.
    counted : str, optional
        ``before``, ``after`` or ``seen``; full width only.
    order : str, optional
        ``alternating`` or ``simultaneous``; full width only.
    seed : int, optional
        Of the random numbers; Monte Carlo only, 0 unless given.
    threads : int, optional
        Monte Carlo on enumerated games only, 1 unless given: independent streams side by side, whose averages
        are added up.
    warm : Warm, optional
        A profile to go on from; full width only. The run is on the sequence form then.
    """

    average: str | None = None
    counted: str | None = None
    order: str | None = None
    seed: int | None = None
    threads: int | None = None
    warm: Warm | None = None

    @property
    def given(self) -> dict[str, object]:
        """What was asked for."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}


def check_choices(name: str, choices: Choices) -> None:
    """Refuse what does not go together, before a game is loaded.

    Raises
    ------
    ValueError
        If there is no minimiser of that name, or it has no such choice.
    """
    learner(name, choices)
    if choices.threads is not None and not 1 <= choices.threads <= MOST_STREAMS:
        raise ValueError(f"threads must be between 1 and {MOST_STREAMS}, got {choices.threads}")
    legal = _legal(name)
    for key, value in choices.given.items():
        if key not in legal:
            raise ValueError(f"{name} takes {', '.join(legal)}, got {key} {value!r}")


def _legal(name: str) -> tuple[str, ...]:
    if name == "mccfr-pruned":  # its threshold is for regrets that are not weighted
        return "seed", "threads"
    if name in SAMPLERS:
        return ("average", "seed", "threads") if isinstance(SAMPLERS[name], Sampling) else ("average", "seed")
    return ("average", "order") if name == DECOMPOSED else ("average", "counted", "order")


def learner(name: str, choices: Choices) -> Learner:
    """Return the parameters of a minimiser; raises ``ValueError`` for what is not legal.

    Of Monte Carlo methods the average weighs iterations as the regrets do. CFR-D averages what was seen.
    """
    if name == DECOMPOSED:
        trunk = variant_named(
            "cfr+", average=choices.average, counted="seen", order=choices.order or "simultaneous"
        )
        return Decomposition(trunk, Iterated(SUBGAME_ITERATIONS))
    if name in SAMPLERS:
        chosen = SAMPLERS[name]
        if choices.average is None:
            return chosen
        exponent = exponent_named(choices.average)
        if math.isinf(exponent):
            raise ValueError(
                f"{name} takes the average uniform, linear or quadratic, got {choices.average!r}"
            )
        return replace(chosen, exponent=exponent, regret_exponent=exponent)
    return variant_named(name, average=choices.average, counted=choices.counted, order=choices.order)


def fits(problem: Problem, name: str) -> bool:
    """Return whether a game has what a minimiser needs: a public tree, or few enough histories.

    Where hands are locked, only minimisers on the sequence form fit. No minimiser takes payoffs whose
    products leave the range of floats.
    """
    if not _is_moderate(problem):
        return False
    chosen = learner(name, Choices())
    if problem.locked is not None and not isinstance(chosen, Variant):
        return False
    if isinstance(chosen, BoardSampling):
        return problem.tree is not None
    if isinstance(chosen, Decomposition):
        return problem.is_enumerable and _can_be_cut(problem)
    return not isinstance(chosen, Sampling) or problem.is_enumerable


def _is_moderate(problem: Problem) -> bool:
    spread = problem.spread if problem.tree is not None or problem.is_enumerable else 1.0
    return spread == 0.0 or SMALLEST_SPREAD <= spread <= LARGEST_SPREAD


def _can_be_cut(problem: Problem) -> bool:
    try:
        return bool(Trunk.of(problem.trunk))
    except ValueError:
        return False


def runner(problem: Problem, name: str, choices: Choices) -> Runner:
    """Return a minimiser on whichever form of the game is faster for it.

    Raises
    ------
    ValueError
        If a choice is not legal, or the game is too large to be sampled.
    """
    if not _is_moderate(problem):
        raise ValueError(
            f"regret minimisers take games whose payoffs differ by {SMALLEST_SPREAD:g} to "
            f"{LARGEST_SPREAD:g}, got {problem.spread:g}"
        )
    seed, tree = choices.seed or 0, problem.vector_tree
    match learner(name, choices):
        case Sampling() | BoardSampling() | Decomposition() if problem.locked is not None:
            legal = ", ".join(VARIANTS)
            raise ValueError(f"where hands are locked a regret minimiser is one of {legal}, got {name}")
        case Sampling() as chosen:
            return sampling_runner(problem, name, chosen, seed, choices.threads or 1)
        case BoardSampling() as chosen:
            return board_runner(problem, name, chosen, seed)
        case Decomposition(variant, solver):
            return trunk_runner(problem, name, variant, solver)
        case variant if choices.warm is None and tree is not None and len(problem.form.payoff.link) > 0:
            return vector_runner(tree, problem.form, name, variant)
        case variant:
            return treeplex_runner(problem.form, name, variant, choices.warm)
