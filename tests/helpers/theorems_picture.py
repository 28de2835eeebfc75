"""Both sides of a theorem as a picture: a point for each comparison, and for each failure of the twin."""

from math import ceil, log10
from statistics import median

from matplotlib.figure import Figure

from treeplex.bench.theorems.measuring import MeasuredPoint
from treeplex.pictures.palette import BLUE, GREY, ORANGE

MOST_POINTS = 200
"""Of one kind in a picture."""
WIDE = 20.0
"""Axes are logarithmic beyond the median magnitude of the sides if the largest is this many times that."""
MOST_TICKS = 7
"""On an axis."""


def picture_of(found: list[MeasuredPoint], failing: list[MeasuredPoint]) -> Figure:
    """Draw left sides against right sides, in parts of the scale; on the line both are equal."""
    figure = Figure(figsize=(3.6, 3.2), layout="constrained")
    axes = figure.subplots()
    drawn = [*_sides(found), *_sides(failing)]
    numbers = [number for pair in drawn for number in pair] or [0.0]
    # A power of ten, so that no labels of the axes lie between it and 0.
    middle = 10.0 ** ceil(log10(median([abs(number) for number in numbers if number] or [1.0])))
    if max(map(abs, numbers)) > WIDE * middle:
        axes.set_xscale("symlog", linthresh=middle)
        axes.set_yscale("symlog", linthresh=middle)
        for axis in (axes.xaxis, axes.yaxis):
            axis.get_major_locator().set_params(numticks=MOST_TICKS)
    line = min(numbers), max(numbers)
    axes.plot(line, line, color=GREY, linewidth=0.8, zorder=0, label="both sides equal")
    for kind, colour, marker, label in ((found, BLUE, ".", "theorem"), (failing, ORANGE, "x", "false twin")):
        if kind:
            left, right = zip(*_sides(kind), strict=True)
            axes.plot(left, right, marker, color=colour, alpha=0.6, markersize=5, label=label)
    axes.set(xlabel="left side, in parts of the scale", ylabel="right side, in parts of the scale")
    axes.xaxis.label.set_size(8)
    axes.yaxis.label.set_size(8)
    axes.tick_params(labelsize=7)
    axes.legend(fontsize=7)
    return figure


def _sides(found: list[MeasuredPoint]) -> list[tuple[float, float]]:
    """Return both sides of some of the points, spread over all."""
    step = -(-len(found) // MOST_POINTS) or 1
    sides = [(point.comparison, point.comparison.scale) for point in found[::step]]
    return [(float(each.left) / scale, float(each.right) / scale) for each, scale in sides]
