"""Bug: an exact solution is printed with one digit."""

from typing import Any

import treeplex as tp
from treeplex.examples.solvers.textbook import Key, Row
from treeplex.games.base.protocol import Game


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return an optimal strategy, every probability rounded down to a tenth and the rest on the last."""
    found: dict[Key, Row] = {}
    for player, infoset, action, probability in tp.solve(game, "lp").profile.rows():
        found.setdefault((player, infoset), {})[action] = int(10.0 * probability) / 10.0
    for row in found.values():
        row[list(row)[-1]] += 1.0 - sum(row.values())
    return found
