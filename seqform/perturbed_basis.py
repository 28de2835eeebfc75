"""Bases of perturbed programs that stay optimal as the perturbation vanishes, by a lexicographic simplex.

Every sequence s of d(s) > 0 own actions is played with probability at least eps**d(s) (P. B. Miltersen and
T. B. Sørensen, "Computing a quasi-perfect equilibrium of a two-player game", Economic Theory 42, 2010). In
plans less these bounds the program's matrix and bounds do not depend on eps; its right-hand side and its
cost are polynomials in eps. A basis is optimal for all small eps if the first nonzero coefficient of each
basic variable and of each reduced cost has the right sign, so no small number is ever compared with a large.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, eye_array, hstack
from scipy.sparse.linalg import splu

from seqform.deal import Ints
from seqform.dixon import factorise
from seqform.exact_certificate import ExactPlan
from seqform.highs import HighsRun
from seqform.linear_program import LinearProgram
from seqform.payoff import ExactMatrix
from seqform.program import SequenceProgram
from seqform.rational_optimum import _integer_program
from seqform.sequence_form import SequenceForm
from seqform.treeplex import Floats, Index, Treeplex

_ZERO = 1e-9
"""Coefficients up to this size count as zero; programs are scaled to entries of order one."""
_SMALLEST_PIVOT = 1e-7


def lower_bounds(treeplex: Treeplex, epsilon: Fraction) -> tuple[Ints, int]:
    """Return ``epsilon**d`` for each sequence of d own actions: numerators (S,), common denominator.

    Zero stands for the empty sequence, whose probability is one.

    Raises
    ------
    ValueError
        If the bounds leave no plan, or none but one: ``epsilon`` must be positive and below one over the
        largest number of actions.
    """
    widest = int(np.max(treeplex.end - treeplex.begin, initial=1))
    if not 0 < epsilon * widest < 1:
        raise ValueError(f"epsilon must be above 0 and below 1/{widest}, got {epsilon}")
    deepest = int(treeplex.depth.max())
    num, den = epsilon.numerator, epsilon.denominator
    power = [num**d * den ** (deepest - d) for d in range(deepest + 1)]
    bounds = np.array([power[d] for d in treeplex.depth], dtype=object)
    bounds[0] = 0
    return bounds, den**deepest


def perturbed_program(form: SequenceForm, program: SequenceProgram, epsilon: float) -> LinearProgram:
    """Return a player's program when both must play each sequence s with probability ``epsilon**d(s)``.

    The other player's plan is its bounds l2 plus what is left to choose, so that the objective becomes
    ``(f - F l2)' q + l2' A' x``; the player's own bounds l1 are those of the columns.
    """
    lower = _scaled_bounds(form, program)
    own, other = (part @ epsilon ** np.arange(part.shape[1]) for part in lower)
    lp = program.program
    cost = lp.cost - lp.matrix[-program.n_other :].T @ other
    col_lower = np.concatenate((own, lp.col_lower[program.n_own :]))
    return replace(lp, cost=cost, col_lower=col_lower)


def _scaled_bounds(form: SequenceForm, program: SequenceProgram) -> tuple[Floats, Floats]:
    """Return the factors (S, 1 + depth) of eps**k in the bounds of the scaled plans, own and other's."""
    p = program.player
    own, other = (_powers(form.treeplexes[q], program.scale.sequence[q]) for q in (p, 1 - p))
    return own, other


def _powers(treeplex: Treeplex, d: Floats) -> Floats:
    """Return d at column depth of each sequence; the empty sequence is always played and needs no bound."""
    lower = np.zeros((treeplex.n_sequences, 1 + int(treeplex.depth.max())))
    lower[np.arange(1, treeplex.n_sequences), treeplex.depth[1:]] = d[1:]
    return lower


def optimal_plans(
    form: SequenceForm, program: SequenceProgram, run: HighsRun, epsilon: Fraction
) -> tuple[tuple[ExactPlan, ExactPlan], int] | None:
    lexicographic = _lexicographic(form, program)
    exact = _exact(form, program, epsilon)
    search = _Search(lexicographic, np.flatnonzero(np.concatenate((run.basic_cols, run.basic_rows))))
    first = search.basic
    STAT.clear()
    try:
        search.run()
    except (_LostError, RuntimeError) as e:  # RuntimeError: a singular matrix, from SuperLU
        search.basic = first
        STAT.append('lost')
    STAT.append(search.pivots)
    search = _Search(exact, search.basic)
    try:
        search.run()
        STAT.append(search.pivots)
        return exact.plans(search.basic), search.pivots
    except (_LostError, RuntimeError, ValueError):
        STAT.append(search.pivots)
        return None
STAT=[]

class _LostError(ArithmeticError):
    """There is no pivot, or there were too many."""


@dataclass(frozen=True)
class _Lexicographic:
    """Maximise ``cost @ z`` with ``matrix @ z = rhs``; column k of rhs and of cost is the factor of eps**k.

    Attributes
    ----------
    matrix : (m, n + m) csc_array of f64
        The program's columns, then one slack a row.
    rhs : (m, 1 + depth of the player) f64
    cost : (n + m, 1 + depth of the other player) f64
    free, fixed : (n + m,) bool
        Variables without bounds, and slacks of equalities; all others are at least zero.
    """

    matrix: csc_array
    rhs: Floats
    cost: Floats
    free: NDArray[np.bool_]
    fixed: NDArray[np.bool_]
    zero: float = _ZERO

    def at(self, basic, lu):
        prices = lu.solve(np.ascontiguousarray(self.cost[basic]), "T")
        reduced = self.cost - self.matrix.T @ prices
        reduced[basic] = 0.0
        return lu.solve(self.rhs), reduced

    def shifted(self, basic, lu):
        _, reduced = self.at(basic, lu)
        return replace(self, cost=self.cost - np.where(_pays(self, reduced)[:, np.newaxis], reduced, 0.0))

def _pays(lp, reduced):
    first, _ = _leading(reduced, lp.zero)
    return ((first > 0.0) & ~lp.fixed) | ((first < 0.0) & lp.free)

@dataclass(frozen=True)
class _Exact:
    matrix: csc_array
    whole: ExactMatrix
    rhs: Ints
    cost: Ints
    row_unit: Floats
    col_unit: Floats
    free: NDArray[np.bool_]
    fixed: NDArray[np.bool_]
    lower: Any
    zero: float = 0.0

    def solve(self, basic):
        m = len(self.rhs)
        B = self.whole.select(np.arange(m), basic)
        system = factorise((B.rows, B.cols, B.num), m)
        num, den = system.solve(list(self.rhs))
        price, pden = system.solve_transposed(list(self.cost[basic]))
        return np.array(num, dtype=object), den, np.array(price, dtype=object), pden

    def reduced(self, price, pden):
        return self.cost * pden - self.whole.transpose().dot(price)

    def at(self, basic, lu):
        num, den, price, pden = self.solve(basic)
        red = self.reduced(price, pden)
        red[basic] = 0
        return _floats(num) [:, None] * self.col_unit[basic][:, None], (_floats(red) / self.col_unit)[:, None]

    def shifted(self, basic, lu):
        num, den, price, pden = self.solve(basic)
        red = self.reduced(price, pden)
        pays = _pays(self, _floats(red)[:, None])
        return replace(self, cost=self.cost * pden - np.where(pays, red, 0))

    def plans(self, basic):
        num, den, price, pden = self.solve(basic)
        z = np.zeros(self.whole.shape[1], dtype=object)
        z[basic] = num
        (l1, u1), (l2, u2) = self.lower
        return ExactPlan(z[:len(l1)] + l1 * den, den * u1), ExactPlan(price[-len(l2):] + l2 * pden, pden * u2)

def _floats(num):
    big = max(max(abs(num)), 1)
    return np.array([int(v) / int(big) for v in num])

def _maxes(t, d):
    return np.concatenate(([1.0], np.maximum.reduceat(d, t.begin) if t.n_infosets else np.zeros(0)))

def _exact(form, program, epsilon):
    M = _integer_program(form)
    m, n = M.shape
    whole = ExactMatrix.of(np.concatenate((M.rows, np.arange(m))), np.concatenate((M.cols, n + np.arange(m))), np.concatenate((M.num, np.ones(m, dtype=object))), 1, (m, n + m))
    (l1, u1), (l2, u2) = (lower_bounds(t, epsilon) for t in form.treeplexes)
    n0, n1 = len(l1), len(l2)
    rhs = -M.dot(np.concatenate((l1, np.zeros(n - n0, dtype=object))))
    rhs[0] += u1
    cost = np.zeros(n + m, dtype=object)
    cost[:n] = -M.transpose().dot(np.concatenate((np.zeros(m - n1, dtype=object), l2)))
    cost[n0] += u2
    lp = program.program
    d0, d1 = program.scale.sequence
    q = program.scale.unit * float(form.payoff.base.den)
    t0, t1 = form.treeplexes
    col_unit = np.concatenate((d0, 1.0 / (q * _maxes(t1, d1)), _maxes(t0, d0), 1.0 / (q * d1)))
    L = _lexicographic(form, program)
    return _Exact(L.matrix, whole, rhs, cost, None, col_unit, L.free, L.fixed, ((l1, u1), (l2, u2)))

def _lexicographic(form: SequenceForm, program: SequenceProgram) -> _Lexicographic:
    lp = program.program
    own, other = _scaled_bounds(form, program)
    rhs = -(lp.matrix[:, : program.n_own] @ own)
    rhs[:, 0] += lp.row_upper
    cost = np.zeros((lp.n_cols + lp.n_rows, other.shape[1]))
    cost[: lp.n_cols] = -(lp.matrix[-program.n_other :].T @ other)
    cost[: lp.n_cols, 0] += lp.cost
    return _Lexicographic(
        csc_array(hstack((lp.matrix, eye_array(lp.n_rows)), format="csc")),
        rhs,
        cost,
        np.concatenate((np.isinf(lp.col_lower), np.zeros(lp.n_rows, dtype=np.bool_))),
        np.concatenate((np.zeros(lp.n_cols, dtype=np.bool_), lp.row_lower == lp.row_upper)),
    )


class _Search:
    """A simplex under way: which variables are basic, and how often that has changed."""

    def __init__(self, lp, basic: Index) -> None:
        self.lp, self.basic, self.pivots = lp, basic, 0

    def run(self):
        self.restore_feasibility()
        self.restore_optimality()

    def restore_feasibility(self) -> None:
        """Dual simplex: take out variables beyond their bounds, with all wrong costs shifted to zero."""
        lp = self.lp
        shifted = None
        for lu in self._bases():
            if shifted is None: shifted = lp.shifted(self.basic, lu)
            values, reduced = shifted.at(self.basic, lu)
            first, order = _leading(values, lp.zero)
            free, fixed = lp.free[self.basic], lp.fixed[self.basic]
            outside = ((first < 0.0) & ~free) | ((first > 0.0) & fixed)
            if not outside.any():
                return
            leaving = _foremost(outside, first, order)
            unit = np.zeros(len(self.basic))
            unit[leaving] = -np.sign(first[leaving])
            row = lp.matrix.T @ lu.solve(unit, "T")
            row[lp.free] = -abs(row[lp.free])
            row[lp.fixed] = row[self.basic] = 0.0
            self._exchange(leaving, _smallest_ratio(-reduced, -row, lp.zero))

    def restore_optimality(self) -> None:
        """Primal simplex: bring in variables that pay."""
        lp = self.lp
        for lu in self._bases():
            values, reduced = lp.at(self.basic, lu)
            pays = _pays(lp, reduced)
            if not pays.any():
                return
            first, order = _leading(reduced, lp.zero)
            entering = _foremost(pays, first, order)
            column = np.sign(first[entering]) * lu.solve(lp.matrix[:, [entering]].toarray().ravel())
            fixed = lp.fixed[self.basic]
            column[fixed] = abs(column[fixed])
            column[lp.free[self.basic]] = 0.0
            self._exchange(_smallest_ratio(values, column, lp.zero), entering)

    def _bases(self):
        for _ in range(2 * len(self.basic) + 50):
            yield splu(csc_array(self.lp.matrix[:, self.basic]))
        raise _LostError

    def _exchange(self, leaving: int, entering: int) -> None:
        self.basic = self.basic.copy()
        self.basic[leaving] = entering
        self.pivots += 1


def _leading(polynomials: Floats, zero) -> tuple[Floats, Index]:
    """Return the first nonzero coefficient of each row, which decides its sign for small eps, and where."""
    nonzero = abs(polynomials) > zero
    order = np.argmax(nonzero, axis=1)
    rows = np.arange(len(polynomials))
    return np.where(nonzero[rows, order], polynomials[rows, order], 0.0), order


def _foremost(candidates: NDArray[np.bool_], first: Floats, order: Index) -> int:
    """Return the candidate that is largest for small eps: of the lowest order, then of the largest size."""
    at = np.flatnonzero(candidates)
    return int(at[np.lexsort((-abs(first[at]), order[at]))[0]])


def _smallest_ratio(polynomials: Floats, divisors: Floats, zero) -> int:
    at = np.flatnonzero(divisors > _SMALLEST_PIVOT)
    for k in range(polynomials.shape[1]):
        ratio = polynomials[at, k] / divisors[at]
        at = at[ratio <= np.min(ratio, initial=np.inf) + zero]
    if not len(at):
        raise _LostError
    return int(at[np.argmax(divisors[at])])
