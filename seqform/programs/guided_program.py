"""Large games by small linear programs, on the sequences that a nearly optimal profile proposes.

A program of one player has a column for each sequence the player may use, and a row for each sequence of the
other player against which the plan is made safe. Few sequences are used in an equilibrium, so few columns are
needed. The rows needed are others: an answer that is as good as the best must be a row even if it is never
played. Too few columns cost value, too few rows leave the plan exploitable. Best responses in the whole game
find what is missing, and the certificate on the whole game decides.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.certificate import Certificate, Target, certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm, closed, spread
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.programs.highs import HighsRun, run_highs
from treeplex.seqform.programs.lp_solution import LPSolution, most_pivots
from treeplex.seqform.programs.sequence_program import SequenceProgram, sequence_program

Flags = NDArray[np.bool_]

SOLVERS = ("ipm", "hipo")
"""IPX is fast on guided programs; HiPO takes over where its plans stay too wide though nothing is missed."""


@dataclass(frozen=True)
class Selection:
    """Which sequences the first programs have.

    Attributes
    ----------
    played : float
        Columns: sequences that the guide plays more often than this at their infoset, in (0, 1).
    regret : float
        Rows: columns, and sequences that pay at most this part of the guide's NashConv less than the best at
        their infoset, against the guide; at least 0.
    rounds : int
        Most rounds of programs, at least 1.

    Raises
    ------
    ValueError
        If there are no rounds.
    """

    played: float = 1e-3
    regret: float = 0.1
    rounds: int = 20

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise BadInputError(f"rounds of guided programs must be at least 1, got {self.rounds}")


def solve_guided(
    form: SequenceForm,
    guide: Profile,
    target: Target,
    solver: str = "auto",
    selection: Selection | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> LPSolution:
    """Solve a large game by programs on few sequences until the certificate on the whole game is narrow.

    The first round solves one program, whose duals are a plan of the other player; further ones solve what
    has changed. Where nothing in a program decides a plan, it follows the guide. Sequences that pay more
    against a plan than all rows of its program at their infoset become rows, unless all that is missed pays
    less together than the target allows. Where there are none, all rows become columns of the other program:
    each is the dual of the other, and one is solved. If that is not enough both are, then by the next solver.

    Parameters
    ----------
    form : SequenceForm
    guide : Profile
        Nearly optimal: it proposes the sequences, and is played where a plan or its rows do not reach.
    target : Target
        How narrow a certificate ends the rounds.
    solver : {"auto", "simplex", "ipm", "hipo"}
    selection : Selection, optional
    progress : callable, optional
        Told the stage and the width proved so far.

    Returns
    -------
    LPSolution
        Each player's best plan of the guide and all rounds; its certificate may miss the target. Its seconds
        are without those of the guide.

    Raises
    ------
    ValueError
        If the guide is of another game, or there is no such solver.
    """
    chosen = Selection() if selection is None else selection
    clock, solvers = time.perf_counter(), list(SOLVERS if solver == "auto" else (solver,))
    proof = certify(form, guide)
    least = chosen.regret * proof.nash_conv
    columns = [_often(guide, p, chosen.played) for p in (0, 1)]
    rows = [columns[p] | _good(form, guide, p, least) for p in (0, 1)]
    best = guide
    solved: dict[int, RestrictedPlan] = {}
    plans: dict[int, tuple[Floats, Flags]] = {}
    # Whose programs are to be solved, and whether all rows are columns, so that one program is enough.
    stale, alike = {_fewer(rows)}, False
    iterations = 0
    for i in range(1, chosen.rounds + 1):
        if progress is not None:
            progress(f"linear programs, round {i}", proof.nash_conv)
        for p in stale:
            solved[p] = restricted_plan(form, p, columns[p], rows[1 - p], solvers[0])
            plans[p] = _where_decided(form, p, solved[p].plan, rows[1 - p])
            if alike or 1 - p not in plans:
                plans[1 - p] = _where_decided(form, 1 - p, solved[p].other, columns[p])
            iterations += solved[p].run.iterations
        now = _played(form, plans, guide)
        best, proof = _better(form, best, proof, now)
        if target.is_met(proof):
            break
        # What all missed sequences are worth together must stay well below the width that is allowed.
        least = target.allowed(proof) / (10 * max(form.n_sequences))
        missed = [_paying(form, now, p, plans[1 - p][1], least) for p in (0, 1)]
        stale = {p for p in (0, 1) if missed[1 - p].any()}
        # Where duals leave play open, it is arbitrary: what pays against it says nothing of rows.
        rows = [rows[p] | missed[p] if alike or 1 - p in solved else rows[p] for p in (0, 1)]
        if not stale and any((rows[p] & ~columns[p]).any() for p in (0, 1)):
            alike = True
        elif not stale:
            # A plan from duals may be less precise than that of the player's own program.
            solvers = solvers[1:] if not alike and len(solved) == 2 else solvers
            stale, alike = {0, 1}, False
        if not solvers:
            break
        if alike:
            columns, stale = rows, {_fewer(rows)}
    last = [solved[p] for p in sorted(solved)]
    runs = tuple(one.run for one in last)
    return LPSolution(
        profile=best,
        certificate=proof,
        solver=runs[0].solver,
        status=next((run.status for run in runs if run.status != "optimal"), "optimal"),
        runs=runs,
        program=last[0].program,
        iterations=iterations,
        seconds=time.perf_counter() - clock,
        note=f"guided, {i} round{'s' * (i > 1)}",
    )


@dataclass(frozen=True)
class RestrictedPlan:
    """Both players' best plans in the game of some sequences of each.

    Attributes
    ----------
    plan : (S,) f64
        On all the player's sequences, zero on those that are left out.
    other : (S of the other,) f64
        The other player's, from the program's duals.
    run : HighsRun
    program : SequenceProgram
    """

    plan: Floats
    other: Floats
    run: HighsRun
    program: SequenceProgram


def restricted_plan(
    form: SequenceForm, player: int, columns: Flags, rows: Flags, solver: str = "ipm"
) -> RestrictedPlan:
    """Solve the program of ``player`` with some columns and some rows.

    Parameters
    ----------
    form : SequenceForm
    player : {0, 1}
    columns : (S,) bool
        The player's sequences; those below an excluded one are excluded.
    rows : (S of the other,) bool
        The other player's sequences, likewise.
    solver : {"simplex", "ipm", "hipo"}

    Raises
    ------
    ValueError
        If a reachable infoset has no action left, or there is no such solver.
    """
    game = form.restrict((columns, rows) if player == 0 else (rows, columns))
    program = sequence_program(game, player)
    run = run_highs(program.program, solver, crossover=False, pivots=most_pivots(game))
    plan = spread(program.plan(run.primal), closed(form.treeplexes[player], columns))
    other = program.other_plan(run.dual)
    # Without crossover HiGHS gives duals of either sign, and now and then wrong ones: certificates tell.
    other = spread(np.copysign(1.0, other[0]) * other, closed(form.treeplexes[1 - player], rows))
    return RestrictedPlan(plan, other, run, program)


def _fewer(rows: list[Flags]) -> int:
    """Return the player whose program has fewer rows."""
    return int(rows[0].sum() <= rows[1].sum())


def _played(form: SequenceForm, plans: dict[int, tuple[Floats, Flags]], guide: Profile) -> Profile:
    """Return the profile that plays two plans, and as the guide at infosets where a plan is 0."""
    x, y = (form.treeplexes[p].behaviour(plans[p][0], guide.behaviour[p]) for p in (0, 1))
    return Profile(form.treeplexes, (x, y))


def _where_decided(form: SequenceForm, player: int, plan: Floats, against: Flags) -> tuple[Floats, Flags]:
    """Return a plan set to 0 where it is arbitrary, and the other player's sequences it was made against."""
    return np.where(decided(form, player, against), plan, 0.0), against


def decided(form: SequenceForm, player: int, against: Flags) -> Flags:
    """Return at which of a player's sequences payoffs decide a plan against some of the other's, (S,).

    They are the sequences of infosets at or below which one of the other player's pays something; anywhere
    else a best plan is arbitrary.
    """
    # Weights at random, so that payoffs do not cancel but for rounding, which leaves a plan as it is.
    weight = np.random.default_rng(0).random(len(against)) * closed(form.treeplexes[1 - player], against)
    treeplex, paid = form.treeplexes[player], np.abs(form.gradient(player, weight))
    return np.asarray(_most(treeplex, treeplex.best_response(paid).q) > 0.0)


def _better(
    form: SequenceForm, best: Profile, proof: Certificate, now: Profile
) -> tuple[Profile, Certificate]:
    """Return each player's better plan of two profiles, and their certificate: each bound is of one plan."""
    again = certify(form, now)
    x = now if again.lower > proof.lower else best
    y = now if again.upper < proof.upper else best
    profile = Profile(form.treeplexes, (x.behaviour[0], y.behaviour[1]))
    return profile, certify(form, profile)


def _often(profile: Profile, player: int, least: float) -> Flags:
    """Return the sequences played more often than a probability, and at every infoset what is played most."""
    b = profile.behaviour[player]
    return np.asarray((b > least) | (b == _most(profile.treeplexes[player], b)))


def _good(form: SequenceForm, profile: Profile, player: int, least: float) -> Flags:
    """Return the sequences that pay at most so much less than the best at their infoset."""
    q = form.best_response(player, profile.plans[1 - player]).q
    return np.asarray(q >= _most(form.treeplexes[player], q) - least)


def _paying(form: SequenceForm, profile: Profile, player: int, rows: Flags, least: float) -> Flags:
    """Return the sequences beside ``rows`` that pay more than all of them at their infoset, by so much."""
    q = form.best_response(player, profile.plans[1 - player]).q
    return np.asarray(~rows & (q > _most(form.treeplexes[player], np.where(rows, q, -np.inf)) + least))


def _most(treeplex: Treeplex, values: Floats) -> Floats:
    """Return the largest value at each sequence's infoset, (S,); of the empty sequence its own value."""
    if treeplex.n_infosets == 0:
        return values
    at = np.maximum.reduceat(values, treeplex.begin)[treeplex.infoset_of[1:]]
    return np.concatenate((values[:1], at))
