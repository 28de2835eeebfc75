"""The order of a drawn game tree: a level a move, children from left to right, lines that join infosets."""

from dataclasses import dataclass
from itertools import pairwise

from treeplex.pictures.tree_sketch import Sketch


@dataclass(frozen=True)
class Layout:
    """Levels of a sketch's nodes, from the top.

    Attributes
    ----------
    children : tuple of tuple of int
        Of each node.
    level : tuple of int
        How many moves lead to each node.
    order : tuple of tuple of int
        The nodes of each level from left to right.
    """

    children: tuple[tuple[int, ...], ...]
    level: tuple[int, ...]
    order: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(sketch: Sketch) -> "Layout":
        """Return the order of a sketch."""
        n = len(sketch.nodes)
        children: list[list[int]] = [[] for _ in range(n)]
        level = [0] * n
        for k, node in enumerate(sketch.nodes):
            if node.parent >= 0:
                children[node.parent].append(k)
                level[k] = level[node.parent] + 1
        order = tuple(tuple(k for k in range(n) if level[k] == d) for d in range(max(level) + 1))
        return Layout(tuple(map(tuple, children)), tuple(level), order)


@dataclass(frozen=True)
class Link:
    """A line between two nodes of one infoset.

    Attributes
    ----------
    player : int
    first, second : int
        Neighbours among the infoset's nodes.
    track : int
        How deep the line sags below the level: 0 straight, since nothing stands between; deeper than all
        shorter lines of the level that it overlaps. -1 if the nodes stand on different levels.
    """

    player: int
    first: int
    second: int
    track: int


def links(sketch: Sketch, layout: Layout) -> tuple[Link, ...]:
    """Join the nodes of each infoset, neighbour to neighbour, so that no two lines of a level coincide."""
    rank = {k: i for nodes in layout.order for i, k in enumerate(nodes)}
    found: list[Link] = []
    pairs = [
        (player, first, second)
        for (player, _), members in sketch.infosets().items()
        for first, second in pairwise(sorted(members, key=lambda k: (layout.level[k], k)))
    ]
    taken: dict[int, list[tuple[int, int, int]]] = {}
    for player, first, second in sorted(pairs, key=lambda pair: rank[pair[2]] - rank[pair[1]]):
        if layout.level[first] != layout.level[second]:
            found.append(Link(player, first, second, -1))
            continue
        left, right = rank[first], rank[second]
        if right == left + 1:
            found.append(Link(player, first, second, 0))
            continue
        level = taken.setdefault(layout.level[first], [])
        track = 1 + max((t for a, b, t in level if a < right and left < b), default=0)
        level.append((left, right, track))
        found.append(Link(player, first, second, track))
    return tuple(found)
