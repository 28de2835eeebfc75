"""What a gadget is: a subgame made into a game, and that game's solution read back."""

from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from treeplex.gadgets.core.offers import BlueprintOffers, Offer, Offers
from treeplex.gadgets.core.reading import by_key
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.subgame import Subgame


class Gadget(Protocol):
    """A way to solve a subgame again: any class with these methods will do; :class:`KeyedGadget` helps.

    Players keep their numbers in the gadget game, and payoffs are player 0's.
    """

    @property
    def name(self) -> str:
        """What reports call it."""

    def apply(self, subgame: Subgame) -> SequenceForm:
        """Return the gadget game."""

    def invert(self, subgame: Subgame, solution: Profile) -> Floats:
        """Return the defender's behaviour in the whole game, (S,); only the subgame's part is used."""

    def offer(self, subgame: Subgame) -> Offer | None:
        """Return what the gadget offers at the tops, for reports; None if it offers nothing."""


class KeyedGadget:
    """A gadget whose game names the defender's infosets as the whole game does."""

    @property
    def name(self) -> str:
        """The class's name."""
        return type(self).__name__

    def invert(self, subgame: Subgame, solution: Profile) -> Floats:
        """Read the defender's behaviour by the infosets' keys; see :func:`by_key`."""
        return by_key(subgame, solution)

    def offer(self, subgame: Subgame) -> Offer | None:
        """Offer nothing."""
        return None


@dataclass(frozen=True)
class OfferingGadget(KeyedGadget):
    """A gadget that offers the opponent an alternative value at each top.

    Attributes
    ----------
    offers : Offers
    """

    base: ClassVar[str]
    offers: Offers = field(default_factory=BlueprintOffers)

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"{self.offers.prefix}{self.base}"

    def offer(self, subgame: Subgame) -> Offer:
        """Return what the gadget offers at the tops."""
        return self.offers.of(subgame)
