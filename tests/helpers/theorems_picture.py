"""Both sides of a theorem as a picture: a point for each comparison, and for each failure of the twin."""

from matplotlib.figure import Figure

from treeplex.theorems.measuring import Point

MOST_POINTS = 200
"""Of one kind in a picture."""
WIDE = 100.0
"""Sides whose magnitudes differ by more than this are drawn on logarithmic axes."""
HOLDS, FAILS, LINE = "#2b6cb0", "#c53030", "#888888"


def picture_of(found: list[Point], failing: list[Point]) -> Figure:
    """Draw left sides against right sides, in parts of the scale; on the line both are equal."""
    figure = Figure(figsize=(3.6, 3.2), layout="constrained")
    axes = figure.subplots()
    drawn = [*_sides(found), *_sides(failing)]
    numbers = [number for pair in drawn for number in pair]
    least, most = min(numbers, default=0.0), max(numbers, default=0.0)
    if 0 < WIDE * least < most:
        axes.set(xscale="log", yscale="log")
    axes.plot([least, most], [least, most], color=LINE, linewidth=0.8, zorder=0)
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
