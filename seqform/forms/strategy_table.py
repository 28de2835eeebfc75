"""What is shown of a strategy: how the first infosets of each player are played."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from treeplex.games.display.blocks import Columns

MOST_SHOWN = 12
"""Infosets of each player in a table."""

Played: TypeAlias = tuple[int, str, Mapping[str, float]]
"""A player, an infoset's key, and the probability of each action."""


def strategy_table(title: str, played: Iterable[Played]) -> Columns:
    """Return a row for each infoset."""
    rows = tuple(
        (str(player), infoset, ", ".join(f"{action} {p:.4g}" for action, p in play.items()))
        for player, infoset, play in played
    )
    return Columns(title, ("player", "infoset", "plays"), rows, left=("infoset", "plays"))
