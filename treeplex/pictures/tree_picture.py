"""A sketched game tree as figure, terminal text and graph of networkx."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions
from rich.text import Text

from treeplex.files.figure_file import DrawnFigure
from treeplex.games.base.display import shown_width, wrapped
from treeplex.games.base.protocol import CHANCE
from treeplex.pictures.sketch import Sketch
from treeplex.pictures.tree_figure import tree_figure
from treeplex.pictures.tree_layout import Layout

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from networkx import DiGraph


BRANCH, LAST, BELOW, LAST_BELOW = "├── ", "└── ", "│   ", "    "
"""What leads to a history: one of several or the last; what stands before those below it."""


@dataclass(frozen=True, repr=False)
class TreePicture(DrawnFigure):
    """A drawn game tree: a file by :meth:`write`, shown by notebooks, a graph of networkx in :attr:`graph`.

    Attributes
    ----------
    sketch : Sketch
    """

    sketch: Sketch

    @property
    def width(self) -> float:
        """Inches from the left to the right of the figure."""
        return Layout.of(self.sketch).width

    @property
    def alt(self) -> str:
        """Alternative text of the figure."""
        return "game tree"

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Print a line a history, wrapped between words where the terminal is narrower."""
        for line in self.lines(options.max_width):
            yield Text(line, no_wrap=True, overflow="ignore")

    def __str__(self) -> str:
        return "\n".join(self.lines(shown_width()))

    def lines(self, width: int) -> Iterator[str]:
        """Yield a line a history, wrapped between words to a width."""
        for line in (*self.sketch.title, f"leaves: {self.sketch.leaves}"):
            yield from wrapped(line, width)
        nodes = self.sketch.nodes
        last = {node.parent: k for k, node in enumerate(nodes)}
        before: list[str] = []
        for k, node in enumerate(nodes):
            above = before[node.parent] if k else ""
            is_last = last[node.parent] == k
            # What stands before the histories below this one, and before the rest of its own text.
            before.append(above + (LAST_BELOW if is_last else BELOW) if k else "")
            first, *rest = wrapped(_described(self.sketch, k), width - len(before[k]))
            yield f"{above}{(LAST if is_last else BRANCH) if k else ''}{first}"
            yield from (f"{before[k]}{line}" for line in rest)

    def figure(self) -> "Figure":
        """Draw the tree with matplotlib."""
        return tree_figure(self.sketch)

    @property
    def graph(self) -> "DiGraph":
        """The tree as a new graph of networkx: nodes 0, 1, ... depth first, and an edge for each move.

        Nodes have ``player`` (0, 1, -1 for chance, -2 for a leaf, -3 where the picture breaks off),
        ``infoset`` (the key of who decides), ``payoff`` (a leaf's, a Fraction: what player 0 gets),
        ``subgame`` (the name of the shaded one), each None where there is none; ``count``, how many histories
        are drawn as this one; ``label``, the text in the picture, and ``pos``, where it stands: inches from
        the left and from below. Edges have ``label``, the move, and ``odds``, chance's probability of it (a
        Fraction) or None. The graph's ``name`` is the first line of the title.
        """
        from networkx import DiGraph

        layout, shades = Layout.of(self.sketch), self.sketch.shades
        graph = DiGraph(name=self.sketch.title[0])
        for k, node in enumerate(self.sketch.nodes):
            graph.add_node(
                k,
                player=node.player,
                infoset=node.key if node.player >= 0 else None,
                payoff=node.payoff,
                subgame=shades[node.shade] if node.shade >= 0 else None,
                count=node.count,
                label=self.sketch.text(k),
                pos=(layout.x[k], layout.y[k]),
            )
            if node.parent >= 0:
                graph.add_edge(node.parent, k, label=self.sketch.move(k), odds=node.odds)
        return graph


def _described(sketch: Sketch, k: int) -> str:
    """Return a history's text: the move that leads to it, who acts there and what is known, or the payoff."""
    node = sketch.nodes[k]
    if node.player == CHANCE:
        who = "chance"
    else:
        who = f"{node.player} {node.key}" if node.player >= 0 else sketch.text(k)
    if node.parent < 0:
        return who
    move, *odds = sketch.move(k).split("\n")
    return f"{' '.join((move, *(f'({each})' for each in odds)))}: {who}"
