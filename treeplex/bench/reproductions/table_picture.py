"""Tables as pictures: computed numbers beside printed ones as bars, or curves along columns that count."""

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
    from matplotlib.gridspec import SubplotSpec

WIDTH, ROW, MARGIN = 8.0, 0.17, 1.3
"""Inches of a panel: its width, of a bar, and of title, axis and legend together."""
TITLE = 55
"""Most characters of a line of a title."""
WIDE = 20.0
"""If the largest number is so many times the smallest, their axis is logarithmic."""
CURVE_HEIGHT = 4.5
"""Inches of curves."""


@dataclass(frozen=True, repr=False)
class TablePicture(DrawnFigure):
    """Tables one below the other: as bars, or as curves where columns are whole numbers.

    Attributes
    ----------
    tables : tuple of PrintedTable
        At least one.
    """

    tables: tuple[PrintedTable, ...]

    @staticmethod
    def of(tables: Sequence[PrintedTable]) -> "TablePicture":
        """Return that of tables with curves or printed numbers; of the first one if none has any."""
        found = tuple(table for table in tables if {*table.columns} & {*table.printed} or counts_of(table))
        return TablePicture(found or tuple(tables[:1]))

    @property
    def alt(self) -> str:
        """The titles."""
        return "; ".join(table.title for table in self.tables)

    def figure(self) -> "Figure":
        """Draw the tables one below the other."""
        from matplotlib.figure import Figure

        heights = [_height(table) for table in self.tables]
        figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
        grid = figure.add_gridspec(len(self.tables), 1, height_ratios=heights)
        for k, table in enumerate(self.tables):
            if counts_of(table):
                _draw_curves(figure, grid[k, 0], table)
            else:
                _draw(figure.add_subplot(grid[k, 0]), table)
        return figure


def counts_of(table: PrintedTable) -> tuple[int, ...]:
    """Return the whole numbers that are columns of a table, in increasing order; often none."""
    return tuple(sorted(int(column) for column in table.columns if column.isdecimal()))


def _height(table: PrintedTable) -> float:
    if not counts_of(table):
        return MARGIN + ROW * len(table.rows) * (_bars(table) + 1)
    has_bars = any(not column.isdecimal() for column in table.columns)
    return CURVE_HEIGHT + has_bars * (MARGIN + ROW * len(table.rows))


def _draw_curves(figure: "Figure", where: "SubplotSpec", table: PrintedTable) -> None:
    """Draw a curve a row, from light to dark, and below it each other column as bars of its own."""
    from matplotlib import colormaps

    counts = counts_of(table)
    others = [column for column in table.columns if not column.isdecimal()]
    heights = [CURVE_HEIGHT, _height(table) - CURVE_HEIGHT] if others else [CURVE_HEIGHT]
    parts = where.subgridspec(len(heights), max(len(others), 1), height_ratios=heights)
    axes = figure.add_subplot(parts[0, :])
    numbers: list[float] = []
    for k, row in enumerate(table.rows):
        found = dict(zip(table.columns, row.ours, strict=True))
        known = [(count, value) for count in counts if (value := found[str(count)]) is not None]
        shade = colormaps["viridis_r"](0.1 + 0.9 * k / len(table.rows))
        axes.plot([x for x, _ in known], [y for _, y in known], ".-", color=shade, label=row.name)
        numbers += [value for _, value in known]
    if counts[0] > 0:
        axes.set_xscale("log")
    else:
        axes.set_xscale("symlog", linthresh=1.0)
    if numbers and min(numbers) > 0.0 and max(numbers) > WIDE * min(numbers):
        axes.set_yscale("log")
    axes.set_title(fill(table.title, TITLE), fontsize="medium")
    axes.set_xlabel(table.along)
    axes.set_ylabel(fill(table.unit, TITLE))
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize="small", loc="lower left")
    places = range(len(table.rows))
    for k, column in enumerate(others):
        bars = figure.add_subplot(parts[1, k])
        at = table.columns.index(column)
        values = [row.ours[at] for row in table.rows]
        bars.barh(places, [np.nan if value is None else value for value in values], color=CURVES[0])
        for place, value in enumerate(values):
            if value is None:
                bars.annotate("-", (0.02, place), xycoords=("axes fraction", "data"), va="center")
        bars.set_xlim(left=0.0)
        bars.set_ylim(len(places) - 0.5, -0.5)
        bars.set_yticks(places, [row.name for row in table.rows])
        bars.set_xlabel(column)
        bars.grid(visible=True, axis="x", alpha=0.3)


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
