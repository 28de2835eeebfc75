"""Results of the sequence-form linear program: merged, guided by CFR+, or exact."""

import time
from fractions import Fraction

import numpy as np

from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import LPSize, Result
from treeplex.seqform.certify.certificate import Certificate, certify
from treeplex.seqform.certify.exact_certificate import ExactPlan, exact_bounds
from treeplex.seqform.exact.rational_optimum import NotExactError, is_plan, rational_optimum
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.lp.solve import LPSolution, mean_payoff, solve_lp
from treeplex.solving.choice import walked_or_public
from treeplex.solving.guided_program import solve_guided
from treeplex.solving.program_size import check_program_size

GUIDED_SEQUENCES = 8_000
"""Programs of running sums with more sequences than this are guided by CFR+ unless a solver is named."""
EXACT_ROWS = 40_000
"""Most rows of a program whose exact rational optimum is computed."""
LP_WIDTH = 5e-7
"""Default width of certificates, in pots (or mean payoffs)."""
MOST_SEQUENCES = 500_000
"""Beyond so many sequences no linear program is tried."""


def natural_size(problem: Problem) -> float:
    """Return what widths are measured in: a spot's pot, or a game's mean |payoff| under uniform play."""
    if problem.pot is not None:
        return float(problem.pot)
    return mean_payoff(problem.form)


def solve_best(problem: Problem, progress: Progress = silent) -> Result:
    """Solve exactly, or in floats where the program is too large or no basis is optimal in exact arithmetic.

    Raises
    ------
    ValueError, NotSolvedError
        As :func:`solve_program`.
    """
    if _rows(problem.small.form) > EXACT_ROWS:
        return solve_program(problem, progress=progress)
    try:
        return solve_program(problem, exact=True, progress=progress)
    except NotExactError:
        return solve_program(problem, progress=progress)


def solve_program(
    problem: Problem,
    solver: str = "auto",
    *,
    exact: bool = False,
    target: float | None = None,
    progress: Progress = silent,
) -> Result:
    """Solve the linear program; parameters as for :func:`treeplex.solving.solve.solve`.

    Raises
    ------
    ValueError
        If the program is too large.
    treeplex.seqform.lp.solve.NotSolvedError
        If no run ended optimal or certified narrow.
    treeplex.seqform.exact.rational_optimum.NotExactError
        If no basis was optimal in exact arithmetic.
    """
    clock = time.perf_counter()
    check_program_size(problem, MOST_SEQUENCES)
    form = problem.small.form
    width = target if target is not None else LP_WIDTH * natural_size(problem)
    sequences = sum(form.n_sequences)
    large = len(form.payoff.link) > 0 and sequences > GUIDED_SEQUENCES
    if large and solver == "auto" and not exact:
        solution = solve_guided(form, width, progress=progress)
    else:
        if exact:
            _check_exact(form)
        solution = solve_lp(form, solver, target=width, crossover=True if exact else None)
    if exact:
        return _exact_result(problem, solution, clock)
    profile = problem.small.lift(solution.profile)
    return _lp_result(problem, solution, profile, certify(problem.form, profile), None, clock)


def _rows(form: SequenceForm) -> int:
    return 2 + (sum(form.n_sequences) + sum(form.n_infosets)) // 2 + len(form.payoff.link)


def _check_exact(form: SequenceForm) -> None:
    rows = _rows(form)
    if rows > EXACT_ROWS:
        raise ValueError(
            f"an exact optimum takes a program of at most {EXACT_ROWS:,} rows, got about {rows:,}; "
            "without it the value is proved to a narrow interval"
        )


def _exact_result(problem: Problem, solution: LPSolution, clock: float) -> Result:
    """Make the rational optimum of the small form one of the whole game, proved there."""
    optimum = rational_optimum(problem.small.form, solution.runs[0])
    plans = problem.small.lift_exactly(optimum.plans)
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
            problem.form.treeplexes, plans, problem.small.lift(solution.profile).behaviour, strict=True
        )
    )
    profile = Profile(problem.form.treeplexes, (x, y))
    return _lp_result(problem, solution, profile, certificate, value, clock)


def _floats(plan: ExactPlan) -> Floats:
    return np.array([int(n) / plan.den for n in plan.num])


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
        **problem.facts,
        form=walked_or_public(problem),
        method="lp",
        solver=solution.solver,
        status=solution.status,
        strategy=profile,
        certificate=certificate,
        exact_value=exact_value,
        iterations=solution.iterations,
        seconds=time.perf_counter() - clock,
        n_infosets=sum(problem.form.n_infosets),
        lp=LPSize(program.n_rows, program.n_cols, program.nnz),
    )
