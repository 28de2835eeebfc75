"""The claim that the strategies which a solver returns, or somebody prints, are optimal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any, ClassVar, TypeAlias

from treeplex.bench.challenges.case import Case, rational, strategy_of
from treeplex.bench.challenges.case_drawing import case_of, drawn_game, rng_of
from treeplex.bench.challenges.case_edits import EDITS, Edit
from treeplex.bench.challenges.claim import Breach
from treeplex.bench.challenges.claim_targets import called, loaded, profile_from
from treeplex.files.strategies import StrategyLike
from treeplex.games.base.protocol import Game
from treeplex.seqform.certify.certificate import exact_best_response, rational_plan
from treeplex.seqform.programs.rational_optimum import rational_optimum

Solver: TypeAlias = Callable[[Game[Any]], StrategyLike]
"""From a game to strategies of both players, or of one of them as a mapping."""


@dataclass(frozen=True)
class Optimal:
    """Optimality: no strategy returned is exploitable."""

    name: ClassVar[str] = "strategy"
    statement: ClassVar[str] = "{} returns optimal strategies"

    def target(self, given: object) -> Solver:
        """Return a callable from itself, its class or ``module:Name``."""
        solver: Solver = loaded(given, "solver")
        return solver

    def cases(self, target: Solver, seed: int) -> Iterator[Case]:
        """Yield the game whose spec is the target's ``game``, if it has one; else games of growing size."""
        spec = getattr(target, "game", None)
        if spec is not None:
            yield case_of(spec)
            return
        for draw in count():
            yield drawn_game(draw, rng_of(seed, draw))

    def edits(self, target: Solver) -> Sequence[Edit]:
        """Return all edits; none if the target is for one game."""
        return () if hasattr(target, "game") else EDITS

    def breach(self, target: Solver, case: Case) -> Breach:
        """Return the larger exploitability of the strategies returned."""
        form = case.form
        returned = called(target, case.origin, lambda: target(case.game))
        players = _players(returned)
        whole = _completed(case, returned, players)
        profile = profile_from(target, case, whole)
        behaviours = {p: rational(form.treeplexes[p], profile.behaviour[p]) for p in players}
        value = rational_optimum(form).value
        lost = {p: _exploitability(case, p, behaviours[p], value) for p in players}
        figures = (
            ("the game's value", value),
            *((f"exploitability of player {p}", amount) for p, amount in lost.items()),
        )
        return Breach(max(lost.values()), case.spread, figures, strategy_of(form.treeplexes, behaviours))


def _players(strategy: StrategyLike) -> tuple[int, ...]:
    """Return the players whose strategy is given: of a mapping those with infosets in it, else both."""
    if not isinstance(strategy, Mapping):
        return 0, 1
    present = {key[0] for key in strategy if isinstance(key, tuple) and key}
    return tuple(p for p in (0, 1) if p in present) or (0, 1)


def _completed(case: Case, strategy: StrategyLike, players: tuple[int, ...]) -> StrategyLike:
    """Return a mapping of one player's strategy with the other player's uniform."""
    if not isinstance(strategy, Mapping) or len(players) == 2:
        return strategy
    other = 1 - players[0]
    treeplex = case.form.treeplexes[other]
    uniform = rational(treeplex, treeplex.uniform())
    rows = strategy_of(case.form.treeplexes, {other: uniform})
    return {**strategy, **{key: {a: float(p) for a, p in row.items()} for key, row in rows.items()}}


def _exploitability(case: Case, player: int, behaviour: list[Fraction], value: Fraction) -> Fraction:
    won = exact_best_response(case.form, 1 - player, rational_plan(case.form.treeplexes[player], behaviour))
    return won + value if player == 0 else won - value
