"""The claim that subgames solved again never make a strategy more exploitable than its blueprint."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import count
from typing import ClassVar

from treeplex.bench.challenges.case import Case, rational, strategy_of
from treeplex.bench.challenges.case_drawing import (
    BLUEPRINTS,
    drawn_game,
    drawn_strategy,
    drawn_subgames,
    rng_of,
)
from treeplex.bench.challenges.case_edits import EDITS, Edit
from treeplex.bench.challenges.claim import Breach
from treeplex.bench.challenges.claim_targets import called
from treeplex.gadgets.gadget import Gadget
from treeplex.gadgets.joint_optimum import joint_optimum
from treeplex.gadgets.methods_by_name import check_method, solver_of
from treeplex.gadgets.own_gadgets import as_gadget, load_gadget
from treeplex.gadgets.subgame_solvers import EquilibriumOf, ExactEquilibriumOf, SubgameSolver, compose
from treeplex.seqform.certify.certificate import exact_best_response, rational_plan
from treeplex.seqform.subgames.subgame import Subgame


@dataclass(frozen=True)
class Safe:
    """Safety: best responses to the composed strategy win no more than those to the blueprint."""

    name: ClassVar[str] = "safe"
    statement: ClassVar[str] = "{} never makes a strategy more exploitable than its blueprint"

    def target(self, given: object) -> str | Gadget:
        """Return a method from its name, ``module:Name``, or a gadget as an object or a class."""
        if isinstance(given, str) and ":" not in given:
            check_method(given)
            return given
        return load_gadget(given) if isinstance(given, str) else as_gadget(given, repr(given))

    def cases(self, target: str | Gadget, seed: int) -> Iterator[Case]:
        """Return games with a blueprint and subgames, seats by turns."""
        return drawn_cases(seed)

    def edits(self, target: str | Gadget) -> Sequence[Edit]:
        """Return all edits."""
        return EDITS

    def breach(self, target: str | Gadget, case: Case) -> Breach:
        """Return by how much more a best response wins against the composed strategy.

        The gadget's games are solved in floats, and again in rationals where that shows harm.
        """
        blueprint = case.profile()
        subgames = [Subgame.of(piece, blueprint) for piece in case.cuts]
        solver = _solver(target, subgames)
        found = _compared(case, behaviour_by(solver, subgames, case))
        if found.is_broken and isinstance(solver, EquilibriumOf):
            return _compared(case, behaviour_by(ExactEquilibriumOf(solver.gadget), subgames, case))
        return found


def drawn_case(seed: int, draw: int) -> Case | None:
    """Return a game with a blueprint, a seat and subgames of it; None if the game drawn has none."""
    rng = rng_of(seed, draw)
    game = replace(drawn_game(draw, rng), seat=int(rng.integers(2)))
    kind = BLUEPRINTS[int(rng.integers(len(BLUEPRINTS)))]
    case = drawn_subgames(game, rng)
    if case is None:
        return None
    return replace(
        case, origin=f"{case.origin}, {kind} blueprint", strategies=(drawn_strategy(kind, case.form, rng),)
    )


def drawn_cases(seed: int) -> Iterator[Case]:
    """Yield the games drawn that have subgames, each as :func:`drawn_case` returns it."""
    return (case for draw in count() if (case := drawn_case(seed, draw)) is not None)


def won_against(case: Case, behaviour: list[Fraction]) -> Fraction:
    """Return what a best response to a behaviour of the seat wins, exactly."""
    assert case.seat is not None
    plan = rational_plan(case.form.treeplexes[case.seat], behaviour)
    return exact_best_response(case.form, 1 - case.seat, plan)


def behaviour_by(solver: SubgameSolver, subgames: list[Subgame], case: Case) -> list[Fraction]:
    """Return the seat's behaviour composed of the blueprint and a solver's solutions, rational, S."""
    assert case.seat is not None
    solutions = [called(solver.name, case.origin, partial(solver.solve, subgame)) for subgame in subgames]
    composed = compose(subgames[0].blueprint, solutions)
    return rational(case.form.treeplexes[case.seat], composed.behaviour[case.seat])


def _compared(case: Case, behaviour: list[Fraction]) -> Breach:
    """Return how much more a best response wins against a behaviour of the seat than the blueprint."""
    assert case.seat is not None
    before, after = won_against(case, case.behaviour(case.seat)), won_against(case, behaviour)
    figures = (("won against the blueprint", before), ("won against the composed strategy", after))
    played = strategy_of(case.form.treeplexes, {case.seat: behaviour})
    return Breach(after - before, case.spread, figures, played)


def _solver(method: str | Gadget, subgames: list[Subgame]) -> SubgameSolver:
    if isinstance(method, str):
        return solver_of(method, subgames, joint_optimum(subgames))
    return EquilibriumOf(method)
