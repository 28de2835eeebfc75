"""A hand grid as terminal text: letters in proportion to frequencies, colours where there are any."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from rich.console import Console, ConsoleOptions
from rich.style import Style
from rich.text import Text

from treeplex.games.base.display import wrapped
from treeplex.pictures.hand_colours import (
    Colour,
    action_styles,
    hexadecimal,
    scale_of,
    value_colour,
    value_text,
)
from treeplex.pictures.hand_grid import NOT_THERE, WHOLE, HandGrid
from treeplex.pictures.palette import INK
from treeplex.seqform.forms.treeplex import Floats

NARROWEST, WIDEST = 5, 8
"""Columns of a cell."""
FIGURES = 6
"""Most characters of a value, the same in every terminal, if that can be."""
PARTS = "▁▂▃▄▅▆▇"
"""Bars for the share of a class that reaches the node, where it is below 1."""
REACH = "▁ to ▇: the part of the class that comes here (reach); -: none of it"
GONE = f"·: {NOT_THERE}"


class Cells(Protocol):
    """Cells of two lines each."""

    def narrowest(self) -> int:
        """Return how wide cells must be for labels and values to stay whole."""

    def head(self, row: int, column: int, width: int) -> Text:
        """Return the first line of a cell."""

    def body(self, row: int, column: int, width: int) -> Text:
        """Return the second line of a cell."""


@dataclass(frozen=True)
class GridText:
    """A grid as rich prints it, with its title above and its legend below.

    A cell has two lines: the class with a bar for how much of it is here, and the frequencies of its actions
    as letters in proportion, or its value. Where nothing of the range is left there is a dot, where nothing
    is here a dash.

    Attributes
    ----------
    grid : HandGrid
    map : str
        One of ``MAPS``.
    title : tuple of str
        Lines above.
    legend : tuple of str
        An entry an action; one for all in a map of values.
    """

    grid: HandGrid
    map: str
    title: tuple[str, ...]
    legend: tuple[str, ...]

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Print as many columns side by side as the console is wide."""
        yield from text_lines((*self.title, ""), options.max_width)
        yield from cell_lines(self, (len(self.grid.labels), len(self.grid.labels[0])), options.max_width)
        yield Text()
        notes = ((REACH, self.grid.is_partial), (GONE, self.grid.has_gone))
        yield from text_lines([text for text, holds in notes if holds], options.max_width)
        yield from self._legend(options.max_width)

    def _legend(self, width: int) -> Iterator[Text]:
        """Yield the entries, as many side by side as fit; none is broken."""
        if self.grid.values is not None:
            yield from text_lines(self.legend, width)
            return
        entries = [
            Text.assemble((style.letter, on_colour(style.colour)), f" {entry}")
            for style, entry in zip(action_styles(self.grid.actions), self.legend, strict=True)
        ]
        line = entries[0]
        for entry in entries[1:]:
            longer = Text("   ").join((line, entry))
            if longer.cell_len > width:
                yield whole_line(line)
                line = entry
            else:
                line = longer
        yield whole_line(line)

    def narrowest(self) -> int:
        """Return how wide cells must be for labels and values to stay whole."""
        labels = 1 + max(len(label) for row in self.grid.labels for label in row)
        values = () if self.grid.values is None else self.grid.values.flat
        return max(NARROWEST, labels, *(len(value_text(float(value), self.map, FIGURES)) for value in values))

    def head(self, row: int, column: int, width: int) -> Text:
        """Return the class, with a bar for how much of it is here."""
        label, share = self.grid.labels[row][column], self.grid.shares[row, column]
        if math.isnan(share):
            return Text("·".ljust(width), Style(dim=True))
        partly = self.grid.is_here(row, column) and share < WHOLE
        part = PARTS[min(int(share * len(PARTS)), len(PARTS) - 1)] if partly else " "
        return Text(f"{label.ljust(width - 1)}{part}")

    def body(self, row: int, column: int, width: int) -> Text:
        """Return letters in proportion to frequencies, or the value."""
        if not self.grid.is_here(row, column):
            empty = math.isnan(self.grid.shares[row, column])
            return Text((" " if empty else "-").ljust(width), Style(dim=True))
        if self.grid.values is None:
            return _bar(self.grid.actions, self.grid.frequencies[row, column], width)
        value = float(self.grid.values[row, column])
        text = value_text(value, self.map, FIGURES).ljust(width)
        if math.isnan(value):
            return Text(text)
        return Text(text, on_colour(value_colour(value, *scale_of(self.grid.values, self.map))))


def cell_lines(cells: Cells, shape: tuple[int, int], width: int) -> Iterator[Text]:
    """Yield the lines of a grid, as many columns side by side as fit, the others below."""
    n_rows, n_columns = shape
    cell = max(min((width + 1) // n_columns - 1, WIDEST), cells.narrowest())
    abreast = min(max((width + 1) // (cell + 1), 1), n_columns)
    for start in range(0, n_columns, abreast):
        columns = range(start, min(start + abreast, n_columns))
        for row in range(n_rows):
            for part in (cells.head, cells.body):
                yield whole_line(Text(" ").join([part(row, column, cell) for column in columns]))


def text_lines(texts: Sequence[str], width: int) -> Iterator[Text]:
    """Yield texts, wrapped between words."""
    for text in texts:
        yield from (whole_line(Text(line)) for line in wrapped(text, width))


def whole_line(text: Text) -> Text:
    """Return a text set to be printed on one line, however long."""
    text.no_wrap, text.overflow = True, "ignore"
    return text


def _bar(actions: tuple[str, ...], frequencies: Floats, width: int) -> Text:
    """Return the letters of actions, as many of each as its frequency rounds to."""
    bar = Text()
    for style, n in zip(action_styles(actions), letters_each(frequencies, width), strict=True):
        bar.append(style.letter * n, on_colour(style.colour))
    return bar


def letters_each(frequencies: Floats, width: int) -> list[int]:
    """Return whole numbers in proportion to frequencies that sum to ``width``: largest remainders."""
    exact = frequencies / frequencies.sum() * width
    whole = np.floor(exact).astype(int)
    spare = width - int(whole.sum())
    whole[np.argsort(whole - exact, kind="stable")[:spare]] += 1
    return [int(n) for n in whole]


def on_colour(colour: Colour) -> Style:
    """Return dark text on a colour; all grounds of the palette are light."""
    return Style(color=INK, bgcolor=hexadecimal(colour))
