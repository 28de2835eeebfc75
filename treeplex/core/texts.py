"""Exact values and exploitabilities as texts, and texts as lines of a terminal."""

import re
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

from rich.cells import cell_len

from treeplex.seqform.certify.certificate import Certificate

WORD = re.compile(r"\s*\S+?(?:(?<=,)(?=[^\s\d-])|(?<=\w\()(?=\D)|(?=\s|$))")
"""What stays on one line, with the spaces before it: 1,024 is one word, ``f(a=[1,2],b=3)`` three."""


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


def proved_text(certificate: Certificate, unit: str) -> str:
    """Return how narrow a certificate is, as the status of what a solver found; rounded up, it stays proved.

    >>> proved_text(Certificate(0.0, -1.06e-12, 2e-12, 0.0, 0.0), "chips")
    'proved to 3.1e-12 chips'
    """
    if certificate.lower == certificate.upper:
        return "exact"
    width = Context(prec=2, rounding=ROUND_CEILING).create_decimal(Decimal(certificate.nash_conv))
    return f"proved to {float(width):.2g} {unit}"


def wrapped(text: str, width: int) -> list[str]:
    """Return a text as lines of at most ``width`` columns, broken between words only.

    A word that is wider has a line for itself: a number is never cut or broken.

    >>> wrapped("off by 0.0625, at most", 10)
    ['off by', '0.0625, at', 'most']
    """
    return [line for part in text.split("\n") for line in _filled(part, width)]


def longest_word(text: str) -> int:
    """Return the least width at which no word of a text is wider."""
    return max((cell_len(word.strip()) for word in WORD.findall(text)), default=0)


def _filled(text: str, width: int) -> list[str]:
    """Return the lines of a text without line breaks; spaces within a line stay as they are."""
    first, *rest = WORD.findall(text) or [""]
    lines = [first]
    for word in rest:
        if cell_len(lines[-1]) + cell_len(word) <= width:
            lines[-1] += word
        else:
            lines.append(word.lstrip())
    return lines
