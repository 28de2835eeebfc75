"""A drawn game tree as a graph of networkx, to be analysed or drawn in other ways."""

from fractions import Fraction
from typing import TYPE_CHECKING

from treeplex.games.protocol import TERMINAL
from treeplex.pictures.tree_layout import Layout
from treeplex.pictures.tree_sketch import Sketch

if TYPE_CHECKING:
    from networkx import DiGraph


def tree_graph(sketch: Sketch) -> "DiGraph":
    """Return a sketch as a graph: nodes 0, 1, ... depth first, and an edge for each move.

    Nodes have ``player`` (0, 1, -1 for chance, -2 for a leaf, -3 where the picture breaks off), ``infoset``
    (the key of who decides), ``payoff`` (a leaf's, a Fraction: what player 0 gets), ``subgame`` (the name of
    the shaded one), each None where there is none; ``label``, the text in the picture, and ``pos``, where it
    stands: inches from the left and from below. Edges have ``label``, the move. The graph's ``name`` is the
    first line of the title.
    """
    from networkx import DiGraph

    layout = Layout.of(sketch)
    graph = DiGraph(name=sketch.title[0])
    for k, node in enumerate(sketch.nodes):
        graph.add_node(
            k,
            player=node.player,
            infoset=None if node.infoset is None else node.infoset[1],
            payoff=Fraction(node.text) if node.player == TERMINAL else None,
            subgame=sketch.shades[node.shade] if node.shade >= 0 else None,
            label=node.text,
            pos=(layout.x[k], layout.y[k]),
        )
        if node.parent >= 0:
            graph.add_edge(node.parent, k, label=node.move)
    return graph
