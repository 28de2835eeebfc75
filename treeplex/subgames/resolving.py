"""Solve subgames again by any method, put them back, and judge the whole strategy before and after."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from treeplex.cfr.engine import average
from treeplex.cfr.sequence_form import full_width
from treeplex.cfr.variants.variant import VARIANTS
from treeplex.gadgets.direct.joint import joint_optimum
from treeplex.gadgets.methods.distributional import Distributional
from treeplex.gadgets.solving.composition import TopReport, compose, report
from treeplex.gadgets.solving.named import Options, check_method, method_named
from treeplex.gadgets.solving.solve import SubgameSolution, SubgameSolver
from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import Game
from treeplex.games.specs.specs import load_game
from treeplex.problem import walk
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.tree_form import NumberedTree, number_tree
from treeplex.seqform.lp.solve import solve_lp
from treeplex.seqform.subgames.cut import JOINER, Cut, check_disjoint, cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.solving.guided import Progress, silent
from treeplex.store.strategy_file import SUFFIXES
from treeplex.store.strategy_given import Given, given_strategy
from treeplex.store.strategy_table import COUNTS, Completed, check_missing, check_unused

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
    game: str | Game[Any],
    defender: int,
    at: str | Sequence[str] = ALL,
    method: str = "resolve",
    *,
    blueprint: Given = "nash",
    missing: str = "error",
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
        Public states at which subgames begin; ``K:cc/ | Q:cc/`` is one subgame that begins at either. Or
        ``all``: right after the first chance move that follows a decision, or after the first decision where
        chance moves only at the start.
    method : str
        One of ``treeplex.gadgets.solving.named.METHODS``, or ``module:Name`` of a gadget of your own.
    blueprint : str, Path, DataFrame or Profile
        ``uniform``, ``nash`` (an equilibrium by the linear program), ``cfr+:N`` (the average of N
        iterations), a strategy file, a table or a profile.
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
    if type(defender) is not int or defender not in (0, 1):
        raise ValueError(f"defender must be 0 or 1, got {defender!r}")
    check_method(method, options)
    check_missing(missing)
    tell = silent if progress is None else progress
    made = load_game(game) if isinstance(game, str) else game
    if isinstance(made, PokerGame) and made.locks:
        raise ValueError(f"subgames are of games without locks, got {made.name}")
    tell("enumerating the game", float("inf"))
    trunk = number_tree(walk(made, MOST_HISTORIES))
    cuts = cuts_of(trunk, defender, at)
    tell("solving the game", float("inf"))
    equilibrium = solve_lp(trunk.form)
    given = make_blueprint(trunk, blueprint, equilibrium.profile, missing)
    start = given.profile
    tell("finding the joint optimum", float("inf"))
    clock = time.perf_counter()
    subgames = [Subgame.of(piece, start) for piece in cuts]
    joint = joint_optimum(subgames)
    solver = method_named(method, subgames, joint, options)
    solutions: list[SubgameSolution] = []
    for subgame in subgames:
        tell(f"subgame {len(solutions) + 1} of {len(subgames)}", float("inf"))
        solutions.append(solver.solve(subgame))
    profile = compose(start, solutions)
    seconds = time.perf_counter() - clock
    asked = {"at": at, "blueprint": blueprint, "options": options or Options(), "missing": missing}
    value = equilibrium.certificate
    before, after, jointly = (
        exploitability(trunk.form, value, defender, strategy)
        for strategy in (start, profile, start.exchanged(defender, joint.behaviour))
    )
    return Resolution(
        game=made.name,
        unit=made.unit,
        method=method,
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


def exploitability(form: SequenceForm, value: Certificate, defender: int, strategy: Profile) -> float:
    """Return how much more than the game's value a best response wins against the defender's strategy."""
    gained = form.best_response(1 - defender, strategy.plans[defender]).total
    v = float(value.value)
    return gained - (v if defender == 1 else -v)


def cuts_of(trunk: NumberedTree, defender: int, at: str | Sequence[str] = ALL) -> list[Cut]:
    """Cut a game at the public states that ``at`` names, as :func:`resolve` takes them.

    Raises
    ------
    ValueError
        If there is none, a name is no public state, or the subgames cut an infoset or overlap.
    """
    states = PublicStates.of(trunk.tree)
    names = (at,) if isinstance(at, str) else tuple(at)
    if not names:
        raise ValueError("at must be one public state at least, or all, got none")
    if names == (ALL,) and ALL not in states.index:
        names = states.first_subgames(defender)
    unions = [[name] if name in states.index else name.split(JOINER) for name in names]
    cuts = [cut(states, trunk, union, defender) for union in unions]
    check_disjoint(cuts)
    return cuts


def _discretisation(solver: SubgameSolver, subgames: Sequence[Subgame]) -> float | None:
    gadget = getattr(solver, "gadget", None)
    if not isinstance(gadget, Distributional):
        return None
    return max(gadget.error(subgame) for subgame in subgames)


def make_blueprint(
    trunk: NumberedTree, blueprint: Given, equilibrium: Profile, missing: str = "error"
) -> Completed:
    """Return the blueprint of a name (``uniform``, ``nash``, ``cfr+:N``), a file or a table; or as it is.

    Raises
    ------
    ValueError
        If the name is none of these, or the file or the table is no strategy of the game.
    """
    if isinstance(blueprint, str) and Path(blueprint).suffix.lower() not in SUFFIXES:
        check_unused(missing, f"blueprint {blueprint}")
        return Completed(_named(trunk.form, blueprint, equilibrium))
    return given_strategy(blueprint, trunk.form, missing)


def _named(form: SequenceForm, name: str, equilibrium: Profile) -> Profile:
    if name == "nash":
        return equilibrium
    if name == "uniform":
        return Profile(form.treeplexes, (form.treeplexes[0].uniform(), form.treeplexes[1].uniform()))
    if name.startswith("cfr+:"):
        iterations = name.removeprefix("cfr+:")
        if not (iterations.isascii() and iterations.isdigit() and 1 <= int(iterations) <= MOST_ITERATIONS):
            raise ValueError(
                f"blueprint cfr+:N needs N between 1 and {MOST_ITERATIONS:,} iterations, got {iterations!r}"
            )
        return average(full_width.prepare(form, VARIANTS["cfr+"]), int(iterations))
    raise ValueError(
        f"blueprint must be uniform, nash, cfr+:N or a {' or '.join(SUFFIXES)} strategy file, got {name!r}"
    )
