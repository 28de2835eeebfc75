"""Trees as nodes and edges on axes: where nodes lie, and how they are drawn."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from matplotlib.axes import Axes

from lecture.style import GREY, INK

Node = TypeVar("Node", bound=Hashable)
Point = tuple[float, float]


def placed(children: Mapping[Node, Sequence[Node]], root: Node) -> dict[Node, Point]:
    """Return a place (across, down) for each node of a tree; depths are negative.

    Leaves lie at 0, 1, 2, ... from left to right, every other node above the middle of its children.

    Parameters
    ----------
    children : mapping of node to sequence of nodes
        A node that is no key has no children.
    root : node
    """
    places: dict[Node, Point] = {}
    n_leaves = 0

    def place(node: Node, depth: int) -> float:
        nonlocal n_leaves
        below = [place(child, depth + 1) for child in children.get(node, ())]
        n_leaves += not below
        across = float(np.mean(below)) if below else float(n_leaves - 1)
        places[node] = (across, -float(depth))
        return across

    place(root, 0)
    return places


def draw_edges(ax: Axes, places: Mapping[Node, Point], edges: Iterable[tuple[Node, Node]]) -> None:
    """Draw straight edges between places."""
    for a, b in edges:
        (x0, y0), (x1, y1) = places[a], places[b]
        ax.plot([x0, x1], [y0, y1], color=GREY, lw=1, zorder=1)


def draw_nodes(
    ax: Axes,
    places: Mapping[Node, Point],
    texts: Mapping[Node, str],
    colour: str,
    *,
    shape: str = "o",
    size: float = 1300,
    font: float = 10,
) -> None:
    """Draw a node with its text in the middle for each entry of ``texts``.

    Parameters
    ----------
    colour : str
        Of the inside; the outline is dark.
    shape : str
        A marker of matplotlib: ``o`` round, ``s`` square, ``D`` diamond.
    size : float
        Area in square points.
    font : float
        In points.
    """
    x, y = np.array([places[node] for node in texts]).T
    ax.scatter(x, y, s=size, marker=shape, color=colour, edgecolors="#555555", zorder=2)
    for node, text in texts.items():
        ax.text(*places[node], text, ha="center", va="center", fontsize=font, color=INK, zorder=3)
