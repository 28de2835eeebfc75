"""The config of Monte Carlo counterfactual regret minimisation, and its form for kernels.

Pruning in external sampling: own actions of large negative regret are tried with low probability.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from treeplex.cfr.engine import check_seed
from treeplex.cfr.sampling.sampled_tree import CHANCES, EXTERNAL, OUTCOME, Averaged, Pruned, SampledMethod
from treeplex.games.base.errors import BadInputError

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
            raise BadInputError(f"threshold must be below 0 and finite, got {self.threshold}")
        if not 0.0 < self.constant < math.inf:
            raise BadInputError(f"constant must be above 0 and finite, got {self.constant}")
        if not 0.0 < self.floor <= 1.0:
            raise BadInputError(f"floor must be above 0 and at most 1, got {self.floor}")
        if self.start < 0:
            raise BadInputError(f"start must be at least 0, got {self.start}")
        if self.increments not in INCREMENTS:
            raise BadInputError(f"increments must be one of {', '.join(INCREMENTS)}, got {self.increments!r}")

    def scaled(self, factor: float) -> "Pruning":
        """Return the rule for payoffs multiplied by a factor."""
        return replace(self, threshold=self.threshold * factor, constant=self.constant * factor)

    @property
    def numbers(self) -> Pruned:
        """The rule as an argument of kernels."""
        rates = float(self.threshold), float(self.constant), float(self.floor)
        return Pruned(*rates, self.increments == "weighted")


Scheme = Literal["external", "outcome", "chance", "average"]
SCHEMES: tuple[Scheme, ...] = ("external", "outcome", "chance", "average")
MOST_STREAMS = 1024


@dataclass(frozen=True)
class Sampling:
    """A sampling scheme, the weights of regrets and averages, and the seed.

    Attributes
    ----------
    scheme : {"external", "outcome", "chance", "average"}
        In a player's traversal, ``external`` tries all actions of the player and samples the other's and
        chance's, ``outcome`` samples a single history (both: Lanctot, Waugh, Zinkevich and Bowling, Monte
        Carlo sampling for regret minimization in extensive games, 2009), and ``chance`` samples chance
        alone (Zinkevich et al. 2008). ``average`` samples as ``external``, but tries each action a of the
        player by itself with probability ``(beta + tau s(a)) / (beta + sum of s)``, s the average's sums
        so far, at least ``epsilon`` and at most 1 (Gibson, Burch, Lanctot and Szafron, Efficient Monte Carlo
        counterfactual regret minimization in games with many player actions, 2012); values below are
        divided by that, and the value of an action that is not tried is 0. Sampling is independent at every
        history.
    exploration : float
        In outcome sampling, the probability with which the updating player takes an action uniformly at
        random; the other plays its strategy. In (0, 1].
    floor : float
        Lower limit of regrets: minus infinity is regret matching, 0 regret matching+.
    regret_exponent : float
        Weight ``t**regret_exponent`` of the regrets of iteration t.
    exponent : float
        Weight ``t**exponent`` of iteration t in the average: 0 is uniform, 1 linear. Bounds are known for
        equal exponents (linear CFR is 1 and 1: Brown and Sandholm, Solving
        imperfect-information games via discounted regret minimization, 2019); with floor 0 the average may
        weigh late iterations more than the regrets do (Tammelin 2014).
    epsilon, tau, beta : float
        Of average sampling: the least probability, in (0, 1]; the threshold, at least 1, so that actions
        with a share of 1/tau in the average are surely tried; the bonus, at least 0, until whose size the
        sums do not matter. The defaults are those of the experiments of Gibson et al.: in games as small as
        Leduc their bonus keeps to external sampling for about a million iterations.
    pruning : Pruning, optional
        For external sampling.
    seed : int
        Of the random numbers, 0 to 2**64 - 1; the same seed gives the same bits.
    streams : int
        Number of independent runs, 1 to ``MOST_STREAMS``, whose averages are added.
    """

    scheme: Scheme = "external"
    exploration: float = 0.6
    floor: float = -math.inf
    regret_exponent: float = 0.0
    exponent: float = 0.0
    epsilon: float = 0.05
    tau: float = 1e3
    beta: float = 1e6
    pruning: Pruning | None = None
    seed: int = 0
    streams: int = 1

    def __post_init__(self) -> None:
        if self.scheme not in SCHEMES:
            raise BadInputError(f"scheme must be one of {', '.join(SCHEMES)}, got {self.scheme!r}")
        for name, share in (("exploration", self.exploration), ("epsilon", self.epsilon)):
            if not 0.0 < share <= 1.0:
                raise BadInputError(f"{name} must be above 0 and at most 1, got {share}")
        if not self.floor <= 0.0:
            raise BadInputError(f"floor must be at most 0, got {self.floor}")
        least = {"regret_exponent": 0.0, "exponent": 0.0, "tau": 1.0, "beta": 0.0}
        for name, low in least.items():
            if not low <= getattr(self, name) < math.inf:
                raise BadInputError(
                    f"{name} must be at least {low:.0f} and finite, got {getattr(self, name)}"
                )
        if self.pruning is not None and self.scheme != "external":
            raise BadInputError(f"pruning is for external sampling, got {self.scheme}")
        check_seed(self.seed)
        if not 1 <= self.streams <= MOST_STREAMS:
            raise BadInputError(f"streams must be between 1 and {MOST_STREAMS}, got {self.streams}")


class Kernel(NamedTuple):
    """A sampling method as arguments of kernels."""

    method: SampledMethod
    averaged: Averaged | None
    pruned: Pruned | None

    @property
    def trials(self) -> int:
        """Draws per own action that decide whether it is tried: 1 if not all are, else 0."""
        return int(self.averaged is not None or self.pruned is not None)


def kernel_of(sampling: Sampling, done: int) -> Kernel:
    """Return the kernel arguments after ``done`` iterations, without pruning before its start."""
    codes = {"external": EXTERNAL, "outcome": OUTCOME, "chance": CHANCES, "average": EXTERNAL}
    numbers = sampling.exploration, sampling.floor, sampling.regret_exponent, sampling.exponent
    method = SampledMethod(codes[sampling.scheme], *map(float, numbers))
    averaged, pruned = None, None
    if sampling.scheme == "average":
        averaged = Averaged(float(sampling.epsilon), float(sampling.tau), float(sampling.beta))
    if sampling.pruning is not None and done >= sampling.pruning.start:
        pruned = sampling.pruning.numbers
    return Kernel(method, averaged, pruned)
