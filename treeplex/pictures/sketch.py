"""A game tree reduced to what a picture shows: nodes with texts, moves and shaded subgames."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.pictures.history_texts import (
    NumberStyle,
    chance_odds,
    distinct_paths,
    key_of,
    payoff_of,
)
from treeplex.seqform.subgames.cut import Cut
from treeplex.seqform.trees.game_tree import GameTree

STUB = -3
"""Player of a node at which the picture is cut off."""


@dataclass(frozen=True)
class SketchNode:
    """A history as it is drawn.

    Attributes
    ----------
    parent : int
        Its number in the sketch, -1 at the root.
    player : int
        Who acts: 0, 1, ``CHANCE``, ``TERMINAL``, or ``STUB`` where the picture breaks off.
    key : str
        The infoset's key where a player acts, else empty.
    move : str
        The label of the move that leads here.
    shade : int
        The subgame it is in, an index into the sketch's ``shades``; -1 if none.
    payoff : Fraction or None
        Of a leaf: what player 0 gets.
    odds : Fraction or None
        The probability with which chance, or a strategy that is drawn, moves here; None where none is drawn.
    count : int
        How many histories of the game are drawn as this one.
    """

    parent: int
    player: int
    key: str
    move: str
    shade: int = -1
    payoff: Fraction | None = None
    odds: Fraction | None = None
    count: int = 1


@dataclass(frozen=True, repr=False)
class Sketch(Shown):
    """A game tree as it is drawn, depth first.

    Attributes
    ----------
    title : tuple of str
        Lines above the picture.
    leaves : str
        What stands at the leaves, with its unit.
    nodes : tuple of SketchNode
    shades : tuple of str
        The names of the subgames that are shaded.
    """

    title: tuple[str, ...]
    leaves: str
    nodes: tuple[SketchNode, ...]
    shades: tuple[str, ...] = ()

    def brief(self) -> str:
        """Return the title and the number of histories."""
        return f"{self.title[0]}: {len(self.nodes):,} histories"

    @cached_property
    def style(self) -> NumberStyle:
        """How payoffs and probabilities are written."""
        numbers = (number for node in self.nodes for number in (node.payoff, node.odds))
        return NumberStyle.of(number for number in numbers if number is not None)

    def text(self, k: int) -> str:
        """Return what stands at a node: the infoset's key, a leaf's payoff, dots where the picture ends."""
        node = self.nodes[k]
        if node.payoff is not None:
            return self.style.payoff(node.payoff)
        return "…" if node.player == STUB else node.key

    def move(self, k: int) -> str:
        """Return what stands on the way to a node: the move, and below it chance's probability."""
        node = self.nodes[k]
        move = node.move if node.count == 1 else f"{node.move} ×{node.count}"
        return move if node.odds is None else f"{move}\n{self.style.odds(node.odds)}"

    def infosets(self) -> dict[tuple[int, str], list[int]]:
        """Return the numbers of the nodes in each infoset, ascending."""
        numbers: dict[tuple[int, str], list[int]] = {}
        for number, node in enumerate(self.nodes):
            if node.player >= 0:
                numbers.setdefault((node.player, node.key), []).append(number)
        return numbers


def leaves_of(tree: GameTree) -> str:
    """Return what stands at the leaves of a game's picture."""
    return f"what player 0 gets, in {tree.unit}"


def node_of(tree: GameTree, history: int) -> SketchNode:
    """Return a history as it is drawn, its parent left out."""
    key, payoff = key_of(tree, history), payoff_of(tree, history)
    odds, move = chance_odds(tree, history), tree.move(history)
    return SketchNode(-1, int(tree.player[history]), key, move, payoff=payoff, odds=odds)


def check_size(name: str, count: int, most: int, advice: str) -> None:
    """Refuse a picture of too many histories with what to do instead."""
    if count > most:
        raise BadInputError(
            f"{name}: a picture of {count:,} histories, and at most {most:,} are drawn; {advice}"
        )


def sketch(
    tree: GameTree,
    most: int,
    advice: str,
    cuts: Sequence[Cut] = (),
    roots: Sequence[int] = (0,),
) -> Sketch:
    """Sketch a game tree, or a part of it.

    Parameters
    ----------
    tree : GameTree
    most : int
        How many histories a picture may show.
    advice : str
        What to do if it shows more.
    cuts : sequence of Cut
        Subgames to be shaded.
    roots : sequence of int
        Histories of which none is below another: they and what is below them is shown. Several hang from a
        node of dots, by the moves that tell them apart.

    Raises
    ------
    ValueError
        If there are more histories.
    """
    shown = [history for root in roots for history in range(root, int(tree.end[root]))]
    check_size(tree.name, len(shown), most, advice)
    nodes = [SketchNode(-1, STUB, "", "")] if len(roots) > 1 else []
    number = {history: k for k, history in enumerate(shown, len(nodes))}
    begins = dict(zip(roots, distinct_paths(tree, roots), strict=True))
    shade = _shades(tree, cuts)
    for history in shown:
        above = number.get(int(tree.parent[history]), -1)
        node = replace(node_of(tree, history), parent=above, shade=shade[history])
        if history in begins:
            node = replace(node, parent=0 if len(roots) > 1 else -1, move=begins[history], odds=None)
        nodes.append(node)
    return Sketch((tree.name,), leaves_of(tree), tuple(nodes), tuple(cut.name for cut in cuts))


def broken_off(drawn: Sketch, depth: int) -> Sketch:
    """Return the first moves of a sketch: nodes that have more moves above them are left out.

    Raises
    ------
    ValueError
        If the depth is not at least 1.
    """
    if type(depth) is not int or depth < 1:
        raise BadInputError(f"depth must be at least 1 move, got {depth!r}")
    level, number, nodes = [0], {0: 0}, [drawn.nodes[0]]
    for k, node in enumerate(drawn.nodes[1:], 1):
        level.append(level[node.parent] + 1)
        if level[k] <= depth:
            number[k] = len(nodes)
            nodes.append(replace(node, parent=number[node.parent]))
        elif level[k] == depth + 1:
            above = number[node.parent]
            nodes[above] = replace(nodes[above], player=STUB, key="")
    return replace(drawn, nodes=tuple(nodes))


def _shades(tree: GameTree, cuts: Sequence[Cut]) -> list[int]:
    """Return the number of the subgame in which each history is, -1 if in none."""
    shade = np.full(tree.n_nodes, -1)
    for k, cut in enumerate(cuts):
        for root in cut.roots.tolist():
            shade[root : tree.end[root]] = k
    return [int(number) for number in shade]
