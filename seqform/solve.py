"""Solve a sequence form as a linear program, and let nothing out without its certificate."""

import time
from dataclasses import dataclass

from seqform.certificate import Certificate, certify
from seqform.highs import SOLVERS, HighsRun, run_highs
from seqform.profile import Profile
from seqform.program import SequenceProgram, sequence_program
from seqform.sequence_form import SequenceForm, Support, closed, spread
from seqform.treeplex import Floats

NARROW = 1e-6
"""A certificate is narrow by itself when its width is at most this part of the mean |payoff|."""


class NotSolvedError(RuntimeError):
    """No run ended optimal or certified narrow."""


@dataclass(frozen=True)
class LPSolution:
    """A profile from linear programs, with its proof.

    Attributes
    ----------
    profile : Profile
    certificate : Certificate
        On the whole game, also when the programs had a support.
    solver, status : str
        Of the run for player 0's program: which method, and HiGHS's word for how it ended.
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
        ``auto`` picks by size and shape and falls back to the next when a run neither ends optimal nor
        certifies narrow.
    crossover : bool, optional
        Whether interior-point runs go on to a basis; unless given, ``ipm`` does and ``hipo`` does not.
    support : pair of bool arrays, optional
        Which sequences may be played. The certificate is on the whole game all the same.
    fallback : Profile, optional
        Behaviour at infosets that a plan does not reach; uniform unless given.
    target : float, optional
        Width, in the game's unit, up to which a certificate counts as narrow.

    Raises
    ------
    ValueError
        If the solver is unknown or the support leaves an infoset without actions.
    NotSolvedError
        If no run ended optimal or certified narrow.
    """
    if solver != "auto" and solver not in SOLVERS:
        raise ValueError(f"solver must be one of auto, {', '.join(SOLVERS)}, got {solver!r}")
    clock = time.perf_counter()
    game = form if support is None else form.restrict(support)
    width = NARROW * _mean_payoff(form) if target is None else target
    best: LPSolution | None = None
    for name in _order(game) if solver == "auto" else (solver,):
        solution = _attempt(form, game, name, crossover, support, fallback, width, clock)
        if best is None or solution.certificate.nash_conv < best.certificate.nash_conv:
            best = solution
        if best.certificate.nash_conv <= width:
            return best
        if best.status == "optimal" and support is not None:
            return best  # the programs are solved; what the support left out is the caller's to put back
    assert best is not None
    if best.status == "optimal":
        return best
    raise NotSolvedError(
        f"{form.name}: {best.solver} ended {best.status!r} and the certificate's width "
        f"{best.certificate.nash_conv:.3g} {form.unit} is above {width:.3g}"
    )


def _order(form: SequenceForm) -> tuple[str, ...]:
    """Choose which solvers to try: simplex on small and thin programs, IPX on denser, HiPO on large ones.

    Thin programs (Liar's dice) suit the simplex, dense ones (Leduc with many ranks) IPX. Beyond some
    twenty thousand rows of running sums only HiPO converges.
    """
    rows = sum(t.n_sequences for t in form.treeplexes) + len(form.payoff.link)
    if rows > 20_000 and len(form.payoff.link):
        return ("hipo", "ipm", "simplex")
    if rows <= 1_500 or (len(form.payoff.link) == 0 and form.payoff.nnz <= 5 * rows):
        return ("simplex", "ipm", "hipo")
    return ("ipm", "simplex", "hipo")


def _mean_payoff(form: SequenceForm) -> float:
    x, y = (t.plan(t.uniform()) for t in form.treeplexes)
    return float(x @ form.payoff.magnitude.against(0, y))


def _attempt(
    form: SequenceForm,
    game: SequenceForm,
    solver: str,
    crossover: bool | None,
    support: Support | None,
    fallback: Profile | None,
    width: float,
    clock: float,
) -> LPSolution:
    """Run one solver; take player 1's plan from the duals of a basis, else from its own program."""
    to_basis = solver != "hipo" if crossover is None else crossover
    program = sequence_program(game, 0)
    runs = [run_highs(program.program, solver, crossover=to_basis)]
    plans = [program.plan(runs[0].primal), program.other_plan(runs[0].dual)]
    solution = None
    if runs[0].has_basis:
        solution = _conclude(form, plans, support, fallback, runs, program, clock)
    if solution is None or (solution.status != "optimal" and solution.certificate.nash_conv > width):
        other = sequence_program(game, 1)
        runs.append(run_highs(other.program, solver, crossover=to_basis))
        plans[1] = other.plan(runs[1].primal)
        solution = _conclude(form, plans, support, fallback, runs, program, clock)
    return solution


def _conclude(
    form: SequenceForm,
    plans: list[Floats],
    support: Support | None,
    fallback: Profile | None,
    runs: list[HighsRun],
    program: SequenceProgram,
    clock: float,
) -> LPSolution:
    behaviour = []
    for p, t in enumerate(form.treeplexes):
        plan = plans[p] if support is None else spread(plans[p], closed(t, support[p]))
        behaviour.append(t.behaviour(plan, None if fallback is None else fallback.behaviour[p]))
    profile = Profile(form.treeplexes, (behaviour[0], behaviour[1]))
    return LPSolution(
        profile,
        certify(form, profile),
        runs[0].solver,
        next((r.status for r in runs if r.status != "optimal"), "optimal"),
        tuple(runs),
        program,
        sum(r.iterations for r in runs),
        time.perf_counter() - clock,
    )
