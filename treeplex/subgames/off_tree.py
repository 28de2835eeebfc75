"""Nested solving and action translation of an abstraction's strategy, and both compared.

A full game, its abstraction and a blueprint are made ready for them. The report says which off-tree moves
there are in the full game and what they gain.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from treeplex.core.loading import GameLike
from treeplex.core.progress import Progress, silent
from treeplex.files.completion import check_missing
from treeplex.files.strategies import StrategyLike
from treeplex.gadgets.joint_optimum import joint_optimum
from treeplex.gadgets.off_tree.menu_abstraction import Abstraction
from treeplex.gadgets.off_tree.nested_solving import (
    off_tree_levels,
    off_tree_tops,
    solve_nested,
    states_after,
)
from treeplex.gadgets.off_tree.off_tree import Make, off_tree_method
from treeplex.gadgets.off_tree.translation import translate as translate_behaviour
from treeplex.gadgets.top_report import OffTreeTop
from treeplex.games.base.display import Block, Columns, Line
from treeplex.games.base.number_texts import six_decimals
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree, Support
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.subgames.blueprints import Start, distance_to_value
from treeplex.subgames.inputs import (
    AbstractionLike,
    abstraction_of,
    check_defender,
    enumerated,
    game_with_menus,
)
from treeplex.subgames.resolution import ChangedStrategy, completed_lines

COLUMNS = ("after", "off-tree moves", "tops", "reach", "smallest margin")


@dataclass(frozen=True, kw_only=True, repr=False)
class OffTreeResult(ChangedStrategy):
    """A defender's strategy of an abstraction in the full game, and what off-tree moves gain against it.

    Attributes
    ----------
    game, abstraction : str
        The names of the full game and of the one with fewer bet sizes.
    unit : str
    method : str
        ``translation``, or the gadget that answers off-tree moves.
    approach : str or None
        ``inexpensive`` or ``expensive``; None for translation.
    defender : int
    tops : tuple of OffTreeTop
        For every off-tree move of the opponent and each of its infosets, where chance and the strategy come.
    exploitability_before, exploitability_after, exploitability_joint : float
        The defender's distance from the full game's value, in its unit: of the blueprint, uniform after
        off-tree moves; of ``profile``; of the best strategy that differs from the blueprint only there.
    value : Certificate
        The proved interval for the full game's value that they are measured from.
    profile : Profile
        On the full game.
    seconds : float
        Wall time of answering or translating alone.
    parameters : mapping
        What was asked for.
    """

    abstraction: str
    method: str
    approach: str | None
    tops: tuple[OffTreeTop, ...]

    @property
    def min_margin(self) -> float | None:
        """The smallest margin; None if no off-tree move is met."""
        return min((top.margin for top in self.tops), default=None)

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each public state right after an off-tree move, and the exploitabilities."""
        title = (
            f"{self.game}: player {self.defender} plays {self.abstraction}, answers the rest by {self._how}"
        )
        states: dict[tuple[str, int], list[OffTreeTop]] = defaultdict(list)
        for top in self.tops:
            states[top.state, top.level].append(top)
        rows = tuple(_cells(state, level, tops) for (state, level), tops in states.items())
        return Columns(title, COLUMNS, rows, left=("after",)), *map(Line, _footer(self))

    def brief(self) -> str:
        """Return game, defender, method, and exploitability before and after."""
        return f"{self.game}: player {self.defender} by {self._how}, exploitability {self._change}"

    @property
    def _how(self) -> str:
        return f"{self.method} ({self.approach})" if self.approach else self.method

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "abstraction": self.abstraction,
            "method": self.method,
            "approach": self.approach,
            "defender": self.defender,
            "tops": [asdict(top) for top in self.tops],
            "min_margin": self.min_margin,
            **self._measured(),
        }


def _cells(state: str, level: int, tops: list[OffTreeTop]) -> tuple[str, ...]:
    reach, margin = sum(top.reach for top in tops), min(top.margin for top in tops)
    return state, str(level), str(len(tops)), f"{reach:.4g}", six_decimals(margin)


def _footer(result: OffTreeResult) -> Iterator[str]:
    yield ""
    yield (
        f"a margin is what player {1 - result.defender} gets by the abstraction's best move less what by "
        f"this one, in {result.unit} per unit of reach"
    )
    yield from completed_lines(result.parameters)
    if result.min_margin is not None:
        yield f"smallest margin         {result.min_margin:.6g}"
    yield from result._measured_lines("that play after them allows", ", uniform after off-tree moves")


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
        One of ``treeplex.gadgets.off_tree.off_tree.NESTED_METHODS``,
        or a gadget of your own that is made from
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
    treeplex.games.base.errors.NotSolvedError
        If no solver gets a gadget's game right.

    Examples
    --------
    >>> game = "no_limit_leduc(bets=[1/2,1],max_raises=[1,1])"
    >>> found = nested(game, "1", defender=1, blueprint="uniform")
    >>> found.exploitability_after < found.exploitability_before
    True
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
    :func:`gadgets.off_tree.translation.translate`. Parameters and errors as for :func:`nested`.

    Examples
    --------
    >>> game = "no_limit_leduc(bets=[1/2,1],max_raises=[1,1])"
    >>> translate(game, "1", defender=1, blueprint="uniform").method
    'translation'
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
    pair, small = prepared.abstraction, prepared.small
    behaviour = translate_behaviour(
        pair.small,
        small.game.form,
        small.strategy.behaviour[defender],
        pair.full,
        prepared.game.form,
        defender=defender,
    )
    return prepared.start.exchanged(defender, behaviour)


@dataclass(frozen=True)
class Prepared:
    """A full game, an abstraction of it, and a blueprint for the abstraction.

    Attributes
    ----------
    abstraction : Abstraction
    game : NumberedTree
        The full game.
    small : Start
        The abstraction, and the blueprint on it.
    value : Certificate
        Of the full game.
    start : Profile
        The blueprint on the full game: missing moves have probability zero, play after them is uniform.
    missing : pair of (S,) bool
        Which of each player's sequences in the full game end in a move that the abstraction lacks.
    """

    abstraction: Abstraction
    game: NumberedTree
    small: Start
    value: Certificate
    start: Profile
    missing: Support

    def distance(self, defender: int, strategy: Profile) -> float:
        """Return how far the defender's part of a profile of the full game is from its value."""
        return distance_to_value(self.game.form, self.value, defender, strategy)

    def joint(self, defender: int) -> float:
        """Return the least distance of a strategy that differs from ``start`` only after off-tree moves."""
        opponent, states = 1 - defender, PublicStates.of(self.game.tree)
        moves = self.missing[opponent]
        first = moves & (off_tree_levels(self.game, opponent, moves) == 1)
        pieces = (
            cut(states, self.game, [name], defender)
            for name in states_after(self.game, states, opponent, first)
        )
        subgames = [s for s in (Subgame.of(piece, self.start) for piece in pieces) if s.live.any()]
        if not subgames:
            return self.distance(defender, self.start)
        best = self.start.exchanged(defender, joint_optimum(subgames).behaviour)
        return self.distance(defender, best)

    def judged(
        self, defender: int, profile: Profile, method: str, approach: str | None, seconds: float
    ) -> OffTreeResult:
        """Return the report on a profile of the full game."""
        return OffTreeResult(
            game=self.abstraction.full.name,
            abstraction=self.abstraction.small.name,
            unit=self.abstraction.full.unit,
            method=method,
            approach=approach,
            defender=defender,
            tops=off_tree_tops(self.game, defender, profile, self.missing),
            exploitability_before=self.distance(defender, self.start),
            exploitability_after=self.distance(defender, profile),
            exploitability_joint=self.joint(defender),
            value=self.value,
            profile=profile,
            seconds=seconds,
            parameters=self.small.blueprint.counts,
        )


def prepare(
    game: GameLike, abstraction: AbstractionLike, blueprint: StrategyLike, missing: str, progress: Progress
) -> Prepared:
    """Enumerate and solve both games and embed the blueprint; parameters as for :func:`treeplex.nested`.

    Raises
    ------
    ValueError
        If a game is no poker game with a menu of bet sizes, is too large or locks hands, the abstraction is
        none of the game, or the blueprint does not fit it.
    """
    check_missing(missing)
    full = game_with_menus(game)
    small = abstraction_of(full, abstraction)
    pair = Abstraction(small, full)
    progress("enumerating both games", float("inf"))
    whole, part = enumerated(full, progress), enumerated(small, progress)
    lacking = pair.missing(whole.form)
    given = Start.of(small, part, blueprint, missing, progress)
    progress("solving the full game", float("inf"))
    value = solve_lp(whole.form).certificate
    return Prepared(pair, whole, given, value, pair.embedded(given.strategy, whole.form), lacking)
