"""Bug: regrets are weighted with the player's own reach instead of the other player's."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Reach, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class OwnReach(TextbookCFR):
    """CFR with regrets by the wrong reach."""

    def others_reach(self, player: int, reach: Reach) -> float:
        """Return the reach of the player who acts; it should be the other one's."""
        return reach[player] * reach[2]


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return OwnReach(game).run(iterations)
