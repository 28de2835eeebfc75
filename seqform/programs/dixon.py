"""Exact solutions of sparse integer systems by p-adic lifting, and the proof that they are exact.

J. D. Dixon, "Exact solution of linear equations using P-adic expansions", Numerische Mathematik 40 (1982):
with B factorised modulo a prime p, the solution's p-adic digits follow one by one from triangular solves
modulo p and residuals of bounded size. Enough digits determine the rational solution, reconstructed from
its residues modulo a large power of p. Increasing numbers of digits are tried; the solution returned is
checked in integers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.programs.modular_lu import (
    Factors,
    ModularLU,
    Residues,
    SingularModuloPrimeError,
    factorise_modulo,
    substitute,
)
from treeplex.seqform.trees.tree_arrays import Ints

if TYPE_CHECKING:
    from flint import fmpz


SPARE_BITS = 64
"""The number of bits by which a fraction must be shorter than its modulus to be checked."""


def from_digits(digits: NDArray[np.integer], prime: int) -> Ints:
    """Return the integers (n,) of fmpz with digits (k, n), the lowest first, in base ``prime``.

    Divide and conquer: most of the work is in few long products. Digits may exceed the base.
    """
    from flint import fmpz

    base = fmpz(prime)
    parts: Ints = np.frompyfunc(fmpz, 1, 1)(digits.astype(object))
    while len(parts) > 1:
        joined = parts[0 : len(parts) - 1 : 2] + base * parts[1::2]
        parts = np.concatenate((joined, parts[-1:])) if len(parts) % 2 else joined
        base *= base
    first: Ints = parts[0]
    return first


def reconstruct(residue: "fmpz", modulus: "fmpz") -> "tuple[fmpz, fmpz] | None":
    """Return the short fraction (numerator, positive denominator) congruent to ``residue``, None if none is.

    Pairs (d, r) with ``r == d * residue`` modulo ``modulus`` are a lattice of dimension two; a fraction far
    shorter than the square root of the modulus is its shortest vector, found by lattice reduction. None if
    the shortest vector is not ``SPARE_BITS`` shorter than that of a random lattice.
    """
    from flint import fmpz_mat

    den, num = fmpz_mat([[1, residue], [0, modulus]]).lll().entries()[:2]
    if (abs(num) + 1) * (abs(den) + 1) << SPARE_BITS >= modulus:
        return None
    return (num, den) if den > 0 else (-num, -den)


def common_denominator(
    digits: NDArray[np.integer], prime: int, num: "fmpz", den: "fmpz"
) -> "tuple[Ints, fmpz] | None":
    """Return numerators (n,) of fmpz and a common denominator of numbers given by their digits (k, n).

    Parameters
    ----------
    digits : (k, n) integers
        In base ``prime``, the lowest first, as of p-adic numbers cut off.
    num, den : fmpz
        A fraction with a numerator of similar size, and the common denominator up to small factors.

    Returns
    -------
    pair, or None if the digits do not suffice.
    """
    from flint import fmpz

    # With the denominator known, the numerators need only half of the digits.
    n_digits = min(len(digits), (abs(num).bit_length() + 2 * SPARE_BITS) // (prime.bit_length() - 1) + 1)
    short = from_digits(digits[:n_digits], prime)
    modulus = fmpz(prime) ** n_digits
    while True:
        residues = short * den % modulus
        nums = np.where(residues * 2 > modulus, residues - modulus, residues)
        worst = int(np.argmax(abs(nums)))
        if abs(nums[worst]) << SPARE_BITS < modulus:
            return nums, den
        fraction = reconstruct(from_digits(digits[:, [worst]], prime)[0], fmpz(prime) ** len(digits))
        if fraction is None:
            return None
        if den % fraction[1] != 0:
            den = den * fraction[1] // den.gcd(fraction[1])
        elif n_digits < len(digits):
            n_digits = len(digits)
            short, modulus = from_digits(digits, prime), fmpz(prime) ** n_digits
        else:
            return None


Coo = tuple[ArrayLike, ArrayLike, ArrayLike]
"""Rows, columns and integer values of a sparse matrix, in any order; values at one place are summed."""
Solution = tuple[list[int], int]
"""Numerators and their positive common denominator."""

PRIMES = (2147483647, 2147483629, 2147483587)
"""The largest primes below 2**31, in the order in which they are tried."""

_FITS = 2**62
_FIRST_DIGITS, _GROWTH = 8, 1.25


@dataclass(frozen=True)
class Factorization:
    """A square integer matrix with its factors modulo a prime: solves for any right-hand side.

    Attributes
    ----------
    matrix : (n, n) ExactMatrix
        Over denominator one.
    lu : ModularLU
    """

    matrix: ExactMatrix
    lu: ModularLU

    def solve(self, rhs: Sequence[int]) -> Solution:
        """Return the solution x of B x = rhs, exactly.

        Parameters
        ----------
        rhs : (n,) sequence of int

        Returns
        -------
        numerators : list of int
        denominator : int
            Positive; x is numerators / denominator.

        Raises
        ------
        ValueError
            If ``rhs`` has not n entries, or one that is no integer.
        """
        n = self.matrix.shape[0]
        b = _integers(rhs, "the right-hand side")
        if b.shape != (n,):
            raise BadInputError(f"the right-hand side must have {n} entries, got shape {b.shape}")
        system = self.matrix.select(self.lu.rows, self.lu.cols)
        num, den = _lift_until_exact(system, self.lu, b[self.lu.rows])
        x = np.empty(n, dtype=object)
        x[self.lu.cols] = num
        return [int(v) for v in x], int(den)

    def solve_transposed(self, rhs: Sequence[int]) -> Solution:
        """Return the solution x of B' x = rhs, exactly; parameters, returns and errors as ``solve``."""
        return Factorization(self.matrix.transpose(), self.lu.transposed()).solve(rhs)


def factorise(matrix: Coo, n: int) -> Factorization:
    """Factorise a square integer matrix, so that systems with it and with its transpose are solved exactly.

    Parameters
    ----------
    matrix : triple (rows, cols, values)
        Integer sequences of one length; values may be Python ints of any size.
    n : int
        The dimension, at least 1.

    Raises
    ------
    ValueError
        If the triple is malformed, or the matrix is singular: over the rationals, or, which has a chance
        of about 1e-28 for a matrix not made for it, modulo each of ``PRIMES``.
    """
    exact = _exact_matrix(matrix, n)
    for prime in PRIMES:
        try:
            residue = (exact.num % prime).astype(np.int64)
            return Factorization(exact, factorise_modulo(exact.rows, exact.cols, residue, n, prime))
        except SingularModuloPrimeError:
            continue
    raise BadInputError(f"a matrix must be regular to be factorised, got a singular one of dimension {n}")


def _exact_matrix(matrix: Coo, n: int) -> ExactMatrix:
    if n < 1:
        raise BadInputError(f"a matrix's dimension must be at least 1, got {n}")
    rows, cols, values = (_integers(a, "the matrix") for a in matrix)
    if not rows.shape == cols.shape == values.shape == (rows.size,):
        raise BadInputError(
            f"rows, columns and values must have one length, got {rows.shape}, {cols.shape}, {values.shape}"
        )
    for name, line in (("row", rows), ("column", cols)):
        if line.size and not 0 <= line.min() <= line.max() < n:
            raise BadInputError(f"{name} indices must be in 0..{n - 1}, got {line.min()}..{line.max()}")
    # Summed as Python ints, which cannot overflow.
    return ExactMatrix.of(rows.astype(np.int64), cols.astype(np.int64), values.astype(object), 1, (n, n))


def _integers(values: ArrayLike, what: str) -> Ints:
    """Return an array of int64, or of Python ints; numpy's own choice for a list may be floats."""
    array = values if isinstance(values, np.ndarray) else np.array(values, dtype=object)
    if array.dtype.kind == "i":
        return array.astype(np.int64)
    strange = [v for v in array.flat if not isinstance(v, int | np.integer)]
    if strange:
        raise BadInputError(f"{what} must hold integers only, got {strange[0]!r}")
    # Numpy's integers would overflow as entries of object arrays.
    return np.array([int(v) for v in array.flat], dtype=object).reshape(array.shape)


def _lift_until_exact(system: ExactMatrix, lu: ModularLU, rhs: Ints) -> "tuple[Ints, fmpz]":
    """Return numerators (n,) of fmpz and denominator, rows and columns in the order of the pivots."""
    from flint import fmpz

    n = system.shape[0]
    # A random combination of the unknowns tests at each length whether the digits suffice: its denominator
    # is the common denominator except for small factors that may cancel. Its digits fit int64.
    bits = 31 - n.bit_length()
    weights = np.random.default_rng(n).integers(1, 2**bits, n)
    digits, combined = np.empty((0, n), np.int32), np.empty(0, np.int64)
    for more in _lift(system, lu, rhs, _digit_bound(system, rhs, n << bits, lu.prime)):
        digits, combined = np.concatenate((digits, more)), np.concatenate((combined, more @ weights))
        modulus = fmpz(lu.prime) ** len(digits)
        fraction = reconstruct(from_digits(combined[:, np.newaxis], lu.prime)[0] % modulus, modulus)
        if fraction is not None:
            solution = common_denominator(digits, lu.prime, *fraction)
            if solution is not None and _is_solution(system, rhs, *solution):
                return solution
    raise AssertionError("a regular system's solution is found within Hadamard's bound")


def _is_solution(system: ExactMatrix, rhs: Ints, num: Ints, den: "fmpz") -> bool:
    return bool(np.all(system.dot(num) == rhs.astype(object) * den))


def _digit_bound(system: ExactMatrix, rhs: Ints, weight: int, prime: int) -> int:
    """Return a sufficient number of digits, by Hadamard's bound on Cramer's determinants."""
    squares = rhs.astype(object) ** 2
    np.add.at(squares, system.rows, system.num.astype(object) ** 2)
    determinants = sum(log2(s) for s in squares) / 2 + log2(weight)
    return int((2 * determinants + SPARE_BITS + 8) / log2(prime)) + 2


def _lift(system: ExactMatrix, lu: ModularLU, rhs: Ints, bound: int) -> Iterator[NDArray[np.int32]]:
    """Yield the digits (k, n) of the solution modulo the prime, the lowest first, in growing batches."""
    n = system.shape[0]
    sizes = ExactMatrix(system.rows, system.cols, abs(system.num.astype(object)), 1, system.shape)
    reach = int(max(sizes.dot(np.full(n, lu.prime, dtype=object))))
    indptr = np.searchsorted(system.rows, np.arange(n + 1))
    residual, done = rhs.astype(object), 0
    while done < bound:
        digits = np.empty((min(max(_FIRST_DIGITS, int(done * (_GROWTH - 1))), bound - done), n), np.int32)
        slow = 0
        # A large right-hand side shrinks by the prime at each digit until the residuals fit int64, unless
        # the matrix itself does not.
        while slow < len(digits) and reach + int(max(abs(residual))) >= _FITS:
            digits[slow], residual = _lift_digit(system, lu, residual)
            slow += 1
        if slow < len(digits):
            fast, values = residual.astype(np.int64), system.num.astype(np.int64)
            _lift_digits(digits[slow:], fast, indptr, system.cols, values, lu.factors)
            residual = fast.astype(object)
        yield digits
        done += len(digits)


def _lift_digit(system: ExactMatrix, lu: ModularLU, residual: Ints) -> tuple[Residues, Ints]:
    """Return the next digit (n,) and residual (n,), in Python ints."""
    digit = (residual % lu.prime).astype(np.int64)
    substitute(digit, lu.factors)
    return digit, (residual - system.dot(digit.astype(object))) // lu.prime


@njit(cache=True, nogil=True)
def _lift_digits(
    digits: NDArray[np.int32],
    residual: NDArray[np.int64],
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    values: NDArray[np.int64],
    factors: Factors,
) -> None:
    """Compute ``digits`` (k, n) one by one; ``residual`` (n,) is updated in place."""
    n = len(residual)
    x = np.empty(n, np.int64)
    for k in range(len(digits)):
        for i in range(n):
            x[i] = residual[i] % factors.prime
        substitute(x, factors)
        for i in range(n):
            digits[k, i] = x[i]
            total = residual[i]
            for e in range(indptr[i], indptr[i + 1]):
                total -= values[e] * x[indices[e]]
            residual[i] = total // factors.prime
