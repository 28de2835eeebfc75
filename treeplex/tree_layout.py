"""Where the nodes of a drawn game tree stand: leaves evenly spaced, parents centred, a level a move."""

from dataclasses import dataclass
from itertools import pairwise

from treeplex.tree_sketch import Sketch


@dataclass(frozen=True)
class Layout:
    """Places of a sketch's nodes, in slots from the left and levels from the top.

    Attributes
    ----------
    x : tuple of float
        Leaves stand at 0, 1, 2, ...; every other node half way between its first and its last child.
    level : tuple of int
        How many moves lead to each node.
    order : tuple of tuple of int
        The nodes of each level from left to right.
    """

    x: tuple[float, ...]
    level: tuple[int, ...]
    order: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(sketch: Sketch) -> "Layout":
        """Place the nodes of a sketch."""
        n = len(sketch.nodes)
        children: list[list[int]] = [[] for _ in range(n)]
        level = [0] * n
        for k, node in enumerate(sketch.nodes):
            if node.parent >= 0:
                children[node.parent].append(k)
                level[k] = level[node.parent] + 1
        leaves = iter(range(n))
        x = [0.0 if below else float(next(leaves)) for below in children]
        for k in range(n - 1, -1, -1):
            if children[k]:
                x[k] = (x[children[k][0]] + x[children[k][-1]]) / 2
        order = tuple(tuple(k for k in range(n) if level[k] == d) for d in range(max(level) + 1))
        return Layout(tuple(x), tuple(level), order)


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
        for first, second in pairwise(sorted(members, key=lambda k: (layout.level[k], layout.x[k])))
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
