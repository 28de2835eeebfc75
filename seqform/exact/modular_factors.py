"""Triangular factors of a matrix modulo a prime, and substitution with them."""

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
