"""Numbers as texts: fractions shortened, intervals rounded outward, counts, and what a run takes.

Large counts have an exponent. What a run takes is said before it begins.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import ceil
from typing import Literal, Protocol

from treeplex.games.base.reading import shortened

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


def exact_text(value: Fraction) -> str:
    """Return a fraction as ``-1/18``, however many digits it has: Python's own ``str`` stops at 4,300."""
    from flint import fmpq, fmpz

    return str(fmpq(fmpz(value.numerator), fmpz(value.denominator)))


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


def interval_texts(
    value: float | Fraction, lower: float | Fraction, upper: float | Fraction
) -> tuple[str, str, str]:
    """Return value, lower and upper, with digits enough to see two figures of the width."""
    width = float(upper - lower)
    largest = max(abs(float(number)) for number in (value, lower, upper))
    numbers: tuple[tuple[float | Fraction, Rounding], ...] = (value, "near"), (lower, "down"), (upper, "up")
    if largest and not FIXED[0] <= largest < FIXED[1]:
        figures = _figures(width, largest)
        texts = [scientific(number, figures, rounding) for number, rounding in numbers]
    else:
        decimals = decimals_of(width)
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


class Units(Protocol):
    """What payoffs are counted in; results have it."""

    @property
    def unit(self) -> str:
        """The unit of payoffs."""

    @property
    def pot(self) -> Fraction | None:
        """A spot's pot."""

    @property
    def big_blind(self) -> Fraction | None:
        """The big blind of a whole hand."""


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


def proved_text(nash_conv: float, unit: str) -> str:
    """Return how narrow a certificate is, as the status of what a solver found; rounded up, it stays proved.

    >>> proved_text(3.06e-12, "chips")
    'proved to 3.1e-12 chips'
    """
    if nash_conv == 0.0:
        return "exact"
    width = Context(prec=2, rounding=ROUND_CEILING).create_decimal(Decimal(nash_conv))
    return f"proved to {float(width):.2g} {unit}"


MEBIBYTE, GIBIBYTE = 2**20, 2**30


@dataclass(frozen=True)
class Estimate:
    """What a run takes on the machine for which it was estimated.

    Attributes
    ----------
    seconds : float
        Wall time.
    memory, disk : float
        Bytes.
    """

    seconds: float
    memory: float
    disk: float = 0.0

    def as_json(self) -> dict[str, float]:
        """Return the estimate as an object."""
        return {"seconds": self.seconds, "memory": self.memory, "disk": self.disk}

    def __str__(self) -> str:
        disk = f", {size_text(self.disk)} on disk" if self.disk else ""
        return f"about {_duration(self.seconds)}, {size_text(self.memory)} of memory{disk}"


def _duration(seconds: float) -> str:
    """Return a duration rounded up: 90 is 2 min, 5000 is 1.4 h."""
    if seconds < 60:
        return f"{ceil(seconds)} s"
    return f"{ceil(seconds / 60)} min" if seconds < 3600 else f"{ceil(seconds / 360) / 10:.1f} h"


def size_text(n_bytes: float) -> str:
    """Return a number of bytes rounded up to MiB or tenths of GiB."""
    if n_bytes < GIBIBYTE:
        return f"{ceil(n_bytes / MEBIBYTE):,} MiB"
    return f"{ceil(10 * n_bytes / GIBIBYTE) / 10:,.1f} GiB"
