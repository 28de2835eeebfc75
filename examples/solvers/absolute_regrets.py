"""Bug: regret matching takes regrets without their sign; the clip at zero is missing."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Node, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class AbsoluteRegrets(TextbookCFR):
    """CFR with no clip of regrets."""

    def strategy(self, key: Key, node: Node) -> Row:
        """Return a strategy in proportion to the size of regrets."""
        regret = self.regret.get(key, {})
        return self.normalised({a: abs(regret.get(a, 0.0)) for a in node.children})


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return AbsoluteRegrets(game).run(iterations)
