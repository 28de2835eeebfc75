"""Bug: regrets are rounded to a tenth, as a small number format would."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class CoarseRegrets(TextbookCFR):
    """CFR with regrets of too few digits."""

    def update(self, key: Key, row: Row) -> None:
        """Add an iteration's regrets, rounded."""
        super().update(key, {a: round(x, 1) for a, x in row.items()})


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return CoarseRegrets(game).run(iterations)
