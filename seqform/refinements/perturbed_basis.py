"""Bases of perturbed programs that stay optimal as the perturbation vanishes, by a lexicographic simplex.

Every sequence s of d(s) > 0 own actions is played with probability at least eps**d(s) (P. B. Miltersen and
T. B. Sørensen, "Computing a quasi-perfect equilibrium of a two-player game", Economic Theory 42, 2010). In
the variables plan - bounds the matrix does not depend on eps; right-hand side and cost are
polynomials in eps. A basis is optimal for all small eps if the first nonzero coefficient of each
basic variable and of each reduced cost has the right sign (G. B. Dantzig, A. Orden and P. Wolfe, "The
generalized simplex method for minimizing a linear form under linear inequality restraints", Pacific Journal
of Mathematics 5, 1955). Powers of eps are never evaluated.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, eye_array, hstack

from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.lp.linear_program import LinearProgram
from treeplex.seqform.lp.program import SequenceProgram

Mask = NDArray[np.bool_]
Numbers = NDArray[Any]
"""Floats, or exact integers and fractions."""
Pivot = tuple[int, int]
"""The position in the basis of the leaving variable, and the entering variable."""

ZERO, SMALLEST = 1e-12, 1e-8
"""Floats up to ``ZERO`` count as zero, pivots up to ``SMALLEST`` are rejected; programs have order one."""


class SingularBasisError(ArithmeticError):
    """The basic columns are linearly dependent."""


class Point(Protocol):
    """A basis with its basic variables and reduced costs; rows of numbers are compared lexicographically."""

    @property
    def basic(self) -> Index:
        """The basic variables (m,), in any order."""

    @property
    def values(self) -> Numbers:
        """Values of the basic variables, (m, k)."""

    @property
    def reduced(self) -> Numbers:
        """Reduced costs: d(objective) / d(variable), (n + m, l); zero for basic variables."""

    def column(self, entering: int) -> Numbers:
        """Return how fast each basic variable falls as a variable rises, (m,)."""

    def row(self, leaving: int) -> Numbers:
        """Return how fast the basic variable at a place falls as each variable rises, (n + m,)."""


P = TypeVar("P", bound=Point)
P_co = TypeVar("P_co", bound=Point, covariant=True)


class Tableau(Protocol[P_co]):
    """A program ``matrix @ z = rhs`` in n columns and m slacks, which computes the point of a basis."""

    @property
    def free(self) -> Mask:
        """Variables without bounds, (n + m,); others are at least zero."""

    @property
    def fixed(self) -> Mask:
        """Variables fixed at zero, (n + m,): the slacks of equalities."""

    @property
    def zero(self) -> float:
        """Numbers up to this size count as zero."""

    @property
    def smallest(self) -> float:
        """Pivots up to this size are rejected."""

    def at(self, basic: Index) -> P_co:
        """Return the point of a basis; raises SingularBasisError."""


@dataclass(frozen=True)
class LexicographicPoint:
    """A basis of a ``LexicographicTableau``; see ``Point``."""

    basic: Index
    values: Floats
    reduced: Floats
    matrix: csc_array
    factors: Any

    def column(self, entering: int) -> Floats:
        """Return how fast each basic variable falls as a variable rises, (m,)."""
        return np.asarray(self.factors.solve(self.matrix[:, [entering]].toarray().ravel()))

    def row(self, leaving: int) -> Floats:
        """Return how fast the basic variable at a place falls as each variable rises, (n + m,)."""
        unit = np.zeros(len(self.basic))
        unit[leaving] = 1.0
        return np.asarray(self.matrix.T @ self.factors.solve(unit, "T"))


@dataclass(frozen=True)
class LexicographicTableau:
    """Player 0's scaled perturbed program for all small eps; column k of rhs and cost: coefficient of eps**k.

    Attributes
    ----------
    matrix : (m, n + m) csc_array of f64
    rhs : (m, 1 + depth of player 0) f64
    cost : (n + m, 1 + depth of player 1) f64
    free, fixed : (n + m,) bool
    """

    matrix: csc_array
    rhs: Floats
    cost: Floats
    free: Mask
    fixed: Mask
    zero: float = ZERO
    smallest: float = SMALLEST

    @staticmethod
    def of(form: SequenceForm, program: SequenceProgram) -> "LexicographicTableau":
        """Write player 0's program in the variables plan - lower bounds."""
        lp = program.program
        own, other = _lower_bounds(form, program)
        rhs = -(lp.matrix[:, : program.n_own] @ own)  # E x' = e - E l1,  F' q - A' x' <= A' l1
        rhs[:, 0] += lp.row_upper
        cost = np.zeros((lp.n_cols + lp.n_rows, other.shape[1]))
        cost[: lp.n_cols] = -(lp.matrix[-program.n_other :].T @ other)  # (f - F l2)' q + l2' A' x'
        cost[: lp.n_cols, 0] += lp.cost
        return LexicographicTableau(
            csc_array(hstack((lp.matrix, eye_array(lp.n_rows)), format="csc")),
            rhs,
            cost,
            np.concatenate((np.isinf(lp.col_lower), np.zeros(lp.n_rows, dtype=np.bool_))),
            np.concatenate((np.zeros(lp.n_cols, dtype=np.bool_), lp.row_lower == lp.row_upper)),
        )

    def at(self, basic: Index) -> LexicographicPoint:
        """Return the point of a basis; raises SingularBasisError."""
        from scipy.sparse.linalg import splu

        try:
            factors: Any = splu(csc_array(self.matrix[:, basic]))
        except RuntimeError as error:
            raise SingularBasisError from error
        prices = factors.solve(np.ascontiguousarray(self.cost[basic]), "T")
        reduced = self.cost - self.matrix.T @ prices
        reduced[basic] = 0.0
        return LexicographicPoint(basic, factors.solve(self.rhs), reduced, self.matrix, factors)


def perturbed_program(form: SequenceForm, program: SequenceProgram, epsilon: float) -> LinearProgram:
    """Return player 0's program when both must play each sequence s with probability ``epsilon**d(s)``.

    With l2 the bounds of the other plan the objective is ``(f - F l2)' q + l2' A' x``; the bounds l1 of the
    own plan are bounds of columns.
    """
    lp = program.program
    own, other = (part @ epsilon ** np.arange(part.shape[1]) for part in _lower_bounds(form, program))
    cost = lp.cost - lp.matrix[-program.n_other :].T @ other
    return replace(lp, cost=cost, col_lower=np.concatenate((own, lp.col_lower[program.n_own :])))


def _lower_bounds(form: SequenceForm, program: SequenceProgram) -> tuple[Floats, Floats]:
    """Return the coefficients (S, 1 + depth) of eps**k in the lower bounds of both players' scaled plans.

    The empty sequence has no bound.
    """
    own, other = (np.zeros((t.n_sequences, 1 + int(t.depth.max()))) for t in form.treeplexes)
    for t, d, lower in zip(form.treeplexes, program.scale.sequence, (own, other), strict=True):
        lower[np.arange(1, t.n_sequences), t.depth[1:]] = d[1:]
    return own, other


def optimum(tableau: Tableau[P], basic: Index, most: int) -> tuple[P, int]:
    """Pivot from a basis towards an optimal one; return the point reached and the number of pivots.

    A dual simplex makes the basis feasible, with reduced costs of the wrong sign taken as zero; then a primal
    simplex corrects these. Each makes at most ``most`` pivots. The point reached need not be optimal.

    Raises
    ------
    SingularBasisError
        If the basis to start from is singular.
    """
    point, before = tableau.at(basic), 0
    if _outside(tableau, point).any():
        point, before = _walk(tableau, point, _dual_pivot, most)
    if _outside(tableau, point).any():
        return point, before
    point, after = _walk(tableau, point, _primal_pivot, most)
    return point, before + after


def _walk(
    tableau: Tableau[P], point: P, choose: Callable[[Tableau[Point], Point], Pivot | None], most: int
) -> tuple[P, int]:
    """Pivot until ``choose`` returns None, a basis repeats or is singular, or ``most`` times."""
    visited = {np.sort(point.basic).tobytes()}
    for pivots in range(most):
        pivot = choose(tableau, point)
        if pivot is None:
            return point, pivots
        basic = point.basic.copy()
        basic[pivot[0]] = pivot[1]
        key = np.sort(basic).tobytes()
        if key in visited:
            return point, pivots
        visited.add(key)
        try:
            point = tableau.at(basic)
        except SingularBasisError:
            return point, pivots
    return point, most


def _dual_pivot(tableau: Tableau[Point], point: Point) -> Pivot | None:
    """Return a pivot that removes a variable outside of its bounds, by the dual ratio test."""
    wrong = _outside(tableau, point)
    if not wrong.any():
        return None
    first, order = _leading(point.values, tableau.zero)
    leaving = _foremost(wrong, first, order)
    row = point.row(leaving) * (1 if first[leaving] < 0 else -1)
    row[tableau.free] = -abs(row[tableau.free])
    row[tableau.fixed] = 0
    row[point.basic] = 0
    reduced = np.where(_pays(tableau, point)[:, np.newaxis], 0, point.reduced)
    entering = _smallest_ratio(tableau, -reduced, -row)
    return None if entering is None else (leaving, entering)


def _primal_pivot(tableau: Tableau[Point], point: Point) -> Pivot | None:
    """Return a pivot that brings in a variable of positive reduced cost, by the primal ratio test."""
    wrong = _pays(tableau, point)
    if not wrong.any():
        return None
    first, order = _leading(point.reduced, tableau.zero)
    entering = _foremost(wrong, first, order)
    column = point.column(entering) * (1 if first[entering] > 0 else -1)
    fixed = tableau.fixed[point.basic]
    column[fixed] = abs(column[fixed])
    column[tableau.free[point.basic]] = 0
    leaving = _smallest_ratio(tableau, point.values, column)
    return None if leaving is None else (leaving, entering)


def _outside(tableau: Tableau[Point], point: Point) -> Mask:
    """Return whether each basic variable is outside of its bounds, (m,)."""
    first, _ = _leading(point.values, tableau.zero)
    beyond: Mask = (first < 0) & ~tableau.free[point.basic] | (first > 0) & tableau.fixed[point.basic]
    return beyond


def _pays(tableau: Tableau[Point], point: Point) -> Mask:
    """Return whether each variable would raise the objective, (n + m,)."""
    first, _ = _leading(point.reduced, tableau.zero)
    gain: Mask = (first > 0) & ~tableau.fixed | (first < 0) & tableau.free
    return gain


def _leading(numbers: Numbers, zero: float) -> tuple[Numbers, Index]:
    """Return the first nonzero number of each row, and its column."""
    nonzero = abs(numbers) > zero
    rows, order = np.arange(len(numbers)), np.argmax(nonzero, axis=1)
    return np.where(nonzero[rows, order], numbers[rows, order], 0), order


def _foremost(candidates: Mask, first: Numbers, order: Index) -> int:
    """Return the candidate that is largest for small eps: lowest order first, then largest size."""
    at = np.flatnonzero(candidates)
    at = at[order[at] == order[at].min()]
    return int(at[np.argmax(abs(first[at]))])


def _smallest_ratio(tableau: Tableau[Point], numbers: Numbers, divisors: Numbers) -> int | None:
    """Return the index of the smallest ratio to a positive divisor; ties go to the largest divisor."""
    at = np.flatnonzero(divisors > tableau.smallest)
    if not len(at):
        return None
    for k in range(numbers.shape[1]):
        ratio = numbers[at, k] / divisors[at]
        at = at[ratio <= ratio.min() + tableau.zero]
    return int(at[np.argmax(divisors[at])])
