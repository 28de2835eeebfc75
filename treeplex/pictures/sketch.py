"""A game tree reduced to what a picture shows: nodes with texts, moves and shaded subgames."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from treeplex.games.protocol import CHANCE, TERMINAL
from treeplex.seqform.subgames.cut import Cut
from treeplex.seqform.trees.game_tree import GameTree

STUB = -3
"""Player of a node at which the picture is cut off."""
PLAYER_COLOURS: Mapping[int, str] = {0: "#9ecae9", 1: "#ffbf79", CHANCE: "#d9d9d9"}
"""Soft enough for black text; different in grey and to the colour-blind."""
LINE_COLOURS: Mapping[int, str] = {0: "#1f5f8b", 1: "#b35900"}
"""Of a player's infosets."""


@dataclass(frozen=True)
class Node:
    """A history as it is drawn.

    Attributes
    ----------
    parent : int
        Its number in the sketch, -1 at the root.
    player : int
        Who acts: 0, 1, ``CHANCE``, ``TERMINAL``, or ``STUB`` where the picture breaks off.
    text : str
        The infoset's key, or the payoff of a leaf.
    move : str
        What leads here, with the probability on a second line, in brackets, if chance moved.
    shade : int
        The subgame it is in, an index into the sketch's ``shades``; -1 if none.
    """

    parent: int
    player: int
    text: str
    move: str
    shade: int = -1


@dataclass(frozen=True)
class Sketch:
    """A game tree as it is drawn, depth first.

    Attributes
    ----------
    title : tuple of str
        Lines above the picture.
    nodes : tuple of Node
    shades : tuple of str
        The names of the subgames that are shaded.
    """

    title: tuple[str, ...]
    nodes: tuple[Node, ...]
    shades: tuple[str, ...] = ()

    def infosets(self) -> dict[tuple[int, str], list[int]]:
        """Return the numbers of the nodes in each infoset, ascending."""
        numbers: dict[tuple[int, str], list[int]] = {}
        for number, node in enumerate(self.nodes):
            if node.player >= 0:
                numbers.setdefault((node.player, node.text), []).append(number)
        return numbers


def title_of(tree: GameTree) -> tuple[str, ...]:
    """Return the game and what stands at its leaves."""
    return tree.name, f"leaves: what player 0 gets, in {tree.unit}"


def sketch(
    tree: GameTree, most: int, advice: str, depth: int | None = None, cuts: Sequence[Cut] = ()
) -> Sketch:
    """Sketch a game tree, or its first moves.

    Parameters
    ----------
    tree : GameTree
    most : int
        How many histories a picture may show.
    advice : str
        What to do if it shows more.
    depth : int, optional
        After how many moves the picture breaks off.
    cuts : sequence of Cut
        Subgames to be shaded.

    Raises
    ------
    ValueError
        If there are more histories, or the depth is not at least 1.
    """
    if depth is not None and (type(depth) is not int or depth < 1):
        raise ValueError(f"depth must be at least 1 move, got {depth!r}")
    moves = np.zeros(tree.n_nodes, np.int64)
    for history in range(1, tree.n_nodes):
        moves[history] = moves[tree.parent[history]] + 1
    shown = np.flatnonzero(moves <= (tree.n_nodes if depth is None else depth)).tolist()
    if len(shown) > most:
        raise ValueError(
            f"{tree.name}: a picture of {len(shown):,} histories, and at most {most:,} are drawn; {advice}"
        )
    number = {history: k for k, history in enumerate(shown)}
    shade = np.full(tree.n_nodes, -1)
    for k, cut in enumerate(cuts):
        for root in cut.roots.tolist():
            shade[root : tree.end[root]] = k
    nodes = []
    for history in shown:
        above = int(tree.parent[history])
        children = range(history + 1, int(tree.end[history]))
        broken_off = bool(children) and history + 1 not in number
        player = STUB if broken_off else int(tree.player[history])
        text = "…" if broken_off else node_text(tree, history)
        move = move_text(tree, history)
        nodes.append(Node(number.get(above, -1), player, text, move, int(shade[history])))
    return Sketch(title_of(tree), tuple(nodes), tuple(cut.name for cut in cuts))


def node_text(tree: GameTree, history: int) -> str:
    """Return the key of the player who acts, the exact payoff of a leaf, or nothing for chance."""
    player = int(tree.player[history])
    if player == TERMINAL:
        return str(Fraction(int(tree.payoff[history]), tree.payoff_den))
    return "" if player == CHANCE else tree.keys[player][tree.infoset[history, player]]


def move_text(tree: GameTree, history: int) -> str:
    """Return what leads to a history, with its probability if chance moved."""
    if history == 0:
        return ""
    above, action = int(tree.parent[history]), int(tree.action[history])
    player = int(tree.player[above])
    if player == CHANCE:
        odds = Fraction(int(tree.chance[history]), int(tree.chance[above]))
        return f"{tree.outcomes[above][action]}\n({odds})"
    return str(tree.labels[player][tree.infoset[above, player]][action])
