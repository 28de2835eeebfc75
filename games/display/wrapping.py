"""Texts as lines of a terminal: broken between words, numbers whole."""

import re
from unicodedata import combining, east_asian_width

WORD = re.compile(r"\s*\S+?(?:(?<=,)(?=[^\s\d-])|(?<=\w\()(?=\D)|(?=\s|$))")
"""What stays on one line, with the spaces before it: 1,024 is one word, ``f(a=[1,2],b=3)`` three."""


def width_of(text: str) -> int:
    """Return how many columns of a terminal a line takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def wrapped(text: str, width: int) -> list[str]:
    """Return a text as lines of at most ``width`` columns, broken between words only.

    A word that is wider has a line for itself: a number is never cut or broken.

    >>> wrapped("off by 0.0625, at most", 10)
    ['off by', '0.0625, at', 'most']
    """
    return [line for part in text.split("\n") for line in _filled(part, width)]


def longest_word(text: str) -> int:
    """Return the least width at which no word of a text is wider."""
    return max((width_of(word.strip()) for word in WORD.findall(text)), default=0)


def _filled(text: str, width: int) -> list[str]:
    """Return the lines of a text without line breaks; spaces within a line stay as they are."""
    first, *rest = WORD.findall(text) or [""]
    lines = [first]
    for word in rest:
        if width_of(lines[-1]) + width_of(word) <= width:
            lines[-1] += word
        else:
            lines.append(word.lstrip())
    return lines
