"""A hand grid as a matplotlib figure, with a legend of actions or a colour bar of values."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treeplex.games.base.display import wrapped
from treeplex.pictures.hand_colours import (
    Colour,
    action_styles,
    hexadecimal,
    scale_of,
    value_colour,
    value_text,
)
from treeplex.pictures.hand_grid import NOT_THERE, HandGrid
from treeplex.pictures.palette import EMPTY, INK, NOTHING, VALUES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CELL = 0.62
"""Inches of a cell's side."""
LARGEST = 40.0
"""Inches of a figure's side."""
SMALLEST = 4.5
GAP = 0.04
"""Between cells, in cells."""
CHARACTER = 0.07
"""Inches of a letter of the legend, about."""
REACH = "height of a colour: the part of the cell's hands that comes here (reach); empty: none"
GONE = f"grey: {NOT_THERE}"


def grid_figure(grid: HandGrid, map: str, title: Sequence[str], legend: Sequence[str]) -> "Figure":
    """Draw a grid: each cell split by frequencies or coloured by value, as high as the part that is here.

    Cells of which the board or the range leaves no hand are grey.

    Parameters
    ----------
    grid : HandGrid
    map : str
        One of ``MAPS``.
    title : sequence of str
        Lines above.
    legend : sequence of str
        An entry an action; one for all in a map of values.
    """
    n_rows, n_columns = len(grid.labels), len(grid.labels[0])
    notes = [text for text, holds in ((REACH, grid.is_partial), (GONE, grid.has_gone)) if holds]
    below = [*legend, *notes] if grid.values is not None else notes
    figure, axes = cells_figure((n_rows, n_columns), title, len(below))
    for row in range(n_rows):
        for column in range(n_columns):
            _draw_cell(axes, grid, map, row, column)
    lines = below_figure(figure, below)
    if grid.values is None:
        _draw_legend(figure, grid, legend, lines)
    else:
        draw_bar(figure, axes, scale_of(grid.values, map), 100.0 if map == "equity" else 1.0, lines)
    return figure


def cells_figure(shape: tuple[int, int], title: Sequence[str], below: int) -> tuple["Figure", "Axes"]:
    """Return an empty figure for a grid of cells with so many lines below, and axes of one unit a cell."""
    # Imported late: pictures are rare, and matplotlib takes half a second.
    from matplotlib.figure import Figure

    n_rows, n_columns = shape
    size = (max(SMALLEST, CELL * n_columns), CELL * n_rows + 1.15 + 0.2 * below)
    figure = Figure(figsize=(min(size[0], LARGEST), min(size[1], LARGEST)), layout="constrained")
    axes = figure.subplots()
    axes.set(xlim=(0, n_columns), ylim=(n_rows, 0), aspect="equal")
    axes.set_axis_off()
    figure.suptitle("\n".join(title), fontsize=9, x=0.01, ha="left", parse_math=False)
    return figure, axes


def below_figure(figure: "Figure", texts: Sequence[str]) -> str:
    """Return texts that stand below a figure, wrapped to its width."""
    width = int(figure.get_size_inches()[0] / CHARACTER)
    return "\n".join(line for text in texts for line in wrapped(text, width))


def _draw_cell(axes: "Axes", grid: HandGrid, map: str, row: int, column: int) -> None:
    side, share = 1 - GAP, float(grid.shares[row, column])
    gone = math.isnan(share)
    fill(axes, column, row, side, side, NOTHING if gone else EMPTY)
    if grid.is_here(row, column):
        height = side * min(share, 1.0)
        left, top = float(column), row + side - height
        for part, colour in _parts(grid, map, row, column):
            fill(axes, left, top, side * part, height, hexadecimal(colour))
            left += side * part
    if grid.is_here(row, column) and grid.values is not None:
        write(axes, column + 0.06, row + 0.55, value_text(float(grid.values[row, column]), map, 5), INK)
    write(axes, column + 0.06, row + 0.07, grid.labels[row][column], "#909090" if gone else "black")


def _parts(grid: HandGrid, map: str, row: int, column: int) -> list[tuple[float, Colour]]:
    """Return how a cell's width is divided, and in which colours."""
    if grid.values is None:
        styles = action_styles(grid.actions)
        frequencies = grid.frequencies[row, column].tolist()
        return [(part, style.colour) for part, style in zip(frequencies, styles, strict=True)]
    value = float(grid.values[row, column])
    return [] if math.isnan(value) else [(1.0, value_colour(value, *scale_of(grid.values, map)))]


def fill(axes: "Axes", x: float, y: float, width: float, height: float, colour: str) -> None:
    """Draw a rectangle without a border."""
    from matplotlib.patches import Rectangle

    # What lies within the axes need not be measured for the layout, which would take seconds.
    axes.add_patch(Rectangle((x, y), width, height, facecolor=colour, linewidth=0, in_layout=False))


def write(axes: "Axes", x: float, y: float, text: str, colour: str, size: float = 1.0) -> None:
    """Write a text below and to the right of a point, at a part of the usual size."""
    axes.text(x, y, text, color=colour, va="top", fontsize=8.5 * size, parse_math=False, in_layout=False)


def _draw_legend(figure: "Figure", grid: HandGrid, legend: Sequence[str], notes: str) -> None:
    """Draw a patch for each action, below what the cells mean."""
    from matplotlib.patches import Patch

    colours = [hexadecimal(style.colour) for style in action_styles(grid.actions)]
    handles = [
        Patch(facecolor=c, edgecolor=INK, linewidth=0.4, label=label)
        for c, label in zip(colours, legend, strict=True)
    ]
    look: dict[str, Any] = {"fontsize": 8.5, "title_fontsize": 8.5, "frameon": False, "ncols": 4}
    figure.legend(handles=handles, loc="outside lower center", title=notes or None, **look)


def draw_bar(figure: "Figure", axes: "Axes", ends: tuple[float, float], factor: float, label: str) -> None:
    """Draw the scale of values below, times a factor: equities are shown in percent."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    low, high = (factor * end for end in ends)
    if low == high:  # all values are alike, and have the colour in the middle
        low, high = low - 0.5, high + 0.5
    scale = ScalarMappable(Normalize(low, high), LinearSegmentedColormap.from_list("values", VALUES))
    bar = figure.colorbar(scale, ax=axes, location="bottom", aspect=40, pad=0.02, shrink=0.9)
    bar.set_label(label, fontsize=8.5, parse_math=False)
    bar.ax.tick_params(labelsize=8)
