"""A player's decisions as a tree: round infosets, square sequences."""

from collections.abc import Mapping

from matplotlib.axes import Axes

from lecture.graphs import Point, draw_edges, draw_nodes, placed
from lecture.style import FILL
from treeplex.seqform.forms.treeplex import Treeplex

Element = tuple[str, int]
"""An infoset ("i", number) or a sequence ("s", number)."""


def sequence_names(treeplex: Treeplex) -> list[str]:
    """Return the name of each sequence, its last infoset and action; the empty one is ∅."""
    infosets = [treeplex.infosets[i] for i in treeplex.infoset_of[1:]]
    return ["∅", *(i + a for i, a in zip(infosets, treeplex.actions[1:], strict=True))]


def draw_treeplex(
    ax: Axes, treeplex: Treeplex, player: int, *, notes: Mapping[Element, str] | None = None
) -> dict[Element, Point]:
    """Draw a treeplex from the empty sequence down, and return where its elements lie.

    Parameters
    ----------
    player : int
        Whose decisions they are; infosets take the player's colour.
    notes : mapping of element to str, optional
        A second line below the names of some elements, such as their values.
    """
    children: dict[Element, list[Element]] = {}
    for i in range(treeplex.n_infosets):
        children.setdefault(("s", int(treeplex.parent[i])), []).append(("i", i))
        children["i", i] = [("s", s) for s in range(treeplex.begin[i], treeplex.end[i])]
    places = placed(children, ("s", 0))
    draw_edges(ax, places, [(a, b) for a, below in children.items() for b in below])
    names = {("i", i): key for i, key in enumerate(treeplex.infosets)}
    names |= {("s", s): name for s, name in enumerate(sequence_names(treeplex))}
    told = notes or {}
    texts = {
        element: f"{name}\n{told[element]}" if element in told else name for element, name in names.items()
    }
    for kind, colour, shape, size in (("i", FILL[player], "o", 1300), ("s", "white", "s", 1100)):
        own = {element: text for element, text in texts.items() if element[0] == kind}
        draw_nodes(ax, places, own, colour, shape=shape, size=size * (1.4 if notes else 1), font=9)
    ax.axis("off")
    ax.margins(0.05, 0.14)
    return places
