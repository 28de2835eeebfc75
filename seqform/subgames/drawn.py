"""Root decisions in which the opponent takes an amount drawn from a normal distribution, or enters."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.tops import RootDecisions


@dataclass(frozen=True)
class DrawnDecisions:
    """At each top the opponent sees an amount X ~ N(mean, deviation**2) and takes it, or enters.

    Its plan is (2, T): how likely it enters, and ``E[Z; stays]``, Z the draw in deviations from its mean.

    Attributes
    ----------
    mean, deviation : (T,) f64
        Of amounts, in units of the whole game's payoffs times probabilities; 0 at tops that are not live.
    live : (T,) bool
        Tops that can be entered.
    by_hedge : bool
        Whether a regret minimiser learns the choice by Hedge (Brown and Sandholm 2017, Appendix C); else it
        enters where X is at most the last value (Theorem 3 there).
    """

    mean: Floats
    deviation: Floats
    live: NDArray[np.bool_]
    by_hedge: bool = True

    @property
    def n_sums(self) -> int:
        """The number of tops, over which what is paid is added up."""
        return len(self.mean)

    @property
    def most_weight(self) -> Floats:
        """The most that a top's leaves can be multiplied by, (T,)."""
        return self.live.astype(np.float64)

    def entered(self, plan: Floats) -> Floats:
        """Return what each top's leaves are multiplied by under a plan, (T,)."""
        return np.asarray(np.where(self.live, plan[0], 0.0))

    def outside(self, plan: Floats) -> float:
        """Return what a plan earns without entering."""
        paid = (1.0 - plan[0]) * self.mean + plan[1] * self.deviation
        return float(paid[self.live].sum())

    def best(self, values: Floats) -> float:
        """Return the most that the opponent can get if tops are worth values (T,): the sum of E max(V, X)."""
        return float(expected_maximum(values, self.mean, self.deviation)[self.live].sum())

    def best_inside(self, values: Floats) -> float:
        """Return the most that it can get if it is paid for entering alone."""
        return float(np.maximum(values, 0.0)[self.live].sum())

    @property
    def most_outside(self) -> float:
        """The most that it can get for staying out if all amounts counted as positive, or more."""
        return float((np.abs(self.mean) + self.deviation)[self.live].sum())

    def in_unit(self, unit: float) -> "DrawnDecisions":
        """Return the same decisions with amounts in another unit."""
        return replace(self, mean=self.mean / unit, deviation=self.deviation / unit)


Decisions = RootDecisions | DrawnDecisions


def expected_maximum(value: Floats, mean: Floats, deviation: Floats) -> Floats:
    """Return E max(value, X) of X ~ N(mean, deviation**2), elementwise."""
    gap = value - mean
    x = np.divide(gap, deviation, out=np.zeros(len(gap)), where=deviation > 0.0)
    drawn = mean + gap * ndtr(x) + deviation * np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi)
    return np.asarray(np.where(deviation > 0.0, drawn, np.maximum(value, mean)))
