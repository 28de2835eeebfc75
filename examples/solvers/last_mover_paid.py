"""Bug: payoffs are read as those of the player who moved last."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Node, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class LastMoverPaid(TextbookCFR):
    """CFR with payoffs of the wrong player."""

    def payoff(self, node: Node) -> float:
        """Return the payoff as if it were the last mover's."""
        return node.payoff if node.last == 0 else -node.payoff


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return LastMoverPaid(game).run(iterations)
