"""Numbers of one picture in one way: all as fractions if each is short, else all as decimals."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

LARGEST_DENOMINATOR = 999
"""Of a fraction that is written as one."""
LONGEST_FRACTION = 8
"""Characters."""
NEAR = 1e-9
"""Floats that are as near to a short fraction, relative to 1 or their size, are taken for it."""


def near_fraction(value: float) -> Fraction:
    """Return the short fraction that a float is the rounding of; the float exactly where there is none.

    >>> near_fraction(1 / 3)
    Fraction(1, 3)
    """
    short = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
    return short if abs(float(short) - value) <= NEAR * max(1.0, abs(value)) else Fraction(value)


@dataclass(frozen=True)
class NumberStyle:
    """How the numbers of a picture are written.

    Attributes
    ----------
    fractions : bool
        Whether as fractions; else as decimals of four digits.
    """

    fractions: bool

    @staticmethod
    def of(numbers: Iterable[Fraction]) -> "NumberStyle":
        """Return fractions if each of these numbers is short as one."""
        short = (n.denominator <= LARGEST_DENOMINATOR and len(str(n)) <= LONGEST_FRACTION for n in numbers)
        return NumberStyle(all(short))

    def odds(self, probability: Fraction) -> str:
        """Return a probability, as ``p = 1/6``."""
        return f"p = {self._text(probability)}"

    def payoff(self, payoff: Fraction) -> str:
        """Return a payoff, with its sign unless it is 0: ``+1``, ``−1/2``."""
        if payoff == 0:
            return "0"
        return f"{'+' if payoff > 0 else '−'}{self._text(abs(payoff))}"

    def _text(self, number: Fraction) -> str:
        return str(number) if self.fractions else f"{float(number):.4g}"
