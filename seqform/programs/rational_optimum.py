"""Exact rational optima of games, from the final basis of a float solver.

Player 0's program of a game in integers, its exact points, from which a simplex method pivots, and the
exact check of plans.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import NotSolvedError
from treeplex.seqform.certify.certificate import Certificate, ExactPlan, exact_bounds
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Index, Treeplex
from treeplex.seqform.programs.dixon import Factorization, Solution, factorise
from treeplex.seqform.programs.highs import HighsRun, run_highs
from treeplex.seqform.programs.lp_solution import most_pivots
from treeplex.seqform.programs.pivots import Mask, SingularBasisError, optimum, violations
from treeplex.seqform.programs.sequence_program import (
    FEW,
    MANY,
    equilibrated_program,
    sequence_program,
)
from treeplex.seqform.trees.tree_arrays import Ints


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


@dataclass(frozen=True)
class ExactPoint:
    """A basis of an ``ExactTableau``; see ``Point``.

    Attributes
    ----------
    values, reduced : (m, 1) and (n + m, 1) exact integers
        Each up to one positive factor.
    primal, dual : numerators and denominator
        Of the basic variables, and of the prices of the rows.
    """

    basic: Index
    values: Ints
    reduced: Ints
    primal: Solution
    dual: Solution
    matrix: ExactMatrix
    system: Factorization

    def column(self, entering: int) -> Ints:
        """Return -d(basic variables) / d(entering variable), (m,), up to a positive factor."""
        m = len(self.basic)
        rhs, entries = np.zeros(m, dtype=object), self.matrix.select(np.arange(m), np.array([entering]))
        rhs[entries.rows] = entries.num
        return np.array([Fraction(v) for v in self.system.solve(list(rhs))[0]], dtype=object)

    def row(self, leaving: int) -> Ints:
        """Return -d(leaving variable) / d(each variable), (n + m,), up to a positive factor."""
        unit = [int(i == leaving) for i in range(len(self.basic))]
        prices = np.array(self.system.solve_transposed(unit)[0], dtype=object)
        return np.array([Fraction(v) for v in self.matrix.transpose().dot(prices)], dtype=object)

    def plans(self, form: SequenceForm) -> tuple[ExactPlan, ExactPlan]:
        """Return both plans: basic variables, and prices of rows; they need not be nonnegative."""
        n0, n1 = form.n_sequences
        own = np.zeros(self.matrix.shape[1], dtype=object)
        own[self.basic] = self.primal[0]
        prices = np.array(self.dual[0][-n1:], dtype=object)
        return ExactPlan(own[:n0], self.primal[1]), ExactPlan(prices, self.dual[1])


@dataclass(frozen=True)
class ExactTableau:
    """Player 0's program in n columns and m slacks, in integers.

    Attributes
    ----------
    matrix : (m, n + m) ExactMatrix
    rhs, cost : (m,) and (n + m,) exact integers
        Each up to one positive factor.
    free, fixed : (n + m,) bool
    """

    matrix: ExactMatrix
    rhs: Ints
    cost: Ints
    free: Mask
    fixed: Mask
    zero: float = 0
    smallest: float = 0

    @staticmethod
    def of(form: SequenceForm) -> "ExactTableau":
        """Write player 0's program."""
        program, (n0, n1) = integer_program(form), form.n_sequences
        m, n = program.shape
        matrix = ExactMatrix.of(
            np.concatenate((program.rows, np.arange(m))),
            np.concatenate((program.cols, np.arange(n, n + m))),
            np.concatenate((program.num, np.ones(m, dtype=object))),
            1,
            (m, n + m),
        )
        rhs, cost = np.zeros(m, dtype=object), np.zeros(n + m, dtype=object)
        # The objective is the other player's root value, the first column after the plan.
        rhs[0] = cost[n0] = 1
        variable = np.arange(n + m)
        free, fixed = (variable >= n0) & (variable < n), (variable >= n) & (variable < n + m - n1)
        return ExactTableau(matrix, rhs, cost, free, fixed)

    def at(self, basic: Index) -> ExactPoint:
        """Return the point of a basis; raises SingularBasisError."""
        chosen = self.matrix.select(np.arange(len(basic)), basic)
        try:
            system = factorise((chosen.rows, chosen.cols, chosen.num), len(basic))
        except ValueError as error:
            raise SingularBasisError from error
        values, _ = primal = system.solve(list(self.rhs))
        prices, den = dual = system.solve_transposed(list(self.cost[basic]))
        reduced = self.cost * den - self.matrix.transpose().dot(np.array(prices, dtype=object))
        column = np.array(values, dtype=object)[:, np.newaxis]
        return ExactPoint(basic, column, reduced[:, np.newaxis], primal, dual, self.matrix, system)


MOST_PIVOTS, PIVOT_SECONDS = 1000, 30.0
"""Most exact pivots from one basis; no pivot begins after so many processor seconds of them."""


class NotExactError(NotSolvedError):
    """No basis that a float solver ended with led to an optimum in exact arithmetic."""


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
        tighter = run_highs(program.program, solver, tolerance=tolerance, pivots=most_pivots(form))
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
    clock, tableau = time.process_time(), ExactTableau.of(form)
    points = [tableau.at(basic) for basic in bases]
    for point in sorted(points, key=lambda point: violations(tableau, point)):
        seconds = PIVOT_SECONDS - (time.process_time() - clock)
        yield optimum(tableau, point.basic, MOST_PIVOTS, seconds)[0].plans(form)


def _spread(num: list[int], den: int, at: Index, n: int) -> ExactPlan:
    full = np.zeros(n, dtype=object)
    full[at] = num
    return ExactPlan(full, den)
