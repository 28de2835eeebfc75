"""LU factors of a dense matrix modulo a prime."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.seqform.exact.modular_factors import Residues


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
