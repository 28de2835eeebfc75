"""Game trees as figures: the root on top, a level a move, infosets as dashed lines, subgames shaded."""

from typing import TYPE_CHECKING, Any

from treeplex.games.inputs.reading import shortened
from treeplex.games.protocol import CHANCE
from treeplex.pictures.tree_layout import Link
from treeplex.pictures.tree_plan import (
    BEND,
    BOX,
    DIAMOND,
    FONT,
    LEGEND_LINE,
    LINE,
    LONGEST_TEXT,
    MARGIN,
    SAG,
    Plan,
    text_width,
)
from treeplex.pictures.tree_sketch import LINE_COLOURS, PLAYER_COLOURS, Node, Sketch

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHADES = ("#e3f1de", "#f9e3ec", "#e9e4f5", "#fbf3cf", "#d9f0f0", "#f3e6d8")
INK = "#333333"
CENTRED: dict[str, Any] = {
    "ha": "center",
    "va": "center",
    "fontsize": FONT,
    "color": INK,
    "parse_math": False,
}
DASHES = (0, (2.4, 1.4))


def tree_figure(sketch: Sketch) -> "Figure":
    """Draw a sketch: players and chance by colour and shape, moves along the edges, payoffs at the leaves."""
    # Imported late: pictures are rare, and matplotlib takes half a second.
    from matplotlib.figure import Figure

    plan = Plan(sketch)
    figure = Figure(figsize=(plan.width, plan.height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, plan.width), ylim=(0, plan.height))
    axes.set_axis_off()
    _draw_shades(axes, plan)
    for link in plan.links:
        _draw_link(axes, plan, link)
    for k, node in enumerate(sketch.nodes):
        if node.parent >= 0:
            _draw_edge(axes, plan, k)
    for k, node in enumerate(sketch.nodes):
        _draw_node(axes, plan, k, node)
    for i, line in enumerate(sketch.title):
        y = plan.height - MARGIN / 2 - i * LEGEND_LINE
        text = shortened(line, int(plan.width / 0.075))
        axes.text(MARGIN / 2, y, text, fontsize=FONT + 1 - i, va="top", color=INK, parse_math=False)
    _draw_legend(figure, plan)
    return figure


def _short(text: str) -> str:
    return "\n".join(shortened(line, LONGEST_TEXT) for line in text.split("\n"))


def _draw_edge(axes: "Axes", plan: Plan, k: int) -> None:
    node = plan.sketch.nodes[k]
    (x, y), (above_x, above_y) = (plan.x[k], plan.y[k]), (plan.x[node.parent], plan.y[node.parent])
    axes.plot([above_x, x], [above_y, y], color="#777777", linewidth=0.8, zorder=2)
    axes.text(
        *plan.label(k),
        _short(node.move),
        linespacing=1.0,
        zorder=3,
        bbox={"facecolor": _paper(plan.sketch.nodes[node.parent]), "linewidth": 0, "pad": 0.8},
        **CENTRED,
    )


def _paper(node: Node) -> str:
    """Return the colour of the ground."""
    return "white" if node.shade < 0 else SHADES[node.shade % len(SHADES)]


def _draw_node(axes: "Axes", plan: Plan, k: int, node: Node) -> None:
    from matplotlib.patches import FancyBboxPatch, Polygon

    x, y, half = plan.x[k], plan.y[k], plan.half[k]
    colour = PLAYER_COLOURS.get(node.player)
    look: dict[str, Any] = {"facecolor": colour, "edgecolor": INK, "linewidth": 0.7, "zorder": 4}
    text = "C" if node.player == CHANCE else _short(node.text)
    if node.player == CHANCE:
        corners = [(x - DIAMOND, y), (x, y + DIAMOND), (x + DIAMOND, y), (x, y - DIAMOND)]
        axes.add_patch(Polygon(corners, closed=True, **look))
    elif node.player >= 0:
        corner = (x - half + 0.05, y - BOX + 0.05)
        style = "round,pad=0.05,rounding_size=0.08"
        axes.add_patch(FancyBboxPatch(corner, 2 * half - 0.1, 2 * BOX - 0.1, boxstyle=style, **look))
        axes.text(x, y + LINE, str(node.player), weight="bold", zorder=5, **CENTRED)
        axes.text(x, y - LINE, text, zorder=5, **CENTRED)
        return
    back = None if node.player == CHANCE else {"facecolor": _paper(node), "linewidth": 0, "pad": 0.8}
    axes.text(x, y, text, zorder=5, bbox=back, **CENTRED)


def _draw_link(axes: "Axes", plan: Plan, link: Link) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    (x0, y0), (x1, y1) = ((plan.x[k], plan.y[k]) for k in (link.first, link.second))
    if link.track > 0:
        deep, bend = y0 - BOX - SAG * link.track, min(BEND, (x1 - x0) / 2)
        path = Path(
            [
                (x0, y0),
                *((x0 + part * bend, deep) for part in (0.3, 0.6, 1.0)),
                *((x1 - part * bend, deep) for part in (1.0, 0.6, 0.3)),
                (x1, y1),
            ],
            [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3],
        )
    else:
        path = Path([(x0, y0), (x1, y1)])
    colour = LINE_COLOURS[link.player]
    axes.add_patch(
        PathPatch(path, facecolor="none", edgecolor=colour, linewidth=1.4, linestyle=DASHES, zorder=1.5)
    )


def _draw_shades(axes: "Axes", plan: Plan) -> None:
    """Colour the ground under each tree of each subgame, level by level as wide as its nodes."""
    from matplotlib.patches import Polygon

    for colour, members in _grounds(plan.sketch):
        bands: dict[float, list[tuple[float, float]]] = {}  # by height, the spans of what stands there
        for k in members:
            bands.setdefault(plan.y[k], []).append((plan.x[k], plan.half[k]))
            if k != members[0]:
                x, y = plan.label(k)
                bands.setdefault(y, []).append((x, text_width(plan.sketch.nodes[k].move) / 2))
        left, right = [], []
        for y in sorted(bands, reverse=True):
            for end in (y + LINE, y - LINE):
                left.append((min(x - half for x, half in bands[y]), end))
                right.append((max(x + half for x, half in bands[y]), end))
        ground = Polygon([*left, *reversed(right)], closed=True, facecolor=colour, edgecolor=colour)
        ground.set(linewidth=18, joinstyle="round", zorder=1)
        axes.add_patch(ground)


def _grounds(sketch: Sketch) -> list[tuple[str, list[int]]]:
    """Return each tree of each subgame: its colour and its nodes, the root first."""
    top = [-1] * len(sketch.nodes)
    trees: dict[int, list[int]] = {}
    for k, node in enumerate(sketch.nodes):
        if node.shade >= 0:
            inside = node.parent >= 0 and sketch.nodes[node.parent].shade == node.shade
            top[k] = top[node.parent] if inside else k
            trees.setdefault(top[k], []).append(k)
    return [(SHADES[sketch.nodes[k].shade % len(SHADES)], members) for k, members in trees.items()]


def _draw_legend(figure: "Figure", plan: Plan) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    line: dict[str, Any] = {"edgecolor": INK, "linewidth": 0.7}
    mark: dict[str, Any] = {"linestyle": "none", "markeredgecolor": INK, "markeredgewidth": 0.7}
    known: dict[str, Patch | Line2D] = {
        "player 0": Patch(facecolor=PLAYER_COLOURS[0], **line),
        "player 1": Patch(facecolor=PLAYER_COLOURS[1], **line),
        "chance": Line2D([], [], marker="D", markersize=8, markerfacecolor=PLAYER_COLOURS[CHANCE], **mark),
        "one infoset": Line2D([], [], color=INK, linewidth=1.4, linestyle=DASHES),
    }
    labels = plan.legend
    shades = [Patch(facecolor=SHADES[k % len(SHADES)]) for k in range(len(plan.sketch.shades))]
    handles = [*(known[label] for label in labels if label in known), *shades]
    figure.legend(
        handles,
        labels,
        loc="lower center",
        ncols=plan.legend_columns,
        fontsize=FONT,
        frameon=False,
        handlelength=1.4,
        handletextpad=0.5,
        columnspacing=1.2,
    )
