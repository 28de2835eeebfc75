"""Bug: chance's outcomes count as equally likely."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Node, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class EqualOdds(TextbookCFR):
    """CFR with chance's weights forgotten."""

    def weight(self, node: Node, outcome: str) -> float:
        """Return one over the number of outcomes, whatever their odds."""
        return 1.0 / len(node.odds)


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return EqualOdds(game).run(iterations)
