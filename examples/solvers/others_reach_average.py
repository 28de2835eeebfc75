"""Bug: the average is weighted with the other player's reach."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Reach, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class OthersReachAverage(TextbookCFR):
    """CFR with an average by the wrong reach."""

    def share(self, player: int, reach: Reach, t: int) -> float:
        """Return the other player's reach; it should be the player's own."""
        return reach[1 - player] * reach[2]


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return OthersReachAverage(game).run(iterations)
