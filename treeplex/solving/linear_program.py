"""Results of the sequence-form linear program: merged, guided by CFR+, or exact; each as narrow as asked."""

from dataclasses import replace
from fractions import Fraction

from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import LPSize, Result
from treeplex.games.display.numbers import proved_text
from treeplex.process.compilation import working_seconds
from treeplex.seqform.certify.certificate import Certificate, certify
from treeplex.seqform.certify.exact_certificate import behaviour_of, exact_bounds
from treeplex.seqform.certify.target import NARROW, Target
from treeplex.seqform.exact.integer_program import is_plan
from treeplex.seqform.exact.rational_optimum import NotExactError, rational_optimum
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.lp.solve import LPSolution, NotSolvedError, narrowest
from treeplex.solving.choice import walked_or_public
from treeplex.solving.engines import is_moderate
from treeplex.solving.guided_program import solve_guided
from treeplex.solving.program_size import check_program_size

GUIDED_SEQUENCES = 8_000
"""Programs of running sums with more sequences than this are guided by CFR+ unless a solver is named."""
EXACT_ROWS = 40_000
"""Most rows of a program whose exact rational optimum is computed."""
MOST_SEQUENCES = 500_000
"""Beyond so many sequences no linear program is tried."""


def solve_best(problem: Problem, progress: Progress = silent) -> Result:
    """Solve exactly, or in floats where the program is too large or no exact optimum is found.

    Raises
    ------
    ValueError, NotSolvedError
        As :func:`solve_program`.
    """
    if _rows(problem.small.form) > EXACT_ROWS:
        return solve_program(problem, progress=progress)
    clock, target = working_seconds(), Target(NARROW, problem.scale)
    solution = _in_floats(problem, "auto", True, target, progress)
    try:
        return _exactly(problem, solution, target, clock)
    except NotExactError:
        return _narrow(problem, solution, target, clock)


def solve_program(
    problem: Problem,
    solver: str = "auto",
    *,
    exact: bool = False,
    target: float | None = None,
    progress: Progress = silent,
) -> Result:
    """Solve the linear program; parameters as for :func:`treeplex.solving.solve.solve`.

    A certificate wider than asked leads to the exact optimum, if the program is small enough.

    Raises
    ------
    ValueError
        If the program is too large.
    treeplex.seqform.lp.solve.NotSolvedError
        If no certificate is as narrow as asked.
    treeplex.seqform.exact.rational_optimum.NotExactError
        If ``exact`` was asked for and no exact optimum was found.
    """
    clock = working_seconds()
    check_program_size(problem, MOST_SEQUENCES)
    asked = Target(NARROW, problem.scale) if target is None else Target(target)
    if exact:
        _check_exact(problem.small.form)
    solution = _in_floats(problem, solver, exact, asked, progress)
    if exact:
        return _exactly(problem, solution, asked, clock)
    try:
        return _narrow(problem, solution, asked, clock)
    except NotSolvedError as width:
        if _rows(problem.small.form) > EXACT_ROWS:
            raise
        progress("exact optimum", solution.certificate.nash_conv)
        try:
            return _exactly(problem, solution, asked, clock)
        except NotExactError:
            raise NotSolvedError(f"{width}; no exact optimum was found either") from width


def _in_floats(problem: Problem, solver: str, exact: bool, target: Target, progress: Progress) -> LPSolution:
    """Return the narrowest solution of the small form in floats."""
    form = problem.small.form
    sequences = sum(form.n_sequences)
    large = len(form.payoff.link) > 0 and sequences > GUIDED_SEQUENCES
    if large and solver == "auto" and not exact and is_moderate(problem):
        return solve_guided(form, target, progress=progress)
    return narrowest(form, solver, crossover=True if exact else None, target=target)


def _rows(form: SequenceForm) -> int:
    return 2 + (sum(form.n_sequences) + sum(form.n_infosets)) // 2 + len(form.payoff.link)


def _check_exact(form: SequenceForm) -> None:
    rows = _rows(form)
    if rows > EXACT_ROWS:
        raise ValueError(
            f"an exact optimum takes a program of at most {EXACT_ROWS:,} rows, got about {rows:,}; "
            "without it the value is proved to a narrow interval"
        )


def _narrow(problem: Problem, solution: LPSolution, target: Target, clock: float) -> Result:
    """Make a solution of the small form one of the whole game, proved there as narrow as asked."""
    profile = problem.small.lift(solution.profile)
    certificate = certify(problem.form, profile)
    if not target.is_met(certificate):
        raise NotSolvedError(f"{problem.game.name}: {target.missed(certificate, problem.game.unit)}")
    status = ", ".join(filter(None, (proved_text(certificate.nash_conv, problem.game.unit), solution.note)))
    result = _result(problem, solution, profile, certificate, None, status, clock)
    return replace(result, target=target.allowed(certificate))


def _exactly(problem: Problem, solution: LPSolution, target: Target, clock: float) -> Result:
    """Make the rational optimum of the small form one of the whole game, proved there."""
    optimum = rational_optimum(problem.small.form, solution.runs[0])
    plans = problem.small.lift_exactly(optimum.plans)
    started = working_seconds()
    value, lower, upper = exact_bounds(problem.form, *plans)
    if lower != upper or not all(map(is_plan, problem.form.treeplexes, plans)):
        raise NotExactError(
            f"{problem.game.name}: the optimum of the merged game is not one of the whole game"
        )
    certificate = Certificate(value, lower, upper, 0.0, working_seconds() - started)
    x, y = (
        behaviour_of(t, plan, own)
        for t, plan, own in zip(
            problem.form.treeplexes, plans, problem.small.lift(solution.profile).behaviour, strict=True
        )
    )
    profile = Profile(problem.form.treeplexes, (x, y))
    status, rounded = proved_text(certificate.nash_conv, problem.game.unit), certify(problem.form, profile)
    if not target.is_met(rounded):
        status = f"{status}; its floats are {proved_text(rounded.nash_conv, problem.game.unit)}"
    result = _result(problem, solution, profile, certificate, value, status, clock)
    return replace(result, target=target.allowed(certificate))


def _result(
    problem: Problem,
    solution: LPSolution,
    profile: Profile,
    certificate: Certificate,
    exact_value: Fraction | None,
    status: str,
    clock: float,
) -> Result:
    program = solution.program.program
    return Result(
        **problem.facts,
        form=walked_or_public(problem),
        method="lp",
        solver=solution.solver,
        status=status,
        strategy=profile,
        certificate=certificate,
        exact_value=exact_value,
        iterations=solution.iterations,
        seconds=working_seconds() - clock,
        n_infosets=sum(problem.form.n_infosets),
        lp=LPSize(program.n_rows, program.n_cols, program.nnz),
        merged=problem.small.merged_hands,
    )
