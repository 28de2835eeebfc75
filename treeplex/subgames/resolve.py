"""Subgames solved by a gadget and composed with the blueprint, exploitability before and after."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from treeplex.core.loading import GameLike
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.files.completion import check_missing
from treeplex.files.strategies import StrategyLike
from treeplex.gadgets.distributional import Distributional
from treeplex.gadgets.gadget import Gadget
from treeplex.gadgets.joint_optimum import joint_optimum
from treeplex.gadgets.methods_by_name import ATOMS, GadgetOptions, check_method, name_of, solver_of
from treeplex.gadgets.subgame_solvers import SubgameSolution, SubgameSolver, compose, report
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.subgames.blueprints import Start
from treeplex.subgames.inputs import (
    ALL,
    check_defender,
    cuts_of,
    enumerated,
    form_of,
    unlocked_game,
)
from treeplex.subgames.resolution import BoardResolution, Resolution
from treeplex.subgames.resolve_on_boards import BoardEffort, resolve_on_boards


def resolve(
    game: GameLike,
    defender: int,
    at: str | Sequence[str] = ALL,
    method: str | Gadget = "resolve",
    *,
    blueprint: StrategyLike = "nash",
    missing: str = "error",
    options: GadgetOptions | None = None,
    form: str | None = None,
    effort: BoardEffort | None = None,
    progress: Progress = silent,
) -> Resolution | BoardResolution:
    """Solve subgames of a strategy again and measure what that does.

    Games that are small enough are enumerated, and gadgets solved by linear programs. Larger poker games are
    solved on betting times boards by regret minimisers, with all hands and proved intervals.

    Parameters
    ----------
    game : str, Path, Game or Problem
    defender : int
        Who solves again, 0 or 1.
    at : str or sequence of str
        Public states at which subgames begin; ``K:cc/ | Q:cc/`` is one subgame that begins at either, in
        enumerated games. Or ``all``: right after the first chance move that follows a decision, or after the
        first decision where chance moves only at the start.
    method : str or Gadget
        One of ``METHODS``; or a gadget of your own, as an object, a class that takes no
        arguments, or ``module:Name`` of one. On boards it needs ``root(tops)``.
    blueprint : str, Path, DataFrame, mapping, Strategy or Result
        ``uniform``, ``nash`` (an equilibrium, by the linear program where that is quick), ``METHOD:N`` such
        as ``cfr+:20`` (the average of a minimiser's plans before each of N updates, on trees as on boards),
        or a strategy as :func:`treeplex.check` takes it.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a file or a table.
    options : GadgetOptions, optional
    form : {"tree", "boards"}, optional
        Where subgames are solved: on the enumerated game, or on boards; chosen by size unless given.
    effort : BoardEffort, optional
        How far subgames on boards are solved.
    progress : callable, optional
        Called with the stage.

    Raises
    ------
    ValueError
        If the game is too large, a public state, method or blueprint is unknown or does not fit, or a set
        of public states cuts an infoset.

    Examples
    --------
    >>> import treeplex as tp
    >>> tp.resolve("leduc_poker", 1, "K:cc/", "maxmargin", blueprint="uniform")
    Resolution(leduc_poker: player 1 by maxmargin, exploitability 2.17311 to 2.12172 chips)
    """
    check_defender(defender)
    for name, given, kind in (("options", options, GadgetOptions), ("effort", effort, BoardEffort)):
        if given is not None and not isinstance(given, kind):
            raise TypeError(f"{name} must be {kind.__name__}, got {given!r}")
    check_method(method, options)
    check_missing(missing)
    rules = unlocked_game(game, progress)
    if form_of(rules, form) == "boards":
        return resolve_on_boards(
            game if isinstance(game, Problem) else Problem(rules, progress),
            defender,
            at,
            method,
            blueprint=blueprint,
            missing=missing,
            options=options,
            effort=effort,
            progress=progress,
        )
    if options is not None and options.entering != ATOMS:
        raise BadInputError(
            f"for enumerated games entering must be {ATOMS}, got {options.entering}; "
            "the form boards takes the others"
        )
    if effort is not None:
        raise BadInputError(f"iterations, width, tolerance and threads are for boards, got {rules.name}")
    return _enumerated(rules, defender, at, method, blueprint, missing, options, progress)


def _enumerated(
    rules: Game[Any],
    defender: int,
    at: str | Sequence[str],
    method: str | Gadget,
    blueprint: StrategyLike,
    missing: str,
    options: GadgetOptions | None,
    progress: Progress,
) -> Resolution:
    """Solve subgames of an enumerated game again."""
    progress("enumerating the game", float("inf"))
    tree = enumerated(rules, progress)
    cuts = cuts_of(rules, tree, defender, at)
    given = Start.of(rules, tree, blueprint, missing, progress)
    start = given.strategy
    progress("finding the joint optimum", float("inf"))
    clock = time.perf_counter()
    subgames = [Subgame.of(piece, start) for piece in cuts]
    joint = joint_optimum(subgames)
    solver = solver_of(method, subgames, joint, options)
    solutions: list[SubgameSolution] = []
    for subgame in subgames:
        progress(f"subgame {len(solutions) + 1} of {len(subgames)}", float("inf"))
        solutions.append(solver.solve(subgame))
    profile = compose(start, solutions)
    seconds = time.perf_counter() - clock
    parameters = {"at": at, "blueprint": blueprint, "options": options or GadgetOptions(), "missing": missing}
    before, after, jointly = (
        given.distance(defender, strategy)
        for strategy in (start, profile, start.exchanged(defender, joint.behaviour))
    )
    return Resolution(
        game=rules.name,
        unit=rules.unit,
        method=name_of(method),
        defender=defender,
        subgames=tuple(piece.name for piece in cuts),
        tops=report(solutions, profile),
        kept=MappingProxyType({s.subgame.cut.name: s.kept for s in solutions if s.kept}),
        discretisation=_discretisation(solver, subgames),
        exploitability_before=before,
        exploitability_after=after,
        exploitability_joint=jointly,
        spread=tree.tree.spread,
        value=given.value,
        profile=profile,
        seconds=seconds,
        parameters=MappingProxyType({**parameters, **given.blueprint.counts}),
    )


def _discretisation(solver: SubgameSolver, subgames: Sequence[Subgame]) -> float | None:
    gadget = getattr(solver, "gadget", None)
    if not isinstance(gadget, Distributional):
        return None
    return max(gadget.error(subgame) for subgame in subgames)
