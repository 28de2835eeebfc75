"""Solution of a sequence form by linear programming, with a certificate."""

import time
from dataclasses import dataclass, replace

from treeplex.seqform.certify.certificate import Certificate, certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm, Support, closed, spread
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.lp.highs import SOLVERS, HighsRun, run_highs
from treeplex.seqform.lp.program import SequenceProgram, sequence_program

NARROW = 1e-6
"""A certificate is narrow if its width is at most this times (a bound on) the mean |payoff|."""

PATIENCE, LEAST_PIVOTS = 0.3, 5_000
"""Iteration limit of the simplex if other solvers follow: max(PATIENCE x sequences, LEAST_PIVOTS)."""

GAVE_UP = "iteration limit"
"""The status of a run that reached this limit."""


class NotSolvedError(RuntimeError):
    """No run ended optimal or certified narrow."""


@dataclass(frozen=True)
class LPSolution:
    """A profile from linear programs, with its certificate.

    Attributes
    ----------
    profile : Profile
    certificate : Certificate
        On the whole game, also if the programs had a support.
    solver, status : str
        The method and final status of the run on player 0's program.
    runs : tuple of HighsRun
        Player 0's run, and player 1's where its own program was solved.
    program : SequenceProgram
        Player 0's.
    iterations : int
    seconds : float
    """

    profile: Profile
    certificate: Certificate
    solver: str
    status: str
    runs: tuple[HighsRun, ...]
    program: SequenceProgram
    iterations: int
    seconds: float


def solve_lp(
    form: SequenceForm,
    solver: str = "auto",
    *,
    crossover: bool | None = None,
    support: Support | None = None,
    fallback: Profile | None = None,
    target: float | None = None,
) -> LPSolution:
    """Solve a game by its linear programs.

    Parameters
    ----------
    form : SequenceForm
    solver : {"auto", "simplex", "ipm", "hipo"}
        ``auto`` chooses by size and shape, and tries the next solver if a run neither ends optimal nor has a
        narrow certificate.
    crossover : bool, optional
        Whether interior-point runs are followed by crossover; by default for ``ipm`` only.
    support : pair of bool arrays, optional
        The sequences that may be played, (S0,) and (S1,). The programs are then those of the restricted game;
        the certificate is on the whole game.
    fallback : Profile, optional
        Behaviour at infosets that a plan does not reach; uniform unless given.
    target : float, optional
        Width, in the game's unit, up to which a certificate is narrow; ``NARROW`` times the mean |payoff|
        under uniform play unless given.

    Raises
    ------
    ValueError
        If the solver is unknown or the support leaves an infoset without actions.
    NotSolvedError
        If no run on the programs ended optimal or certified narrow.
    """
    if solver != "auto" and solver not in SOLVERS:
        raise ValueError(f"solver must be one of auto, {', '.join(SOLVERS)}, got {solver!r}")
    clock = time.perf_counter()
    game = form if support is None else form.restrict(support)
    width = NARROW * mean_payoff(form) if target is None else target
    solution = _best_of(game, _order(game) if solver == "auto" else (solver,), crossover, width)
    if solution.status != "optimal" and solution.certificate.nash_conv > width:
        raise NotSolvedError(
            f"{form.name}: {solution.solver} ended {solution.status!r} and the certificate's width "
            f"{solution.certificate.nash_conv:.3g} {form.unit} is above {width:.3g}"
        )
    if support is not None or fallback is not None:
        profile = _lifted(form, solution.profile, support, fallback)
        solution = replace(solution, profile=profile, certificate=certify(form, profile))
    return replace(solution, seconds=time.perf_counter() - clock)


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


def mean_payoff(form: SequenceForm) -> float:
    """Return (a bound on) the mean |payoff| under uniform play, in the game's unit."""
    x, y = (t.plan(t.uniform()) for t in form.treeplexes)
    return float(x @ form.payoff.magnitude.against(0, y))


def _best_of(
    form: SequenceForm, solvers: tuple[str, ...], crossover: bool | None, width: float
) -> LPSolution:
    """Try solvers in order until a certificate is narrow; return the narrowest solution.

    A simplex that is tried first has an iteration limit; if it was reached, it is tried last without a limit.
    """
    best: LPSolution | None = None
    todo = list(solvers)
    while todo:
        solver = todo.pop(0)
        bounded = solver == "simplex" and best is None and len(todo) > 0
        pivots = max(LEAST_PIVOTS, int(PATIENCE * sum(form.n_sequences))) if bounded else None
        solution = _attempt(form, solver, solver != "hipo" if crossover is None else crossover, width, pivots)
        if best is None or solution.certificate.nash_conv < best.certificate.nash_conv:
            best = solution
        if best.certificate.nash_conv <= width:
            break
        if bounded and solution.status == GAVE_UP:
            todo.append(solver)
    assert best is not None
    return best


def _attempt(
    form: SequenceForm, solver: str, crossover: bool, width: float, pivots: int | None
) -> LPSolution:
    """Run one solver; take player 1's plan from the duals of a basis, else from its own program."""
    program = sequence_program(form, 0)
    run = run_highs(program.program, solver, crossover=crossover, pivots=pivots)
    x = program.plan(run.primal)
    gave_up = pivots is not None and run.status == GAVE_UP
    if run.has_basis or gave_up:
        solution = _conclude(form, x, program.other_plan(run.dual), (run,), program)
        if solution.certificate.nash_conv <= width or gave_up:
            return solution
    other = sequence_program(form, 1)
    own = run_highs(other.program, solver, crossover=crossover)
    return _conclude(form, x, other.plan(own.primal), (run, own), program)


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


def _lifted(
    form: SequenceForm, profile: Profile, support: Support | None, fallback: Profile | None
) -> Profile:
    """Return a profile of the restricted game on the whole one; ``fallback`` at infosets not reached."""
    behaviour = []
    for p, (t, plan) in enumerate(zip(form.treeplexes, profile.plans, strict=True)):
        full = plan if support is None else spread(plan, closed(t, support[p]))
        behaviour.append(t.behaviour(full, None if fallback is None else fallback.behaviour[p]))
    return Profile(form.treeplexes, (behaviour[0], behaviour[1]))
