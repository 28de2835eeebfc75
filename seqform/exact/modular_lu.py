"""Sparse LU factors of an integer matrix modulo a prime, with pivots chosen for sparsity alone.

Residues have no magnitude, so every nonzero pivot is numerically equal and pivots can be chosen to minimise
fill, by the Markowitz rule (H. M. Markowitz, "The elimination form of the inverse", 1957). Bases of linear
programs are nearly triangular: there is almost no fill.
"""

import heapq
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.exact.dense_modular_lu import factorise_dense
from treeplex.seqform.exact.modular_factors import ModularLU, Residues, Triangle

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
