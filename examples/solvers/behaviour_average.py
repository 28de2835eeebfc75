"""Bug: behaviour is averaged as it is, not weighted with the player's reach."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Reach, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class BehaviourAverage(TextbookCFR):
    """CFR with an average of behaviour."""

    def share(self, player: int, reach: Reach, t: int) -> float:
        """Return the same weight at every history."""
        return reach[2]


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return BehaviourAverage(game).run(iterations)
