"""Exact rational optima of games, from the final basis of a float solver."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.certify.exact_certificate import ExactPlan, exact_bounds
from treeplex.seqform.exact.dixon import factorise
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Index, Treeplex
from treeplex.seqform.lp.highs import HighsRun, run_highs
from treeplex.seqform.lp.program import sequence_program
from treeplex.seqform.lp.scaling import scale_of
from treeplex.seqform.trees.deal import Ints


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
    dimension : int
        Of the basis system that was solved.
    seconds : float
    """

    value: Fraction
    plans: tuple[ExactPlan, ExactPlan]
    certificate: Certificate
    dimension: int
    seconds: float


def rational_optimum(form: SequenceForm, run: HighsRun | None = None) -> RationalOptimum:
    """Return the exact value and exact optimal plans of a game.

    A basis of player 0's program (``run``'s if it has one) determines the columns that may be nonzero and the
    rows that are tight; the square integer system and its transpose give both plans. These are then checked
    without the program: nonnegative, flows exact, and equal guaranteed values, by exact best responses
    (primal and dual feasibility with one objective: theorems C3.1). If a basis fails, the next run with a
    tighter tolerance is tried (C3.2).

    Raises
    ------
    NotExactError
        If no basis is optimal in exact arithmetic.
    """
    clock = time.perf_counter()
    for basis in _bases(form, run):
        plans = _plans(form, basis)
        if plans is None or not all(map(is_plan, form.treeplexes, plans)):
            continue
        value, lower, upper = exact_bounds(form, *plans)
        if lower == upper:
            seconds = time.perf_counter() - clock
            certificate = Certificate(value, lower, upper, 0.0, seconds)
            return RationalOptimum(value, plans, certificate, int(basis.basic_cols.sum()), seconds)
    raise NotExactError(f"{form.name}: no final basis is optimal in exact arithmetic")


def _bases(form: SequenceForm, run: HighsRun | None) -> Iterator[HighsRun]:
    """Yield runs with a basis: ``run``, runs of tighter tolerance, last on a differently scaled program."""
    if run is not None and run.has_basis:
        yield run
    scale = scale_of(form)
    tries = (scale, "simplex", 1e-9), (scale, "ipm", 1e-9), (scale.softened(), "simplex", 1e-10)
    for measured, solver, tolerance in tries:
        program = sequence_program(form, 0, measured).program
        tighter = run_highs(program, solver, tolerance=tolerance)
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


def _spread(num: list[int], den: int, at: Index, n: int) -> ExactPlan:
    full = np.zeros(n, dtype=object)
    full[at] = num
    return ExactPlan(full, den)


def integer_program(form: SequenceForm) -> ExactMatrix:
    """Return the matrix of player 0's program (see ``sequence_program``), unscaled, every row in integers.

    Values are measured in units of 1 / d, with d a common denominator of the payoff, and running sums in
    units of the left factor's denominator; bases do not depend on units.
    """
    payoff, (own, other) = form.payoff, form.treeplexes
    k, d = len(payoff.link), lcm(payoff.base.den, payoff.left.den * payoff.right.den)
    flow, values = _integer_constraints(own), _integer_constraints(other)
    q, s = own.n_sequences, own.n_sequences + 1 + other.n_infosets  # first columns of values and of sums
    chain, last = 1 + own.n_infosets, 1 + own.n_infosets + k  # first rows of sums and of sequences
    linked = np.flatnonzero(payoff.link)
    ones, minus = np.ones(k, dtype=object), np.full(len(linked), -1, dtype=object)
    blocks = [
        (flow.rows, flow.cols, flow.num),  # E x = e
        (chain + payoff.left.cols, payoff.left.rows, -payoff.left.num),  # M' s = left' x
        (chain + np.arange(k), s + np.arange(k), ones),
        (chain + linked - 1, s + linked, minus),
        (last + values.cols, q + values.rows, values.num),  # F' q <= base' x + right s
        (last + payoff.base.cols, payoff.base.rows, -payoff.base.num.astype(object) * (d // payoff.base.den)),
        (
            last + payoff.right.rows,
            s + payoff.right.cols,
            -payoff.right.num.astype(object) * (d // (payoff.left.den * payoff.right.den)),
        ),
    ]
    rows, cols, nums = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    return ExactMatrix.of(rows, cols, nums.astype(object), 1, (last + other.n_sequences, s + k))


def _integer_constraints(treeplex: Treeplex) -> ExactMatrix:
    """Return E (1 + I, S) in integers."""
    n, s = treeplex.n_infosets, np.arange(1, treeplex.n_sequences)
    rows = np.concatenate(([0], 1 + treeplex.infoset_of[1:], 1 + np.arange(n)))
    cols = np.concatenate(([0], s, treeplex.parent))
    num = np.concatenate(([1], np.ones(len(s), dtype=np.int64), np.full(n, -1))).astype(object)
    return ExactMatrix.of(rows, cols, num, 1, (1 + n, treeplex.n_sequences))


def is_plan(treeplex: Treeplex, plan: ExactPlan) -> bool:
    """Whether a plan is nonnegative and satisfies all flow equations, exactly."""
    flow: Ints = _integer_constraints(treeplex).dot(plan.num)
    nonnegative: NDArray[np.bool_] = plan.num >= 0
    return bool(flow[0] == plan.den and not flow[1:].any() and nonnegative.all())
