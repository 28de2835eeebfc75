"""Exact values and exploitabilities as texts."""

from fractions import Fraction


def exact_text(value: Fraction) -> str:
    """Return a fraction as ``-1/18``, however many digits it has: Python's own ``str`` stops at 4,300."""
    from flint import fmpq, fmpz

    return str(fmpq(fmpz(value.numerator), fmpz(value.denominator)))


def exploitability_text(nash_conv: float, pot: Fraction | None, big_blind: Fraction | None, unit: str) -> str:
    """Return half of NashConv in the unit that players use.

    >>> exploitability_text(0.02, Fraction(10), None, "chips")
    '0.1% of the pot'
    """
    half = nash_conv / 2
    if pot:
        return f"{100 * half / float(pot):.3g}% of the pot"
    if big_blind:
        return f"{1000 * half / float(big_blind):.3g} mbb/hand"
    return f"{half:.2g} {unit}"
