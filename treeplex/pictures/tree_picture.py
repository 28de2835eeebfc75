"""A sketched game tree as figure, terminal text and graph of networkx."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from treeplex.games.protocol import CHANCE, TERMINAL
from treeplex.pictures.figure import tree_figure
from treeplex.pictures.layout import Layout
from treeplex.pictures.sketch import Sketch
from treeplex.store.figure_file import Drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from networkx import DiGraph


@dataclass(frozen=True)
class TreePicture(Drawn):
    """A drawn game tree: a file by :meth:`write`, shown by notebooks, a graph of networkx in :attr:`graph`.

    Attributes
    ----------
    sketch : Sketch
    """

    sketch: Sketch

    @property
    def alt(self) -> str:
        """Alternative text of the figure."""
        return "game tree"

    def __rich__(self) -> RenderableType:
        """Return what a terminal shows: a line a history."""
        trees: list[Tree] = []
        for node in self.sketch.nodes:
            who = (
                "chance"
                if node.player == CHANCE
                else f"{node.player} {node.text}"
                if node.player >= 0
                else node.text
            )
            line = Text(f"{node.move.replace(chr(10), ' ')}: {who}" if node.parent >= 0 else who)
            trees.append(trees[node.parent].add(line) if node.parent >= 0 else Tree(line))
        return Group(*(Text(line) for line in self.sketch.title), trees[0])

    def figure(self) -> "Figure":
        """Draw the tree with matplotlib."""
        return tree_figure(self.sketch)

    @property
    def graph(self) -> "DiGraph":
        """The tree as a new graph of networkx: nodes 0, 1, ... depth first, and an edge for each move.

        Nodes have ``player`` (0, 1, -1 for chance, -2 for a leaf, -3 where the picture breaks off),
        ``infoset`` (the key of who decides), ``payoff`` (a leaf's, a Fraction: what player 0 gets),
        ``subgame`` (the name of the shaded one), each None where there is none; ``label``, the text in the
        picture, and ``pos``, where it stands: inches from the left and from below. Edges have ``label``, the
        move. The graph's ``name`` is the first line of the title.
        """
        from networkx import DiGraph

        layout, shades = Layout.of(self.sketch), self.sketch.shades
        graph = DiGraph(name=self.sketch.title[0])
        for k, node in enumerate(self.sketch.nodes):
            graph.add_node(
                k,
                player=node.player,
                infoset=node.text if node.player >= 0 else None,
                payoff=Fraction(node.text) if node.player == TERMINAL else None,
                subgame=shades[node.shade] if node.shade >= 0 else None,
                label=node.text,
                pos=(layout.x[k], layout.y[k]),
            )
            if node.parent >= 0:
                graph.add_edge(node.parent, k, label=node.move)
        return graph
