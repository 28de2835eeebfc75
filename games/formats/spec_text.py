"""Texts of specs: their keys and values, and the example files that come with treeplex.

Values are numbers, words, texts and lists. ``example:river`` is ``examples/river.toml``.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import PurePath
from typing import Any

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import integer, spelled

TOKEN = re.compile(
    r"""\s*(?:(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+|/\d+)?)(?![\w.%/])
    | (?P<word>(?:\d+\.?\d*|\.\d+)(?:/\d+)?[%xcXC](?!\w)|\d*e(?:\d+(?:\.\d+)?(?:/\d+)?%)?(?!\w)
    | [A-Za-z_]\w*)
    | (?P<text>"[^"]*"|'[^']*') | (?P<mark>[()\[\],=]))\s*""",
    re.ASCII | re.VERBOSE,
)
"""A word may be a bet size: 33%, 2.5x, 15c, 2e or 3e150%; 3e150 is a number."""
CONSTANTS = {"true": True, "false": False, "none": None}


def parse_keys(text: str) -> dict[str, object]:
    """Parse ``(key=value,...)``."""
    reader = _Reader(text)
    reader.take("(")
    values: dict[str, object] = {}
    hint = ""
    while not reader.at(")"):
        key = reader.word(hint)
        reader.take("=", hint)
        if key in values:
            raise BadInputError(f"{key} must be given once, got it twice in {text!r}")
        hint = f"; if {key} is a list, it needs brackets, as in {key}=[0.5,1]"
        values[key] = reader.value()
        if not reader.at(")"):
            reader.take(",")
    reader.take(")")
    reader.end()
    return values


def parse_value(text: str) -> object:
    """Parse one value."""
    reader = _Reader(text)
    value = reader.value()
    reader.end()
    return value


def separated(text: str) -> tuple[str, ...]:
    """Return the specs of a list, which are separated by commas outside brackets and quotes.

    >>> separated('kuhn_poker,goofspiel(cards=3,order=random)')
    ('kuhn_poker', 'goofspiel(cards=3,order=random)')
    """
    specs, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        else:
            depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth and not quote:
            specs.append("")
        else:
            specs[-1] += letter
    return tuple(spec.strip() for spec in specs if spec.strip())


class _Reader:
    """A recursive-descent reader of the values in a spec; nothing is ever evaluated.

    A list may hold lists, as a matrix does; deeper ones are refused.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.start = 0
        self.token = self._next()

    def at(self, mark: str) -> bool:
        """Return whether this mark comes next."""
        return self.token is not None and self.token["mark"] == mark

    def take(self, mark: str, hint: str = "") -> None:
        """Skip a mark, which must come next."""
        if not self.at(mark):
            raise self._error(f"{mark!r}", hint)
        self._advance()

    def word(self, hint: str = "") -> str:
        """Read a key."""
        if self.token is None or self.token["word"] is None:
            raise self._error("a key", hint)
        word = self.token["word"]
        self._advance()
        return word

    def value(self, depth: int = 2) -> object:
        """Read a number, a constant, a word, a quoted text or a list of these."""
        if depth and self.at("["):
            return self._list(depth)
        token = self.token
        if token is None or token["mark"] is not None:
            raise self._error("a value")
        self._advance()
        if token["number"] is not None:
            return _number(token["number"])
        if token["text"] is not None:
            return token["text"][1:-1]
        return CONSTANTS.get(token["word"].lower(), token["word"])

    def end(self) -> None:
        """Raise ValueError unless the text is at its end."""
        if self.start < len(self.text):
            raise self._error("the end")

    def _list(self, depth: int) -> list[object]:
        values = []
        self.take("[")
        while not self.at("]"):
            values.append(self.value(depth - 1))
            if not self.at("]"):
                self.take(",")
        self.take("]")
        return values

    def _next(self) -> re.Match[str] | None:
        return TOKEN.match(self.text, self.start)

    def _advance(self) -> None:
        assert self.token is not None
        self.start = self.token.end()
        self.token = self._next()

    def _error(self, expected: str, hint: str = "") -> ValueError:
        rest = self.text[self.start :] or "the end"
        return BadInputError(f"expected {expected} at {rest!r} in {self.text!r}{hint}")


def _number(text: str) -> int | Fraction:
    if "/" in text:
        top, bottom = text.split("/")
        divisor = integer(bottom)
        if divisor == 0:
            raise BadInputError(f"a fraction must not divide by zero, got {text}")
        number = Fraction(_number(top)) / divisor
    elif re.fullmatch(r"[-+]?\d+", text):
        return integer(text)
    else:
        number = spelled(text)
    return int(number) if number.denominator == 1 else number


EXAMPLE = "example:"
"""The prefix of the specs of examples."""
SUFFIXES = (".toml", ".game", ".efg")
"""Of files that are games; there is code beside them."""


def example_names() -> tuple[str, ...]:
    """Return the names of all examples, in alphabetical order."""
    return tuple(sorted(_entries()))


def _entries() -> dict[str, Traversable]:
    entries = files("treeplex").joinpath("examples").iterdir()
    return {PurePath(entry.name).stem: entry for entry in entries if entry.name.endswith(SUFFIXES)}


def read_example(name: str, readers: Mapping[str, Callable[[str], Any]]) -> Game[Any]:
    """Return the game of an example file, named by its spec.

    Parameters
    ----------
    name : str
        A file's name without its suffix.
    readers : mapping
        The reader of each suffix.

    Raises
    ------
    ValueError
        If there is no such example.
    """
    entry = _entries().get(name)
    if entry is None:
        raise BadInputError(f"an example must be one of {', '.join(example_names())}, got {name!r}")
    with as_file(entry) as file:
        game: Game[Any] = replace(readers[file.suffix](str(file)), name=EXAMPLE + name)
    return game
