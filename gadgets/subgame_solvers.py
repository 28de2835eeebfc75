"""Solvers of one subgame, and strategies composed of a blueprint and subgames' solutions.

Solved is an equilibrium of a gadget's game by linear programs, or lexicographic margins; reported are the
margins at the tops.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from treeplex.gadgets.alternatives import Alternatives, AlternativeValues, BlueprintAlternatives
from treeplex.gadgets.direct_programs import lexicographic_margins
from treeplex.gadgets.gadget import UNREACHED, Gadget, UndefinedError, complete_off_path
from treeplex.gadgets.own_gadgets import checked_alternatives, checked_behaviour, checked_game
from treeplex.gadgets.top_report import TopReport
from treeplex.games.base.errors import NotSolvedError
from treeplex.seqform.certify.certificate import NARROW, Certificate, Target, behaviour_of
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import BestResponse, Floats
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.programs.quasi_perfect import quasi_perfect
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.subgames.cut import check_disjoint
from treeplex.seqform.subgames.subgame import Subgame

WIDTH = 1e-11
"""Target width of certificates of gadget games, in parts of the scale; what is narrow is accepted too."""


@dataclass(frozen=True)
class SubgameSolution:
    """A subgame solved again.

    Attributes
    ----------
    subgame : Subgame
    method : str
    behaviour : (S,) f64
        The defender's in the whole game, of which the subgame's part is the solution.
    alternative_values : AlternativeValues or None
        What the opponent could have had at the tops for staying out.
    solution : Profile or None
        Of the gadget game; None where the method is no game or there was nothing to solve.
    certificate : Certificate or None
        Of that solution.
    kept : str
        Why the blueprint was kept, empty where the subgame was solved.
    """

    subgame: Subgame
    method: str
    behaviour: Floats
    alternative_values: AlternativeValues | None
    solution: Profile | None
    certificate: Certificate | None
    kept: str


class SubgameSolver(Protocol):
    """A way to solve one subgame without looking at others."""

    @property
    def name(self) -> str:
        """Name in reports."""

    def solve(self, subgame: Subgame) -> SubgameSolution:
        """Solve a subgame again."""


@dataclass(frozen=True)
class _GameSolver:
    """What solvers by a gadget's game have in common, whichever equilibrium of it they play.

    Attributes
    ----------
    gadget : Gadget
    """

    gadget: Gadget

    @property
    def name(self) -> str:
        """Name in reports."""
        return self.gadget.name


@dataclass(frozen=True)
class EquilibriumOf(_GameSolver):
    """Play an equilibrium of a gadget's game: whichever one the simplex method ends with."""

    def solve(self, subgame: Subgame) -> SubgameSolution:
        """Solve a subgame again.

        Raises
        ------
        ValueError
            If the gadget raises anything or returns something that is no game on this subgame.
        treeplex.games.base.errors.NotSolvedError
            If no solver gets its game right.
        """
        return _solve_game(self.gadget, subgame, self.name, _any_equilibrium, UNREACHED)


@dataclass(frozen=True)
class ExactEquilibriumOf(_GameSolver):
    """Play an optimum of a gadget's game that was found in rational arithmetic; for small subgames."""

    def solve(self, subgame: Subgame) -> SubgameSolution:
        """Solve a subgame again.

        Raises
        ------
        ValueError
            As :class:`EquilibriumOf`.
        treeplex.seqform.programs.rational_optimum.NotExactError
            If no basis of its game is optimal in exact arithmetic.
        """
        return _solve_game(self.gadget, subgame, self.name, _exact_equilibrium, UNREACHED)


@dataclass(frozen=True)
class QuasiPerfectOf(_GameSolver):
    """Play a quasi-perfect equilibrium of a gadget's game: sensible also where the opponent should not go."""

    @property
    def name(self) -> str:
        """Name in reports."""
        return f"quasi-perfect-{self.gadget.name}"

    def solve(self, subgame: Subgame) -> SubgameSolution:
        """Solve a subgame again; raises what :class:`EquilibriumOf` and ``quasi_perfect`` raise."""
        return _solve_game(self.gadget, subgame, self.name, _quasi_perfect, -1.0)


@dataclass(frozen=True)
class Lexicographic:
    """Make margins as large as possible from the smallest up.

    Attributes
    ----------
    alternatives : Alternatives
    """

    alternatives: Alternatives = field(default_factory=BlueprintAlternatives)

    @property
    def name(self) -> str:
        """Name in reports."""
        return f"{self.alternatives.prefix}lexicographic"

    def solve(self, subgame: Subgame) -> SubgameSolution:
        """Solve a subgame again."""
        if not subgame.live.any():
            return _kept(subgame, self.name, UNREACHABLE)
        alternatives = self.alternatives.of(subgame)
        behaviour = lexicographic_margins(subgame, alternatives).behaviour
        return SubgameSolution(subgame, self.name, behaviour, alternatives, None, None, "")


UNREACHABLE = "chance and the defender's blueprint never come there"


def _any_equilibrium(form: SequenceForm) -> tuple[Profile, Certificate]:
    solution = solve_lp(form, target=Target.part(WIDTH, form))
    return solution.profile, solution.certificate


def _exact_equilibrium(form: SequenceForm) -> tuple[Profile, Certificate]:
    optimum = rational_optimum(form)
    x, y = (
        behaviour_of(t, plan, t.uniform()) for t, plan in zip(form.treeplexes, optimum.plans, strict=True)
    )
    return Profile(form.treeplexes, (x, y)), optimum.certificate


def _quasi_perfect(form: SequenceForm) -> tuple[Profile, Certificate]:
    refined = quasi_perfect(form)
    return refined.profile, refined.certificate


Choose = Callable[[SequenceForm], tuple[Profile, Certificate]]
"""From a game to one of its equilibria, and the proof."""


def _solve_game(
    gadget: Gadget, subgame: Subgame, name: str, choose: Choose, unreached: float
) -> SubgameSolution:
    if not subgame.live.any():
        return _kept(subgame, name, UNREACHABLE)
    try:
        form = checked_game(gadget, subgame)
    except UndefinedError as error:
        return _kept(subgame, name, str(error))
    profile, certificate = choose(form)
    narrow = Target.part(NARROW, form)
    if not narrow.is_met(certificate):
        raise NotSolvedError(f"{form.name}: {narrow.missed(certificate, form.unit)}")
    behaviour = complete_off_path(subgame, checked_behaviour(gadget, subgame, profile), unreached)
    alternatives = checked_alternatives(gadget, subgame)
    return SubgameSolution(subgame, name, behaviour, alternatives, profile, certificate, "")


def _kept(subgame: Subgame, name: str, why: str) -> SubgameSolution:
    behaviour = subgame.blueprint.behaviour[subgame.cut.defender]
    return SubgameSolution(subgame, name, behaviour, None, None, None, why)


def compose(blueprint: Profile, solutions: Sequence[SubgameSolution]) -> Profile:
    """Return the blueprint with the subgames' solutions in their places.

    Profiles are behaviour, so nothing needs rescaling: plans inside were relative to the entry.

    Raises
    ------
    ValueError
        If two subgames overlap or have different defenders.
    """
    if not solutions:
        return blueprint
    check_disjoint([solution.subgame.cut for solution in solutions])
    defender = solutions[0].subgame.cut.defender
    behaviour = blueprint.behaviour[defender].copy()
    for solution in solutions:
        inside = solution.subgame.cut.inside
        behaviour[inside] = solution.behaviour[inside]
    return blueprint.exchanged(defender, behaviour)


def report(solutions: Sequence[SubgameSolution], composed: Profile) -> tuple[TopReport, ...]:
    """Return a report on each live top under a composed strategy, computed by a best response."""
    if not solutions:
        return ()
    piece = solutions[0].subgame.cut
    plan = composed.plans[piece.defender]
    response = piece.game.form.best_response(piece.opponent, plan)
    return tuple(row for solution in solutions for row in _rows(solution, plan, response))


def _rows(solution: SubgameSolution, plan: Floats, response: BestResponse) -> list[TopReport]:
    subgame, offered = solution.subgame, solution.alternative_values
    cbv, value = subgame.cbv, subgame.normalised(subgame.cut.top_values(plan, response))
    rows = []
    for t in np.flatnonzero(subgame.live).tolist():
        alternative = None if offered is None else float(offered.alternative[t])
        gift = 0.0 if offered is None else float(offered.gift[t])
        reference = float(cbv[t]) if alternative is None else alternative
        rows.append(
            TopReport(
                subgame.cut.name,
                subgame.cut.tops[t],
                float(subgame.reach[t]),
                float(cbv[t]),
                alternative,
                gift,
                float(value[t]),
                reference + gift - float(value[t]),
            )
        )
    return rows
