"""Colours and letters of actions (fold red, call blue, raises green) and of values."""

from collections.abc import Sequence
from dataclasses import dataclass

Colour = tuple[int, int, int]
"""Red, green and blue from 0 to 255."""

FOLD, CALL = (214, 69, 65), (74, 124, 196)
SMALLEST_RAISE, LARGEST_RAISE = (157, 209, 122), (24, 98, 44)
ONLY_RAISE = (76, 165, 80)
NOTHING = (230, 230, 230)
"""Cells without hands."""
LOW, MIDDLE, HIGH = FOLD, (250, 236, 170), ONLY_RAISE
"""Colour scale of values."""
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
        "fold": ActionStyle("f", FOLD),
        "check": ActionStyle("c", CALL),
        "call": ActionStyle("c", CALL),
    }
    raises = [action for action in actions if action not in fixed]
    if len(raises) == 1:
        return tuple(fixed.get(action, ActionStyle("r", ONLY_RAISE)) for action in actions)
    for i, action in enumerate(raises):
        letter = RAISE_LETTERS[i] if i < len(RAISE_LETTERS) else "+"
        fixed[action] = ActionStyle(letter, _between(SMALLEST_RAISE, LARGEST_RAISE, i / (len(raises) - 1)))
    return tuple(fixed[action] for action in actions)


def value_colour(value: float, low: float, high: float) -> Colour:
    """Return the colour of a value on a scale from red over yellow to green."""
    place = (value - low) / (high - low) if high > low else 0.5
    place = min(max(place, 0.0), 1.0)
    if place < 0.5:
        return _between(LOW, MIDDLE, 2 * place)
    return _between(MIDDLE, HIGH, 2 * place - 1)


def hexadecimal(colour: Colour) -> str:
    """Return a colour as ``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _between(first: Colour, second: Colour, part: float) -> Colour:
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(first, second, strict=True))
    return red, green, blue
