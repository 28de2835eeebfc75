"""Rational numbers from their residues modulo a large power of a prime."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.trees.deal import Ints

if TYPE_CHECKING:
    from flint import fmpz

SPARE_BITS = 64
"""How much shorter than its modulus a fraction must be before it is believed enough to be checked."""


def from_digits(digits: NDArray[np.integer], prime: int) -> Ints:
    """Return the numbers (n,) of fmpz whose digits (k, n), the lowest first, are given in base ``prime``.

    Neighbours are joined pair by pair, so that most of the work is in few long products. Digits may
    exceed the base.
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
    """Return the one short fraction (numerator, positive denominator) that is ``residue`` modulo ``modulus``.

    Pairs (d, r) with ``r == d * residue`` modulo the modulus are a lattice of two dimensions; a fraction
    far shorter than the square root of the modulus is its shortest vector, and reduction finds it.
    None if the shortest vector is not shorter than chance would have it.
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
        A fraction that is likely to have a similar numerator, and all of the denominator but small factors.

    Returns
    -------
    pair, or None if the digits do not suffice.
    """
    from flint import fmpz

    # Once the denominator is known, the numerators need only half of the digits.
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
