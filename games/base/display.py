"""Results that print themselves: lines and tables for terminals of any width, and HTML for notebooks.

Texts break between words, numbers stay whole.
"""

import os
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import Literal, Protocol, TypeAlias, cast
from unicodedata import combining, east_asian_width

from treeplex.games.base.reading import shortened, visible

WORD = re.compile(r"\s*\S+?(?:(?<=,)(?=[^\s\d-])|(?<=\w\()(?=\D)|(?=\s|$))")
"""What stays on one line, with the spaces before it: 1,024 is one word, ``f(a=[1,2],b=3)`` three."""


def width_of(text: str) -> int:
    """Return how many columns of a terminal a line takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def wrapped(text: str, width: int) -> list[str]:
    """Return a text as lines of at most ``width`` columns, broken between words only.

    A word that is wider has a line for itself: a number is never cut or broken. What terminals obey is
    written out.

    >>> wrapped("off by 0.0625, at most", 10)
    ['off by', '0.0625, at', 'most']
    """
    return [line for part in visible(text).split("\n") for line in _filled(part, width)]


def longest_word(text: str) -> int:
    """Return the least width at which no word of a text is wider."""
    return max((width_of(word.strip()) for word in WORD.findall(visible(text))), default=0)


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


BETWEEN, INDENT = 2, 2
"""Spaces between columns; before the rows of a list."""

Style: TypeAlias = Literal["", "title", "header"]
StyledLine: TypeAlias = tuple[str, Style]
"""A line of text, and what it is of a table."""


class Block(Protocol):
    """A part of what is shown of a result: a line, a table, a picture."""

    def lines(self, width: int) -> Iterator[StyledLine]:
        """Yield its lines, of at most ``width`` columns where no word is wider."""

    def html(self) -> str:
        """Return it as HTML."""


@dataclass(frozen=True)
class Line:
    """A line of text, wrapped between words where the terminal is narrower."""

    text: str

    def lines(self, width: int) -> Iterator[StyledLine]:
        """Yield as many lines as it takes."""
        for line in wrapped(self.text, width):
            yield line, ""

    def html(self) -> str:
        """Return a line in which spaces line up; nothing for an empty one."""
        style = "font-family: monospace; font-size: 0.9em; white-space: pre-wrap; text-align: left"
        return f'<div style="{style}">{escape(self.text)}</div>' if self.text else ""


@dataclass(frozen=True)
class Rows:
    """Names and texts as a list of two columns, the text below its name where it does not fit beside."""

    title: str
    rows: tuple[tuple[str, str], ...]

    def lines(self, width: int) -> Iterator[StyledLine]:
        """Yield the title and the rows."""
        for line in wrapped(self.title, width):
            yield line, "title"
        for line in _listed(self.rows, width, 2 * BETWEEN):
            yield line, ""

    def html(self) -> str:
        """Return a table of two columns without headers."""
        rows = "".join(f"<tr>{_cell('th', name)}{_cell('td', text)}</tr>" for name, text in self.rows)
        return _table(self.title, f"<tbody>{rows}</tbody>")


@dataclass(frozen=True)
class Columns:
    """A table with headers; where even wrapped texts do not fit, each row is a list of headers and cells.

    Attributes
    ----------
    title : str or None
    headers : tuple of str
    rows : tuple of tuple of str
        A cell for each header.
    left : container of str or None
        Columns of text, or all where None; the others hold numbers, stand to the right and do not wrap.
    """

    title: str | None
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: Container[str] | None

    def lines(self, width: int) -> Iterator[StyledLine]:
        """Yield side by side what fits."""
        if self.title is not None:
            for line in wrapped(self.title, width):
                yield line, "title"
        widths = self._widths(width)
        if widths is None:
            yield from self._lists(width)
            return
        for k, cells in enumerate((self.headers, *self.rows)):
            for line in self._side_by_side(cells, widths):
                yield line, "" if k else "header"

    def html(self) -> str:
        """Return a table with a head and a body."""
        head, *body = (
            "".join(
                _cell("td" if k else "th", cell, left=self._is_text(header))
                for header, cell in zip(self.headers, cells, strict=True)
            )
            for k, cells in enumerate((self.headers, *self.rows))
        )
        rows = "".join(f"<tr>{cells}</tr>" for cells in body)
        return _table(self.title, f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>")

    def _is_text(self, header: str) -> bool:
        return self.left is None or header in self.left

    def _widths(self, width: int) -> list[int] | None:
        """Return how wide the columns are, or None where they do not fit: the widest texts wrap first."""
        columns = list(zip(self.headers, *self.rows, strict=True))
        widths = [max(map(_width, column)) for column in columns]
        least = [
            max(longest_word(cell) for cell in column) if self._is_text(column[0]) else full
            for column, full in zip(columns, widths, strict=True)
        ]
        room = width - BETWEEN * (len(columns) - 1)
        if sum(least) > room:
            return None
        while sum(widths) > room:
            _, widest = max((full, k) for k, full in enumerate(widths) if full > least[k])
            widths[widest] -= 1
        return widths

    def _side_by_side(self, cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
        lines = [wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
        for k in range(max(map(len, lines))):
            parts = (
                _padded(part[k] if k < len(part) else "", width, left=self._is_text(header))
                for part, width, header in zip(lines, widths, self.headers, strict=True)
            )
            yield (BETWEEN * " ").join(parts).rstrip()

    def _lists(self, width: int) -> Iterator[StyledLine]:
        for k, cells in enumerate(self.rows):
            if k:
                yield "", ""
            for line in _listed(list(zip(self.headers, cells, strict=True)), width, BETWEEN):
                yield line, ""


def _listed(rows: Sequence[tuple[str, str]], width: int, between: int) -> Iterator[str]:
    """Yield the lines of names and texts beside each other, or one below the other where that is too wide."""
    rows = [(visible(name), text) for name, text in rows]
    names = max((width_of(name) for name, _ in rows), default=0)
    room = width - INDENT - names - between
    fits = all(longest_word(text) <= room for _, text in rows)
    for name, text in rows:
        if fits:
            first, *rest = wrapped(text, room)
            yield f"{INDENT * ' '}{_padded(name, names + between, left=True)}{first}".rstrip()
            yield from (f"{(INDENT + names + between) * ' '}{line}" for line in rest)
        else:
            yield from wrapped(name, width)
            yield from (f"{INDENT * ' '}{line}".rstrip() for line in wrapped(text, width - INDENT))


def _padded(text: str, width: int, *, left: bool) -> str:
    spaces = max(0, width - width_of(text)) * " "
    return text + spaces if left else spaces + text


def _width(text: str) -> int:
    return max(map(width_of, visible(text).split("\n")))


def _table(title: str | None, parts: str) -> str:
    """Return a table of HTML; it takes the page's colours, so that it is legible on any background."""
    style = "caption-side: top; text-align: left; color: inherit; font-style: italic"
    caption = "" if title is None else f'<caption style="{style}">{escape(title)}</caption>'
    return f"<table>{caption}{parts}</table>"


def _cell(tag: Literal["td", "th"], text: str, *, left: bool = True) -> str:
    content = "<br>".join(map(escape, text.split("\n")))
    style = "text-align: left" if left else "text-align: right; white-space: nowrap"
    return f'<{tag} style="{style}">{content}</{tag}>'


PLAIN_WIDTH = 100
"""Columns of what goes to a file, a pipe or a notebook, unless COLUMNS says otherwise."""
LONGEST = 90
"""Most characters between the parentheses of ``repr``."""
MOST_DIGITS = 5
"""Of a width that COLUMNS gives."""


class Shown(ABC):
    """Base of results: ``print`` shows the command line's table, a notebook the same in HTML."""

    @abstractmethod
    def brief(self) -> str:
        """Return what is most worth knowing in a few words, for ``repr``."""

    def blocks(self) -> tuple[Block, ...]:
        """Return the lines and tables that are shown, from top to bottom; the brief text by default."""
        return (Line(self.brief()),)

    def __getstate__(self) -> tuple[dict[str, object], tuple[str, ...]]:
        # Read-only views of dictionaries cannot be pickled or copied: their dictionaries are.
        views = tuple(name for name, value in vars(self).items() if isinstance(value, MappingProxyType))
        return {**vars(self), **{name: dict(vars(self)[name]) for name in views}}, views

    def __setstate__(self, state: tuple[dict[str, object], tuple[str, ...]]) -> None:
        given, views = state
        vars(self).update(given)
        for name in views:
            vars(self)[name] = MappingProxyType(cast(dict[str, object], given[name]))

    def __str__(self) -> str:
        width = shown_width()
        return "\n".join(line for block in self.blocks() for line, _ in block.lines(width))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({shortened(' '.join(self.brief().split()), LONGEST)})"

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x: auto">{"".join(block.html() for block in self.blocks())}</div>'


def shown_width() -> int:
    """Return the width that is printed to: that of COLUMNS, of the terminal, or 100."""
    return _asked_width(os.environ.get("COLUMNS", "")) or _terminal_width() or PLAIN_WIDTH


def _asked_width(columns: str) -> int:
    """Return the width that COLUMNS gives, 0 where it is no integer of at least 1."""
    return int(columns) if columns.isascii() and columns.isdigit() and len(columns) <= MOST_DIGITS else 0


def _terminal_width() -> int:
    """Return the width of the terminal on standard output, 0 where there is none."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (AttributeError, OSError, ValueError):
        return 0
