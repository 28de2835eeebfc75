"""Both sides of a theorem as a picture: a point for each comparison, and for each failure of the twin."""

from statistics import median

from matplotlib.figure import Figure

from treeplex.theorems.measuring import Point

MOST_POINTS = 200
"""Of one kind in a picture."""
WIDE = 20.0
"""Axes are logarithmic beyond the median magnitude of the sides if the largest is more than this times it."""
HOLDS, FAILS, LINE = "#2b6cb0", "#c53030", "#888888"


def picture_of(found: list[Point], failing: list[Point]) -> Figure:
    """Draw left sides against right sides, in parts of the scale; on the line both are equal."""
    figure = Figure(figsize=(3.6, 3.2), layout="constrained")
    axes = figure.subplots()
    drawn = [*_sides(found), *_sides(failing)]
    numbers = [number for pair in drawn for number in pair] or [0.0]
    middle = median([abs(number) for number in numbers if number] or [1.0])
    if max(map(abs, numbers)) > WIDE * middle:
        axes.set_xscale("symlog", linthresh=middle)
        axes.set_yscale("symlog", linthresh=middle)
    line = min(numbers), max(numbers)
    axes.plot(line, line, color=LINE, linewidth=0.8, zorder=0)
    for kind, colour, label in ((found, HOLDS, "theorem"), (failing, FAILS, "false twin")):
        if kind:
            left, right = zip(*_sides(kind), strict=True)
            axes.plot(left, right, ".", color=colour, alpha=0.6, label=label)
    axes.set(xlabel="left side", ylabel="right side")
    axes.tick_params(labelsize=7)
    if failing:
        axes.legend(fontsize=7)
    return figure


def _sides(found: list[Point]) -> list[tuple[float, float]]:
    """Return both sides of some of the points, spread over all."""
    step = -(-len(found) // MOST_POINTS) or 1
    sides = [(point.comparison, point.comparison.scale) for point in found[::step]]
    return [(float(each.left) / scale, float(each.right) / scale) for each, scale in sides]
