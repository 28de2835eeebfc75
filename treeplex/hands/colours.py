"""Colours and letters of actions (fold and call blues, raises oranges) and of values (blue to orange)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from treeplex.pictures.palette import CALL, FOLD, ONLY_RAISE, RAISES, VALUES

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
