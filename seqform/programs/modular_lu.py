"""Sparse LU factors of an integer matrix modulo a prime, and substitution with them.

Pivots are chosen for sparsity alone: residues have no magnitude, so every nonzero pivot is numerically
equal and pivots can be chosen to minimise fill, by the Markowitz rule (H. M. Markowitz, "The elimination
form of the inverse", 1957). Bases of linear programs are nearly triangular: there is almost no fill. What
remains is factorised as a dense matrix.
"""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Residues = NDArray[np.int64]
"""Integers in [0, prime)."""


class Triangle(NamedTuple):
    """A unit triangular matrix without its diagonal, in rows, each residue negated.

    Attributes
    ----------
    indptr : (n + 1,) int64
        Row ``i`` holds the entries ``indptr[i]:indptr[i + 1]``.
    indices : (nnz,) int64
        Columns.
    negated : (nnz,) int64
        The prime minus the residue: a substitution only adds products.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int64]
    negated: Residues


class Factors(NamedTuple):
    """The arrays of a :class:`ModularLU` that :func:`substitute` reads."""

    prime: int
    lower: Triangle
    upper: Triangle
    inverse_pivots: Residues


@dataclass(frozen=True)
class ModularLU:
    """Factors L D U of a matrix modulo a prime, rows and columns taken in the order of the pivots.

    Attributes
    ----------
    prime : int
        Below 2**31, so that the product of two residues is below 2**62.
    rows, cols : (n,) int64
        Row and column of each pivot.
    lower, upper : Triangle
        L and U without their unit diagonals.
    upper_of_transposed, lower_of_transposed : Triangle
        The transposes of L and of U: the upper and the lower factor of the transposed matrix.
    inverse_pivots : (n,) int64
        The inverse of D's diagonal.
    """

    prime: int
    rows: NDArray[np.int64]
    cols: NDArray[np.int64]
    lower: Triangle
    upper: Triangle
    lower_of_transposed: Triangle
    upper_of_transposed: Triangle
    inverse_pivots: Residues

    def transposed(self) -> "ModularLU":
        """Return the factors of the transposed matrix, U' D L'; nothing is computed."""
        return ModularLU(
            self.prime,
            self.cols,
            self.rows,
            self.lower_of_transposed,
            self.upper_of_transposed,
            self.lower,
            self.upper,
            self.inverse_pivots,
        )

    @property
    def factors(self) -> Factors:
        """The argument of :func:`substitute`."""
        return Factors(self.prime, self.lower, self.upper, self.inverse_pivots)


@njit(cache=True)
def substitute(x: Residues, factors: Factors) -> None:
    """Replace the residues ``x`` (n,), in the order of the pivots, by the solution of L D U z = x."""
    prime, lower, upper, inverse_pivots = factors
    lower_indptr, lower_indices, lower_negated = lower
    upper_indptr, upper_indices, upper_negated = upper
    n = len(x)
    square = prime * prime
    for i in range(n):
        total = x[i]
        for k in range(lower_indptr[i], lower_indptr[i + 1]):
            total += lower_negated[k] * x[lower_indices[k]] - square
            total += square & (total >> 63)
        x[i] = total % prime
    for i in range(n - 1, -1, -1):
        total = x[i] * inverse_pivots[i]
        for k in range(upper_indptr[i], upper_indptr[i + 1]):
            total += upper_negated[k] * x[upper_indices[k]] - square
            total += square & (total >> 63)
        x[i] = total % prime


@njit(cache=True, nogil=True)
def factorise_dense(a: Residues, order: NDArray[np.int64], inverses: Residues, prime: int) -> int:
    """Factorise a dense matrix (m, m) of residues in place, row by row; return its number of pivots.

    Below the diagonal ``a`` becomes L, above it U, both of unit diagonal; the diagonal is left undefined.
    Columns are swapped to find a pivot: ``order`` (m,) follows them. ``inverses`` (m,) gets the inverse of D.
    """
    m = len(a)
    square = prime * prime
    for i in range(m):
        for k in range(i):
            # Sums of products are kept in [0, prime ** 2) and reduced when used: subtract the square, and add
            # it again if the sum is negative, without a branch that would be mispredicted.
            factor = a[i, k] % prime
            a[i, k] = factor * inverses[k] % prime
            if factor != 0:
                negated = prime - factor
                for j in range(k + 1, m):
                    total = a[i, j] + negated * a[k, j] - square
                    a[i, j] = total + (square & (total >> 63))
        pivot = -1
        for j in range(i, m):
            a[i, j] %= prime
            if pivot < 0 and a[i, j] != 0:
                pivot = j
        if pivot < 0:
            return i
        if pivot != i:
            order[i], order[pivot] = order[pivot], order[i]
            for k in range(m):
                a[k, i], a[k, pivot] = a[k, pivot], a[k, i]
        inverses[i] = inverse_modulo(a[i, i], prime)
        for j in range(i + 1, m):
            a[i, j] = a[i, j] * inverses[i] % prime
    return m


@njit(cache=True)
def inverse_modulo(a: int, prime: int) -> int:
    """Return the inverse of a nonzero residue, its (prime - 2)th power (Fermat)."""
    result, exponent = 1, prime - 2
    while exponent > 0:
        if exponent & 1:
            result = result * a % prime
        a = a * a % prime
        exponent >>= 1
    return result


Triple = tuple[int, int, int]

_DENSE = 0.3
"""The density from which the remaining matrix is eliminated as a dense one."""
_LINES_SEARCHED = 4


class SingularModuloPrimeError(ArithmeticError):
    """The matrix has no inverse modulo the prime; it may have one over the rationals."""


def factorise_modulo(
    row: NDArray[np.int64], col: NDArray[np.int64], residue: Residues, n: int, prime: int
) -> ModularLU:
    """Factorise a square matrix modulo a prime.

    Parameters
    ----------
    row, col : (nnz,) int64
        Places, each named once.
    residue : (nnz,) int64
        Values in [0, prime).
    n : int
        The dimension.
    prime : int
        Below 2**31.

    Raises
    ------
    SingularModuloPrimeError
        If there are fewer than n pivots.
    """
    elimination = _Elimination(zip(row.tolist(), col.tolist(), residue.tolist(), strict=True), n, prime)
    while elimination.is_sparse():
        elimination.eliminate(*elimination.choose_pivot())
    elimination.eliminate_dense_rest()
    return elimination.factors()


class _Elimination:
    """The state of a Gaussian elimination: the active rows and columns, and the factors so far."""

    def __init__(self, entries: Iterable[Triple], n: int, prime: int) -> None:
        self.n, self.prime = n, prime
        self.active_rows: dict[int, dict[int, int]] = {i: {} for i in range(n)}
        self.active_cols: dict[int, set[int]] = {j: set() for j in range(n)}
        for i, j, value in entries:
            if value:
                self.active_rows[i][j] = value
                self.active_cols[j].add(i)
        self.nnz = sum(map(len, self.active_rows.values()))
        self.pivots: list[Triple] = []
        self.lower: list[Triple] = []
        self.upper: list[Triple] = []
        self.dense_lower = self.dense_upper = np.empty((3, 0), np.int64)
        # Lines by length, columns as (length, 0, j) and rows as (length, 1, i). A line enters again when
        # its length changes; entries whose length is out of date are skipped when met.
        self.queue = [(len(rows), 0, j) for j, rows in self.active_cols.items()]
        self.queue += [(len(cols), 1, i) for i, cols in self.active_rows.items()]
        heapq.heapify(self.queue)

    def is_sparse(self) -> bool:
        return self.nnz < _DENSE * len(self.active_rows) ** 2

    def choose_pivot(self) -> tuple[int, int]:
        """Return the cheapest pivot of the shortest lines, by (row length - 1) (column length - 1)."""
        best = (self.n * self.n, -1, -1)
        searched: list[Triple] = []
        while self.queue and len(searched) < _LINES_SEARCHED and best[0] > 0:
            length, is_row, line = heapq.heappop(self.queue)
            lines = self.active_rows if is_row else self.active_cols
            if length != len(lines.get(line, ())):
                continue
            if length == 0:
                raise SingularModuloPrimeError
            searched.append((length, is_row, line))
            best = min(best, self._cheapest(length, is_row, line))
        for entry in searched:
            heapq.heappush(self.queue, entry)
        return best[1], best[2]

    def _cheapest(self, length: int, is_row: int, line: int) -> Triple:
        if is_row:
            return min(
                ((length - 1) * (len(self.active_cols[j]) - 1), line, j) for j in self.active_rows[line]
            )
        return min(((length - 1) * (len(self.active_rows[i]) - 1), i, line) for i in self.active_cols[line])

    def eliminate(self, row: int, col: int) -> None:
        pivot_row, holders = self._take(row, col)
        for i in holders:
            target = self.active_rows[i]
            factor = target.pop(col)
            before = len(target)
            self._subtract(i, target, factor, pivot_row)
            self.nnz += len(target) - before - 1
            heapq.heappush(self.queue, (len(target), 1, i))
        for j in pivot_row:
            heapq.heappush(self.queue, (len(self.active_cols[j]), 0, j))

    def _take(self, row: int, col: int) -> tuple[dict[int, int], set[int]]:
        """Move a pivot to the factors; return its row over the pivot, and the other rows of its column."""
        entries = self.active_rows.pop(row)
        self.nnz -= len(entries)
        pivot = entries.pop(col)
        inverse = pow(pivot, -1, self.prime)
        step = len(self.pivots)
        self.pivots.append((row, col, inverse))
        pivot_row = {j: value * inverse % self.prime for j, value in entries.items()}
        holders = self.active_cols.pop(col)
        holders.remove(row)
        self.upper += [(step, j, value) for j, value in pivot_row.items()]
        self.lower += [(i, step, self.active_rows[i][col] * inverse % self.prime) for i in holders]
        for j in pivot_row:
            self.active_cols[j].remove(row)
        return pivot_row, holders

    def _subtract(self, i: int, target: dict[int, int], factor: int, pivot_row: dict[int, int]) -> None:
        for j, value in pivot_row.items():
            new = (target.get(j, 0) - factor * value) % self.prime
            if new:
                target[j] = new
                self.active_cols[j].add(i)
            elif j in target:
                del target[j]
                self.active_cols[j].remove(i)

    def eliminate_dense_rest(self) -> None:
        rows, cols, first = list(self.active_rows), list(self.active_cols), len(self.pivots)
        place = {j: k for k, j in enumerate(cols)}
        rest = np.zeros((len(rows), len(rows)), np.int64)
        for at, i in enumerate(rows):
            for j, value in self.active_rows[i].items():
                rest[at, place[j]] = value
        order = np.arange(len(rows))
        inverses = np.empty(len(rows), np.int64)
        if factorise_dense(rest, order, inverses, self.prime) < len(rows):
            raise SingularModuloPrimeError
        cols = [cols[k] for k in order]
        self.pivots += zip(rows, cols, inverses.tolist(), strict=True)
        k, m = np.nonzero(rest)
        below, above = k > m, k < m
        self.dense_lower = np.array([np.array(rows)[k], first + m, rest[k, m]])[:, below]
        self.dense_upper = np.array([first + k, np.array(cols)[m], rest[k, m]])[:, above]

    def factors(self) -> ModularLU:
        rows, cols, inverses = np.array(self.pivots, np.int64).T.copy()
        step_of_row, step_of_col = np.argsort(rows), np.argsort(cols)
        sparse_lower, sparse_upper = (
            np.array(t, np.int64).reshape(-1, 3).T for t in (self.lower, self.upper)
        )
        i, j, lower = np.concatenate((sparse_lower, self.dense_lower), axis=1)
        k, m, upper = np.concatenate((sparse_upper, self.dense_upper), axis=1)
        i, m = step_of_row[i], step_of_col[m]
        return ModularLU(
            self.prime,
            rows,
            cols,
            _triangle(i, j, lower, self.n, self.prime),
            _triangle(k, m, upper, self.n, self.prime),
            _triangle(m, k, upper, self.n, self.prime),
            _triangle(j, i, lower, self.n, self.prime),
            inverses,
        )


def _triangle(row: Residues, col: Residues, residue: Residues, n: int, prime: int) -> Triangle:
    order = np.lexsort((col, row))
    indptr = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=n))))
    return Triangle(indptr, col[order], prime - residue[order])
