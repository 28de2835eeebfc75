"""Exact rational optima of games, from the final basis of a float solver."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.certify.exact_certificate import ExactPlan, exact_bounds
from treeplex.seqform.exact.dixon import factorise
from treeplex.seqform.exact.integer_program import integer_program, is_plan
from treeplex.seqform.exact.pivots import optimum, violations
from treeplex.seqform.exact.tableau import ExactTableau
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Index
from treeplex.seqform.lp.equilibration import FEW, MANY, equilibrated_program
from treeplex.seqform.lp.highs import HighsRun, run_highs
from treeplex.seqform.lp.program import sequence_program

MOST_PIVOTS, PIVOT_SECONDS = 1000, 30.0
"""Most exact pivots from one basis; no pivot begins after so many seconds of them."""


class NotExactError(RuntimeError):
    """No basis that a float solver ended with was optimal in exact arithmetic."""


@dataclass(frozen=True)
class RationalOptimum:
    """The exact value of a game and exact optimal plans, proved.

    Attributes
    ----------
    value : Fraction
        Player 0's.
    plans : pair of ExactPlan
        Realization plans with exact nonnegative entries and exact flows, each guaranteeing ``value``.
    certificate : Certificate
        Exact, of width zero.
    seconds : float
    """

    value: Fraction
    plans: tuple[ExactPlan, ExactPlan]
    certificate: Certificate
    seconds: float


def rational_optimum(form: SequenceForm, run: HighsRun | None = None) -> RationalOptimum:
    """Return the exact value and exact optimal plans of a game.

    A basis of player 0's program (``run``'s if it has one) determines the columns that may be nonzero and the
    rows that are tight; the square integer system and its transpose give both plans. These are then checked
    without the program: nonnegative, flows exact, and equal guaranteed values, by exact best responses
    (primal and dual feasibility with one objective: theorems C3.1). If a basis fails, the next run with a
    tighter tolerance is tried (C3.2); if all fail, an exact simplex pivots on from them.

    Raises
    ------
    NotExactError
        If no basis is optimal in exact arithmetic.
    """
    clock = time.perf_counter()
    for plans in _candidates(form, run):
        if not all(map(is_plan, form.treeplexes, plans)):
            continue
        value, lower, upper = exact_bounds(form, *plans)
        if lower == upper:
            seconds = time.perf_counter() - clock
            return RationalOptimum(value, plans, Certificate(value, lower, upper, 0.0, seconds), seconds)
    raise NotExactError(f"{form.name}: no final basis is optimal in exact arithmetic")


def _candidates(form: SequenceForm, run: HighsRun | None) -> Iterator[tuple[ExactPlan, ExactPlan]]:
    """Yield what may be optimal plans: those of final bases, then those of bases pivoted exactly."""
    tried = []
    for basis in _bases(form, run):
        plans = _plans(form, basis)
        if plans is not None:
            yield plans
            tried.append(np.flatnonzero(np.concatenate((basis.basic_cols, basis.basic_rows))))
    if tried:
        yield from _pivoted(form, tried)


def _bases(form: SequenceForm, run: HighsRun | None) -> Iterator[HighsRun]:
    """Yield runs with a basis: ``run``, and runs of tighter tolerance, two on equilibrated programs."""
    if run is not None and run.has_basis:
        yield run
    usual = sequence_program(form, 0)
    for program, solver, tolerance in (
        (usual, "simplex", 1e-9),
        (equilibrated_program(form, 0, MANY), "simplex", 1e-10),
        (equilibrated_program(form, 0, FEW), "simplex", 1e-10),
        (usual, "ipm", 1e-9),
    ):
        tighter = run_highs(program.program, solver, tolerance=tolerance)
        if tighter.has_basis:
            yield tighter


def _plans(form: SequenceForm, run: HighsRun) -> tuple[ExactPlan, ExactPlan] | None:
    """Return both plans from the basis system and its transpose; None if singular or of another program."""
    matrix = integer_program(form)
    if matrix.shape != (len(run.basic_rows), len(run.basic_cols)):
        return None  # a run on another program, such as that of a restricted game
    rows, cols = np.flatnonzero(~run.basic_rows), np.flatnonzero(run.basic_cols)
    basis = matrix.select(rows, cols)
    try:
        system = factorise((basis.rows, basis.cols, basis.num), len(rows))
    except ValueError:
        return None
    n0, n1 = (t.n_sequences for t in form.treeplexes)
    primal = _spread(*system.solve([int(r == 0) for r in rows]), cols, matrix.shape[1])
    # The objective is the other player's root value, the first column after the plan.
    dual = _spread(*system.solve_transposed([int(c == n0) for c in cols]), rows, matrix.shape[0])
    return ExactPlan(primal.num[:n0], primal.den), ExactPlan(dual.num[-n1:], dual.den)


def _pivoted(form: SequenceForm, bases: list[Index]) -> Iterator[tuple[ExactPlan, ExactPlan]]:
    """Yield the plans at which exact pivots from each basis end, the least wrong basis first.

    A basis is wrong by its variables outside of their bounds and its reduced costs of the wrong sign.
    """
    clock, tableau = time.perf_counter(), ExactTableau.of(form)
    points = [tableau.at(basic) for basic in bases]
    for point in sorted(points, key=lambda point: violations(tableau, point)):
        seconds = PIVOT_SECONDS - (time.perf_counter() - clock)
        yield optimum(tableau, point.basic, MOST_PIVOTS, seconds)[0].plans(form)


def _spread(num: list[int], den: int, at: Index, n: int) -> ExactPlan:
    full = np.zeros(n, dtype=object)
    full[at] = num
    return ExactPlan(full, den)
