"""Full-width regret minimisers as parameters: local minimisers, order of updates, and average."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, cast

from treeplex.games.base.errors import BadInputError

Order = Literal["alternating", "simultaneous"]
Counted = Literal["before", "after", "seen"]


@dataclass(frozen=True)
class Matching:
    """Regret matching with discounts and prediction: play in proportion to positive regret.

    After iteration t, positive regrets are multiplied by ``t**alpha / (t**alpha + 1)``, negative ones by
    the same with ``beta`` (Brown and Sandholm, Solving imperfect-information games via discounted regret
    minimization, 2019); infinity is a factor of one, minus infinity of zero.

    Attributes
    ----------
    alpha, beta : float
        Exponents; ``beta`` of minus infinity is regret matching+ (Tammelin 2014).
    prediction : float
        Weight of the last regret as prediction of the next: 0, or 1 for predictive regret matching (Farina,
        Kroer and Sandholm, Faster game solving via predictive Blackwell approachability, 2021).
    """

    alpha: float = math.inf
    beta: float = math.inf
    prediction: float = 0.0

    def __post_init__(self) -> None:
        if math.isnan(self.alpha) or math.isnan(self.beta):
            raise BadInputError(
                f"alpha and beta must be numbers or infinite, got {self.alpha} and {self.beta}"
            )
        if not 0.0 <= self.prediction <= 1.0:
            raise BadInputError(f"prediction must be between 0 and 1, got {self.prediction}")


@dataclass(frozen=True)
class Hedge:
    """Play in proportion to exp(eta regret), with a rate eta for each infoset that adapts to its values.

    ``eta = rate / sqrt(V)``, V the sum of the squared ranges (largest less smallest) of the infoset's
    counterfactual action values over the iterations so far; play is uniform while V is zero, as
    all regrets are zero then. Ranges of the size of rounding errors are not counted. Such adaptive rates
    are due to de Rooij, van Erven, Grünwald and Koolen (Follow the leader if you can, hedge if you
    must, 2014).

    Attributes
    ----------
    rate : float
        Positive, dimensionless.
    """

    rate: float = 2.0

    def __post_init__(self) -> None:
        if not 0.0 < self.rate < math.inf:
            raise BadInputError(f"rate must be positive and finite, got {self.rate}")


@dataclass(frozen=True)
class BestResponding:
    """Play a best response to the other player's current plan (CFR-BR)."""


Minimiser = Matching | Hedge | BestResponding


@dataclass(frozen=True)
class Average:
    """Weights of plans in the average: ``t**exponent`` for iteration t; infinity means the last plan alone.

    Attributes
    ----------
    exponent : float
        0 is uniform, 1 linear, 2 quadratic.
    counted : {"after", "before", "seen"}
        Which plan of iteration t is averaged: that after its player's update, that before it, or that against
        which the other player updated. The NashConv identity holds for the last of these.
    """

    exponent: float = 1.0
    counted: Counted = "after"

    def __post_init__(self) -> None:
        if not self.exponent >= 0.0:
            raise BadInputError(f"an average's exponent must be at least 0, got {self.exponent}")
        if self.counted not in ("after", "before", "seen"):
            raise BadInputError(f"counted must be after, before or seen, got {self.counted!r}")


@dataclass(frozen=True)
class Variant:
    """A full-width method: each player's local minimiser, the order of updates, and the average.

    Attributes
    ----------
    minimisers : pair of Minimiser
    order : {"alternating", "simultaneous"}
        Whether player 1 updates against player 0's new plan or its old one.
    average : Average
    """

    minimisers: tuple[Minimiser, Minimiser]
    order: Order = "alternating"
    average: Average = Average()

    def __post_init__(self) -> None:
        if self.order not in ("alternating", "simultaneous"):
            raise BadInputError(f"order must be alternating or simultaneous, got {self.order!r}")


def _both(minimiser: Minimiser, **rest: Any) -> Variant:
    return Variant((minimiser, minimiser), **rest)


PLUS = Matching(beta=-math.inf)
"""Regret matching+."""
VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        "cfr": _both(Matching(), average=Average(0.0)),
        "cfr+": _both(PLUS, average=Average(1.0)),
        "lcfr": _both(Matching(1.0, 1.0), average=Average(1.0)),
        "dcfr": _both(Matching(1.5, 0.0), average=Average(2.0)),
        "pcfr+": _both(replace(PLUS, prediction=1.0), average=Average(2.0)),
        "pdcfr": _both(Matching(1.5, 0.0, 1.0), average=Average(2.0)),
        "hedge": _both(Hedge(), average=Average(0.0)),
        "cfr-br": Variant((PLUS, BestResponding()), average=Average(1.0)),
    }
)
"""The named variants.

CFR (Zinkevich et al. 2008), CFR+ (Tammelin 2014), linear and discounted CFR (Brown and Sandholm 2019,
exponents 1.5, 0, 2), predictive CFR+ (Farina, Kroer and Sandholm 2021), predictive discounted CFR, Hedge, and
CFR-BR (Johanson et al. 2012), in which player 1 best responds.
"""
AVERAGES: Mapping[str, float] = MappingProxyType(
    {"uniform": 0.0, "linear": 1.0, "quadratic": 2.0, "cubic": 3.0, "last": math.inf}
)
"""The exponents of named averages; ``last`` means the current plans."""


def exponent_named(average: str) -> float:
    """Return the exponent of an average by its name.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    if average not in tuple(AVERAGES):
        raise BadInputError(f"average must be one of {', '.join(AVERAGES)}, got {average!r}")
    return AVERAGES[average]


def variant_named(
    name: str, *, average: str | None = None, counted: str | None = None, order: str | None = None
) -> Variant:
    """Return a variant by its name, with another average or order where one is given.

    Raises
    ------
    ValueError
        If there is no variant or average of that name, or ``counted`` or ``order`` is none of theirs.
    """
    if name not in VARIANTS:
        raise BadInputError(f"there is no variant {name!r}; there is {', '.join(VARIANTS)}")
    variant = VARIANTS[name]
    exponent = variant.average.exponent if average is None else exponent_named(average)
    return Variant(
        variant.minimisers,
        cast(Order, order or variant.order),
        Average(exponent, cast(Counted, counted or variant.average.counted)),
    )
