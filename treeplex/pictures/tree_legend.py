"""The legend of a tree's picture: what shapes, colours and texts mean."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.pictures.palette import FILL, GREY, INK, SHADE_EDGES, SHADES
from treeplex.pictures.sketch import Sketch

if TYPE_CHECKING:
    from matplotlib.artist import Artist

DASHES = (0, (2.4, 1.4))
"""Of the line between the nodes of an infoset."""
LINE: dict[str, Any] = {"edgecolor": INK, "linewidth": 0.7}


def legend_names(sketch: Sketch) -> list[str]:
    """Return the texts of a legend: who acts, infosets, leaves, subgames, as far as they are there."""
    return [name for name, _ in _entries(sketch)]


def legend_handles(sketch: Sketch) -> "Sequence[Artist]":
    """Return what stands before each of the texts."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    return [
        Line2D([], [], **look) if "marker" in look or "color" in look else Patch(**look)
        for _, look in _entries(sketch)
    ]


def _entries(sketch: Sketch) -> list[tuple[str, dict[str, Any]]]:
    there = {node.player for node in sketch.nodes}
    found: list[tuple[str, dict[str, Any]]] = [
        (f"player {p}", LINE | {"facecolor": FILL[p]}) for p in (0, 1) if p in there
    ]
    if CHANCE in there:
        look = {"marker": "D", "markersize": 8, "linestyle": "none", "markeredgecolor": INK}
        found.append(("chance, with probability p", look | {"markerfacecolor": FILL[CHANCE]}))
    if any(len(members) > 1 for members in sketch.infosets().values()):
        found.append(("one infoset", {"color": INK, "linewidth": 1.4, "linestyle": DASHES}))
    if TERMINAL in there:
        found.append((sketch.leaves, {"facecolor": "white", "edgecolor": GREY, "linewidth": 0.7}))
    for i, name in enumerate(sketch.shades):
        look = {"facecolor": SHADES[i % len(SHADES)], "edgecolor": SHADE_EDGES[i % len(SHADES)]}
        found.append((f"subgame {name}", look | {"linewidth": 0.7}))
    return found
