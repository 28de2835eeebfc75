"""Bug: player 1's strategies are computed once and kept; they are never refreshed."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Node, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class StaleStrategy(TextbookCFR):
    """CFR with a cache that goes stale."""

    def strategy(self, key: Key, node: Node) -> Row:
        """Return player 0's current strategy, and player 1's first one."""
        return (
            super().strategy(key, node) if key[0] == 0 else self.normalised(dict.fromkeys(node.children, 1.0))
        )


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return StaleStrategy(game).run(iterations)
