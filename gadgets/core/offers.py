"""What a gadget offers the opponent for not entering: an alternative value at each top, and gifts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from treeplex.gadgets.core.gifts import Gifts, NoGifts
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.subgame import Subgame


@dataclass(frozen=True)
class Offer:
    """Alternative values and gifts at the tops of a subgame, in the opponent's payoff per unit of reach.

    Attributes
    ----------
    alternative : (T,) f64
        NaN at tops without reach.
    gift : (T,) f64
        How much more than that the opponent may get inside before entering pays.
    """

    alternative: Floats
    gift: Floats

    @property
    def total(self) -> Floats:
        """What staying out is worth at each top, (T,)."""
        return self.alternative + self.gift


@dataclass(frozen=True)
class BlueprintOffers:
    """Offer what the opponent gets against the blueprint: its counterfactual best-response value.

    Attributes
    ----------
    gifts : Gifts
    """

    gifts: Gifts = field(default_factory=NoGifts)

    @property
    def prefix(self) -> str:
        """What it adds to a method's name."""
        return self.gifts.prefix

    def of(self, subgame: Subgame) -> Offer:
        """Return the offers at a subgame's tops."""
        return Offer(subgame.cbv, self.gifts.of(subgame))


@dataclass(frozen=True)
class EstimatedOffers:
    """Offer estimates of what the opponent gets against the best strategy (Brown and Sandholm 2017, App. C).

    Attributes
    ----------
    estimates : mapping from (subgame's name, top) to float
        Per unit of reach, in the opponent's payoff.
    gifts : Gifts
    """

    estimates: Mapping[tuple[str, str], float]
    gifts: Gifts = field(default_factory=NoGifts)

    @property
    def prefix(self) -> str:
        """What it adds to a method's name."""
        return f"{self.gifts.prefix}estimated-"

    def of(self, subgame: Subgame) -> Offer:
        """Return the offers at a subgame's tops.

        Raises
        ------
        ValueError
            If a top that is reached has no estimate, or one that is not finite.
        """
        name, cbv = subgame.cut.name, subgame.cbv
        for t in np.flatnonzero(subgame.live).tolist():
            key = (name, subgame.cut.tops[t])
            if key not in self.estimates:
                raise ValueError(f"there is no estimate for the top {key[1]!r} of {name!r}")
            if not np.isfinite(self.estimates[key]):
                raise ValueError(
                    f"estimates must be finite, got {self.estimates[key]} at {key[1]!r} of {name!r}"
                )
            cbv[t] = self.estimates[key]
        return Offer(cbv, self.gifts.of(subgame))


class Offers(Protocol):
    """How a gadget finds its alternative values."""

    @property
    def prefix(self) -> str:
        """What it adds to a method's name."""

    def of(self, subgame: Subgame) -> Offer:
        """Return the offers at a subgame's tops."""
