"""Gifts at tops: how much the opponent lost on the way by not playing better actions, per unit of reach."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.tops import Tops


class Gifts(Protocol):
    """Source of gifts: what the opponent gave away on the way to each top."""

    @property
    def prefix(self) -> str:
        """Prefix of the method's name."""

    def of(self, tops: Tops) -> Floats:
        """Return the gifts, (T,)."""


@dataclass(frozen=True)
class NoGifts:
    """Nothing is given away."""

    prefix: ClassVar[str] = ""

    def of(self, tops: Tops) -> Floats:
        """Return zeros, (T,)."""
        return np.zeros(len(tops.tops))


@dataclass(frozen=True)
class LowerBoundGifts:
    """Gifts that no other subgame's new strategy can take back (Brown and Sandholm 2017, section 5).

    At an infoset on the way the opponent could have had the value of an action that ends the game at once;
    with ``scale`` 1 the strategies of any number of subgames, each solved by itself, stay safe together.

    Attributes
    ----------
    scale : float
        What gifts are multiplied by; above 1 (the paper's "no split") nothing is promised.
    """

    scale: float = 1.0
    prefix: ClassVar[str] = "reach-"

    def of(self, tops: Tops) -> Floats:
        """Return the sum of the gifts on the way to each top, (T,)."""
        return self.scale * tops.lower_bound_gifts


@dataclass(frozen=True)
class EstimatedGifts:
    """Gifts as the blueprint has them: what the best action of all would have been worth.

    At a scale of 1 strategies stay safe. But another subgame's new strategy may take such a gift back, and
    then a positive margin need not make the whole strategy better.

    Attributes
    ----------
    scale : float
    """

    scale: float = 1.0
    prefix: ClassVar[str] = "reach-"

    def of(self, tops: Tops) -> Floats:
        """Return the sum of the gifts on the way to each top, (T,)."""
        return self.scale * tops.estimated_gifts
