"""Numbers as texts: fractions shortened, intervals rounded outward, large counts with an exponent."""

import math
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Literal

from treeplex.core.texts import exact_text
from treeplex.games.inputs.reading import shortened
from treeplex.seqform.certify.certificate import Certificate

LONGEST = 60
"""Most characters of an exact value in a table of one result; longer ones are cut in the middle."""
MOST_DECIMALS = 12
"""Decimals, or figures beside an exponent, of a value that is known exactly, and the most of any."""
LONGEST_COUNT, FIGURES = 19, 6
"""Most characters of a count in a table, commas included; significant figures of longer ones."""
FIXED = 1e-10, 1e15
"""Magnitudes between which numbers are printed without an exponent."""

Rounding = Literal["down", "near", "up"]
ROUNDINGS: Mapping[Rounding, Callable[[Fraction], int]] = {"down": math.floor, "near": round, "up": math.ceil}
DECIMAL_ROUNDINGS: Mapping[Rounding, str] = {
    "down": ROUND_FLOOR,
    "near": ROUND_HALF_EVEN,
    "up": ROUND_CEILING,
}


def fraction_text(value: Fraction, longest: int) -> str:
    """Return a fraction, numerator and denominator each cut in the middle where both are too long."""
    text = exact_text(value)
    if len(text) <= longest:
        return text
    return "/".join(shortened(part, (longest - 1) // 2) for part in text.split("/"))


def fixed(value: float | Fraction, decimals: int, rounding: Rounding) -> str:
    """Return a number with so many decimals, at least one; rounded outward, an interval stays proved.

    >>> fixed(Fraction(-1, 18), 3, "down")
    '-0.056'
    """
    scaled = Fraction(value) * 10**decimals
    n = ROUNDINGS[rounding](scaled)
    whole, part = divmod(abs(n), 10**decimals)
    return f"{'-' if n < 0 else ''}{whole}.{part:0{decimals}}"


def scientific(value: float | Fraction, figures: int, rounding: Rounding) -> str:
    """Return a number with so many figures and an exponent.

    >>> scientific(Fraction(1, 3), 2, "up")
    '3.4e-1'
    """
    number = Fraction(value)
    if number == 0:
        return "0"
    context = Context(prec=figures, rounding=DECIMAL_ROUNDINGS[rounding])
    return f"{context.divide(Decimal(number.numerator), Decimal(number.denominator)):.{figures - 1}e}"


def interval_texts(certificate: Certificate) -> tuple[str, str, str]:
    """Return value, lower and upper, with digits enough to see two figures of the width."""
    value, lower, upper = certificate.value, certificate.lower, certificate.upper
    largest = max(abs(float(number)) for number in (value, lower, upper))
    numbers: tuple[tuple[float | Fraction, Rounding], ...] = (value, "near"), (lower, "down"), (upper, "up")
    if largest and not FIXED[0] <= largest < FIXED[1]:
        figures = _figures(certificate.nash_conv, largest)
        texts = [scientific(number, figures, rounding) for number, rounding in numbers]
    else:
        decimals = decimals_of(certificate.nash_conv)
        texts = [fixed(number, decimals, rounding) for number, rounding in numbers]
    return texts[0], texts[1], texts[2]


def _figures(width: float, largest: float) -> int:
    if width <= 0:
        return MOST_DECIMALS
    return min(MOST_DECIMALS, max(3, 3 + math.ceil(math.log10(largest) - math.log10(width))))


def decimals_of(width: float) -> int:
    """Return the decimals that show two figures of an interval's width."""
    if width <= 0:
        return MOST_DECIMALS
    return min(MOST_DECIMALS, max(2, 2 - math.floor(math.log10(width))))


def six_decimals(value: float) -> str:
    """Return a number with six decimals, so that columns line up; rounding is not shown as a minus zero."""
    return f"{value + 0.0 if abs(value) >= 5e-7 else 0.0:.6f}"


def count_text(number: int, longest: int = LONGEST_COUNT) -> str:
    """Return a number with commas, or rounded with an exponent where that would be too long.

    >>> count_text(13803249787132), count_text(10**60)
    ('13,803,249,787,132', '1.00000e+60')
    """
    # Most numbers that are too long are far too long to be written out first.
    if number < 10**longest and len(text := f"{number:,}") <= longest:
        return text
    return scientific(Fraction(number), FIGURES, "near")
