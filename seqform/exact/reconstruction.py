"""Rational numbers from their residues modulo a large power of a prime."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.trees.deal import Ints

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
