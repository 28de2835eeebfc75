"""Pictures of trees for the notebooks: the probabilities of a strategy, and the tree of public states."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from treeplex.core.loading import GameLike, game_of
from treeplex.games.protocol import CHANCE, TERMINAL
from treeplex.pictures.sketch import Node, Sketch
from treeplex.pictures.tree_picture import TreePicture
from treeplex.seqform.trees.game_tree import build_tree

Table = Mapping[tuple[int, str], Mapping[str, float]]
"""A strategy: for each player and infoset the probability of each action."""


def with_strategy(picture: TreePicture, strategy: Table) -> TreePicture:
    """Return a drawn game tree with the probabilities of a strategy at the moves.

    Parameters
    ----------
    picture : TreePicture
    strategy : mapping
        ``{(player, infoset): {action: probability}}``; infosets that it lacks keep their moves as they are.
    """
    nodes = picture.sketch.nodes
    labelled = []
    for node in nodes:
        above = nodes[node.parent] if node.parent >= 0 else None
        row = strategy.get((above.player, above.key), {}) if above else {}
        odds = Fraction(row[node.move]).limit_denominator(100) if node.move in row else node.odds
        labelled.append(replace(node, odds=odds))
    return TreePicture(replace(picture.sketch, nodes=tuple(labelled)))


def public_tree(game: GameLike) -> TreePicture:
    """Draw the public tree of a small game: what both players see, with who acts and where play ends."""
    tree = build_tree(game_of(game))
    nodes: list[Node] = []
    number: dict[int, int] = {}
    for history in range(tree.n_nodes):
        state, above = int(tree.public[history]), int(tree.parent[history])
        if state in number:
            continue
        number[state] = len(nodes)
        player, key = int(tree.player[history]), tree.public_keys[state]
        parent = number[int(tree.public[above])] if above >= 0 else -1
        move = key.rpartition("/")[2].removeprefix(":") if above >= 0 else ""
        text = {CHANCE: "", TERMINAL: "end"}.get(player, key)
        nodes.append(Node(parent, player, text, move))
    title = (f"public tree of {tree.name}", "what both players see")
    return TreePicture(Sketch(title, "where play ends", tuple(nodes)))
