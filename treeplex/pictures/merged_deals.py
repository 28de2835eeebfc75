"""Deals and boards that differ by suits only, and lead to the same play, drawn as one."""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from treeplex.games.base.protocol import CHANCE
from treeplex.pictures.sketch import STUB, Sketch, SketchNode

SUIT = re.compile(r"(?<=[2-9TJQKA])[shdc]")
NOTE = "×n: n deals or boards that differ by suits only, drawn once; p is of all of them"


def merged(drawn: Sketch) -> Sketch:
    """Return a sketch with chance moves that differ by suits only as one, if the play below is the same.

    Play is the same if players, infosets, moves, payoffs, subgames and probabilities are. The one that is
    left has the probabilities of all of them together, and a label without suits.
    """
    children = _children(drawn.nodes)
    kinds = _kinds(drawn.nodes, children)
    nodes: list[SketchNode] = []
    waiting = [(0, drawn.nodes[0])]
    while waiting:
        k, node = waiting.pop()
        here = len(nodes)
        nodes.append(node)
        groups = _groups(drawn.nodes, children[k], kinds) if _merges(node) else [[j] for j in children[k]]
        for group in reversed(groups):
            united = _united([drawn.nodes[j] for j in group])
            waiting.append((group[0], replace(united, parent=here)))
    if all(node.count == 1 for node in nodes):
        return drawn
    return replace(drawn, title=(*drawn.title, NOTE), nodes=tuple(nodes))


def _children(nodes: Sequence[SketchNode]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in nodes]
    for k, node in enumerate(nodes[1:], 1):
        children[node.parent].append(k)
    return children


def _merges(node: SketchNode) -> bool:
    """Whether what follows may be merged: after chance, or where several histories hang from dots."""
    return node.player in (CHANCE, STUB)


def _kinds(nodes: Sequence[SketchNode], children: Sequence[Sequence[int]]) -> list[int]:
    """Return a number for each node, equal where all below is the same play but for suits."""
    numbers: dict[object, int] = {}
    kinds = [0] * len(nodes)
    for k in range(len(nodes) - 1, -1, -1):
        node = nodes[k]
        below: object = tuple((nodes[j].move, kinds[j]) for j in children[k])
        if _merges(node):
            odds: dict[tuple[str, int], Fraction] = {}
            for j in children[k]:
                outcome = _bare(nodes[j]), kinds[j]
                odds[outcome] = odds.get(outcome, Fraction(0)) + (nodes[j].odds or 1)
            below = frozenset(odds.items())
        kinds[k] = numbers.setdefault((node.player, node.key, node.payoff, node.shade, below), len(numbers))
    return kinds


def _bare(node: SketchNode) -> str:
    """Return the label of the move to a node without suits."""
    return SUIT.sub("", node.move)


def _groups(nodes: Sequence[SketchNode], children: Sequence[int], kinds: Sequence[int]) -> list[list[int]]:
    """Return the moves of chance that differ by suits only, together."""
    found: dict[tuple[str, int], list[int]] = {}
    for k in children:
        found.setdefault((_bare(nodes[k]), kinds[k]), []).append(k)
    return list(found.values())


def _united(group: Sequence[SketchNode]) -> SketchNode:
    """Return one node for some that are drawn as one."""
    first = group[0]
    if len(group) == 1:
        return first
    odds = None if first.odds is None else sum((node.odds or Fraction(0) for node in group), Fraction(0))
    return replace(first, move=_bare(first), odds=odds, count=len(group))
