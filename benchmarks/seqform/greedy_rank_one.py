"""Greedy factoring into rank-one pieces (Zhang and Sandholm, ICML 2020), to hold running differences against.

``A = base + U V'``: repeatedly a pair u, v that cancels more entries of the residual than it brings. Given
u, each v[j] is the commonest ratio of column j to u, taken if it cancels more than it spoils; then the same
for u given v, until nothing is gained. The search ends when failures outnumber successes.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.seqform.forms.payoff import ExactMatrix, Payoff

Table = NDArray[np.int64]


def rank_one_pieces(matrix: ExactMatrix, seed: int = 0) -> Payoff:
    """Factor a matrix whose numerators fit 64 bits and whose shape is small enough to be written out."""
    residual = np.zeros(matrix.shape, dtype=np.int64)
    residual[matrix.rows, matrix.cols] = matrix.num.astype(np.int64)
    rng = np.random.default_rng(seed)
    pieces: list[tuple[Table, Table]] = []
    failures = 0
    while failures <= len(pieces):
        live = np.flatnonzero(residual.any(axis=1))
        if len(live) == 0:
            break
        u = np.zeros(matrix.shape[0], dtype=np.int64)
        u[rng.choice(live)] = 1
        v = np.zeros(matrix.shape[1], dtype=np.int64)
        if _improve(residual, u, v) > 0:
            _subtract(residual, u, v)
            pieces.append((u, v))
        else:
            failures += 1
    return _payoff(matrix, residual, pieces)


def _payoff(matrix: ExactMatrix, residual: Table, pieces: list[tuple[Table, Table]]) -> Payoff:
    def factor(side: int, den: int) -> ExactMatrix:
        ks = [np.full(np.count_nonzero(piece[side]), k) for k, piece in enumerate(pieces)]
        at = [np.flatnonzero(piece[side]) for piece in pieces]
        num = [piece[side][i].astype(object) for piece, i in zip(pieces, at, strict=True)]
        none = np.zeros(0, dtype=np.int64)
        return ExactMatrix.of(
            np.concatenate([none, *at]),
            np.concatenate([none, *ks]),
            np.concatenate([none.astype(object), *num]),
            den,
            (matrix.shape[side], len(pieces)),
        )

    rows, cols = np.nonzero(residual)
    base = ExactMatrix.of(rows, cols, residual[rows, cols].astype(object), matrix.den, matrix.shape)
    return Payoff(base, factor(0, matrix.den), np.zeros(len(pieces), dtype=np.bool_), factor(1, 1))


@njit(cache=True)
def _improve(residual: Table, u: Table, v: Table) -> int:
    """Alternate between u and v in place while that gains; return how many entries the pair saves."""
    best = -(1 << 60)
    while True:
        saved = _fit(residual, u, v) - np.count_nonzero(u) - np.count_nonzero(v)
        saved = _fit(residual.T, v, u) - np.count_nonzero(u) - np.count_nonzero(v)
        if saved <= best:
            return best
        best = saved


@njit(cache=True)
def _fit(residual: Table, u: Table, v: Table) -> int:
    """Write into v the commonest ratio of each column to u where that gains; return what is gained."""
    support = np.flatnonzero(u)
    ratio = np.empty(len(support), dtype=np.int64)
    gained = 0
    for j in range(residual.shape[1]):
        n, zeros = 0, 0
        for i in support:
            a = residual[i, j]
            if a == 0:
                zeros += 1
            elif a % u[i] == 0:
                ratio[n] = a // u[i]
                n += 1
        v[j] = 0
        if n <= zeros:
            continue
        ratio[:n].sort()
        most, run = 0, 0
        for k in range(n):
            run = run + 1 if k > 0 and ratio[k] == ratio[k - 1] else 1
            if run > most:
                most, v[j] = run, ratio[k]
        if most <= zeros:
            v[j] = 0
        else:
            gained += most - zeros
    return gained


@njit(cache=True)
def _subtract(residual: Table, u: Table, v: Table) -> None:
    for i in np.flatnonzero(u):
        for j in np.flatnonzero(v):
            residual[i, j] -= u[i] * v[j]
