"""Bug: histories that the player itself does not reach are left out, and their regrets never change again."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Node, Reach, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class PrunedTooEarly(TextbookCFR):
    """CFR with too much pruned."""

    def walk(self, node: Node, reach: Reach, t: int) -> float:
        """Return nothing below histories that one of the players does not reach."""
        if t > 1 and min(reach[:2]) == 0.0:
            return 0.0
        return super().walk(node, reach, t)


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return PrunedTooEarly(game).run(iterations)
