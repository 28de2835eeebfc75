"""Bug: both players' regrets are weighted with player 1's reach."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Reach, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class FirstSeatReach(TextbookCFR):
    """CFR with a reach for one seat only."""

    def others_reach(self, player: int, reach: Reach) -> float:
        """Return player 1's reach, also where player 1 acts."""
        return reach[1] * reach[2]


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return FirstSeatReach(game).run(iterations)
