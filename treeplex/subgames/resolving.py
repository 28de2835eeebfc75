"""Solve subgames again by any method, put them back, and judge the whole strategy before and after."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any

from treeplex.core.problem import GameLike
from treeplex.core.progress import Progress, silent
from treeplex.core.result import COUNTS
from treeplex.gadgets.core.gadget import Gadget
from treeplex.gadgets.methods.distributional import Distributional
from treeplex.gadgets.solving.by_name import Options, check_method, name_of, solver_of
from treeplex.gadgets.solving.composition import TopReport, compose, report
from treeplex.gadgets.solving.joint import joint_optimum
from treeplex.gadgets.solving.subgame import SubgameSolution, SubgameSolver
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.lp.solve import solve_lp
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.store.completion import check_missing
from treeplex.store.strategy_like import StrategyLike
from treeplex.subgames.inputs import (
    ALL,
    check_defender,
    cuts_of,
    distance_to_value,
    enumerated,
    make_blueprint,
    unlocked_game,
)


@dataclass(frozen=True, kw_only=True)
class Resolution:
    """What solving subgames again did to a strategy. Exploitabilities are in the game's unit.

    Attributes
    ----------
    game : str
        The spec.
    unit : str
    method : str
    defender : int
        Whose strategy was changed.
    subgames : tuple of str
        The public states at which they begin.
    tops : tuple of TopReport
        Of every subgame, those that chance and the blueprint reach.
    kept : mapping from str to str
        Subgames in which the blueprint was kept, and why.
    discretisation : float or None
        For distributional methods: by how much, at most, atoms understate what a top's draw is worth.
    exploitability_before, exploitability_after, exploitability_joint : float
        How much more than the game's value a best response wins against the defender's strategy: the
        blueprint, the composed strategy, and the best strategy that differs only in these subgames.
    value : Certificate
        The proved interval for the game's value that they are measured from.
    profile : Profile
        The composed strategy, beside the opponent's blueprint.
    seconds : float
        Wall time of looking at the subgames with the blueprint, the joint optimum, solving and composing.
        Enumerating and solving the game itself is not counted.
    parameters : mapping
        What was asked for.
    """

    game: str
    unit: str
    method: str
    defender: int
    subgames: tuple[str, ...]
    tops: tuple[TopReport, ...]
    kept: Mapping[str, str]
    discretisation: float | None = None
    exploitability_before: float
    exploitability_after: float
    exploitability_joint: float
    value: Certificate
    profile: Profile
    seconds: float
    parameters: Mapping[str, object] = field(default_factory=dict)

    @property
    def min_margin(self) -> float | None:
        """The smallest margin; None if no top is reached."""
        return min((top.margin for top in self.tops), default=None)

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "method": self.method,
            "defender": self.defender,
            "subgames": list(self.subgames),
            "tops": [asdict(top) for top in self.tops],
            "min_margin": self.min_margin,
            "exploitability_before": self.exploitability_before,
            "exploitability_after": self.exploitability_after,
            "exploitability_joint": self.exploitability_joint,
            **{key: self.parameters[key] for key in COUNTS if self.parameters.get(key)},
            "seconds": self.seconds,
        }


def resolve(
    game: GameLike,
    defender: int,
    at: str | Sequence[str] = ALL,
    method: str | Gadget = "resolve",
    *,
    blueprint: StrategyLike = "nash",
    missing: str = "error",
    options: Options | None = None,
    progress: Progress | None = None,
) -> Resolution:
    """Solve subgames of a strategy again and measure what that does.

    Parameters
    ----------
    game : str, Path, Game or Problem
        Small enough to be enumerated.
    defender : int
        Who solves again, 0 or 1.
    at : str or sequence of str
        Public states at which subgames begin; ``K:cc/ | Q:cc/`` is one subgame that begins at either. Or
        ``all``: right after the first chance move that follows a decision, or after the first decision where
        chance moves only at the start.
    method : str or Gadget
        One of ``METHODS``; or a gadget of your own, as an object, a class that takes no
        arguments, or ``module:Name`` of one.
    blueprint : str, Path, DataFrame, mapping, Strategy or Result
        ``uniform``, ``nash`` (an equilibrium by the linear program), ``cfr+:N`` (the average of N
        iterations), or a strategy as :func:`treeplex.check` takes it.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a file or a table.
    options : Options, optional
    progress : callable, optional
        Called with the stage.

    Raises
    ------
    ValueError
        If the game is too large, a public state, method or blueprint is unknown or does not fit, or a set
        of public states cuts an infoset.
    """
    check_defender(defender)
    check_method(method, options)
    check_missing(missing)
    tell = silent if progress is None else progress
    made = unlocked_game(game)
    tell("enumerating the game", float("inf"))
    whole = enumerated(made)
    cuts = cuts_of(whole, defender, at)
    tell("solving the game", float("inf"))
    equilibrium = solve_lp(whole.form)
    given = make_blueprint(made, whole.form, blueprint, equilibrium.profile, missing)
    start = given.strategy
    tell("finding the joint optimum", float("inf"))
    clock = time.perf_counter()
    subgames = [Subgame.of(piece, start) for piece in cuts]
    joint = joint_optimum(subgames)
    solver = solver_of(method, subgames, joint, options)
    solutions: list[SubgameSolution] = []
    for subgame in subgames:
        tell(f"subgame {len(solutions) + 1} of {len(subgames)}", float("inf"))
        solutions.append(solver.solve(subgame))
    profile = compose(start, solutions)
    seconds = time.perf_counter() - clock
    asked = {"at": at, "blueprint": blueprint, "options": options or Options(), "missing": missing}
    value = equilibrium.certificate
    before, after, jointly = (
        distance_to_value(whole.form, value, defender, strategy)
        for strategy in (start, profile, start.exchanged(defender, joint.behaviour))
    )
    return Resolution(
        game=made.name,
        unit=made.unit,
        method=name_of(method),
        defender=defender,
        subgames=tuple(piece.name for piece in cuts),
        tops=report(solutions, profile),
        kept=MappingProxyType({s.subgame.cut.name: s.kept for s in solutions if s.kept}),
        discretisation=_discretisation(solver, subgames),
        exploitability_before=before,
        exploitability_after=after,
        exploitability_joint=jointly,
        value=value,
        profile=profile,
        seconds=seconds,
        parameters=MappingProxyType({**asked, **given.counts}),
    )


def _discretisation(solver: SubgameSolver, subgames: Sequence[Subgame]) -> float | None:
    gadget = getattr(solver, "gadget", None)
    if not isinstance(gadget, Distributional):
        return None
    return max(gadget.error(subgame) for subgame in subgames)
