"""Texts and colour ranges of the values in a hand grid."""

import math

import numpy as np

from treeplex.seqform.forms.treeplex import Floats

MAPS = ("strategy", "equity", "ev")
"""Maps of a node: action frequencies, equities, expected values."""
BUCKETS = "buckets"
"""The map of a card abstraction, which needs no node."""
SMALLEST = 5e-7
"""Absolute values below this are shown as 0."""
LEAST_FIXED = 5e-4
"""Absolute values below this are written with an exponent."""


def scale_of(values: Floats, kind: str) -> tuple[float, float]:
    """Return the ends of a map's colours: 0 and 1 for equities, else the least and the largest value."""
    if kind == "equity" or np.isnan(values).all():
        return 0.0, 1.0
    return float(np.nanmin(values)), float(np.nanmax(values))


def value_text(value: float, kind: str, width: int) -> str:
    """Return a value in at most so many characters if that can be: equities in percent, unknown ones as "?".

    >>> value_text(0.5214, "equity", 5)
    '52.1'
    >>> value_text(-123.456, "ev", 6)
    '-123.5'
    """
    if math.isnan(value):
        return "?"
    if kind == "equity":
        return f"{100.0 * value:.1f}"
    if abs(value) < SMALLEST:
        return "0"
    fixed = (f"{value:.{decimals}f}" for decimals in (3, 2, 1, 0))
    fitting = (text for text in fixed if len(text) <= width)
    if abs(value) >= LEAST_FIXED and (text := next(fitting, None)) is not None:
        return text
    return f"{value:.0e}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


def frequency_text(frequency: float) -> str:
    """Return a frequency in percent; that of what never comes about is unknown.

    >>> frequency_text(0.7496)
    '75.0%'
    """
    return "-" if math.isnan(frequency) else f"{100 * frequency:.1f}%"
