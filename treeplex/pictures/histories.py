"""What a picture writes of one history of a game tree: key, payoff, move, probability, path."""

from collections.abc import Sequence
from fractions import Fraction

from treeplex.games.protocol import CHANCE, TERMINAL
from treeplex.seqform.trees.game_tree import GameTree


def key_of(tree: GameTree, history: int) -> str:
    """Return the infoset's key of who acts; empty at leaves and where chance moves."""
    player = int(tree.player[history])
    return tree.keys[player][tree.infoset[history, player]] if player >= 0 else ""


def payoff_of(tree: GameTree, history: int) -> Fraction | None:
    """Return what player 0 gets at a leaf, None elsewhere."""
    is_leaf = tree.player[history] == TERMINAL
    return Fraction(int(tree.payoff[history]), tree.payoff_den) if is_leaf else None


def move_of(tree: GameTree, history: int) -> str:
    """Return the label of the move that leads to a history; empty at the root."""
    if history == 0:
        return ""
    above, action = int(tree.parent[history]), int(tree.action[history])
    player = int(tree.player[above])
    if player == CHANCE:
        return tree.outcomes[above][action]
    return str(tree.labels[player][tree.infoset[above, player]][action])


def chance_odds(tree: GameTree, history: int) -> Fraction | None:
    """Return the probability with which chance moved to a history; None where it did not move."""
    above = int(tree.parent[history])
    if history == 0 or tree.player[above] != CHANCE:
        return None
    return Fraction(int(tree.chance[history]), int(tree.chance[above]))


def path_of(tree: GameTree, history: int) -> tuple[str, ...]:
    """Return the moves to a history, chance's too."""
    moves: list[str] = []
    while history > 0:
        moves.append(move_of(tree, history))
        history = int(tree.parent[history])
    return tuple(reversed(moves))


def distinct_paths(tree: GameTree, histories: Sequence[int]) -> list[str]:
    """Return for each of some histories the moves, joined by slashes, that not all of them share.

    A single history has the empty text.
    """
    paths = [path_of(tree, history) for history in histories]
    shared = {k for k, moves in enumerate(zip(*paths, strict=False)) if len(set(moves)) == 1}
    return ["/".join(move for k, move in enumerate(path) if k not in shared) for path in paths]


def children_of(tree: GameTree, history: int) -> list[int]:
    """Return the histories one move below, in order."""
    children, child = [], history + 1
    while child < tree.end[history]:
        children.append(child)
        child = int(tree.end[child])
    return children
