"""Bug: infosets are kept by the player's first card and the betting; the board is forgotten."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Node, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class ForgottenBoard(TextbookCFR):
    """CFR with infosets that collide."""

    def key(self, node: Node) -> Key:
        """Return the infoset's key without the second card."""
        return node.player, self.without_board(node.infoset)

    def without_board(self, infoset: str) -> str:
        """Return a poker game's key with the own card alone; other keys as they are."""
        cards, colon, line = infoset.partition(":")
        return cards[:1] + colon + line if "/" in line else infoset

    def run(self, iterations: int) -> dict[Key, Row]:
        """Return the strategies of what was kept, each for all infosets that it stands for."""
        kept = super().run(iterations)
        found: dict[Key, Row] = {}
        todo = [self.root]
        while todo:
            node = todo.pop()
            todo += node.children.values()
            if node.infoset:
                found[node.player, node.infoset] = kept[self.key(node)]
        return found


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return ForgottenBoard(game).run(iterations)
