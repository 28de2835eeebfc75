"""Solve a game by one method, and certify what came out."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from treeplex.cfr.sequence_form.warm_start import WarmStart
from treeplex.cfr.variants.variant import VARIANTS, Variant
from treeplex.games.protocol import Game
from treeplex.problem import Problem, load
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.certify.exact_certificate import certify_exactly
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.lp.highs import SOLVERS
from treeplex.solving.engines import ProfileEngine, form_of, prepare
from treeplex.solving.guided import Progress, silent
from treeplex.solving.iterating import (
    AT_THE_END,
    FOR_TARGETS,
    FOR_TRACES,
    Checks,
    Trace,
    narrower_than,
    run_engine,
)
from treeplex.solving.methods import METHODS as MINIMISERS
from treeplex.solving.methods import Choices, config_of
from treeplex.solving.programs import natural_size, solve_program
from treeplex.solving.result import Result
from treeplex.store.checkpoint import SUFFIXES, CheckpointFile, identity_of
from treeplex.store.files import check_writable
from treeplex.store.strategy_given import Given, strategy_of
from treeplex.store.strategy_table import check_missing, check_unused

METHODS = ("lp", *MINIMISERS)
CFR_WIDTH = 1e-4
"""How narrow, in pots (or mean payoffs), regret minimisers make certificates unless a target is given."""
WARM_ITERATIONS = 1000
"""How many iterations a strategy to go on from stands for unless told otherwise."""
MOST_ITERATIONS = 200_000
"""Where regret minimisers stop when no number of iterations is given."""


def solve(
    game: str | Game[Any] | Problem,
    method: str = "lp",
    *,
    solver: str = "auto",
    exact: bool = False,
    iterations: int | None = None,
    target: float | None = None,
    average: str | None = None,
    counted: str | None = None,
    order: str | None = None,
    seed: int | None = None,
    threads: int | None = None,
    warm_start: "Given | None" = None,
    warm_iterations: int | None = None,
    missing: str = "error",
    traced: bool = False,
    checkpoint: str | Path | None = None,
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress | None = None,
) -> Result:
    """Solve a game and prove how well.

    Parameters
    ----------
    game : str, Game or Problem
        A spec such as ``leduc_poker(ranks=5)``, a file's path, or any game.
    method : str
        ``lp``, the sequence-form linear program, or one of ``treeplex.solving.methods.METHODS``.
    solver : {"auto", "simplex", "ipm", "hipo"}
        For ``lp``. ``auto`` picks by size and shape, and guides the programs of large rivers by CFR+.
    exact : bool
        Compute the certificate in exact arithmetic; with ``lp`` also the exact rational optimum.
    iterations : int, optional
        For regret minimisers: how many; with a target, at most how many.
    target : float, optional
        NashConv to reach, in the game's unit.
    average, counted, order, seed, threads : optional
        For regret minimisers, other than their own: see :class:`treeplex.solving.methods.Choices`.
    warm_start : str, Path, DataFrame or Profile, optional
        For full-width regret minimisers: a strategy, or a file or table of one, to go on from as if it were
        the average of ``warm_iterations``. These count as done, beside those asked for.
    warm_iterations : int
        At least 1; 1,000 unless given.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a strategy to go on from.
    traced : bool
        For regret minimisers: certify after 1, 2, 3, ... iterations, then more sparsely, for the trace.
    checkpoint : str or Path, optional
        For regret minimisers: an .npz file in which the run is kept, and from which it goes on if the file
        is there; the outcome has the same bits as that of a run which never stopped.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame, such as ``0.5,1,a``.
    progress : callable, optional
        Called with the stage and the width proved so far.

    Raises
    ------
    ValueError
        If the game, the method or an option is not what it must be.
    treeplex.seqform.lp.solve.NotSolvedError
        If no linear-programming run ended optimal or certified narrow.
    treeplex.seqform.exact.rational_optimum.NotExactError
        If no basis was optimal in exact arithmetic.
    """
    choices = Choices(average, counted, order, seed, streams=threads)
    if warm_iterations is not None and warm_start is None:
        raise ValueError(f"warm_iterations are for a warm start, got {warm_iterations} without one")
    check_missing(missing)
    if warm_start is None:
        check_unused(missing, "no warm start")
    if warm_iterations is not None and warm_iterations < 1:
        raise ValueError(f"warm_iterations must be at least 1, got {warm_iterations}")
    if warm_start is not None and method not in VARIANTS:
        raise ValueError(f"a warm start is for {', '.join(VARIANTS)}, got {method}")
    _check(method, solver, iterations, target)
    if method == "lp":
        _check_lp(choices, iterations, traced, checkpoint)
    else:
        _check_learner(method, solver, choices, checkpoint)
    problem = game if isinstance(game, Problem) else load(game, bets=bets, raises=raises)
    completed: dict[str, object] = {}
    warm: tuple[Profile, int] | None = None
    if warm_start is not None:
        given = strategy_of(problem, warm_start, missing)
        warm = problem.played(given.profile), warm_iterations or WARM_ITERATIONS
        completed = {"missing": missing, **given.counts}
    if method == "lp":
        result = solve_program(problem, solver, exact=exact, target=target, progress=progress)
    else:
        checks = FOR_TRACES if traced else None
        result = _learn(
            problem, method, choices, warm, iterations, target, exact, progress, checkpoint, checks
        )
    asked = {"solver": solver, "exact": exact, "iterations": iterations, "target": target}
    asked |= {"average": average, "counted": counted, "order": order, "seed": seed, "threads": threads}
    asked["warm_iterations"] = None if warm is None else warm[1]
    asked |= completed
    profile = problem.complete(result.profile)
    return replace(result, profile=profile, parameters=MappingProxyType(asked))


def _check(method: str, solver: str, iterations: int | None, target: float | None) -> None:
    """Refuse bad options before a game is loaded for them."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    if solver not in ("auto", *SOLVERS):
        raise ValueError(f"solver must be one of auto, {', '.join(SOLVERS)}, got {solver!r}")
    if iterations is not None and iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    if target is not None and not 0 < target < math.inf:
        raise ValueError(f"target must be a positive and finite NashConv, got {target}")


def _check_lp(choices: Choices, iterations: int | None, traced: bool, checkpoint: str | Path | None) -> None:
    given = {
        **{f"{key} is": value for key, value in choices.given.items()},
        "iterations are": iterations,
        "a trace is": "one" if traced else None,
        "a checkpoint is": None if checkpoint is None else str(checkpoint),
    }
    for what, value in given.items():
        if value is not None:
            raise ValueError(f"{what} for regret minimisers, got {value!r} with lp")


def _check_learner(method: str, solver: str, choices: Choices, checkpoint: str | Path | None) -> None:
    if solver != "auto":
        raise ValueError(f"solver is for lp, got {solver!r} with {method}")
    config_of(method, choices)
    if checkpoint is not None:
        check_writable(checkpoint, SUFFIXES, "a checkpoint")


def _learn(
    problem: Problem,
    method: str,
    choices: Choices,
    warm: tuple[Profile, int] | None,
    iterations: int | None,
    target: float | None,
    exact: bool,
    progress: Progress | None,
    checkpoint: str | Path | None,
    checks: Checks | None,
) -> Result:
    if target is None:
        target = 0.0 if iterations is not None else CFR_WIDTH * natural_size(problem)
    config, form = config_of(method, choices), form_of(problem, method)
    if warm is not None and isinstance(config, Variant):
        config, form = WarmStart(config, *warm), "tree"
    engine = prepare(problem, config, form)
    file = None
    if checkpoint is not None:
        identity = identity_of(problem.game, method, form, engine.config, problem.form)
        file = CheckpointFile(Path(checkpoint), identity)
    return run_minimiser(
        problem,
        method,
        engine,
        (0 if warm is None else warm[1]) + (iterations or MOST_ITERATIONS),
        narrower_than(target),
        exact=exact,
        progress=progress,
        checks=checks or (FOR_TARGETS if target > 0 else AT_THE_END),
        checkpoint=file,
    )


def run_minimiser(
    problem: Problem,
    method: str,
    engine: ProfileEngine,
    iterations: int,
    enough: Callable[[Trace], bool],
    *,
    exact: bool = False,
    progress: Progress | None = None,
    checks: Checks = FOR_TARGETS,
    checkpoint: CheckpointFile | None = None,
) -> Result:
    """Run up to ``iterations`` in all, stopping at the first check after which it is enough.

    Raises
    ------
    ValueError
        If the checkpoint is of another run, or has more iterations done.
    """
    run = run_engine(
        method,
        engine,
        iterations,
        partial(certify, problem.form),
        enough=enough,
        checks=checks,
        progress=progress or silent,
        checkpoint=checkpoint,
    )
    certificate = certify_exactly(problem.form, run.strategy) if exact else run.certificate
    assert certificate is not None
    return Result(
        game=problem.game.name,
        method=method,
        status=run.status,
        profile=run.strategy,
        certificate=certificate,
        unit=problem.game.unit,
        pot=problem.pot,
        iterations=run.state.iterations,
        seconds=run.seconds,
        n_infosets=sum(problem.form.n_infosets),
        trace=run.trace,
    )
