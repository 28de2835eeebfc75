"""Bug: the chance of a deal is left out of the reach that weighs regrets."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Reach, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class LateChance(TextbookCFR):
    """CFR with regrets without chance."""

    def others_reach(self, player: int, reach: Reach) -> float:
        """Return the other player's reach alone; chance's part is forgotten."""
        return reach[1 - player]


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return LateChance(game).run(iterations)
