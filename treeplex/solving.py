"""Solve a game by one method, and certify what came out."""

import time
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from cfr.sampling import SCHEMES, Sampling
from cfr.variant import VARIANTS, Variant, exponent_named, variant_named
from games.protocol import Game
from seqform.certificate import Certificate, certify
from seqform.exact_certificate import ExactPlan, exact_bounds
from seqform.highs import SOLVERS
from seqform.profile import Profile
from seqform.rational_optimum import NotExactError, is_plan, rational_optimum
from seqform.sequence_form import SequenceForm
from seqform.solve import LPSolution, mean_payoff, solve_lp
from seqform.treeplex import Floats
from treeplex.guided import Progress, solve_guided
from treeplex.iterating import (
    AT_THE_END,
    FOR_TARGETS,
    FOR_TRACES,
    Runner,
    run_minimiser,
    sampling_runner,
    treeplex_runner,
    vector_runner,
)
from treeplex.problem import Problem, load
from treeplex.result import LPSize, Result

SAMPLERS: Mapping[str, Sampling] = MappingProxyType(
    {f"mccfr-{scheme}": Sampling(scheme) for scheme in SCHEMES}
)
"""Monte Carlo methods by their names."""
METHODS = ("lp", *VARIANTS, *SAMPLERS)
GUIDED_SEQUENCES = 8_000
"""Programs of running sums with more sequences than this are guided by CFR+ unless a solver is named."""
EXACT_ROWS = 20_000
"""Most rows of a program whose exact rational optimum is computed."""
LP_WIDTH, CFR_WIDTH = 5e-7, 1e-4
"""How narrow, in pots (or mean payoffs), certificates are made unless a target is given."""
MOST_SEQUENCES = 500_000
"""Beyond so many sequences no linear program is tried."""
MOST_ITERATIONS = 200_000
"""Where CFR+ stops when no number of iterations is given."""


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
    traced: bool = False,
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
        ``lp``, the sequence-form linear program; one of ``cfr.variant.VARIANTS``; or one of ``SAMPLERS``.
    solver : {"auto", "simplex", "ipm", "hipo"}
        For ``lp``. ``auto`` picks by size and shape, and guides the programs of large rivers by CFR+.
    exact : bool
        Compute the certificate in exact arithmetic; with ``lp`` also the exact rational optimum.
    iterations : int, optional
        For regret minimisers: how many; with a target, at most how many.
    average, counted, order : str, optional
        For regret minimisers, other than their own: ``uniform``, ``linear``, ``quadratic`` or ``last``; the
        plan ``before`` or ``after`` an iteration's update, or the one ``seen`` by the other's update;
        ``alternating`` or ``simultaneous``.
    seed : int, optional
        For Monte Carlo methods: of the random numbers, 0 unless given.
    traced : bool
        For regret minimisers: certify after 1, 2, 3, ... iterations, then more sparsely, for the trace.
    target : float, optional
        NashConv to reach, in the game's unit.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame, such as ``0.5,1,a``.
    progress : callable, optional
        Called with the stage and the width proved so far.

    Raises
    ------
    ValueError
        If the game, the method or an option is not what it must be.
    seqform.solve.NotSolvedError
        If no linear-programming run ended optimal or certified narrow.
    seqform.rational_optimum.NotExactError
        If no basis was optimal in exact arithmetic.
    """
    _check(method, solver, iterations, target)
    changed = {"average": average, "counted": counted, "order": order}
    given = [key for key, value in changed.items() if value is not None]
    if method == "lp" and given:
        raise ValueError(f"{given[0]} is for regret minimisers, got {changed[given[0]]!r} with lp")
    if method == "lp" and traced:
        raise ValueError("a trace is for regret minimisers, got lp")
    sampled = method in SAMPLERS
    if seed is not None and not sampled:
        raise ValueError(f"seed is for Monte Carlo methods, got {seed} with {method}")
    if sampled and (counted is not None or order is not None):
        raise ValueError(f"counted and order are not for {method}, got {counted} and {order}")
    learner: Variant | Sampling | None = None
    if sampled:
        learner = replace(SAMPLERS[method], exponent=exponent_named(average) if average else 0.0)
    elif method != "lp":
        learner = variant_named(method, **changed)
    problem = game if isinstance(game, Problem) else load(game, bets=bets, raises=raises)
    if learner is None:
        result = _solve_lp(problem, solver, exact, target, progress)
    else:
        runner = _runner(problem, learner, 0 if seed is None else seed)
        result = _minimise(problem, method, runner, exact, iterations, target, progress, traced=traced)
    asked = {"solver": solver, "exact": exact, "iterations": iterations, "target": target, **changed}
    asked["seed"] = seed
    return replace(result, parameters=MappingProxyType(asked))


def _check(method: str, solver: str, iterations: int | None, target: float | None) -> None:
    """Refuse bad options before a game is loaded for them."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    if solver not in ("auto", *SOLVERS):
        raise ValueError(f"solver must be one of auto, {', '.join(SOLVERS)}, got {solver!r}")
    if method == "lp" and iterations is not None:
        raise ValueError(f"iterations are for regret minimisers, got {iterations} with lp")
    if method != "lp" and solver != "auto":
        raise ValueError(f"solver is for lp, got {solver!r} with {method}")
    if iterations is not None and iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    if target is not None and not target > 0:
        raise ValueError(f"target must be a positive NashConv, got {target}")


def natural_size(problem: Problem) -> float:
    """Return what widths are measured in: a spot's pot, or a game's mean |payoff| under uniform play."""
    if problem.pot is not None:
        return float(problem.pot)
    return mean_payoff(problem.form)


def _solve_lp(
    problem: Problem, solver: str, exact: bool, target: float | None, progress: Progress | None
) -> Result:
    clock = time.perf_counter()
    form = problem.small_form
    width = target if target is not None else LP_WIDTH * natural_size(problem)
    sequences = sum(t.n_sequences for t in form.treeplexes)
    if sequences > MOST_SEQUENCES:
        raise ValueError(
            f"a linear program takes at most {MOST_SEQUENCES:,} sequences, {form.name} has {sequences:,}; "
            "use the method cfr+"
        )
    large = len(form.payoff.link) > 0 and sequences > GUIDED_SEQUENCES
    if large and solver == "auto" and not exact:
        solution = solve_guided(form, width, progress=progress)
    else:
        if exact:
            _check_exact(form)
        solution = solve_lp(form, solver, target=width, crossover=True if exact else None)
    if exact:
        return _exact_result(problem, solution, clock)
    profile = problem.lift(solution.profile)
    return _lp_result(problem, solution, profile, certify(problem.form, profile), None, clock)


def _check_exact(form: SequenceForm) -> None:
    rows = 2 + sum(t.n_sequences + t.n_infosets for t in form.treeplexes) // 2 + len(form.payoff.link)
    if rows > EXACT_ROWS:
        raise ValueError(
            f"an exact optimum takes a program of at most {EXACT_ROWS:,} rows, got about {rows:,}; "
            "without it the value is proved to a narrow interval"
        )


def _exact_result(problem: Problem, solution: LPSolution, clock: float) -> Result:
    """Make the rational optimum of the small form one of the whole game, proved there."""
    optimum = rational_optimum(problem.small_form, solution.runs[0])
    plans = problem.lift_exactly(optimum.plans)
    started = time.perf_counter()
    value, lower, upper = exact_bounds(problem.form, *plans)
    if lower != upper or not all(map(is_plan, problem.form.treeplexes, plans)):
        raise NotExactError(
            f"{problem.game.name}: the optimum of the merged game is not one of the whole game"
        )
    certificate = Certificate(value, lower, upper, 0.0, time.perf_counter() - started)
    x, y = (
        t.behaviour(_floats(plan), own)
        for t, plan, own in zip(
            problem.form.treeplexes, plans, problem.lift(solution.profile).behaviour, strict=True
        )
    )
    profile = Profile(problem.form.treeplexes, (x, y))
    return _lp_result(problem, solution, profile, certificate, value, clock)


def _floats(plan: ExactPlan) -> Floats:
    return np.array([int(n) / plan.den for n in plan.num])


def _minimise(
    problem: Problem,
    method: str,
    runner: Runner,
    exact: bool,
    iterations: int | None,
    target: float | None,
    progress: Progress | None,
    *,
    traced: bool,
) -> Result:
    if target is None:
        target = 0.0 if iterations is not None else CFR_WIDTH * natural_size(problem)
    checks = FOR_TRACES if traced else FOR_TARGETS if target > 0 else AT_THE_END
    most = iterations or MOST_ITERATIONS
    return run_minimiser(problem, runner, method, most, target, exact=exact, progress=progress, checks=checks)


def _runner(problem: Problem, learner: Variant | Sampling, seed: int) -> Runner:
    if isinstance(learner, Sampling):
        return sampling_runner(problem, learner, seed)
    # On the public tree there is CFR+ alone, in the scheme that it has its name from.
    if problem.tree is not None and len(problem.form.payoff.link) > 0 and learner == VARIANTS["cfr+"]:
        return vector_runner(problem.tree, problem.form)
    return treeplex_runner(problem.form, learner)


def _lp_result(
    problem: Problem,
    solution: LPSolution,
    profile: Profile,
    certificate: Certificate,
    exact_value: Fraction | None,
    clock: float,
) -> Result:
    program = solution.program.program
    return Result(
        game=problem.game.name,
        method="lp",
        solver=solution.solver,
        status=solution.status,
        profile=profile,
        certificate=certificate,
        exact_value=exact_value,
        unit=problem.game.unit,
        pot=problem.pot,
        iterations=solution.iterations,
        seconds=time.perf_counter() - clock,
        n_infosets=sum(problem.form.n_infosets),
        lp=LPSize(program.n_rows, program.n_cols, program.nnz),
    )
