"""Whatever is a strategy: a table, one on betting times boards, or of the infosets that sampling met."""

from collections.abc import Iterator
from typing import Protocol, TypeAlias, runtime_checkable

from treeplex.seqform.factored.strategy import StreetStrategy
from treeplex.seqform.forms.profile import Profile, Row


@runtime_checkable
class Strategy(Protocol):
    """Both players' behaviour by infoset and action.

    ``Profile`` (a table of all infosets), ``StreetStrategy`` (on betting times boards) and
    ``treeplex.solving.sampling_large.TableStrategy`` (the infosets that sampling met) are strategies.
    """

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return how likely a player takes each action at an infoset.

        Raises
        ------
        ValueError
            If the strategy has no such infoset of that player.
        """

    def rows(self) -> Iterator[Row]:
        """Yield player, infoset, action and probability: one row an action, an infoset's rows together."""


Judged: TypeAlias = Profile | StreetStrategy
"""Strategies of all infosets, which can be certified."""
