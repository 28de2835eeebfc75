"""Pictures of trees for the notebooks: the probabilities of a strategy, and the tree of public states."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction

from treeplex.core.loading import GameLike, game_of
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.pictures.sketch import Sketch, SketchNode
from treeplex.pictures.tree_picture import TreePicture
from treeplex.seqform.trees.game_tree import GameTree, build_tree

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


def public_tree(game: GameLike, until: Collection[str] = ()) -> TreePicture:
    """Draw the public tree of a small game: what both players see, with who acts and where play ends.

    Parameters
    ----------
    game : str, Path, Game or Problem
    until : collection of str
        Public states below which nothing is drawn.
    """
    tree = build_tree(game_of(game))
    nodes: list[SketchNode] = []
    number: dict[int, int] = {}
    for history in range(tree.n_nodes):
        state, above = int(tree.public[history]), int(tree.parent[history])
        before = int(tree.public[above]) if above >= 0 else -1
        hidden = above >= 0 and (before not in number or tree.public_keys[before] in until)
        if state in number or hidden:
            continue
        number[state] = len(nodes)
        nodes.append(_public_node(tree, history, number.get(before, -1)))
    title = (f"public tree of {tree.name}", "what both players see")
    return TreePicture(Sketch(title, "where play ends", tuple(nodes)))


def _public_node(tree: GameTree, history: int, parent: int) -> SketchNode:
    """Return the node of a history's public state; chance's moves show what is new on the board."""
    player, key = int(tree.player[history]), tree.public_keys[tree.public[history]]
    after_chance = parent >= 0 and tree.player[tree.parent[history]] == CHANCE
    move = key.partition(":")[0] if after_chance else tree.move(history)
    return SketchNode(parent, player, {CHANCE: "", TERMINAL: "end"}.get(player, key), move)
