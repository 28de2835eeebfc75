"""Nested solving and action translation of an abstraction's strategy, and both compared."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from treeplex.core.loading import GameLike
from treeplex.core.progress import Progress, silent
from treeplex.gadgets.nested.by_name import Make, off_tree_method
from treeplex.gadgets.nested.solve import solve_nested
from treeplex.gadgets.translation.sequence_forms import translate as translate_behaviour
from treeplex.seqform.forms.profile import Profile
from treeplex.store.strategy_like import StrategyLike
from treeplex.subgames.abstractions import AbstractionLike
from treeplex.subgames.embedded_blueprint import Prepared, prepare
from treeplex.subgames.inputs import check_defender
from treeplex.subgames.off_tree_result import OffTreeResult

TRANSLATION = "translation"
COMPARED: Mapping[str, tuple[str, str | None]] = MappingProxyType(
    {
        TRANSLATION: (TRANSLATION, None),
        "resolve": ("resolve", "inexpensive"),
        "maxmargin": ("maxmargin", "inexpensive"),
        "reach-maxmargin": ("reach-maxmargin", "inexpensive"),
        "resolve (expensive)": ("resolve", "expensive"),
        "reach-maxmargin (expensive)": ("reach-maxmargin", "expensive"),
        "unsafe (expensive)": ("unsafe", "expensive"),
    }
)
"""Method and approach of each row that :func:`compare_off_tree` computes."""


def nested(
    game: GameLike,
    abstraction: AbstractionLike,
    defender: int,
    method: str | Make = "resolve",
    *,
    approach: str = "inexpensive",
    scale: float = 1.0,
    blueprint: StrategyLike = "nash",
    missing: str = "error",
    progress: Progress = silent,
) -> OffTreeResult:
    """Play a full game with an abstraction's strategy, solving a subgame for every move that it lacks.

    Nested subgame solving of Brown and Sandholm (2017), section 6: alternative values are those of the
    opponent's best move that the abstraction has.

    Parameters
    ----------
    game : str, Game or Problem
        A poker game with menus of bet sizes, all of them, small enough to be enumerated.
    abstraction : str, Game, Problem or sequence of sizes
        The same game with fewer sizes; or the sizes to keep, such as ``"1/2,1"`` or ``[0.5, 1]``.
    defender : int
        Who plays by the abstraction, 0 or 1; the opponent may bet all sizes.
    method : str or callable
        One of ``treeplex.gadgets.nested.by_name.NESTED_METHODS``, or a gadget of your own that is made from
        alternative values, as a callable or ``module:Name``.
    approach : {"inexpensive", "expensive"}
        Solve the subgame after the move, or the one before it again with the move added.
    scale : float
        For ``reach-``: what lower-bound gifts are multiplied by; above 1 nothing is promised.
    blueprint : str, Path, DataFrame or Profile
        The strategy of the abstraction, as :func:`treeplex.resolve` takes it.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a file or a table.
    progress : callable, optional
        Called with the stage.

    Raises
    ------
    ValueError
        If a parameter is out of its range, a game is too large or no poker game with menus, the abstraction
        differs from it in more than sizes and stacks, or the blueprint does not fit.
    treeplex.seqform.lp.solve.NotSolvedError
        If no solver gets a gadget's game right.
    """
    check_defender(defender)
    answer = off_tree_method(method, approach, scale)
    prepared = prepare(game, abstraction, blueprint, missing, progress)
    progress("answering off-tree moves", float("inf"))
    clock = time.perf_counter()
    profile = solve_nested(prepared.game, defender, prepared.start, prepared.missing, answer)
    seconds = time.perf_counter() - clock
    name = method if isinstance(method, str) else getattr(method, "__name__", repr(method))
    return prepared.judged(defender, profile, name, approach, seconds)


def translate(
    game: GameLike,
    abstraction: AbstractionLike,
    defender: int,
    *,
    blueprint: StrategyLike = "nash",
    missing: str = "error",
    progress: Progress = silent,
) -> OffTreeResult:
    """Play a full game with an abstraction's strategy, taking each bet that it lacks for one that it has.

    The randomized pseudo-harmonic mapping of Ganzfried and Sandholm (2013); see
    :func:`gadgets.translation.sequence_forms.translate`. Parameters and errors as for :func:`nested`.
    """
    check_defender(defender)
    prepared = prepare(game, abstraction, blueprint, missing, progress)
    progress("translating", float("inf"))
    clock = time.perf_counter()
    profile = _translated(prepared, defender)
    seconds = time.perf_counter() - clock
    return prepared.judged(defender, profile, TRANSLATION, None, seconds)


@dataclass(frozen=True)
class OffTreeRow:
    """Exploitability of one method of answering off-tree moves.

    Attributes
    ----------
    method : str
    exploitability : pair of float
        Each player's distance from the full game's value as the defender, in its unit.
    seconds : float
        For both.
    """

    method: str
    exploitability: tuple[float, float]
    seconds: float


def compare_off_tree(
    game: GameLike,
    abstraction: AbstractionLike,
    *,
    blueprint: StrategyLike = "nash",
    rows: Sequence[str] = tuple(COMPARED),
    progress: Progress = silent,
) -> tuple[OffTreeRow, ...]:
    """Hold translation and nested solving by several methods against each other, for both seats.

    After Table 2 of Brown and Sandholm (2017), with exact exploitabilities. Translation and Unsafe depend on
    which equilibrium the blueprint is. ``rows`` are names of ``COMPARED``, all unless given. Other parameters
    and errors as for :func:`nested`.
    """
    prepared = prepare(game, abstraction, blueprint, "error", progress)
    found = []
    for name in rows:
        method, approach = COMPARED[name]
        progress(name, float("inf"))
        clock = time.perf_counter()
        first, second = (prepared.distance(d, _played(prepared, d, method, approach)) for d in (0, 1))
        found.append(OffTreeRow(name, (first, second), time.perf_counter() - clock))
    return tuple(found)


def _played(prepared: Prepared, defender: int, method: str, approach: str | None) -> Profile:
    if approach is None:
        return _translated(prepared, defender)
    answer = off_tree_method(method, approach)
    return solve_nested(prepared.game, defender, prepared.start, prepared.missing, answer)


def _translated(prepared: Prepared, defender: int) -> Profile:
    pair, own = prepared.abstraction, prepared.blueprint.strategy.behaviour[defender]
    behaviour = translate_behaviour(
        pair.small, prepared.small, own, pair.full, prepared.game.form, defender=defender
    )
    return prepared.start.exchanged(defender, behaviour)
