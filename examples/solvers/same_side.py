"""Bug: player 1 maximises what player 0 is paid; the sign of the second seat is forgotten."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class SameSide(TextbookCFR):
    """CFR with both seats on one side."""

    def sign(self, player: int) -> float:
        """Return 1 for both players."""
        return 1.0


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return SameSide(game).run(iterations)
