"""Full-width regret minimisers as parameters: local minimisers, order of updates, and average."""

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Integral
from types import MappingProxyType
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.local_rule import LocalRule, is_own, load_rule
from treeplex.cfr.state_checks import MOST, SUMMED, sum_of_weights
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_kind
from treeplex.games.base.reading import shown

Order = Literal["alternating", "simultaneous"]
Counted = Literal["before", "after", "seen"]
Floats = NDArray[np.float64]
HORIZON, MOST_PLANNED = 1000, 10**7
"""Planned iterations of variants with ramps unless told, and at most."""


@dataclass(frozen=True)
class Ramp:
    """An exponent that changes evenly over a planned number of iterations, and stays as it is after them.

    In iteration t it is ``start + slope * min(t / horizon, 1)`` (Zhang, McAleer and Sandholm, Faster game
    solving via hyperparameter schedules, 2026).

    Attributes
    ----------
    start, slope : float
    horizon : int
        The planned iterations, at least 1. Checkpoints of runs with different ones do not go together.
    """

    start: float
    slope: float
    horizon: int = HORIZON

    def __post_init__(self) -> None:
        check_kind("horizon", self.horizon, Integral, "an integer")
        if not (math.isfinite(self.start) and math.isfinite(self.slope)):
            raise BadInputError(f"a ramp's start and slope must be finite, got {self.start} and {self.slope}")
        if not 1 <= self.horizon <= MOST_PLANNED:
            raise BadInputError(f"horizon must be between 1 and {MOST_PLANNED:,}, got {self.horizon:,}")

    def at(self, t: Floats) -> Floats:
        """Return the exponents of the iterations t, (T,)."""
        return np.asarray(self.start + self.slope * np.minimum(t / self.horizon, 1.0))


Exponent = float | Ramp
"""Of an iteration's number: the same in all iterations, or by a ramp."""


def numbered(done: int, iterations: int) -> Floats:
    """Return the numbers of the iterations after ``done``, (T,)."""
    return np.arange(done + 1, done + iterations + 1, dtype=np.float64)


@dataclass(frozen=True)
class Matching:
    """Regret matching with discounts and prediction: play in proportion to positive regret.

    After iteration t, positive regrets are multiplied by ``t**alpha / (t**alpha + 1)``, negative ones by
    the same with ``beta`` (Brown and Sandholm, Solving imperfect-information games via discounted regret
    minimization, 2019); infinity is a factor of one, minus infinity of zero.

    Attributes
    ----------
    alpha, beta : float or Ramp
        Exponents; ``beta`` of minus infinity is regret matching+ (Tammelin 2014).
    prediction : float
        Weight of the last regret as prediction of the next: 0, or 1 for predictive regret matching (Farina,
        Kroer and Sandholm, Faster game solving via predictive Blackwell approachability, 2021), or between
        (Meng et al., Asynchronous predictive counterfactual regret minimization+ algorithm in solving
        extensive-form games, 2026).
    """

    alpha: Exponent = math.inf
    beta: Exponent = math.inf
    prediction: float = 0.0

    def __post_init__(self) -> None:
        if any(not isinstance(one, Ramp) and math.isnan(one) for one in (self.alpha, self.beta)):
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


@dataclass(frozen=True)
class TreeplexBlackwell:
    """Predictive Blackwell approachability on a player's whole treeplex (PTB+); on sequence forms alone.

    A point of the cone that the treeplex generates takes the place of all infosets' regrets: each gain,
    the gradient less the current plan's value at the empty sequence, is added to it, and the sum
    is projected on the cone. The next plan is the multiple of the projection of the point plus the last gain
    (Chakrabarti, Grand-Clément and Kroer 2024). Payoffs times any positive number give the same plans.
    """


Minimiser = Matching | Hedge | BestResponding | LocalRule | TreeplexBlackwell


@dataclass(frozen=True)
class Average:
    """Weights of plans in the average: ``t**exponent`` for iteration t; infinity means the last plan alone.

    With a ramp, iteration t multiplies the weights of those before it by ``((t - 1) / t)**exponent``, with
    its own exponent, and has the weight 1: the same where the exponent does not change.

    Attributes
    ----------
    exponent : float or Ramp
        0 is uniform, 1 linear, 2 quadratic.
    counted : {"after", "before", "seen"}
        Which plan of iteration t is averaged: that after its player's update, that before it, or that against
        which the other player updated. The NashConv identity holds for the last of these.
    """

    exponent: Exponent = 1.0
    counted: Counted = "after"

    def __post_init__(self) -> None:
        least = self.exponent
        if isinstance(least, Ramp):
            least = min(least.start, least.start + least.slope)
        if not least >= 0.0:
            raise BadInputError(f"an average's exponent must be at least 0, got {self.exponent}")
        if self.counted not in ("after", "before", "seen"):
            raise BadInputError(f"counted must be after, before or seen, got {self.counted!r}")

    @property
    def is_last(self) -> bool:
        """Whether the last plan alone is the average."""
        return self.exponent == math.inf

    def steps(self, done: int, iterations: int) -> tuple[Floats, Floats]:
        """Return how the iterations after ``done`` change a weighted sum of plans, (T,) each.

        The first array is what the sum before is multiplied by, the second the iteration's own weight.
        """
        t, ones = numbered(done, iterations), np.ones(iterations)
        if self.is_last:
            return 0.0 * ones, ones
        if isinstance(self.exponent, Ramp):
            return ((t - 1) / t) ** self.exponent.at(t), ones
        return ones, t**self.exponent

    def total(self, iterations: int) -> float:
        """Return the sum of all weights after so many iterations, in a unit that :meth:`steps` implies.

        With a ramp that is the last iteration's weight, else the first one's.
        """
        if not isinstance(self.exponent, Ramp):
            return sum_of_weights(self.exponent, iterations)
        if iterations == 0:
            return 0.0
        counted = min(iterations, self.exponent.horizon + SUMMED)
        logs = self._logs(counted)
        first = math.fsum(np.exp(logs - logs[-1]))
        if counted == iterations:
            return first
        # From here on the exponent stays: the sum of (t / n)**g over the others (Euler and Maclaurin).
        g, n = self.exponent.start + self.exponent.slope, float(iterations)
        share = counted / n
        rest = n / (g + 1) * (1 - share ** (g + 1)) + (1 - share**g) / 2
        return float(first * share**g + rest + g / n * (1 - share ** (g - 1)) / 12)

    def is_within(self, largest: float, iterations: int) -> bool:
        """Return whether the sum of all weights after so many iterations is at most ``largest``, 1 at least.

        With a ramp no weight is larger than the last one, which is the unit.
        """
        exponent = 0.0 if isinstance(self.exponent, Ramp) or self.is_last else self.exponent
        if iterations == 0 or (exponent + 1.0) * math.log(iterations) <= math.log(largest):
            return True
        return exponent > 0.0 and sum_of_weights(exponent, iterations) <= largest

    def most_within(self, largest: float) -> int:
        """Return the most iterations of which the sum of all weights is at most ``largest``."""
        return bisect_left(range(1, MOST + 1), True, key=lambda n: not self.is_within(largest, n))

    def weights(self, done: int, iterations: int) -> Floats:
        """Return the weights of the iterations after ``done``, (T,), in a unit that does not depend on them.

        With a ramp that is the last planned iteration's weight, else the first one's.
        """
        if isinstance(self.exponent, Ramp):
            logs = self._logs(max(done + iterations, self.exponent.horizon))
            return np.asarray(np.exp(logs[done : done + iterations] - logs[self.exponent.horizon - 1]))
        return np.asarray(numbered(done, iterations) ** self.exponent)

    def _logs(self, iterations: int) -> Floats:
        """Return the logarithms of the weights of iterations by a ramp, in units of the first one's."""
        keep, _ = self.steps(1, max(iterations - 1, 0))
        return np.concatenate((np.zeros(min(iterations, 1)), -np.cumsum(np.log(keep))))


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

    @property
    def is_planned(self) -> bool:
        """Whether an exponent is a ramp."""
        matching = [one for one in self.minimisers if isinstance(one, Matching)]
        used = [self.average.exponent, *(e for one in matching for e in (one.alpha, one.beta))]
        return any(isinstance(exponent, Ramp) for exponent in used)

    def planned(self, horizon: int) -> "Variant":
        """Return the variant with ramps over so many iterations."""

        def over(exponent: Exponent) -> Exponent:
            return replace(exponent, horizon=horizon) if isinstance(exponent, Ramp) else exponent

        first, second = (
            replace(one, alpha=over(one.alpha), beta=over(one.beta)) if isinstance(one, Matching) else one
            for one in self.minimisers
        )
        average = replace(self.average, exponent=over(self.average.exponent))
        return Variant((first, second), self.order, average)


def _both(minimiser: Minimiser, **rest: Any) -> Variant:
    return Variant((minimiser, minimiser), **rest)


PLUS = Matching(beta=-math.inf)
"""Regret matching+."""
SCHEDULED = Average(Ramp(30.0, -5.0))
"""Averages by a hyperparameter schedule."""
VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        "cfr": _both(Matching(), average=Average(0.0)),
        "cfr+": _both(PLUS, average=Average(1.0)),
        "lcfr": _both(Matching(1.0, 1.0), average=Average(1.0)),
        "dcfr": _both(Matching(1.5, 0.0), average=Average(2.0)),
        "pcfr+": _both(replace(PLUS, prediction=1.0), average=Average(2.0)),
        "pdcfr": _both(Matching(1.5, 0.0, 1.0), average=Average(2.0)),
        "dcfr+": _both(replace(PLUS, alpha=1.5), average=Average(4.0)),
        "pdcfr+": _both(replace(PLUS, alpha=2.3, prediction=1.0), average=Average(5.0)),
        "sapcfr+": _both(replace(PLUS, prediction=1 / 3), average=Average(2.0)),
        "hs-dcfr": _both(Matching(Ramp(1.0, 3.0), Ramp(-1.0, -2.0)), average=SCHEDULED),
        "hs-pcfr+": _both(replace(PLUS, prediction=1.0), average=SCHEDULED),
        "hs-pdcfr+": _both(replace(PLUS, alpha=2.3, prediction=1.0), average=SCHEDULED),
        "hedge": _both(Hedge(), average=Average(0.0)),
        "cfr-br": Variant((PLUS, BestResponding()), average=Average(1.0)),
    }
)
"""The named variants.

CFR (Zinkevich et al. 2008), CFR+ (Tammelin 2014), linear and discounted CFR (Brown and Sandholm 2019,
exponents 1.5, 0, 2), predictive CFR+ (Farina, Kroer and Sandholm 2021), predictive discounted CFR, DCFR+
and PDCFR+ (Xu et al., Minimizing weighted counterfactual regret with optimistic online mirror descent, 2024),
simple asynchronous predictive CFR+ (Meng et al. 2026, as in :class:`Matching`), DCFR, predictive CFR+
and PDCFR+ by hyperparameter schedules (Zhang, McAleer and Sandholm 2026), planned for ``HORIZON`` iterations
here, Hedge, and CFR-BR (Johanson et al. 2012), in which player 1 best responds.

DCFR+ and PDCFR+ multiply regrets by the factor of t - 1 before those of iteration t are added; here they are
multiplied by the factor of t after that. The first iteration has no regrets before it, so it is the same.
"""
RULES: Mapping[str, tuple[str, Order]] = MappingProxyType(
    {
        "apcfr+": ("APCFR_PLUS", "alternating"),
        "vad-cfr": ("VAD_CFR", "alternating"),
        "stable-pcfr+": ("STABLE_PCFR_PLUS", "alternating"),
        "smooth-pcfr+": ("SMOOTH_PCFR_PLUS", "alternating"),
        "restarted-smooth-pcfr+": ("RESTARTED_SMOOTH", "alternating"),
        "exrm+": ("EXTRAGRADIENT_PLUS", "simultaneous"),
        "restarted-exrm+": ("RESTARTED_EXTRAGRADIENT", "simultaneous"),
    }
)
"""Named variants by which both players learn by a rule of ``treeplex.cfr.local_rules``; order of updates."""
RULES_ON_BOARDS = ("apcfr+", "vad-cfr")
"""Those that run on boards too; steps of others are in an infoset's own unit, which boards lack."""
ON_TREEPLEXES: Mapping[str, Variant] = MappingProxyType(
    {"ptb+": _both(TreeplexBlackwell(), average=Average(2.0))}
)
"""Named variants without local minimisers: a player learns on its treeplex as a whole.

PTB+ is that of Chakrabarti, Grand-Clément and Kroer (Extensive-form game solving via Blackwell
approachability on treeplexes, 2024).
"""
PLANNED = tuple(name for name, variant in VARIANTS.items() if variant.is_planned)
"""The names of variants with ramps."""
AVERAGES: Mapping[str, float] = MappingProxyType(
    {
        "uniform": 0.0,
        "linear": 1.0,
        "quadratic": 2.0,
        "cubic": 3.0,
        "quartic": 4.0,
        "quintic": 5.0,
        "last": math.inf,
    }
)
"""The exponents of named averages; ``last`` means the current plans."""
FINITE_AVERAGES = tuple(name for name, exponent in AVERAGES.items() if math.isfinite(exponent))
"""The names of averages of all plans."""


def is_by_rule(method: str) -> bool:
    """Return whether a method is a local rule, named or a user's own."""
    return method in RULES or is_own(method)


def is_full_width(method: str) -> bool:
    """Return whether a method is one of the variants, on treeplexes too, or a local rule."""
    return method in VARIANTS or method in ON_TREEPLEXES or is_by_rule(method)


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
    name: str,
    *,
    average: str | None = None,
    counted: str | None = None,
    order: str | None = None,
    horizon: int | None = None,
) -> Variant:
    """Return a variant by its name, with another average, order or plan where one is given.

    The name may be ``module:name`` of a user's rule, by which both players learn.

    Raises
    ------
    ValueError
        If there is no variant, rule or average of that name, ``counted`` or ``order`` is none of theirs, or a
        horizon is given and the variant plans nothing.
    """
    if is_by_rule(name):
        at, usual = RULES.get(name, ("", "alternating"))
        rule = load_rule(f"treeplex.cfr.local_rules:{at}" if at else name)
        if rule.average not in FINITE_AVERAGES:
            legal = ", ".join(FINITE_AVERAGES)
            raise BadInputError(
                f"average of the rule {name} must be one of {legal}, got {shown(rule.average)}"
            )
        variant = _both(rule, order=usual, average=Average(exponent_named(rule.average)))
    elif name in ON_TREEPLEXES:
        variant = ON_TREEPLEXES[name]
    elif name not in VARIANTS:
        known = ", ".join((*VARIANTS, *RULES, *ON_TREEPLEXES))
        raise BadInputError(f"there is no variant {name!r}; there is {known}")
    else:
        variant = VARIANTS[name]
    exponent = variant.average.exponent if average is None else exponent_named(average)
    chosen = Variant(
        variant.minimisers,
        cast(Order, order or variant.order),
        Average(exponent, cast(Counted, counted or variant.average.counted)),
    )
    if horizon is None:
        return chosen
    if not chosen.is_planned:
        raise BadInputError(f"a horizon is for {', '.join(PLANNED)}, with their own average, got {name}")
    return chosen.planned(horizon)
