"""Coordinates of a sketched tree: leaves side by side, each other node centred over its leaves."""

from dataclasses import dataclass

from treeplex.games.inputs.reading import shortened
from treeplex.pictures.sketch import Sketch

# All lengths are inches.
MARGIN, NARROWEST = 0.3, 4.0
CHARACTER, PADDING = 0.075, 0.25
DROP = 1.05
"""From a level to the next."""
LINE = 0.2
"""A line of the title or of the legend."""
LABEL = 0.62
"""Position of a move's label along its edge, from 0 to 1."""
LONGEST_TEXT = 26


def fitted(text: str) -> str:
    """Return a text with lines of at most ``LONGEST_TEXT`` characters."""
    return "\n".join(shortened(line, LONGEST_TEXT) for line in text.split("\n"))


def width_of(text: str) -> float:
    """Return about how wide a text is, with room around it."""
    return CHARACTER * max(map(len, fitted(text).split("\n"))) + PADDING


@dataclass(frozen=True)
class Layout:
    """Coordinates of the nodes of a sketch.

    A node's *span* is what its leaves take up, one unit each, and it stands in the middle. The unit is wide
    enough for each node's text to fit into the span, and the text of the move that leads to it into
    ``LABEL`` of the span; so no two texts of a level overlap.

    Attributes
    ----------
    width, height : float
        Of the whole picture.
    x, y : tuple of float
        From the left and from below.
    span : tuple of (float, float)
        From where to where each node's leaves stand.
    level : tuple of int
        How many moves lead to each node.
    """

    width: float
    height: float
    x: tuple[float, ...]
    y: tuple[float, ...]
    span: tuple[tuple[float, float], ...]
    level: tuple[int, ...]

    @staticmethod
    def of(sketch: Sketch) -> "Layout":
        """Lay out a sketch."""
        nodes = sketch.nodes
        leaves, level = [0] * len(nodes), [0] * len(nodes)
        for k in range(len(nodes) - 1, 0, -1):
            leaves[k] = max(leaves[k], 1)
            leaves[nodes[k].parent] += leaves[k]
        leaves[0] = max(leaves[0], 1)
        first, free = [0] * len(nodes), [0] * len(nodes)
        for k, node in enumerate(nodes[1:], 1):
            first[k], level[k] = free[node.parent], level[node.parent] + 1
            free[k], free[node.parent] = first[k], first[k] + leaves[k]
        unit = max(
            max(width_of(node.text), width_of(node.move) / LABEL) / n
            for node, n in zip(nodes, leaves, strict=True)
        )
        width = max(NARROWEST, unit * leaves[0] + 2 * MARGIN)
        left = (width - unit * leaves[0]) / 2
        span = tuple((left + unit * a, left + unit * (a + n)) for a, n in zip(first, leaves, strict=True))
        below = MARGIN + LINE * (2 + len(sketch.shades))
        y = tuple(below + DROP * (max(level) - d) for d in level)
        height = y[0] + MARGIN + LINE * (1 + len(sketch.title))
        return Layout(width, height, tuple((a + b) / 2 for a, b in span), y, span, tuple(level))

    def label(self, sketch: Sketch, k: int) -> tuple[float, float]:
        """Return where the label of the move to node k stands."""
        above = sketch.nodes[k].parent
        return (
            self.x[above] + LABEL * (self.x[k] - self.x[above]),
            self.y[above] + LABEL * (self.y[k] - self.y[above]),
        )
