"""Bases of perturbed programs that stay optimal as the perturbation vanishes, by a lexicographic simplex.

Every sequence s of d(s) > 0 own actions is played with probability at least eps**d(s) (P. B. Miltersen and
T. B. Sørensen, "Computing a quasi-perfect equilibrium of a two-player game", Economic Theory 42, 2010). In
the variables plan - bounds the matrix does not depend on eps; right-hand side and cost are
polynomials in eps. A basis is optimal for all small eps if the first nonzero coefficient of each
basic variable and of each reduced cost has the right sign. Powers of eps are never evaluated.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csc_array, eye_array, hstack

from treeplex.seqform.exact.pivots import Mask, SingularBasisError
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.lp.linear_program import LinearProgram
from treeplex.seqform.lp.program import SequenceProgram

ZERO, SMALLEST = 1e-12, 1e-8
"""Floats up to ``ZERO`` count as zero, pivots up to ``SMALLEST`` are rejected; programs have order one."""


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
