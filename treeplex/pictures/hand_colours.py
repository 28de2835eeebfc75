"""Colours and letters of actions and of values in hand grids, their texts and colour ranges.

Raises are oranges, fold and call blues.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from treeplex.pictures.palette import CALL, FOLD, ONLY_RAISE, RAISES, VALUES
from treeplex.seqform.forms.treeplex import Floats

Colour = tuple[int, int, int]
"""Red, green and blue from 0 to 255."""

RAISE_LETTERS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class ActionStyle:
    """Letter and colour of an action.

    Attributes
    ----------
    letter : str
        ``f`` fold, ``c`` check or call, ``r`` the only raise; several are numbered from small to large.
    colour : Colour
    """

    letter: str
    colour: Colour


def action_styles(actions: Sequence[str]) -> tuple[ActionStyle, ...]:
    """Return how each of some actions looks, given in words: all but fold, check and call are raises."""
    fixed = {
        "fold": ActionStyle("f", _rgb(FOLD)),
        "check": ActionStyle("c", _rgb(CALL)),
        "call": ActionStyle("c", _rgb(CALL)),
    }
    raises = [action for action in actions if action not in fixed]
    if len(raises) == 1:
        return tuple(fixed.get(action, ActionStyle("r", _rgb(ONLY_RAISE))) for action in actions)
    for i, action in enumerate(raises):
        letter = RAISE_LETTERS[i] if i < len(RAISE_LETTERS) else "+"
        fixed[action] = ActionStyle(letter, _on_scale(RAISES, i / (len(raises) - 1)))
    return tuple(fixed[action] for action in actions)


def value_colour(value: float, low: float, high: float) -> Colour:
    """Return the colour of a value on a scale from blue over a pale yellow to orange."""
    place = (value - low) / (high - low) if high > low else 0.5
    return _on_scale(VALUES, min(max(place, 0.0), 1.0))


def hexadecimal(colour: Colour) -> str:
    """Return a colour as ``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _on_scale(colours: Sequence[str], place: float) -> Colour:
    """Return the colour at a place from 0 to 1 between colours that stand at equal distances."""
    steps = list(pairwise(map(_rgb, colours)))
    k = min(int(place * len(steps)), len(steps) - 1)
    part = place * len(steps) - k
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(*steps[k], strict=True))
    return red, green, blue


def _rgb(colour: str) -> Colour:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


MAPS = ("strategy", "equity", "ev")
"""Maps of a node: action frequencies, equities, expected values."""
RANGES = "ranges"
"""Both players' ranges at a node, as texts."""
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
    for decimals in (3, 2, 1, 0) if abs(value) >= LEAST_FIXED else ():
        text = f"{value:.{decimals}f}"
        if len(text) <= width:
            return text
    return f"{value:.0e}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


def frequency_text(frequency: float) -> str:
    """Return a frequency in percent; that of what never comes about is unknown.

    >>> frequency_text(0.7496)
    '75.0%'
    """
    return "-" if math.isnan(frequency) else f"{100 * frequency:.1f}%"
