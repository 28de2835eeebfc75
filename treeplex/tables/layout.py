"""Tables for terminals of any width: texts wrap between words, numbers stay whole."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.text import Text

from treeplex.core.texts import longest_word, wrapped

BETWEEN, INDENT = 2, 2
"""Spaces between columns; before the rows of a list."""
HEADER, TITLE = "table.header", "table.title"
"""Styles that rich gives to tables."""


@dataclass(frozen=True)
class Line:
    """A line of text, wrapped between words where the terminal is narrower."""

    text: str
    style: str = ""

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Print as many lines as it takes."""
        for line in wrapped(self.text, options.max_width):
            yield whole(Text(line, self.style))


@dataclass(frozen=True)
class Rows:
    """Names and texts as a list of two columns, the text below its name where it does not fit beside."""

    title: str
    rows: tuple[tuple[str, str], ...]

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[Line | Text]:
        """Print the title and a row each."""
        yield Line(self.title, TITLE)
        for line in _listed(self.rows, options.max_width, 2 * BETWEEN):
            yield whole(Text(line))


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

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[Line | Text]:
        """Print side by side what fits."""
        if self.title is not None:
            yield Line(self.title, TITLE)
        widths = self._widths(options.max_width)
        if widths is None:
            yield from self._lists(options.max_width)
            return
        for k, cells in enumerate((self.headers, *self.rows)):
            for line in self._side_by_side(cells, widths):
                yield whole(Text(line, "" if k else HEADER))

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

    def _lists(self, width: int) -> Iterator[Text]:
        for k, cells in enumerate(self.rows):
            if k:
                yield Text()
            for line in _listed(list(zip(self.headers, cells, strict=True)), width, BETWEEN):
                yield whole(Text(line))


def whole(text: Text) -> Text:
    """Return a text set to be printed on one line, however long."""
    text.no_wrap, text.overflow = True, "ignore"
    return text


def _listed(rows: Sequence[tuple[str, str]], width: int, between: int) -> Iterator[str]:
    """Yield the lines of names and texts beside each other, or one below the other where that is too wide."""
    names = max((cell_len(name) for name, _ in rows), default=0)
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
    spaces = max(0, width - cell_len(text)) * " "
    return text + spaces if left else spaces + text


def _width(text: str) -> int:
    return max(map(cell_len, text.split("\n")))
