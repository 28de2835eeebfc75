"""A game tree as text for Graphviz: chance as diamonds, infosets joined by dashed lines."""

from collections.abc import Iterator
from itertools import pairwise

from treeplex.games.base.protocol import CHANCE
from treeplex.pictures.palette import FILL, STROKE
from treeplex.pictures.sketch import SketchNode, sketch
from treeplex.seqform.trees.game_tree import GameTree

MOST_HISTORIES = 5_000
"""Most histories of a tree; Graphviz takes minutes over larger ones."""


def dot_text(tree: GameTree) -> Iterator[str]:
    """Yield a game tree line by line in the DOT language.

    Nodes ``n0, n1, ...`` are the histories, depth first. The lines between nodes of one infoset do not
    constrain the layout. Leaves are labelled with what player 0 gets.

    Raises
    ------
    ValueError
        If there are more than ``MOST_HISTORIES`` histories.
    """
    drawn = sketch(tree, MOST_HISTORIES, "it can be written as efg, mps, lp or npz")
    yield f"digraph {_quoted(tree.name)} {{\n"
    title = _quoted("\n".join((*drawn.title, f"leaves: {drawn.leaves}")))
    yield f"  label={title} labelloc=t fontname=Helvetica\n"
    yield "  node [fontname=Helvetica fontsize=11 style=filled]\n"
    yield "  edge [fontname=Helvetica fontsize=10 arrowhead=none]\n"
    for number, node in enumerate(drawn.nodes):
        yield f"  n{number} [{_look(node, drawn.text(number))}]\n"
        if node.parent >= 0:
            yield f"  n{node.parent} -> n{number} [label={_quoted(drawn.move(number))}]\n"
    for (player, _), members in drawn.infosets().items():
        for first, second in pairwise(members):
            look = f'style=dashed constraint=false color="{STROKE[player]}"'
            yield f"  n{first} -> n{second} [{look}]\n"
    yield "}\n"


def _look(node: SketchNode, text: str) -> str:
    if node.player == CHANCE:
        return f'shape=diamond fillcolor="{FILL[CHANCE]}" label="C"'
    if node.player < 0:
        return f'shape=plaintext style="" label={_quoted(text)}'
    label = _quoted(f"{node.player}\n{text}")
    return f'shape=box style="filled,rounded" fillcolor="{FILL[node.player]}" label={label}'


def _quoted(text: str) -> str:
    """Return a string of DOT: backslashes would begin escapes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
