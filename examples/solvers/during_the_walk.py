"""No bug: regrets change while the walk goes on, as in many short implementations."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Node, Reach, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class DuringTheWalk(TextbookCFR):
    """CFR with updates during the walk."""

    def walk(self, node: Node, reach: Reach, t: int) -> float:
        """Return a history's value, and add its regrets at once."""
        value = super().walk(node, reach, t)
        if node.infoset:
            self.update(self.key(node), self.found.pop(self.key(node)))
        return value


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return DuringTheWalk(game).run(iterations)
