"""The protocol of gadgets: from a subgame to a game, and from its solution to behaviour in the subgame."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from treeplex.gadgets.core.alternatives import Alternatives, AlternativeValues, BlueprintAlternatives
from treeplex.gadgets.core.behaviour import behaviour_by_key
from treeplex.gadgets.core.game import enter
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.root_decisions import RootDecisions
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import Tops


class UndefinedError(ValueError):
    """A gadget has no meaning on a subgame, as the blueprint never comes there."""


class Gadget(Protocol):
    """A way to solve a subgame again: any class with these methods will do; :class:`KeyedGadget` helps.

    Players keep their numbers in the gadget game, and payoffs are player 0's.
    """

    @property
    def name(self) -> str:
        """Name in reports."""

    def apply(self, subgame: Subgame) -> SequenceForm:
        """Return the gadget game."""

    def invert(self, subgame: Subgame, solution: Profile) -> Floats:
        """Return the defender's behaviour in the whole game, (S,); only the subgame's part is used."""

    def alternative_values(self, tops: Any, /) -> AlternativeValues | None:
        """Return the alternative values at the tops, for reports; None if there are none."""


class KeyedGadget:
    """A gadget whose game names the defender's infosets as the whole game does."""

    @property
    def name(self) -> str:
        """The class's name."""
        return type(self).__name__

    def invert(self, subgame: Subgame, solution: Profile) -> Floats:
        """Read the defender's behaviour by the infosets' keys; see :func:`behaviour_by_key`."""
        return behaviour_by_key(subgame, solution)

    def alternative_values(self, tops: Tops) -> AlternativeValues | None:
        """Return None."""
        return None


class RootGadget(KeyedGadget):
    """A gadget that consists of decisions which the opponent makes before the subgame begins.

    It needs to say no more than ``root``; it then applies to subgames of enumerated games and to subgames on
    boards, where it is solved with all hands at once.
    """

    def root(self, tops: Tops) -> RootDecisions:
        """Return the opponent's root decisions."""
        raise NotImplementedError(f"{self.name} must have a method root(tops)")

    def apply(self, subgame: Subgame) -> SequenceForm:
        """Return the gadget game."""
        return enter(subgame, self.name, self.root(subgame))


@dataclass(frozen=True)
class AlternativesGadget(RootGadget):
    """A gadget in which the opponent may take an alternative value at each top.

    Attributes
    ----------
    alternatives : Alternatives
    """

    base: ClassVar[str]
    alternatives: Alternatives = field(default_factory=BlueprintAlternatives)

    @property
    def name(self) -> str:
        """Name in reports."""
        return f"{self.alternatives.prefix}{self.base}"

    def alternative_values(self, tops: Tops) -> AlternativeValues:
        """Return the alternative values at the tops."""
        return self.alternatives.of(tops)
