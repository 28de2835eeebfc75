"""The gadget Distributional with all draws of a normal distribution, learned at once.

The game is that of ``Distributional`` without its atoms: no treeplex holds it. Regret minimisers solve it on
boards (``cfr.boards.root_play``), and best responses prove an interval for its value.
"""

from dataclasses import dataclass, field

import numpy as np

from treeplex.gadgets.alternatives import Alternatives, AlternativeValues
from treeplex.gadgets.distributional import BlueprintGap, Deviations
from treeplex.gadgets.gadget import RootGadget
from treeplex.seqform.subgames.drawn import DrawnDecisions
from treeplex.seqform.subgames.tops import Tops


@dataclass(frozen=True)
class DrawnDistributional(RootGadget):
    """Resolve with alternative values drawn from normal distributions (Brown and Sandholm 2017, B.1).

    Attributes
    ----------
    alternatives : Alternatives
        The means, gifts included.
    deviations : Deviations
    by_hedge : bool
        Whether the opponent learns by Hedge (Appendix C), else by Theorem 3.
    """

    alternatives: Alternatives
    deviations: Deviations = field(default_factory=BlueprintGap)
    by_hedge: bool = True

    @property
    def name(self) -> str:
        """Name in reports."""
        return f"{self.alternatives.prefix}distributional"

    def alternative_values(self, tops: Tops) -> AlternativeValues:
        """Return what the distributions are centred at."""
        return self.alternatives.of(tops)

    def root(self, tops: Tops) -> DrawnDecisions:
        """Return the draws, which make the value sum_t w_t E max(V_t / w_t, X_t)."""
        live, mean, deviation = tops.live, self.alternatives.of(tops).total, self.deviations.of(tops)
        return DrawnDecisions(
            mean=np.where(live, tops.reach * mean, 0.0),
            deviation=np.where(live, tops.reach * deviation, 0.0),
            live=live,
            by_hedge=self.by_hedge,
        )
