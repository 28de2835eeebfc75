"""Depth-limited solving: the trunk of a game solved with continuations for the opponent, and judged."""

import time
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from treeplex.core.problem import GameLike
from treeplex.core.progress import Progress, silent
from treeplex.gadgets.depth_limited.continuations import biased_continuations, self_generate
from treeplex.gadgets.depth_limited.game import DepthLimited, solve_depth_limited
from treeplex.gadgets.depth_limited.trunk import trunk_optimum
from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import Game
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.lp.solve import solve_lp
from treeplex.seqform.subgames.cut import Cut
from treeplex.store.completion import check_missing
from treeplex.store.strategy_like import StrategyLike
from treeplex.subgames.depth_limited_result import (
    CONTINUATIONS,
    SELF_GENERATED,
    DepthLimitedResult,
    DepthLimits,
    Round,
)
from treeplex.subgames.inputs import (
    ALL,
    check_defender,
    cuts_of,
    distance_to_value,
    enumerated,
    make_blueprint,
    unlocked_game,
)


def depth_limited(
    game: GameLike,
    defender: int,
    at: str | Sequence[str] = ALL,
    continuations: str | Sequence[StrategyLike] = SELF_GENERATED,
    *,
    blueprint: StrategyLike = "nash",
    missing: str = "error",
    limits: DepthLimits | None = None,
    progress: Progress | None = None,
) -> DepthLimitedResult:
    """Solve the trunk of a game, below which the opponent chooses among continuations, and judge it.

    Brown, Sandholm and Amos, Depth-limited solving for imperfect-information games (NeurIPS 2018).

    Parameters
    ----------
    game : str, Game or Problem
        Small enough to be enumerated.
    defender : int
        Who solves the trunk and plays the blueprint below it, 0 or 1.
    at : str or sequence of str
        Public states at which the trunk ends, as :func:`treeplex.resolve` takes them.
    continuations : str or sequence of strategies
        ``blueprint``: the opponent's blueprint alone; ``biased``: that, and the same with one kind of
        action more often (in poker folds, calls and raises, elsewhere each action); ``self-generated``:
        that, and best responses added until they gain nothing. Or strategies, as for ``blueprint``, of which
        the opponent's part is used.
    blueprint : str, Path, DataFrame or Profile
        As :func:`treeplex.resolve` takes it.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a file or a table.
    limits : DepthLimits, optional
    progress : callable, optional
        Called with the stage.

    Raises
    ------
    ValueError
        If the game is too large, a public state, blueprint or continuation is unknown or does not fit, a set
        of public states cuts an infoset, or a limit is out of its range or not for the continuations.
    """
    check_defender(defender)
    check_missing(missing)
    name = continuations if isinstance(continuations, str) else "given"
    if isinstance(continuations, str) and name not in CONTINUATIONS:
        raise ValueError(f"continuations must be {', '.join(CONTINUATIONS)} or strategies, got {name!r}")
    told = DepthLimits() if limits is None else limits
    told.check(name)
    tell = silent if progress is None else progress
    made = unlocked_game(game)
    tell("enumerating the game", float("inf"))
    whole = enumerated(made)
    cuts = cuts_of(whole, defender, at)
    tell("solving the game", float("inf"))
    equilibrium = solve_lp(whole.form)
    given = make_blueprint(made, whole.form, blueprint, equilibrium.profile, missing)
    start = given.strategy
    ways = None
    if not isinstance(continuations, str):
        ways = [
            make_blueprint(made, whole.form, one, equilibrium.profile, missing).strategy.behaviour[
                1 - defender
            ]
            for one in continuations
        ]
    tell("solving the trunk", float("inf"))
    clock = time.perf_counter()
    found = _solved(made, cuts, start, name, ways, told)
    seconds = time.perf_counter() - clock
    tell("finding the best trunk strategy", float("inf"))
    profile = start.exchanged(defender, min(found, key=lambda one: one.conceded).behaviour)
    joint = start.exchanged(defender, trunk_optimum(cuts, start))
    value = equilibrium.certificate
    before, after, jointly = (
        distance_to_value(whole.form, value, defender, strategy) for strategy in (start, profile, joint)
    )
    return DepthLimitedResult(
        game=made.name,
        unit=made.unit,
        defender=defender,
        subgames=tuple(piece.name for piece in cuts),
        continuations=name,
        rounds=tuple(Round(len(one.continuations), one.value, one.conceded, one.gap) for one in found),
        converged=found[-1].gap <= told.tolerance if name == SELF_GENERATED else None,
        exploitability_before=before,
        exploitability_after=after,
        exploitability_joint=jointly,
        value=value,
        profile=profile,
        seconds=seconds,
        parameters=MappingProxyType(
            {
                "at": at,
                "blueprint": blueprint,
                "continuations": continuations,
                "limits": told,
                "missing": missing,
                **given.counts,
            }
        ),
    )


def _solved(
    game: Game[Any],
    cuts: Sequence[Cut],
    blueprint: Profile,
    name: str,
    ways: Sequence[Floats] | None,
    limits: DepthLimits,
) -> tuple[DepthLimited, ...]:
    if name == SELF_GENERATED:
        return self_generate(cuts, blueprint, rounds=limits.rounds, tolerance=limits.tolerance).history
    opponent = cuts[0].opponent
    treeplex, behaviour = blueprint.treeplexes[opponent], blueprint.behaviour[opponent]
    if name == "biased":
        ways = biased_continuations(treeplex, behaviour, _kinds(game, treeplex), limits.factor)
    return (solve_depth_limited(cuts, blueprint, [behaviour] if ways is None else ways),)


def _kinds(game: Game[Any], treeplex: Treeplex) -> list[list[str]]:
    """Return the labels of each kind of action: in poker by their first letter, elsewhere each its own."""
    kinds: dict[str, list[str]] = {}
    for label in dict.fromkeys(treeplex.actions[1:]):
        kinds.setdefault(label[:1] if isinstance(game, PokerGame) else label, []).append(label)
    return list(kinds.values())
