"""Average strategies of the infosets that a sampled run met, by key."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from treeplex.seqform.forms.profile import Row


class InfosetTable(Protocol):
    """Average strategies by infoset, as the engines on hash tables return them."""

    def at(self, player: int, key: str) -> Mapping[str, float] | None:
        """Return the strategy of an infoset; None if the run never met it."""

    def items(self, player: int) -> Iterator[tuple[str, Mapping[str, float]]]:
        """Yield a player's infosets and strategies, in the order in which they were met."""


@dataclass(frozen=True)
class SampledStrategy:
    """The average strategy at every infoset that a run met, and at no other.

    Attributes
    ----------
    table : InfosetTable
    """

    table: InfosetTable

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
