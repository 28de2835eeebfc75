"""Tables as bars: computed numbers beside printed ones, a panel a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from treeplex.bench.reproductions.printed_table import PAPER, Number, PrintedTable
from treeplex.files.figure_file import DrawnFigure
from treeplex.pictures.palette import CURVES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, ROW, MARGIN = 8.0, 0.17, 1.3
"""Inches of a panel: its width, of a bar, and of title, axis and legend together."""
TITLE = 55
"""Most characters of a line of a title."""
WIDE = 20.0
"""If the largest number is so many times the smallest, the axis is logarithmic."""


@dataclass(frozen=True, repr=False)
class TableBars(DrawnFigure):
    """Tables as bars.

    Attributes
    ----------
    tables : tuple of PrintedTable
        At least one.
    """

    tables: tuple[PrintedTable, ...]

    @staticmethod
    def of(tables: Sequence[PrintedTable]) -> "TableBars":
        """Return those of some tables that have printed numbers; the first one if none has."""
        found = tuple(table for table in tables if {*table.columns} & {*table.printed})
        return TableBars(found or tuple(tables[:1]))

    @property
    def alt(self) -> str:
        """The titles."""
        return "; ".join(table.title for table in self.tables)

    def figure(self) -> "Figure":
        """Draw the panels one below the other."""
        from matplotlib.figure import Figure

        heights = [MARGIN + ROW * len(table.rows) * (_bars(table) + 1) for table in self.tables]
        figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
        panels = figure.subplots(len(self.tables), squeeze=False, gridspec_kw={"height_ratios": heights})
        for axes, table in zip(panels[:, 0], self.tables, strict=True):
            _draw(axes, table)
        return figure


def _bars(table: PrintedTable) -> int:
    return len(table.columns) + sum(column in table.printed for column in table.columns)


def _draw(axes: "Axes", table: PrintedTable) -> None:
    """Draw rows from the top, in each the columns in their order, printed numbers right below ours."""
    count, place = _bars(table), np.arange(len(table.rows), dtype=float)
    numbers: list[Number] = []
    below = 0
    for k, column in enumerate(table.columns):
        series = [(column, [row.ours[k] for row in table.rows], 1.0)]
        if column in table.printed:
            at = table.printed.index(column)
            series.append((f"{column} {PAPER}", [row.printed[at] for row in table.rows], 0.45))
        for label, values, alpha in series:
            shown = np.array([np.nan if value is None else value for value in values], dtype=float)
            height = 1.0 / (count + 1)
            axes.barh(
                place + below * height,
                shown,
                height,
                label=label,
                color=CURVES[k % len(CURVES)],
                alpha=alpha,
            )
            numbers += values
            below += 1
    known = [value for value in numbers if value is not None]
    if known and min(known) > 0.0 and max(known) > WIDE * min(known):
        axes.set_xscale("log")
    axes.set_yticks(place + (count - 1) / 2 / (count + 1), [row.name for row in table.rows])
    axes.invert_yaxis()
    axes.set_title(fill(table.title, TITLE), fontsize="medium")
    axes.set_xlabel(table.unit)
    axes.grid(visible=True, axis="x", alpha=0.3)
    axes.legend(fontsize="small")
