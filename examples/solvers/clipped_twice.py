"""Bug: each iteration's regrets are clipped at zero before they are added, so that they only grow."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class ClippedTwice(TextbookCFR):
    """CFR with regrets clipped too early."""

    def update(self, key: Key, row: Row) -> None:
        """Add the positive part of an iteration's regrets."""
        super().update(key, {a: max(x, 0.0) for a, x in row.items()})


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return ClippedTwice(game).run(iterations)
