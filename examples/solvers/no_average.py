"""Bug: what is returned is the last strategy instead of the average."""

from typing import Any

from treeplex.examples.solvers.textbook import Key, Row, TextbookCFR
from treeplex.games.base.protocol import Game


class NoAverage(TextbookCFR):
    """CFR with no average."""

    def run(self, iterations: int) -> dict[Key, Row]:
        """Return the strategy of the last iteration."""
        super().run(iterations)
        return {
            key: self.normalised({a: max(x, 0.0) for a, x in r.items()}) for key, r in self.regret.items()
        }


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the strategy after so many iterations."""
    return NoAverage(game).run(iterations)
