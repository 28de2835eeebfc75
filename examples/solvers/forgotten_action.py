"""Bug: of three actions or more the last is never considered."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Node, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class ForgottenAction(TextbookCFR):
    """CFR with an action forgotten."""

    def strategy(self, key: Key, node: Node) -> Row:
        """Return the current strategy on all actions but a third one or later."""
        regret = self.regret.get(key, {})
        first_two = list(node.children)[:2]
        row = self.normalised({a: max(regret.get(a, 0.0), 0.0) for a in first_two})
        return {a: row.get(a, 0.0) for a in node.children}


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return ForgottenAction(game).run(iterations)
