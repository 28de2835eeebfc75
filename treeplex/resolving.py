"""Solve subgames again by any method, put them back, and judge the whole strategy before and after."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from cfr.cfr_plus import cfr_plus
from gadgets.composition import TopReport, compose, report
from gadgets.joint import joint_optimum
from gadgets.methods import Options, check_method, method_named
from gadgets.solving import SubgameSolution
from games.protocol import Game
from games.specs import load_game
from seqform.certificate import Certificate
from seqform.cut import cut
from seqform.game_tree import build_tree
from seqform.profile import Profile
from seqform.public_states import PublicStates
from seqform.solve import solve_lp
from seqform.subgame import Subgame
from seqform.tree_form import NumberedTree, number_tree
from seqform.treeplex import Floats
from treeplex.guided import Progress, silent
from treeplex.strategy_file import read_strategy

MOST_HISTORIES = 500_000
"""Subgames are cut from games that are enumerated history by history, up to so many."""
MOST_ITERATIONS = 10_000_000
"""Most iterations of CFR+ that a blueprint may take."""
ALL = "all"
"""Stands for every subgame right after the first chance move that follows a decision."""


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
    exploitability_before, exploitability_after, exploitability_joint : float
        How much more than the game's value a best response wins against the defender's strategy: the
        blueprint, the composed strategy, and the best strategy that differs only in these subgames.
    value : Certificate
        The proved interval for the game's value that they are measured from.
    profile : Profile
        The composed strategy, beside the opponent's blueprint.
    seconds : float
        Wall time of cutting, solving and composing all subgames, the joint optimum and the game's value not
        counted.
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
            "seconds": self.seconds,
        }


def resolve(
    game: str | Game[Any],
    defender: int,
    at: str | Sequence[str] = ALL,
    method: str = "resolve",
    *,
    blueprint: str | Path | Profile = "nash",
    options: Options | None = None,
    progress: Progress | None = None,
) -> Resolution:
    """Solve subgames of a strategy again and measure what that does.

    Parameters
    ----------
    game : str or Game
        A spec or any game small enough to be enumerated.
    defender : int
        Who solves again, 0 or 1.
    at : str or sequence of str
        Public states at which subgames begin, or ``all``: right after the first chance move that follows
        a decision, or after the first decision where chance moves only at the start.
    method : str
        One of ``gadgets.methods.METHODS``, or ``module:Name`` of a gadget of your own.
    blueprint : str, Path or Profile
        ``uniform``, ``nash`` (an equilibrium by the linear program), ``cfr+:N`` (the average of N
        iterations), a strategy file or a profile.
    options : Options, optional
    progress : callable, optional
        Called with the stage.

    Raises
    ------
    ValueError
        If the game is too large, a public state, method or blueprint is unknown or does not fit, or a set
        of public states cuts an infoset.
    """
    if defender not in (0, 1):
        raise ValueError(f"defender must be 0 or 1, got {defender!r}")
    check_method(method)
    tell = silent if progress is None else progress
    made = load_game(game) if isinstance(game, str) else game
    tell("enumerating the game", float("inf"))
    trunk = number_tree(build_tree(made, max_nodes=MOST_HISTORIES))
    states = PublicStates.of(trunk.tree)
    names = (at,) if isinstance(at, str) else tuple(at)
    if names == (ALL,) and ALL not in states.index:
        names = states.first_subgames(defender)
    cuts = [cut(states, trunk, [name], defender) for name in names]
    tell("solving the game", float("inf"))
    equilibrium = solve_lp(trunk.form)
    start = (
        blueprint if isinstance(blueprint, Profile) else make_blueprint(trunk, blueprint, equilibrium.profile)
    )
    tell("finding the joint optimum", float("inf"))
    subgames = [Subgame.of(piece, start) for piece in cuts]
    _check_disjoint(subgames)
    joint = joint_optimum(subgames)
    solver = method_named(method, subgames, joint, options)
    clock = time.perf_counter()
    solutions: list[SubgameSolution] = []
    for subgame in subgames:
        tell(f"subgame {len(solutions) + 1} of {len(subgames)}", float("inf"))
        solutions.append(solver.solve(subgame))
    profile = compose(start, solutions)
    seconds = time.perf_counter() - clock

    def exploitability(strategy: Profile) -> float:
        gained = trunk.form.best_response(1 - defender, strategy.plans[defender]).total
        value = float(equilibrium.certificate.value)
        return gained - (value if defender == 1 else -value)

    return Resolution(
        game=made.name,
        unit=made.unit,
        method=method,
        defender=defender,
        subgames=tuple(names),
        tops=report(solutions, profile),
        kept=MappingProxyType({s.subgame.cut.name: s.kept for s in solutions if s.kept}),
        exploitability_before=exploitability(start),
        exploitability_after=exploitability(profile),
        exploitability_joint=exploitability(_with(start, defender, joint.behaviour)),
        value=equilibrium.certificate,
        profile=profile,
        seconds=seconds,
        parameters=MappingProxyType({"at": names, "options": options or Options()}),
    )


def make_blueprint(trunk: NumberedTree, text: str | Path, equilibrium: Profile) -> Profile:
    """Return the blueprint of a name: ``uniform``, ``nash``, ``cfr+:N`` or a strategy file.

    Raises
    ------
    ValueError
        If the name is none of these, or the file is no strategy of the game.
    """
    form = trunk.form
    if text == "nash":
        return equilibrium
    if text == "uniform":
        return Profile(form.treeplexes, (form.treeplexes[0].uniform(), form.treeplexes[1].uniform()))
    if isinstance(text, str) and text.startswith("cfr+:"):
        iterations = text.removeprefix("cfr+:")
        if not (iterations.isascii() and iterations.isdigit() and 1 <= int(iterations) <= MOST_ITERATIONS):
            raise ValueError(
                f"blueprint cfr+:N needs N between 1 and {MOST_ITERATIONS:,} iterations, got {iterations!r}"
            )
        return cfr_plus(form, int(iterations)).profile
    if Path(text).suffix.lower() not in (".csv", ".json"):
        raise ValueError(
            f"blueprint must be uniform, nash, cfr+:N or a .csv or .json strategy file, got {str(text)!r}"
        )
    return read_strategy(text, form)


def _check_disjoint(subgames: Sequence[Subgame]) -> None:
    inside = np.zeros(len(subgames[0].plan), dtype=np.int64)
    for subgame in subgames:
        inside += subgame.cut.inside
        if inside.max() > 1:
            raise ValueError(f"subgames must be disjoint, but {subgame.cut.name!r} overlaps another one")


def _with(profile: Profile, player: int, behaviour: Floats) -> Profile:
    """Return a profile with one player's behaviour exchanged."""
    other = profile.behaviour[1 - player]
    return Profile(profile.treeplexes, (behaviour, other) if player == 0 else (other, behaviour))
