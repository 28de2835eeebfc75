"""Blueprints on boards, by name and from files and tables."""

from pathlib import Path

import numpy as np

from treeplex.cfr.buckets import bucket_cfr
from treeplex.cfr.factored import factored_cfr
from treeplex.cfr.factored.state import FactoredConfig
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.gadgets.translation.on_boards import translated
from treeplex.games.poker.game import PokerGame
from treeplex.games.reporting import Report
from treeplex.runs.run_loop import run_engine
from treeplex.seqform.factored.checks import check_strategy
from treeplex.seqform.factored.profile import strategy_of as on_boards
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.profile import Profile
from treeplex.solving.choice import LP, choose
from treeplex.solving.engines import boards_of
from treeplex.solving.methods import config_of, methods_on
from treeplex.solving.solve import solve
from treeplex.store.completion import check_unused
from treeplex.store.strategies import SUFFIXES
from treeplex.store.strategy_like import StrategyLike, strategy_of
from treeplex.subgames.abstractions import AbstractionLike, abstraction_of
from treeplex.subgames.boards.bucket_tables import BucketsLike, buckets_of
from treeplex.subgames.inputs import MOST_ITERATIONS

NASH_EXPLOITABILITY = 1e-4
"""Exploitability at which a run for ``nash`` ends, in pots, big blinds or largest stakes."""
NASH_METHOD, MOST_NASH_ITERATIONS = "dcfr", 5_000
"""The method of ``nash`` where no linear program is quick, and its most iterations."""


def blueprint_on_boards(
    problem: Problem,
    blueprint: StrategyLike,
    *,
    abstraction: AbstractionLike | None = None,
    buckets: "BucketsLike | None" = None,
    missing: str = "error",
    threads: int = 1,
    progress: Progress = silent,
) -> FactoredStrategy:
    """Return a blueprint of a poker game as a strategy on boards.

    Parameters
    ----------
    problem : Problem
        Of a poker game of one or two hole cards, no hands locked.
    blueprint : str, Path, DataFrame, mapping, Strategy or Result
        ``uniform``; ``nash``, an equilibrium by the linear program where that is quick, else the average of
        discounted CFR at an exploitability of ``NASH_EXPLOITABILITY`` or after ``MOST_NASH_ITERATIONS``;
        ``METHOD:N`` such as ``cfr+:50``, the average of a minimiser on boards after N iterations; or a
        strategy as :func:`treeplex.check` takes it.
    abstraction : str, Game, Problem or sequence of sizes, optional
        The game with fewer sizes that the blueprint is of, as for :func:`treeplex.nested`. Its strategy is
        made one of the problem by translation, :func:`treeplex.gadgets.translation.on_boards.translated`.
    buckets : str, Path or DataFrame, optional
        For ``METHOD:N``: hands that play alike, as :func:`bucket_tables.buckets_of` takes them.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a file or a table.
    threads : int
        Of minimisers; their number changes no strategy.
    progress : callable, optional
        Called with the stage.

    Returns
    -------
    FactoredStrategy
        On ``problem.boards()``; on boards that are not merged where the blueprint is a table or comes from
        the linear program, which may play differently on boards that suits alone tell apart.

    Raises
    ------
    ValueError
        If the game is no such game or too large, the name is none of these, or the strategy is none of the
        game.
    """
    _check_game(problem)
    if abstraction is None:
        return _made(problem, blueprint, buckets, missing, threads, progress)
    assert isinstance(problem.game, PokerGame)
    small = Problem(abstraction_of(problem.game, abstraction), problem.progress)
    coarse = _made(small, blueprint, buckets, missing, threads, progress)
    merged = coarse.tree.boards.cards == problem.boards().boards.cards
    tree = problem.boards(isomorphism=merged)
    return translated(coarse, tree, dtype=np.float32, report=_reporter(progress))


def _made(
    problem: Problem,
    blueprint: StrategyLike,
    buckets: "BucketsLike | None",
    missing: str,
    threads: int,
    progress: Progress,
) -> FactoredStrategy:
    """Return a blueprint of the problem itself; parameters as for :func:`blueprint_on_boards`."""
    is_name = isinstance(blueprint, str) and Path(blueprint).suffix.lower() not in SUFFIXES
    if buckets is not None and (not is_name or blueprint in ("uniform", "nash")):
        raise ValueError(f"buckets are for blueprints METHOD:N, got {_text(blueprint)}")
    if not isinstance(blueprint, str) or not is_name:
        given = strategy_of(problem, blueprint, missing).strategy
        if isinstance(given, Profile):
            return _on_boards(problem, given)
        assert isinstance(problem.game, PokerGame)
        check_strategy(problem.game, given)
        return given
    check_unused(missing, f"blueprint {blueprint}")
    if blueprint == "uniform":
        return _uniform(problem)
    if blueprint == "nash":
        return _nash(problem, threads, progress)
    return _run(problem, *_run_named(blueprint), buckets, threads, progress)


def _text(blueprint: StrategyLike) -> str:
    return str(blueprint) if isinstance(blueprint, str | Path) else f"a {type(blueprint).__name__}"


def _run(
    problem: Problem,
    method: str,
    iterations: int,
    buckets: "BucketsLike | None",
    threads: int,
    progress: Progress,
) -> FactoredStrategy:
    """Return the average of a minimiser after some iterations."""
    config = config_of(method, {}, "boards")
    assert isinstance(config, FactoredConfig)
    progress("listing boards", float("inf"))
    tree = boards_of(problem, config, {})
    if buckets is None:
        engine = factored_cfr.prepare(tree, config, threads)
        return run_engine(method, engine, iterations, None, progress=progress).strategy
    tied = bucket_cfr.prepare(buckets_of(tree, buckets, _reporter(progress)), config, threads)
    return run_engine(method, tied, iterations, None, progress=progress).strategy.expanded()


def _reporter(progress: Progress) -> Report:
    return lambda text: progress(text, float("inf"))


def _check_game(problem: Problem) -> None:
    game = problem.game
    if not isinstance(game, PokerGame):
        raise ValueError(f"a blueprint on boards is of a poker game, got {game.name}")
    if game.locks:
        raise ValueError(f"subgames are of games without locks, got {game.name}")


def _on_boards(problem: Problem, profile: Profile) -> FactoredStrategy:
    return on_boards(profile, problem.boards(isomorphism=False))


def _uniform(problem: Problem) -> FactoredStrategy:
    """Return the strategy without any weight, which plays every action equally often."""
    tree = problem.boards()
    first, second = (np.zeros(int(base[-1]), np.float32) for base in tree.base)
    return FactoredStrategy(tree, (first, second))


def _nash(problem: Problem, threads: int, progress: Progress) -> FactoredStrategy:
    if choose(problem, None, None, False).method == LP:
        return _on_boards(problem, solve(problem, LP, progress=progress).profile)
    target = 2 * problem.unit_size * NASH_EXPLOITABILITY
    run = solve(
        problem,
        NASH_METHOD,
        form="boards",
        iterations=MOST_NASH_ITERATIONS,
        target=target,
        threads=threads,
        progress=progress,
    )
    assert isinstance(run.strategy, FactoredStrategy)
    return run.strategy


def _run_named(name: str) -> tuple[str, int]:
    """Return the method and the iterations of ``METHOD:N``."""
    method, _, iterations = name.partition(":")
    known = methods_on("boards")
    if method not in known or not iterations:
        raise ValueError(
            f"blueprint must be uniform, nash, METHOD:N with METHOD one of {', '.join(known)}, or a "
            f"{' or '.join(SUFFIXES)} strategy file, got {name!r}"
        )
    short = iterations.isascii() and iterations.isdigit() and len(iterations) <= len(f"{MOST_ITERATIONS}")
    if not (short and 1 <= int(iterations) <= MOST_ITERATIONS):
        raise ValueError(
            f"blueprint {method}:N needs N between 1 and {MOST_ITERATIONS:,} iterations, got {iterations!r}"
        )
    return method, int(iterations)
