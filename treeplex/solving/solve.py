"""Solve a game by one method, and certify what came out."""

import math
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from treeplex.cfr.variants.variant import VARIANTS
from treeplex.problem import GameLike, Problem, load
from treeplex.seqform.lp.highs import SOLVERS
from treeplex.solving.guided import Progress
from treeplex.solving.iterating import AT_THE_END, FOR_TARGETS, FOR_TRACES, narrower_than, run_minimiser
from treeplex.solving.learners import NAMES, SAMPLERS, Choices, check_choices, runner
from treeplex.solving.programs import natural_size, solve_program
from treeplex.solving.result import Result
from treeplex.solving.runners import Warm
from treeplex.store.checkpoint import SUFFIXES, FileKeeper, fingerprint
from treeplex.store.files import check_writable
from treeplex.store.strategy_given import Given, completion, profile_on
from treeplex.store.strategy_table import check_missing, check_unused

METHODS = ("lp", *NAMES)
CFR_WIDTH = 1e-4
"""How narrow, in pots (or mean payoffs), regret minimisers make certificates unless a target is given."""
WARM_ITERATIONS = 1000
"""How many iterations a strategy to go on from stands for unless told otherwise."""
MOST_ITERATIONS = 200_000
"""Where regret minimisers stop when no number of iterations is given."""


def solve(
    game: GameLike,
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
    game : str, Path, Game or Problem
        A spec such as ``leduc_poker(ranks=5)``, a file's path, or any game.
    method : str
        ``lp``, the sequence-form linear program, or one of ``treeplex.solving.learners.NAMES``.
    solver : {"auto", "simplex", "ipm", "hipo"}
        For ``lp``. ``auto`` picks by size and shape, and guides the programs of large rivers by CFR+.
    exact : bool
        Compute the certificate in exact arithmetic; with ``lp`` also the exact rational optimum.
    iterations : int, optional
        For regret minimisers: how many; with a target, at most how many.
    target : float, optional
        NashConv to reach, in the game's unit.
    average, counted, order, seed, threads : optional
        For regret minimisers, other than their own: see :class:`treeplex.solving.learners.Choices`.
    warm_start : path, DataFrame, mapping, Strategy or Result, optional
        For full-width regret minimisers: a strategy, as :func:`treeplex.check` takes it, to go on from
        as if it were the average of ``warm_iterations``. These count as done, beside those asked for.
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
    choices = Choices(average, counted, order, seed, threads)
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
    problem = load(game, bets=bets, raises=raises)
    completed: dict[str, object] = {}
    if warm_start is not None:
        given = profile_on(problem.game, problem.whole, warm_start, missing, completion(problem))
        warm = problem.played(given.strategy)
        choices = replace(choices, warm=Warm(warm, warm_iterations or WARM_ITERATIONS))
        completed = {"missing": missing, **given.counts}
    if method == "lp":
        result = solve_program(problem, solver, exact=exact, target=target, progress=progress)
    else:
        result = _learn(
            problem, method, choices, iterations, target, exact, progress, checkpoint, traced=traced
        )
    asked = {"solver": solver, "exact": exact, "iterations": iterations, "target": target}
    asked |= {"average": average, "counted": counted, "order": order, "seed": seed, "threads": threads}
    asked["warm_iterations"] = None if choices.warm is None else choices.warm.iterations
    asked |= completed
    return replace(
        result,
        strategy=problem.complete(result.profile),
        seed=(seed or 0) if method in SAMPLERS else None,
        parameters=MappingProxyType(asked),
    )


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
    check_choices(method, choices)
    if checkpoint is not None:
        check_writable(checkpoint, SUFFIXES, "a checkpoint")


def _learn(
    problem: Problem,
    method: str,
    choices: Choices,
    iterations: int | None,
    target: float | None,
    exact: bool,
    progress: Progress | None,
    checkpoint: str | Path | None,
    *,
    traced: bool,
) -> Result:
    if target is None:
        target = 0.0 if iterations is not None else CFR_WIDTH * natural_size(problem)
    ready = runner(problem, method, choices)
    keeper = None
    if checkpoint is not None:
        identity = {"game": problem.game.name, "method": method, "parameters": repr(ready.learner)}
        identity["payoffs"] = fingerprint(problem.form)
        keeper = FileKeeper(Path(checkpoint), identity)
    return run_minimiser(
        problem,
        ready,
        ready.start.iterations + (iterations or MOST_ITERATIONS),
        narrower_than(target),
        exact=exact,
        progress=progress,
        checks=FOR_TRACES if traced else FOR_TARGETS if target > 0 else AT_THE_END,
        keeper=keeper,
    )
