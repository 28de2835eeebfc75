"""Pruning in external sampling: own actions of large negative regret are tried with low probability."""

import math
from dataclasses import dataclass, replace
from typing import Literal

from treeplex.cfr.monte_carlo.arrays import Pruned

Increments = Literal["as is", "weighted"]
INCREMENTS: tuple[Increments, ...] = ("as is", "weighted")


@dataclass(frozen=True)
class Pruning:
    """Probabilities with which external sampling tries own actions of large negative regret.

    An action of regret R below the threshold C is tried with probability ``K / (K + C - R)``, at least the
    floor, all others always (Brown and Sandholm, Superhuman AI for heads-up no-limit poker: Libratus beats
    top professionals, 2018, note 39, which names no numbers). The regret of an action that is not tried, and
    everything below it, stays as it is. Where no regret is positive all actions are played and tried.

    Attributes
    ----------
    threshold : float
        C, below 0, in units of payoff: regrets are totals over the iterations, weighted if these are. Noise
        in sampled regrets grows with the root of the iterations, which C must exceed. The defaults are for
        payoffs as large as Leduc's, up to 13, and some million iterations.
    constant : float
        K, above 0: at this distance below the threshold the probability is 1/2.
    floor : float
        The least probability, in (0, 1].
    start : int
        Number of iterations without pruning at the start; about half of them in Libratus.
    increments : {"as is", "weighted"}
        Whether increments from a try are divided by its probability. ``weighted`` is unbiased. ``as is`` is
        the published heuristic: regrets of such actions change more slowly, and averages at infosets below
        them have less weight.
    """

    threshold: float = -3e3
    constant: float = 3e4
    floor: float = 0.05
    start: int = 0
    increments: Increments = "weighted"

    def __post_init__(self) -> None:
        if not -math.inf < self.threshold < 0.0:
            raise ValueError(f"threshold must be below 0 and finite, got {self.threshold}")
        if not 0.0 < self.constant < math.inf:
            raise ValueError(f"constant must be above 0 and finite, got {self.constant}")
        if not 0.0 < self.floor <= 1.0:
            raise ValueError(f"floor must be above 0 and at most 1, got {self.floor}")
        if self.start < 0:
            raise ValueError(f"start must be at least 0, got {self.start}")
        if self.increments not in INCREMENTS:
            raise ValueError(f"increments must be one of {', '.join(INCREMENTS)}, got {self.increments!r}")

    def scaled(self, factor: float) -> "Pruning":
        """Return the rule for payoffs multiplied by a factor."""
        return replace(self, threshold=self.threshold * factor, constant=self.constant * factor)

    @property
    def numbers(self) -> Pruned:
        """The rule as an argument of kernels."""
        rates = float(self.threshold), float(self.constant), float(self.floor)
        return Pruned(*rates, self.increments == "weighted")
