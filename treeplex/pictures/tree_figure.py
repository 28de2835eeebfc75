"""A sketched game tree as a matplotlib figure: infosets as dashed lines, subgames shaded."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.pictures.palette import FILL, GREY, INK, SHADE_EDGES, SHADES, STROKE
from treeplex.pictures.sketch import Sketch
from treeplex.pictures.tree_layout import (
    DROP,
    LINE,
    MARGIN,
    SHADES_APART,
    Layout,
    begins_shade,
    fitted,
)
from treeplex.pictures.tree_legend import DASHES, legend_handles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FONT = 8.0
"""Points."""
LEAF = {"facecolor": "white", "edgecolor": GREY, "linewidth": 0.7, "boxstyle": "square,pad=0.25"}
"""The box of a payoff."""
SAG = 0.24, 0.5
"""Least and largest distance of an infoset's line below its level, in inches."""
CENTRED: dict[str, Any] = {
    "ha": "center",
    "va": "center",
    "fontsize": FONT,
    "color": INK,
    "parse_math": False,
    "linespacing": 1.0,
}


def tree_figure(sketch: Sketch) -> "Figure":
    """Draw a sketch: players and chance by colour and shape, moves along the edges, payoffs at the leaves."""
    # Imported late: pictures are rare, and matplotlib takes half a second.
    from matplotlib.figure import Figure

    layout = Layout.of(sketch)
    figure = Figure(figsize=(layout.width, layout.height))
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, layout.width), ylim=(0, layout.height))
    axes.set_axis_off()
    _draw_shades(axes, sketch, layout)
    _draw_infosets(axes, sketch, layout)
    for k in range(len(sketch.nodes)):
        _draw_node(axes, sketch, layout, k)
    for i, line in enumerate(layout.title):
        y = layout.height - MARGIN - i * LINE
        size = FONT + 1 if i == 0 else FONT
        axes.text(MARGIN, y, line, fontsize=size, va="center", color=INK, parse_math=False)
    look: dict[str, Any] = {"loc": "lower center", "frameon": False, "fontsize": FONT, "handlelength": 1.4}
    figure.legend(legend_handles(sketch), layout.legend, ncols=layout.columns, **look)
    return figure


def _paper(sketch: Sketch, k: int) -> dict[str, Any]:
    """Return the box of a text on the ground at node k."""
    shade = sketch.nodes[k].shade
    return {"facecolor": "white" if shade < 0 else SHADES[shade % len(SHADES)], "linewidth": 0, "pad": 0.8}


def _draw_node(axes: "Axes", sketch: Sketch, layout: Layout, k: int) -> None:
    """Draw a node and the move that leads to it."""
    node, x, y = sketch.nodes[k], layout.x[k], layout.y[k]
    text = fitted(sketch.text(k))
    if node.parent >= 0:
        above = node.parent
        axes.plot([layout.x[above], x], [layout.y[above], y], color="#777777", linewidth=0.8, zorder=2)
        place = layout.label(sketch, k)
        axes.text(*place, fitted(sketch.move(k)), zorder=3, bbox=_paper(sketch, above), **CENTRED)
    look: dict[str, Any] = {"facecolor": FILL.get(node.player), "edgecolor": INK, "linewidth": 0.7}
    if node.player == CHANCE:
        axes.scatter([x], [y], marker="D", s=260, zorder=4, **look)
        axes.text(x, y, "C", zorder=5, **CENTRED)
    elif node.player >= 0:
        box = look | {"boxstyle": "round,pad=0.35"}
        axes.text(x, y, f"{node.player}\n{text}", zorder=5, bbox=box, **CENTRED)
    elif node.player == TERMINAL:
        axes.text(x, y, text, zorder=5, bbox=LEAF, **CENTRED)
    else:
        axes.text(x, y, text, zorder=5, bbox=_paper(sketch, k), **CENTRED)


def _draw_infosets(axes: "Axes", sketch: Sketch, layout: Layout) -> None:
    """Join the nodes of each infoset, neighbour to neighbour, the infosets of a level at different depths."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    joined = [(player, nodes) for (player, _), nodes in sketch.infosets().items() if len(nodes) > 1]
    for i, (player, nodes) in enumerate(joined):
        peers = [j for j, (_, other) in enumerate(joined) if layout.level[other[0]] == layout.level[nodes[0]]]
        sag = SAG[0] + (SAG[1] - SAG[0]) * peers.index(i) / len(peers)
        for first, second in pairwise(nodes):
            (x0, y0), (x1, y1) = ((layout.x[k], layout.y[k]) for k in (first, second))
            bend = min(0.5, (x1 - x0) / 2)
            there = [(x0 + part * bend, y0 - sag) for part in (0.5, 1.0)]
            back = [(x1 - part * bend, y1 - sag) for part in (1.0, 0.5)]
            codes = [Path.MOVETO, *[Path.CURVE3] * 2, Path.LINETO, *[Path.CURVE3] * 2]
            path = Path([(x0, y0), *there, *back, (x1, y1)], codes)
            look: dict[str, Any] = {"edgecolor": STROKE[player], "linewidth": 1.4, "linestyle": DASHES}
            axes.add_patch(PathPatch(path, facecolor="none", zorder=1.5, **look))


def _draw_shades(axes: "Axes", sketch: Sketch, layout: Layout) -> None:
    """Colour the ground under each tree of each subgame."""
    from matplotlib.patches import Rectangle

    lowest = list(layout.y)
    for k in range(len(lowest) - 1, 0, -1):
        lowest[sketch.nodes[k].parent] = min(lowest[sketch.nodes[k].parent], lowest[k])
    for k, node in enumerate(sketch.nodes):
        if begins_shade(sketch, k):
            (left, right), edge = layout.span[k], 0.26 * DROP
            side = 0.3 * SHADES_APART
            corner, height = (left + side, lowest[k] - edge), layout.y[k] - lowest[k] + 2 * edge
            number = node.shade % len(SHADES)
            look: dict[str, Any] = {
                "facecolor": SHADES[number],
                "edgecolor": SHADE_EDGES[number],
                "linewidth": 0.7,
            }
            axes.add_patch(Rectangle(corner, right - left - 2 * side, height, zorder=1, **look))
