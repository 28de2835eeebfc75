"""Solution of a sequence form by linear programming, with a certificate."""

import time
from dataclasses import dataclass, replace

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError, NotSolvedError
from treeplex.seqform.certify.certificate import NARROW, Certificate, Target, certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.programs.highs import SOLVERS, HighsRun, run_highs
from treeplex.seqform.programs.sequence_program import SequenceProgram, equilibrated_program, sequence_program

PATIENCE, LEAST_PIVOTS = 0.3, 5_000
"""Iteration limit of the simplex if other solvers follow: max(PATIENCE x sequences, LEAST_PIVOTS)."""

GAVE_UP = "iteration limit"
"""The status of a run that reached this limit."""

TIGHT = 1e-10
"""Tolerance of the simplex on programs that were written again, equilibrated."""

MOST_PIVOTS, PIVOTS_A_SEQUENCE = 100_000, 20
"""Iteration limit of the simplex on what comes after the first program: the larger of the two."""


@dataclass(frozen=True, repr=False)
class LPSolution(Shown):
    """A profile from linear programs, with its certificate.

    Attributes
    ----------
    profile : Profile
    certificate : Certificate
        On the whole game, also if the programs were on some sequences alone.
    solver, status : str
        The method of the first run, and how the runs ended in HiGHS's words, which prove nothing: the
        certificate does.
    runs : tuple of HighsRun
        Of player 0's program and of player 1's, as far as they were solved.
    program : SequenceProgram
        That of the first run.
    iterations : int
    seconds : float
    note : str
        How the programs were found, where they are not those of the form; empty elsewhere.
    """

    profile: Profile
    certificate: Certificate
    solver: str
    status: str
    runs: tuple[HighsRun, ...]
    program: SequenceProgram
    iterations: int
    seconds: float
    note: str = ""

    def brief(self) -> str:
        """Return solver, status and what is proved."""
        return f"{self.solver}, {self.status}: {self.certificate.brief()}"


def solve_lp(
    form: SequenceForm,
    solver: str = "auto",
    *,
    crossover: bool | None = None,
    target: Target | None = None,
) -> LPSolution:
    """Solve a game by its linear programs, proved narrow.

    Parameters
    ----------
    form : SequenceForm
    solver : {"auto", "simplex", "ipm", "hipo"}
        ``auto`` chooses by size and shape, and tries the next solver where a certificate misses the target.
    crossover : bool, optional
        Whether interior-point runs are followed by crossover; by default for ``ipm`` only.
    target : Target, optional
        How narrow a certificate ends the search; ``NARROW`` parts of the game's scale unless given.

    Raises
    ------
    ValueError
        If the solver is unknown.
    NotSolvedError
        If the narrowest certificate misses the target, and is wider than ``NARROW`` parts of the scale too.
    """
    if solver != "auto" and solver not in SOLVERS:
        raise BadInputError(f"solver must be one of auto, {', '.join(SOLVERS)}, got {solver!r}")
    clock = time.perf_counter()
    narrow = Target.part(NARROW, form)
    asked = narrow if target is None else target
    solution = narrowest(form, solver, crossover=crossover, target=asked, accepted=narrow)
    proof = solution.certificate
    widest = max(narrow, target or narrow, key=lambda asked: asked.allowed(proof))
    if not widest.is_met(proof):
        raise NotSolvedError(f"{form.name}: {widest.missed(proof, form.unit)}")
    return replace(solution, seconds=time.perf_counter() - clock)


def narrowest(
    form: SequenceForm,
    solver: str = "auto",
    *,
    crossover: bool | None = None,
    target: Target,
    accepted: Target | None = None,
) -> LPSolution:
    """Return the solution of the narrowest certificate; parameters as for :func:`solve_lp`.

    Where the solvers miss the target, and what is accepted instead, both players' programs are written again,
    equilibrated, and solved by the simplex to a tighter tolerance.
    """
    best = _best_of(form, _order(form) if solver == "auto" else (solver,), crossover, target)
    if target.is_met(best.certificate) or (accepted is not None and accepted.is_met(best.certificate)):
        return best
    return _joined(form, best, _equilibrated(form))


def _order(form: SequenceForm) -> tuple[str, ...]:
    """Return the solvers to try, in order: simplex on small and sparse programs, IPX, HiPO on the largest.

    The simplex is fast on sparse programs (Liar's dice, Kuhn poker with hundreds of cards in running sums),
    IPX on dense ones (Leduc with many ranks, rivers). On whole rivers of a thousand hands IPX stalls in its
    first basis; HiPO converges. A simplex that is tried first has an iteration limit: on some sparse programs
    (Battleship) it takes ten times as long as IPX.
    """
    sequences, links = sum(form.n_sequences), len(form.payoff.link)
    if sequences > 32_000 and links:
        return ("hipo", "ipm", "simplex")
    if sequences + links <= 1_500 or form.payoff.n_entries <= 5 * sequences:
        return ("simplex", "ipm", "hipo")
    return ("ipm", "hipo", "simplex") if links else ("ipm", "simplex", "hipo")


def _best_of(
    form: SequenceForm, solvers: tuple[str, ...], crossover: bool | None, target: Target
) -> LPSolution:
    """Try solvers in order until a certificate meets the target; return the narrowest solution.

    A simplex that is tried first has an iteration limit; if it was reached, it is tried last without a limit.
    """
    best: LPSolution | None = None
    todo = list(solvers)
    while todo:
        solver = todo.pop(0)
        bounded = solver == "simplex" and best is None and len(todo) > 0
        pivots = max(LEAST_PIVOTS, int(PATIENCE * sum(form.n_sequences))) if bounded else None
        with_basis = solver != "hipo" if crossover is None else crossover
        solution = _attempt(form, solver, with_basis, target, pivots)
        if best is None or solution.certificate.nash_conv < best.certificate.nash_conv:
            best = solution
        if target.is_met(best.certificate):
            break
        if bounded and solution.status == GAVE_UP:
            todo.append(solver)
    assert best is not None
    return best


def _attempt(
    form: SequenceForm, solver: str, crossover: bool, target: Target, pivots: int | None
) -> LPSolution:
    """Run one solver; take player 1's plan from the duals of a basis, else from its own program."""
    program = sequence_program(form, 0)
    run = run_highs(program.program, solver, crossover=crossover, pivots=pivots)
    x = program.plan(run.primal)
    gave_up = pivots is not None and run.status == GAVE_UP
    if run.has_basis or gave_up:
        solution = _conclude(form, x, program.other_plan(run.dual), (run,), program)
        if gave_up or target.is_met(solution.certificate):
            return solution
    other = sequence_program(form, 1)
    # Where the first program's plan and duals prove nothing, the simplex may go round in circles on this one.
    own = run_highs(other.program, solver, crossover=crossover, pivots=most_pivots(form))
    return _conclude(form, x, other.plan(own.primal), (run, own), program)


def _equilibrated(form: SequenceForm) -> LPSolution:
    """Solve both players' equilibrated programs by the simplex; each plan comes from its own."""
    programs = [equilibrated_program(form, player) for player in (0, 1)]
    most = most_pivots(form)
    runs = [run_highs(written.program, "simplex", tolerance=TIGHT, pivots=most) for written in programs]
    x, y = (written.plan(run.primal) for written, run in zip(programs, runs, strict=True))
    return _conclude(form, x, y, tuple(runs), programs[0])


def most_pivots(form: SequenceForm) -> int:
    """Return the limit of a simplex that may go round in circles."""
    return max(MOST_PIVOTS, PIVOTS_A_SEQUENCE * sum(form.n_sequences))


def _joined(form: SequenceForm, first: LPSolution, second: LPSolution) -> LPSolution:
    """Return the second solution with each player's better plan of both: each bound has a plan of its own."""
    x = max(first, second, key=lambda solution: solution.certificate.lower)
    y = min(first, second, key=lambda solution: solution.certificate.upper)
    profile = Profile(form.treeplexes, (x.profile.behaviour[0], y.profile.behaviour[1]))
    return replace(
        second,
        profile=profile,
        certificate=certify(form, profile),
        runs=(*second.runs, *first.runs),
        iterations=first.iterations + second.iterations,
    )


def _conclude(
    form: SequenceForm, x: Floats, y: Floats, runs: tuple[HighsRun, ...], program: SequenceProgram
) -> LPSolution:
    behaviour = (form.treeplexes[0].behaviour(x), form.treeplexes[1].behaviour(y))
    profile = Profile(form.treeplexes, behaviour)
    return LPSolution(
        profile,
        certify(form, profile),
        runs[0].solver,
        next((r.status for r in runs if r.status != "optimal"), "optimal"),
        runs,
        program,
        sum(r.iterations for r in runs),
        sum(r.seconds for r in runs),
    )
