"""Depth-limited solving: the trunk solved against continuations, exploitability before and after."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from treeplex.core.loading import GameLike
from treeplex.core.progress import Progress, silent
from treeplex.gadgets.depth_limited.continuations import biased_continuations, self_generate
from treeplex.gadgets.depth_limited.game import DepthLimited, solve_depth_limited
from treeplex.gadgets.depth_limited.trunk import trunk_optimum
from treeplex.games.inputs.parameters import check_kind
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
    progress: Progress = silent,
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
    chosen = DepthLimits() if limits is None else limits
    check_kind("limits", chosen, DepthLimits, "DepthLimits")
    chosen.check(name)
    rules = unlocked_game(game, progress)
    progress("enumerating the game", float("inf"))
    tree = enumerated(rules, progress)
    cuts = cuts_of(tree, defender, at)
    progress("solving the game", float("inf"))
    equilibrium = solve_lp(tree.form)
    completed = make_blueprint(rules, tree.form, blueprint, equilibrium.profile, missing)
    start = completed.strategy
    behaviours = None
    if not isinstance(continuations, str):
        behaviours = [
            make_blueprint(rules, tree.form, one, equilibrium.profile, missing).strategy.behaviour[
                1 - defender
            ]
            for one in continuations
        ]
    progress("solving the trunk", float("inf"))
    clock = time.perf_counter()
    solved = _solved(rules, cuts, start, name, behaviours, chosen)
    seconds = time.perf_counter() - clock
    progress("finding the best trunk strategy", float("inf"))
    profile = start.exchanged(defender, min(solved, key=lambda one: one.conceded).behaviour)
    joint = start.exchanged(defender, trunk_optimum(cuts, start))
    value = equilibrium.certificate
    before, after, jointly = (
        distance_to_value(tree.form, value, defender, strategy) for strategy in (start, profile, joint)
    )
    return DepthLimitedResult(
        game=rules.name,
        unit=rules.unit,
        defender=defender,
        subgames=tuple(piece.name for piece in cuts),
        continuations=name,
        rounds=tuple(Round(len(one.continuations), one.value, one.conceded, one.gap) for one in solved),
        converged=solved[-1].gap <= chosen.tolerance if name == SELF_GENERATED else None,
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
                "limits": chosen,
                "missing": missing,
                **completed.counts,
            }
        ),
    )


def _solved(
    game: Game[Any],
    cuts: Sequence[Cut],
    blueprint: Profile,
    name: str,
    behaviours: Sequence[Floats] | None,
    limits: DepthLimits,
) -> tuple[DepthLimited, ...]:
    if name == SELF_GENERATED:
        return self_generate(cuts, blueprint, rounds=limits.rounds, tolerance=limits.tolerance).history
    opponent = cuts[0].opponent
    treeplex, behaviour = blueprint.treeplexes[opponent], blueprint.behaviour[opponent]
    if name == "biased":
        behaviours = biased_continuations(treeplex, behaviour, _kinds(game, treeplex), limits.factor)
    return (solve_depth_limited(cuts, blueprint, [behaviour] if behaviours is None else behaviours),)


def _kinds(game: Game[Any], treeplex: Treeplex) -> list[list[str]]:
    """Return the labels of each kind of action: in poker by their first letter, elsewhere each its own."""
    kinds: dict[str, list[str]] = {}
    for label in dict.fromkeys(treeplex.actions[1:]):
        kinds.setdefault(label[:1] if isinstance(game, PokerGame) else label, []).append(label)
    return list(kinds.values())
