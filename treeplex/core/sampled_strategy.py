"""Average strategies of the infosets that a sampled run met, by key."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from treeplex.games.display.blocks import Block, Line
from treeplex.games.display.shown import Shown
from treeplex.seqform.forms.profile import Row
from treeplex.seqform.forms.strategy_table import MOST_SHOWN, strategy_table


class InfosetTable(Protocol):
    """Average strategies by infoset, as the engines on hash tables return them."""

    def at(self, player: int, key: str) -> Mapping[str, float] | None:
        """Return the strategy of an infoset; None if the run never met it."""

    def items(self, player: int) -> Iterator[tuple[str, Mapping[str, float]]]:
        """Yield a player's infosets and strategies, in the order in which they were met."""


@dataclass(frozen=True, repr=False)
class SampledStrategy(Shown):
    """The average strategy at every infoset that a run met, and at no other.

    Attributes
    ----------
    table : InfosetTable
    """

    table: InfosetTable

    def blocks(self) -> tuple[Block, ...]:
        """Return how the infosets of each player that were met first are played."""
        first = (
            (player, key, play)
            for player in (0, 1)
            for key, play in islice(self.table.items(player), MOST_SHOWN)
        )
        table = strategy_table(self.brief(), first)
        return table, Line(f"at most the first {MOST_SHOWN} of each player; rows() has all")

    def brief(self) -> str:
        """Return what it is a strategy of."""
        return "the infosets that a sampled run met"

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return how likely a player takes each action at an infoset.

        Raises
        ------
        ValueError
            If the player has no such infoset, or the run never met it.
        """
        probabilities = self.table.at(player, infoset)
        if probabilities is None:
            raise ValueError(f"the run never met player {player}'s infoset {infoset!r}")
        return dict(probabilities)

    def rows(self) -> Iterator[Row]:
        """Yield player, infoset, action and probability, in the order in which infosets were met."""
        for player in (0, 1):
            for key, strategy in self.table.items(player):
                for action, probability in strategy.items():
                    yield player, key, action, probability
