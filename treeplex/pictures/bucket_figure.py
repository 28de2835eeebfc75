"""A map of buckets as a matplotlib figure, with a colour bar of equities."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treeplex.pictures.bucket_grid import BucketGrid
from treeplex.pictures.hand_colours import hexadecimal
from treeplex.pictures.hand_figure import GAP, below_figure, cells_figure, draw_bar, fill, write
from treeplex.pictures.palette import INK, NOTHING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LONGEST = 7
"""Most characters of a cell's text at the usual size; longer ones are set smaller."""


def bucket_figure(grid: BucketGrid, title: Sequence[str], legend: Sequence[str]) -> "Figure":
    """Draw a grid: each cell split by the buckets of its hands, in the colours of their equities.

    Parameters
    ----------
    grid : BucketGrid
    title, legend : sequence of str
        Lines above and below.
    """
    figure, axes = cells_figure(grid.shape, title, len(legend))
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            _draw_cell(axes, grid, row, column)
    draw_bar(figure, axes, grid.ends, 100.0, below_figure(figure, legend))
    return figure


def _draw_cell(axes: "Axes", grid: BucketGrid, row: int, column: int) -> None:
    side, text, left = 1 - GAP, grid.text(row, column), float(column)
    if not text:
        fill(axes, left, row, side, side, NOTHING)
    else:
        for share, colour in grid.split(row, column):
            fill(axes, left, row, side * share, side, hexadecimal(colour))
            left += side * share
    write(axes, column + 0.06, row + 0.07, grid.labels[row][column], "black" if text else "#909090")
    write(axes, column + 0.06, row + 0.55, text, INK, min(1.0, LONGEST / max(1, len(text))))
