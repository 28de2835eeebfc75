"""Bases of linear programs pivoted towards an optimal one, in floats or exactly, by a lexicographic simplex.

Values of basic variables and reduced costs may have several columns: coefficients of rising powers of a
perturbation, of which the first that is not zero decides (G. B. Dantzig, A. Orden and P. Wolfe, "The
generalized simplex method for minimizing a linear form under linear inequality restraints", Pacific Journal
of Mathematics 5, 1955).
"""

import math
import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.forms.treeplex import Index

Mask = NDArray[np.bool_]
Numbers = NDArray[Any]
"""Floats, or exact integers and fractions."""
Pivot = tuple[int, int]
"""The position in the basis of the leaving variable, and the entering variable."""


class SingularBasisError(ArithmeticError):
    """The basic columns are linearly dependent."""


class PivotPoint(Protocol):
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


P = TypeVar("P", bound=PivotPoint)
P_co = TypeVar("P_co", bound=PivotPoint, covariant=True)


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


def optimum(tableau: Tableau[P], basic: Index, most: int, seconds: float = math.inf) -> tuple[P, int]:
    """Pivot from a basis towards an optimal one; return the point reached and the number of pivots.

    A dual simplex makes the basis feasible, with reduced costs of the wrong sign taken as zero; then a primal
    simplex corrects these. Each makes at most ``most`` pivots, and none after so many processor seconds. The
    point reached need not be optimal.

    Raises
    ------
    SingularBasisError
        If the basis to start from is singular.
    """
    end = time.process_time() + seconds
    point, before = tableau.at(basic), 0
    if _outside(tableau, point).any():
        point, before = _walk(tableau, point, _dual_pivot, most, end)
    if _outside(tableau, point).any():
        return point, before
    point, after = _walk(tableau, point, _primal_pivot, most, end)
    return point, before + after


def violations(tableau: Tableau[PivotPoint], point: PivotPoint) -> int:
    """Return how many basic variables are outside of their bounds and how many variables would pay."""
    return int(_outside(tableau, point).sum() + _pays(tableau, point).sum())


def _walk(
    tableau: Tableau[P],
    point: P,
    choose: Callable[[Tableau[PivotPoint], PivotPoint], Pivot | None],
    most: int,
    end: float,
) -> tuple[P, int]:
    """Pivot until ``choose`` returns None, a basis repeats or is singular, ``most`` times, until ``end``."""
    visited = {np.sort(point.basic).tobytes()}
    for pivots in range(most):
        pivot = choose(tableau, point) if time.process_time() < end else None
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


def _dual_pivot(tableau: Tableau[PivotPoint], point: PivotPoint) -> Pivot | None:
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


def _primal_pivot(tableau: Tableau[PivotPoint], point: PivotPoint) -> Pivot | None:
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


def _outside(tableau: Tableau[PivotPoint], point: PivotPoint) -> Mask:
    """Return whether each basic variable is outside of its bounds, (m,)."""
    first, _ = _leading(point.values, tableau.zero)
    beyond: Mask = (first < 0) & ~tableau.free[point.basic] | (first > 0) & tableau.fixed[point.basic]
    return beyond


def _pays(tableau: Tableau[PivotPoint], point: PivotPoint) -> Mask:
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


def _smallest_ratio(tableau: Tableau[PivotPoint], numbers: Numbers, divisors: Numbers) -> int | None:
    """Return the index of the smallest ratio to a positive divisor; ties go to the largest divisor."""
    at = np.flatnonzero(divisors > tableau.smallest)
    if not len(at):
        return None
    for k in range(numbers.shape[1]):
        ratio = numbers[at, k] / divisors[at]
        at = at[ratio <= ratio.min() + tableau.zero]
    return int(at[np.argmax(divisors[at])])
