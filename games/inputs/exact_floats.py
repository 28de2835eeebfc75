"""Recovery of rational numbers from rounded floats or decimals."""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite

LARGEST_DENOMINATOR = 10**6
ROUNDING = Fraction(1, 2**48)
"""How far a float may be, relatively, from the fraction it stands for: about thirty roundings."""
WRITTEN = Fraction(1, 10**15)
"""How far a decimal may be from the fraction it stands for; OpenSpiel writes sixteen places."""


def exact_payoff(value: float) -> Fraction:
    """Return the fraction that a float stands for.

    It is the nearest with a denominator of a million at most, if the float is within 2^-48 of it,
    relatively; else the float's own dyadic value.

    Raises
    ------
    ValueError
        If it is not finite.
    """
    if not isfinite(value):
        raise ValueError(f"a payoff must be finite, got {value}")
    dyadic = Fraction(value)
    return _near(dyadic, abs(dyadic) * ROUNDING)


def exact_chance(probabilities: Sequence[float]) -> tuple[Fraction, ...]:
    """Return exact probabilities for floats; they sum to exactly one.

    Each is what :func:`exact_payoff` makes of its float, if these sum to exactly one. Else each is its
    float's dyadic value, divided by the sum of all.

    Raises
    ------
    ValueError
        If one is not positive and finite, or their sum is further than 1e-6 from one.
    """
    if not probabilities or not all(isfinite(p) and p > 0 for p in probabilities):
        raise ValueError(f"probabilities must be positive, got {list(probabilities)}")
    near = tuple(map(exact_payoff, probabilities))
    if sum(near) == 1:
        return near
    dyadic = tuple(map(Fraction, probabilities))
    total = sum(dyadic, Fraction(0))
    if abs(total - 1) > Fraction(1, 10**6):
        raise ValueError(f"probabilities must sum to 1, got {float(total)}")
    return tuple(p / total for p in dyadic)


def exact_decimals(probabilities: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the fractions that rounded decimals, whose sum is only nearly one, stand for.

    Each is the nearest fraction with a denominator of at most a million if that is within 1e-15, else the
    decimal itself. Their sum is not checked.
    """
    return tuple(_near(p, WRITTEN) for p in probabilities)


def _near(value: Fraction, within: Fraction) -> Fraction:
    """Return the nearest fraction with a small denominator if it is near, and not 0; else the value."""
    near = value.limit_denominator(LARGEST_DENOMINATOR)
    return near if near and abs(near - value) <= within else value
