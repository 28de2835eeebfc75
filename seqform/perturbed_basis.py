"""Bases of perturbed programs that stay optimal as the perturbation vanishes, by a lexicographic simplex.

Every sequence s of d(s) > 0 own actions is played with probability at least eps**d(s) (P. B. Miltersen and
T. B. Sørensen, "Computing a quasi-perfect equilibrium of a two-player game", Economic Theory 42, 2010). In
plans less these bounds the program's matrix and bounds do not depend on eps; its right-hand side and its
cost are polynomials in eps. A basis is optimal for all small eps if the first nonzero coefficient of each
basic variable and of each reduced cost has the right sign, so no small number is ever compared with a large.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, eye_array, hstack
from scipy.sparse.linalg import splu

from seqform.highs import HighsRun
from seqform.linear_program import LinearProgram
from seqform.program import SequenceProgram
from seqform.sequence_form import SequenceForm
from seqform.treeplex import Floats, Index, Treeplex

_ZERO = 1e-9
"""Coefficients up to this size count as zero; programs are scaled to entries of order one."""
_SMALLEST_PIVOT = 1e-7


@dataclass(frozen=True)
class Basis:
    """A square part of player 0's program.

    Attributes
    ----------
    rows, cols : (k,) int64
        Tight rows and basic columns; the other plan columns are at their lower bounds.
    pivots : int
        How many the lexicographic simplex made.
    """

    rows: Index
    cols: Index
    pivots: int


def perturbed_program(form: SequenceForm, program: SequenceProgram, epsilon: float) -> LinearProgram:
    """Return a player's program when both must play each sequence s with probability ``epsilon**d(s)``.

    The other player's plan is its bounds l2 plus what is left to choose, so that the objective becomes
    ``(f - F l2)' q + l2' A' x``; the player's own bounds l1 are those of the columns.
    """
    lower = _lower_bounds(form, program)
    powers = [epsilon ** np.arange(part.shape[1]) for part in lower]
    own, other = (part @ p for part, p in zip(lower, powers, strict=True))
    lp = program.program
    cost = lp.cost - lp.matrix[-program.n_other :].T @ other
    col_lower = np.concatenate((own, lp.col_lower[program.n_own :]))
    return replace(lp, cost=cost, col_lower=col_lower)


def stable_basis(form: SequenceForm, program: SequenceProgram, run: HighsRun) -> Basis | None:
    """Go on from a basis of the perturbed program to one that is optimal for all small perturbations.

    In floats: the result needs proof. A dual simplex restores feasibility while costs that are wrong count
    as zero, then a primal simplex takes them up again.

    Parameters
    ----------
    form : SequenceForm
    program : SequenceProgram
        Player 0's, without perturbation.
    run : HighsRun
        On ``perturbed_program``, with a basis.

    Returns
    -------
    Basis, or None if the basis became singular or the pivots did not end.
    """
    lp = _lexicographic(form, program)
    n = len(run.basic_cols)
    search = _Search(lp, np.flatnonzero(np.concatenate((run.basic_cols, run.basic_rows))))
    try:
        search.restore_feasibility()
        search.restore_optimality()
    except (_LostError, RuntimeError):  # RuntimeError: a singular matrix, from SuperLU
        return None
    basic = np.sort(search.basic)
    rows = np.setdiff1d(np.arange(lp.matrix.shape[0]), basic[basic >= n] - n)
    return Basis(rows, basic[basic < n], search.pivots)


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


def _lexicographic(form: SequenceForm, program: SequenceProgram) -> _Lexicographic:
    lp = program.program
    own, other = _lower_bounds(form, program)
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


def _lower_bounds(form: SequenceForm, program: SequenceProgram) -> tuple[Floats, Floats]:
    """Return the factors (S, 1 + depth) of eps**k in the bounds of the scaled plans, own and other's."""
    p = program.player
    own, other = (_powers(form.treeplexes[q], program.scale.sequence[q]) for q in (p, 1 - p))
    return own, other


def _powers(treeplex: Treeplex, d: Floats) -> Floats:
    """Return d at column depth of each sequence; the empty sequence is always played and needs no bound."""
    lower = np.zeros((treeplex.n_sequences, 1 + int(treeplex.depth.max())))
    lower[np.arange(1, treeplex.n_sequences), treeplex.depth[1:]] = d[1:]
    return lower


class _Search:
    """A simplex under way: which variables are basic, and how often that has changed."""

    def __init__(self, lp: _Lexicographic, basic: Index) -> None:
        self.lp, self.basic, self.pivots = lp, basic, 0

    def restore_feasibility(self) -> None:
        """Dual simplex: take out variables beyond their bounds, with all wrong costs shifted to zero."""
        lp = self.lp
        _, _, reduced = self._solve(lp.cost)
        shift = np.where(self._pays(reduced)[:, np.newaxis], reduced, 0.0)
        for lu, values, reduced in self._bases(lp.cost - shift):
            first, order = _leading(values)
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
            self._exchange(leaving, _smallest_ratio(-reduced, -row))

    def restore_optimality(self) -> None:
        """Primal simplex: bring in variables that pay."""
        lp = self.lp
        for lu, values, reduced in self._bases(lp.cost):
            pays = self._pays(reduced)
            if not pays.any():
                return
            first, order = _leading(reduced)
            entering = _foremost(pays, first, order)
            column = np.sign(first[entering]) * lu.solve(lp.matrix[:, [entering]].toarray().ravel())
            fixed = lp.fixed[self.basic]
            column[fixed] = abs(column[fixed])
            column[lp.free[self.basic]] = 0.0
            self._exchange(_smallest_ratio(values, column), entering)

    def _bases(self, cost: Floats) -> Iterator[tuple[Any, Floats, Floats]]:
        """Yield factors, basic values and reduced costs of the basis as it changes."""
        for _ in range(2 * len(self.basic) + 50):
            yield self._solve(cost)
        raise _LostError

    def _solve(self, cost: Floats) -> tuple[Any, Floats, Floats]:
        lu: Any = splu(csc_array(self.lp.matrix[:, self.basic]))
        prices = lu.solve(np.ascontiguousarray(cost[self.basic]), "T")
        reduced = cost - self.lp.matrix.T @ prices
        reduced[self.basic] = 0.0
        return lu, lu.solve(self.lp.rhs), reduced

    def _pays(self, reduced: Floats) -> NDArray[np.bool_]:
        first, _ = _leading(reduced)
        pays: NDArray[np.bool_] = ((first > 0.0) & ~self.lp.fixed) | ((first < 0.0) & self.lp.free)
        return pays

    def _exchange(self, leaving: int, entering: int) -> None:
        self.basic = self.basic.copy()
        self.basic[leaving] = entering
        self.pivots += 1


def _leading(polynomials: Floats) -> tuple[Floats, Index]:
    """Return the first nonzero coefficient of each row, which decides its sign for small eps, and where."""
    nonzero = abs(polynomials) > _ZERO
    order = np.argmax(nonzero, axis=1)
    rows = np.arange(len(polynomials))
    return np.where(nonzero[rows, order], polynomials[rows, order], 0.0), order


def _foremost(candidates: NDArray[np.bool_], first: Floats, order: Index) -> int:
    """Return the candidate that is largest for small eps: of the lowest order, then of the largest size."""
    at = np.flatnonzero(candidates)
    return int(at[np.lexsort((-abs(first[at]), order[at]))[0]])


def _smallest_ratio(polynomials: Floats, divisors: Floats) -> int:
    """Return where the ratio to a positive divisor is smallest for small eps, the largest divisor of equals.

    Raises
    ------
    _LostError
        If no divisor is large enough.
    """
    at = np.flatnonzero(divisors > _SMALLEST_PIVOT)
    for k in range(polynomials.shape[1]):
        ratio = polynomials[at, k] / divisors[at]
        at = at[ratio <= np.min(ratio, initial=np.inf) + _ZERO]
    if not len(at):
        raise _LostError
    return int(at[np.argmax(divisors[at])])
