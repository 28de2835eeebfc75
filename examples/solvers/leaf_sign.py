"""Bug: where player 1 moved last and lost, the payoff has the wrong sign."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Node, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class LeafSign(TextbookCFR):
    """CFR with one kind of leaf paid the wrong way."""

    def payoff(self, node: Node) -> float:
        """Return the payoff, its sign wrong where player 1 ended the game and player 0 is paid one."""
        return -node.payoff if node.last == 1 and node.payoff == 1.0 else node.payoff


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return LeafSign(game).run(iterations)
