"""Payoff matrices A of the bilinear form x' A y: exact integers and derived floats, sparse or factored."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.trees.tree_arrays import Ints

UNIT_ROUNDOFF = 2.0**-53
MANTISSA_BITS = 53


@dataclass(frozen=True, repr=False)
class ExactMatrix(Shown):
    """A sparse rational matrix: integer entries over one denominator, sorted by row, no zeros or repeats.

    Attributes
    ----------
    rows, cols : (nnz,) int64
    num : (nnz,) exact integers
    den : int
        Positive.
    shape : pair of int
    """

    rows: Index
    cols: Index
    num: Ints
    den: int
    shape: tuple[int, int]

    def brief(self) -> str:
        """Return its shape and its number of nonzeros."""
        return "{:,} x {:,}, {:,} nonzeros".format(*self.shape, len(self.num))

    @staticmethod
    def of(rows: Index, cols: Index, num: Ints, den: int, shape: tuple[int, int]) -> "ExactMatrix":
        """Build from triples in any order; repeats are summed exactly, zeros dropped."""
        if len(rows) == 0:
            return ExactMatrix.zero(shape)
        order = np.lexsort((cols, rows))
        rows, cols, num = rows[order], cols[order], num[order]
        start = np.flatnonzero(np.concatenate(([True], (np.diff(rows) != 0) | (np.diff(cols) != 0))))
        # Sums could overflow int64; without repeats the type is kept.
        total = num if len(start) == len(num) else np.add.reduceat(num.astype(object), start)
        keep = total != 0
        return ExactMatrix(rows[start][keep], cols[start][keep], total[keep], den, shape)

    @staticmethod
    def of_floats(rows: Index, cols: Index, values: Floats, shape: tuple[int, int]) -> "ExactMatrix":
        """Build from triples of floats, converted exactly to dyadic rationals.

        Raises
        ------
        ValueError
            If a value is not finite.
        """
        if not np.isfinite(values).all():
            raise BadInputError(f"payoffs must be finite, got {values[~np.isfinite(values)][0]}")
        fraction, exponent = np.frexp(values)
        shift = np.where(values == 0.0, 0, exponent - MANTISSA_BITS)
        least = min(int(np.min(shift, initial=0)), 0)
        whole = np.ldexp(fraction, MANTISSA_BITS).astype(np.int64).astype(object)
        return ExactMatrix.of(rows, cols, whole << (shift - least).astype(object), 1 << -least, shape)

    @staticmethod
    def zero(shape: tuple[int, int]) -> "ExactMatrix":
        """Return the zero matrix."""
        none = np.zeros(0, dtype=np.int64)
        return ExactMatrix(none, none, none.astype(object), 1, shape)

    @property
    def nnz(self) -> int:
        """Number of nonzeros."""
        return len(self.num)

    @cached_property
    def csr(self) -> csr_array:
        """The same matrix in f64, each entry rounded once."""
        # Python's int / int rounds correctly even where numerator and denominator overflow a float.
        data = np.array([int(a) / self.den for a in self.num], dtype=np.float64)
        return csr_array((data, (self.rows, self.cols)), shape=self.shape)

    @cached_property
    def csr_transposed(self) -> csc_array:
        """The transposed matrix in f64, sharing the arrays of ``csr``; cached for repeated products."""
        return self.csr.T

    def transpose(self) -> "ExactMatrix":
        """Return the transposed matrix."""
        return ExactMatrix.of(self.cols, self.rows, self.num, self.den, self.shape[::-1])

    def select(self, rows: Index, cols: Index) -> "ExactMatrix":
        """Return the submatrix of the given rows and columns, renumbered in the order given."""
        row_to, col_to = np.full(self.shape[0], -1), np.full(self.shape[1], -1)
        row_to[rows], col_to[cols] = np.arange(len(rows)), np.arange(len(cols))
        r, c = row_to[self.rows], col_to[self.cols]
        keep = (r >= 0) & (c >= 0)
        return ExactMatrix.of(r[keep], c[keep], self.num[keep], self.den, (len(rows), len(cols)))

    def dot(self, v: Ints) -> Ints:
        """Return ``den`` times the matrix times v, exactly; v and the result are (n,) object arrays."""
        out = np.zeros(self.shape[0], dtype=object)
        if self.nnz:
            start = np.flatnonzero(np.concatenate(([True], np.diff(self.rows) != 0)))
            out[self.rows[start]] = np.add.reduceat(self.num.astype(object) * v[self.cols], start)
        return out


@dataclass(frozen=True, repr=False)
class Payoff(Shown):
    """Player 0's payoff ``A = base + left @ inv(M) @ right.T``; sparse if K is zero.

    M is unit lower bidiagonal: row k reads ``s[k] - link[k] s[k - 1] = (right.T @ y)[k]``, so ``inv(M)``
    computes running sums along chains. A hold'em showdown has a few entries of ``left`` and ``right`` a hand
    instead of one entry a pair of hands (Farina and Sandholm 2022, technique B; theorems S4.2).

    Attributes
    ----------
    base : (S0, S1) ExactMatrix
    left : (S0, K) ExactMatrix
    link : (K,) bool
        Whether element k continues the running sum of element k - 1; False at index 0.
    right : (S1, K) ExactMatrix
    """

    base: ExactMatrix
    left: ExactMatrix
    link: NDArray[np.bool_]
    right: ExactMatrix

    def brief(self) -> str:
        """Return its shape and its number of nonzeros."""
        return "{:,} x {:,}, {:,} nonzeros".format(*self.base.shape, self.nnz)

    @staticmethod
    def sparse(base: ExactMatrix) -> "Payoff":
        """Return the payoff that is one sparse matrix."""
        n0, n1 = base.shape
        none = np.zeros(0, dtype=np.bool_)
        return Payoff(base, ExactMatrix.zero((n0, 0)), none, ExactMatrix.zero((n1, 0)))

    @property
    def nnz(self) -> int:
        """Nonzeros of all factors, excluding M."""
        return self.base.nnz + self.left.nnz + self.right.nnz

    @property
    def is_zero(self) -> bool:
        """Whether no sequences earn anything."""
        return self.base.nnz == 0 and 0 in (self.left.nnz, self.right.nnz)

    @property
    def n_entries(self) -> int:
        """Nonzeros of the payoff in a linear program: those of all factors and of M."""
        return self.nnz + len(self.link) + int(self.link.sum())

    def against(self, player: int, plan: Floats) -> Floats:
        """Return ``A @ y`` (S0,) for player 0, ``A.T @ x`` (S1,) for player 1: player 0's payoff by sequence.

        The gradient that player 1 maximises is the negative.
        """
        base = self.base.csr if player == 0 else self.base.csr_transposed
        earned = np.asarray(base @ plan)
        if len(self.link) == 0:
            return earned
        if player == 0:
            chain = self.right.csr_transposed @ plan
            _run_forward(self.link, chain)
            return np.asarray(earned + self.left.csr @ chain)
        chain = self.left.csr_transposed @ plan
        _run_backward(self.link, chain)
        return np.asarray(earned + self.right.csr @ chain)

    @cached_property
    def magnitude(self) -> "Payoff":
        """The payoff with the absolute values of the factors; for bounds on rounding errors."""

        def absolute(m: ExactMatrix) -> ExactMatrix:
            return ExactMatrix(m.rows, m.cols, np.abs(m.num.astype(object)), m.den, m.shape)

        return Payoff(absolute(self.base), absolute(self.left), self.link, absolute(self.right))

    @cached_property
    def longest_sum(self) -> int:
        """An upper bound on the roundings behind one entry of :meth:`against`, for either player."""
        runs = np.flatnonzero(~np.append(self.link, False))
        terms = int(np.max(np.diff(runs), initial=1))
        for m in (self.base, self.left, self.right):
            terms += sum(int(np.max(np.bincount(i), initial=0)) for i in (m.rows, m.cols))
        return terms + 8

    def against_exact(self, player: int, plan: Ints) -> tuple[Ints, int]:
        """Return :meth:`against` for an integer plan, exactly: (numerators, denominator)."""
        base, left, right = (
            (self.base, self.left, self.right)
            if player == 0
            else (self.base.transpose(), self.right, self.left)
        )
        chain = _running_sums(self.link, right.transpose().dot(plan), backward=player == 1)
        den = base.den * left.den * right.den
        total = base.dot(plan) * (left.den * right.den) + left.dot(chain) * base.den
        return total, den

    def select(self, sequences: Sequence[Index]) -> "Payoff":
        """Return the payoff on the given sequences of player 0 and of player 1, renumbered in order."""
        chain = np.arange(len(self.link))
        return Payoff(
            self.base.select(sequences[0], sequences[1]),
            self.left.select(sequences[0], chain),
            self.link,
            self.right.select(sequences[1], chain),
        )


@njit(cache=True)
def _run_forward(link: NDArray[np.bool_], s: Floats) -> None:
    """Solve M s = s in place: add to each linked element the one before."""
    for k in range(1, len(s)):
        if link[k]:
            s[k] += s[k - 1]


@njit(cache=True)
def _run_backward(link: NDArray[np.bool_], s: Floats) -> None:
    """Solve M' s = s in place: add each linked element to the one before."""
    for k in range(len(s) - 1, 0, -1):
        if link[k]:
            s[k - 1] += s[k]


def _running_sums(link: NDArray[np.bool_], values: Ints, *, backward: bool) -> Ints:
    """Return the exact twin of :func:`_run_forward` or :func:`_run_backward` on Python ints."""
    s = values.copy()
    if backward:
        for k in range(len(s) - 1, 0, -1):
            if link[k]:
                s[k - 1] += s[k]
        return s
    for k in range(1, len(s)):
        if link[k]:
            s[k] += s[k - 1]
    return s
