"""Coordinates of a sketched tree: leaves side by side, each other node centred over what is below it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treeplex.games.base.display import wrapped
from treeplex.games.base.reading import shortened
from treeplex.pictures.sketch import Sketch
from treeplex.pictures.tree_legend import legend_names

# All lengths are inches.
MARGIN, NARROWEST = 0.25, 4.0
CHARACTER, PADDING, LABEL_PADDING = 0.075, 0.17, 0.08
"""Of a letter, around a text in a box, and around the label of a move."""
HANDLE = 0.5
"""What stands before an entry of the legend, with room around it."""
DROP = 1.0
"""From a level to the next."""
LINE = 0.2
"""A line of the title or of the legend."""
LABEL = 0.62
"""Position of a move's label along its edge, from 0 to 1."""
LONGEST_TEXT = 26
APART = 0.06
"""Between what is below one node and what is below the next."""
SHADES_APART = 0.24
"""Between the grounds of two subgames, or of two trees of one."""


def fitted(text: str) -> str:
    """Return a text with lines of at most ``LONGEST_TEXT`` characters."""
    return "\n".join(shortened(line, LONGEST_TEXT) for line in text.split("\n"))


def width_of(text: str) -> float:
    """Return about how wide the box of a text is, with room around it."""
    return CHARACTER * _longest(fitted(text)) + PADDING


def label_width(text: str) -> float:
    """Return about how wide the label of a move is, with room around it."""
    return CHARACTER * _longest(fitted(text)) + LABEL_PADDING


def _longest(text: str) -> int:
    return max(map(len, text.split("\n")))


def begins_shade(sketch: Sketch, k: int) -> bool:
    """Return whether the ground of a subgame begins at a node."""
    node = sketch.nodes[k]
    return node.shade >= 0 and (node.parent < 0 or sketch.nodes[node.parent].shade != node.shade)


@dataclass(frozen=True)
class Layout:
    """Coordinates of the nodes of a sketch, and how its texts are broken into lines.

    A node's *span* is as wide as the spans below it together, as its own text, and as the text of the move
    that leads to it over ``LABEL``, whichever is widest; it stands in the middle. So no two texts of a level
    overlap.

    Attributes
    ----------
    width, height : float
        Of the whole picture.
    x, y : tuple of float
        From the left and from below.
    span : tuple of (float, float)
        From where to where what is below each node stands.
    level : tuple of int
        How many moves lead to each node.
    title, legend : tuple of str
        The lines above, and the legend's entries, each perhaps of several lines.
    columns : int
        How many entries of the legend stand side by side.
    """

    width: float
    height: float
    x: tuple[float, ...]
    y: tuple[float, ...]
    span: tuple[tuple[float, float], ...]
    level: tuple[int, ...]
    title: tuple[str, ...]
    legend: tuple[str, ...]
    columns: int

    @staticmethod
    def of(sketch: Sketch) -> "Layout":
        """Lay out a sketch."""
        nodes = sketch.nodes
        needs, below = _needs(sketch)
        width = max(NARROWEST, needs[0] + 2 * MARGIN)
        longest = int((width - 2 * MARGIN) / CHARACTER)
        title = tuple(line for text in sketch.title for line in wrapped(text, longest))
        legend = tuple("\n".join(wrapped(name, longest - 6)) for name in legend_names(sketch))
        columns = _columns(legend, width)
        rows = -(-len(legend) // columns) * max(name.count("\n") + 1 for name in legend)
        left, level = [(width - needs[0]) / 2] * len(nodes), [0] * len(nodes)
        free = [0.0] * len(nodes)
        for k, node in enumerate(nodes):
            if k > 0:
                left[k], level[k] = free[node.parent], level[node.parent] + 1
                free[node.parent] += needs[k]
            free[k] = left[k] + (needs[k] - below[k]) / 2
        span = tuple((a, a + need) for a, need in zip(left, needs, strict=True))
        lowest = 2 * MARGIN + LINE * rows
        y = tuple(lowest + DROP * (max(level) - d) for d in level)
        height = y[0] + 2 * MARGIN + LINE * len(title)
        middle = tuple((a + b) / 2 for a, b in span)
        return Layout(width, height, middle, y, span, tuple(level), title, legend, columns)

    def label(self, sketch: Sketch, k: int) -> tuple[float, float]:
        """Return where the label of the move to node k stands."""
        above = sketch.nodes[k].parent
        return (
            self.x[above] + LABEL * (self.x[k] - self.x[above]),
            self.y[above] + LABEL * (self.y[k] - self.y[above]),
        )


def _needs(sketch: Sketch) -> tuple[Sequence[float], Sequence[float]]:
    """Return how wide the span of each node is, and all spans right below it together."""
    nodes = sketch.nodes
    needs, below = [0.0] * len(nodes), [0.0] * len(nodes)
    for k in range(len(nodes) - 1, -1, -1):
        widest = max(width_of(sketch.text(k)), label_width(sketch.move(k)) / LABEL)
        apart = SHADES_APART if begins_shade(sketch, k) else APART if below[k] else 0.0
        needs[k] = max(widest, below[k]) + apart
        if k > 0:
            below[nodes[k].parent] += needs[k]
    return needs, below


def _columns(legend: Sequence[str], width: float) -> int:
    """Return how many columns of a legend fit, each as wide as its widest entry; matplotlib fills columns."""
    widths = [CHARACTER * _longest(entry) + HANDLE for entry in legend]
    for columns in range(len(legend), 1, -1):
        if sum(max(column) for column in np.array_split(widths, columns)) <= width:
            return columns
    return 1
