"""A drawn game tree in inches: as wide as its texts need for none of them to touch."""

from collections.abc import Sequence
from functools import cache
from itertools import zip_longest

from treeplex.games.inputs.reading import shortened
from treeplex.games.protocol import CHANCE
from treeplex.pictures.tree_layout import Layout, links
from treeplex.pictures.tree_sketch import Node, Sketch

# All lengths are inches, all sizes of fonts points.
FONT = 8.0
MARGIN, NARROWEST = 0.3, 4.0
GAP = 0.1
"""Between neighbours."""
BOX, DIAMOND, LINE = 0.17, 0.19, 0.07
"""Half the height of a decision, of a chance node and of a line of text."""
DROP, SAG, BEND = 0.78, 0.11, 0.5
"""From a level to the next; how much deeper each track of infosets lies, and how soon a line gets there."""
LABEL = 0.55
"""Where a move's label stands on the free part of its edge."""
LEGEND_LINE, LEGEND_MARK = 0.2, 0.42
LONGEST_TEXT = 26

Outline = list[tuple[float, float]]
"""How far a subtree reaches to the left and to the right: its root, the labels below, the next level, ..."""


class Plan:
    """A sketch's layout in inches.

    Attributes
    ----------
    width, height : float
        Of the whole picture.
    x, y : list of float
        The middle of each node, from the left and from below.
    half : list of float
        Half the width of each node.
    links : tuple of Link
    legend : list of str
        The entries below the picture.
    legend_columns : int
    """

    def __init__(self, sketch: Sketch) -> None:
        self.sketch = sketch
        self.layout = layout = Layout.of(sketch)
        self.links = links(sketch, layout)
        self.half = [_half_width(node) for node in sketch.nodes]
        self.sag = [SAG * self._tracks(level) for level in range(len(layout.order))]
        more_lines = [self._more_lines(level) for level in range(len(layout.order))]
        self.drop = [DROP + sag + 2 * LINE * more for sag, more in zip(self.sag, more_lines, strict=True)]
        self._measure_across()
        self.legend = _legend_of(sketch)
        self.legend_columns = _columns_of(self.legend, self.width - MARGIN)
        self._measure_down()

    def _tracks(self, level: int) -> int:
        """Return how many lines of infosets lie below one another at a level."""
        there = (link.track for link in self.links if self.layout.level[link.first] == level)
        return max((0, *there))

    def _more_lines(self, level: int) -> int:
        """Return how many lines the labels of a level's moves have beyond their first."""
        below = self.layout.order[level + 1] if level + 1 < len(self.layout.order) else ()
        return max((self.sketch.nodes[k].move.count("\n") for k in below), default=0)

    def _measure_across(self) -> None:
        away, rows = self._packed()
        left, right = -min(row[0] for row in rows), max(row[1] for row in rows)
        self.width = max(NARROWEST, left + right + 2 * MARGIN)
        self.x = [(self.width - left - right) / 2 + left]
        for k, node in enumerate(self.sketch.nodes[1:], 1):
            self.x.append(self.x[node.parent] + away[k])

    def _packed(self) -> tuple[list[float], Outline]:
        """Return how far each node stands from its parent, and the outline of the tree around its root."""
        away = [0.0] * len(self.half)
        outlines: dict[int, Outline] = {}
        for k in range(len(self.half) - 1, -1, -1):
            children = self.layout.children[k]
            outlines[k] = [(-self.half[k], self.half[k])]
            if children:
                at, below = self._side_by_side(children, [outlines.pop(child) for child in children])
                middle = (at[0] + at[-1]) / 2
                for child, x in zip(children, at, strict=True):
                    away[child] = x - middle
                outlines[k] += [self._labels(children, away), *_moved(below, -middle)]
        return away, outlines[0]

    def _side_by_side(self, roots: Sequence[int], outlines: list[Outline]) -> tuple[list[float], Outline]:
        """Push the subtrees of siblings together until something would touch; the first stands at 0."""
        at, whole = [0.0], outlines[0]
        for before, root, outline in zip(roots, roots[1:], outlines[1:], strict=False):
            apart = [right - left for (_, right), (left, _) in zip(whole, outline, strict=False)]
            labels = (self._text(before) + self._text(root)) / 2 + GAP
            at.append(max(max(apart) + GAP, at[-1] + labels / self.share(root)))
            whole = _together(whole, _moved(outline, at[-1]))
        return at, whole

    def _labels(self, children: Sequence[int], away: Sequence[float]) -> tuple[float, float]:
        """Return how far the labels of moves reach around the node that the moves are made at."""
        spans = [(self.share(child) * away[child], self._text(child) / 2) for child in children]
        return min(x - half for x, half in spans), max(x + half for x, half in spans)

    def _measure_down(self) -> None:
        rows = -(-max(len(self.legend), 1) // self.legend_columns)
        top = MARGIN + LEGEND_LINE * len(self.sketch.title) + DIAMOND
        bottom = MARGIN / 2 + LEGEND_LINE * rows + BOX + 0.1
        self.height = top + sum(self.drop[:-1]) + bottom
        y = [self.height - top]
        for drop in self.drop[:-1]:
            y.append(y[-1] - drop)
        self.y = [y[level] for level in self.layout.level]

    def share(self, k: int) -> float:
        """Return how far along the edge to node k its label stands: below the lines of infosets."""
        level = self.layout.level[k] - 1
        clear = self.sag[level] + BOX
        return (clear + LABEL * (self.drop[level] - clear - BOX)) / self.drop[level]

    def label(self, k: int) -> tuple[float, float]:
        """Return where the label of the move to node k stands."""
        above, t = self.sketch.nodes[k].parent, self.share(k)
        (x0, y0), (x1, y1) = (self.x[above], self.y[above]), (self.x[k], self.y[k])
        return x0 + t * (x1 - x0), y0 + t * (y1 - y0)

    def _text(self, k: int) -> float:
        """Return how wide the label of the move to node k is."""
        return text_width(self.sketch.nodes[k].move)


def _moved(outline: Outline, x: float) -> Outline:
    return [(left + x, right + x) for left, right in outline]


def _together(first: Outline, second: Outline) -> Outline:
    """Return the outline of two subtrees together."""
    none = (float("inf"), float("-inf"))
    return [(min(a[0], b[0]), max(a[1], b[1])) for a, b in zip_longest(first, second, fillvalue=none)]


def _half_width(node: Node) -> float:
    if node.player == CHANCE:
        return DIAMOND
    width = max(text_width(node.text), text_width("0"))
    return width / 2 + (0.07 if node.player >= 0 else 0.0)


@cache
def text_width(text: str) -> float:
    """Return the inches of the longest line."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=FONT)
    lines = (shortened(line, LONGEST_TEXT) for line in text.split("\n"))
    return max(text_to_path.get_text_width_height_descent(line, font, ismath=False)[0] for line in lines) / 72


def _legend_of(sketch: Sketch) -> list[str]:
    """Return the entries: who and what occurs, then the subgames."""
    players = {node.player for node in sketch.nodes}
    entries = [
        name for name, there in (("player 0", 0), ("player 1", 1), ("chance", CHANCE)) if there in players
    ]
    joined = any(len(members) > 1 for members in sketch.infosets().values())
    subgames = (f"subgame {shortened(name, LONGEST_TEXT)}" for name in sketch.shades)
    return [*entries, *(["one infoset"] if joined else []), *subgames]


def _columns_of(legend: list[str], room: float) -> int:
    """Return how many entries stand side by side: all if they fit."""
    widths = [text_width(label) + LEGEND_MARK for label in legend]
    if sum(widths) <= room:
        return max(len(widths), 1)
    return max(1, int(room / max(widths)))
