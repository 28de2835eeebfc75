"""The gadget Distributional: alternative values are drawn at random and seen by the opponent alone.

The distributions at the tops are discrete.
"""

from dataclasses import dataclass
from math import erf, sqrt
from statistics import NormalDist
from typing import Protocol

import numpy as np

from treeplex.gadgets.alternatives import Alternatives, AlternativeValues
from treeplex.gadgets.direct_programs import DirectProgram, ProgramBlock, least_above
from treeplex.gadgets.gadget import RootGadget
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.forest import choices
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import Entry, RootDecisions, Tops


@dataclass(frozen=True)
class DeviationAtoms:
    """A discrete distribution of the alternative value at each top, per unit of reach.

    Attributes
    ----------
    value, probability : (T, K) f64
        Probabilities of a top sum to one.
    error : (T,) f64
        By how much, at most, E max(v, X) of the distribution meant exceeds that of the atoms, whatever v.
    """

    value: Floats
    probability: Floats
    error: Floats

    @property
    def mean(self) -> Floats:
        """The mean alternative value of each top, (T,)."""
        return np.asarray((self.value * self.probability).sum(axis=1))


class Distribution(Protocol):
    """Source of a distributional gadget's atoms."""

    @property
    def prefix(self) -> str:
        """Prefix of the method's name."""

    def atoms(self, tops: Tops) -> DeviationAtoms:
        """Return the atoms at a subgame's tops."""

    def centre(self, tops: Tops) -> AlternativeValues:
        """Return what the distributions are centred at, for reports."""


class Deviations(Protocol):
    """Source of the standard deviations of normal distributions."""

    def of(self, tops: Tops) -> Floats:
        """Return the standard deviation at each top, (T,)."""


@dataclass(frozen=True)
class SameDeviation:
    """One standard deviation for all tops, in the game's unit."""

    deviation: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.deviation < np.inf:
            raise BadInputError(f"a standard deviation must be at least 0 and finite, got {self.deviation}")

    def of(self, tops: Tops) -> Floats:
        """Return the standard deviation at each top, (T,)."""
        return np.full(len(tops.tops), self.deviation)


@dataclass(frozen=True)
class BlueprintGap:
    """Excess of the opponent's best response at a top over the blueprint's own play there.

    The heuristic of Brown and Sandholm 2017, Appendix B.1 with appendices: the gap between the value that the
    blueprint expects and what it really concedes measures how wrong the blueprint's estimates are.
    """

    def of(self, tops: Tops) -> Floats:
        """Return the standard deviation at each top, (T,)."""
        gap = tops.cbv - tops.normalised(tops.blueprint_value)
        return np.maximum(np.nan_to_num(gap), 0.0)


@dataclass(frozen=True)
class Normal:
    """Normal distributions, each as ``n_atoms`` quantile bins of equal probability, each bin at its mean.

    Bin means keep the mean and can only lower E max(v, X), by Jensen's inequality, and only in the bin where
    v lies: by at most E (X - m)+ over that bin, m its mean. ``error`` is the largest over bins.

    Attributes
    ----------
    alternatives : Alternatives
        The means, gifts included.
    deviations : Deviations
    n_atoms : int
        At least 1.
    """

    alternatives: Alternatives
    deviations: Deviations = BlueprintGap()
    n_atoms: int = 16

    @property
    def prefix(self) -> str:
        """Prefix of the method's name."""
        return self.alternatives.prefix

    def __post_init__(self) -> None:
        if self.n_atoms < 1:
            raise BadInputError(f"a normal distribution needs at least 1 atom, got {self.n_atoms}")

    def atoms(self, tops: Tops) -> DeviationAtoms:
        """Return the atoms at a subgame's tops."""
        means, error = standard_normal(self.n_atoms)
        deviation = self.deviations.of(tops)[:, None]
        value = self.alternatives.of(tops).total[:, None] + deviation * means[None, :]
        return DeviationAtoms(value, np.full(value.shape, 1.0 / self.n_atoms), deviation[:, 0] * error)

    def centre(self, tops: Tops) -> AlternativeValues:
        """Return the means, gifts apart."""
        return self.alternatives.of(tops)


def standard_normal(n_atoms: int) -> tuple[Floats, float]:
    """Return bin means (K,) of the standard normal in K equal parts, and the largest error over bins."""
    density = [0.0] + [NormalDist().pdf(NormalDist().inv_cdf(k / n_atoms)) for k in range(1, n_atoms)] + [0.0]
    means = np.array([n_atoms * (density[k] - density[k + 1]) for k in range(n_atoms)])
    edges = [-np.inf] + [NormalDist().inv_cdf(k / n_atoms) for k in range(1, n_atoms)] + [np.inf]
    # E (X - m)+ over a bin with upper edge b: pdf(m) - pdf(b) - m (cdf(b) - cdf(m)).
    errors = [
        NormalDist().pdf(m) - density[k + 1] - m * (_cdf(edges[k + 1]) - _cdf(m))
        for k, m in enumerate(means.tolist())
    ]
    return means, max(errors)


def _cdf(x: float) -> float:
    return 0.5 * (1.0 + erf(x / sqrt(2.0)))


@dataclass(frozen=True)
class Distributional(RootGadget):
    """Resolve with alternative values drawn at random (Brown and Sandholm 2017, Appendix C).

    The opponent sees the draw and then stays out or enters; the defender sees nothing of it.

    Attributes
    ----------
    distribution : Distribution
    """

    distribution: Distribution

    @property
    def name(self) -> str:
        """Name in reports."""
        return f"{self.distribution.prefix}distributional"

    def alternative_values(self, tops: Tops) -> AlternativeValues:
        """Return what the distributions are centred at."""
        return self.distribution.centre(tops)

    def error(self, tops: Tops) -> float:
        """Return by how much, at most, atoms understate a top's E max(v, X), per unit of reach."""
        return float(self.distribution.atoms(tops).error[tops.live].max(initial=0.0))

    def root(self, tops: Tops) -> RootDecisions:
        """Return a decision a top and draw, which make the value sum_t w_t E max(V_t / w_t, X_t).

        The opponent's decisions inside are there once for every atom: who remembers the draw has perfect
        recall, and playing on as if it were forgotten is among the choices.
        """
        atoms, live = self.distribution.atoms(tops), np.flatnonzero(tops.live)
        n_atoms = atoms.value.shape[1]
        keys = tuple(f"enter {tops.tops[t]} #{k}" for k in range(n_atoms) for t in live.tolist())
        header = choices(keys, ("stay", "enter"))
        entries, paid = [], []
        for k in range(n_atoms):
            at = np.full(len(tops.reach), -1)
            at[live] = header.begin[k * len(live) : (k + 1) * len(live)] + 1
            entries.append(Entry(at, atoms.probability[:, k], f" #{k}"))
            paid.append((tops.reach * atoms.probability[:, k] * atoms.value[:, k])[live])
        return RootDecisions(header, tuple(entries), (header.begin, np.concatenate(paid)))

    def program(self, subgame: Subgame) -> DirectProgram:
        """Return min sum_tk w_t p_tk z_tk with z_tk >= V_t / w_t and z_tk >= X_tk on the shared block."""
        block, atoms = ProgramBlock.of(subgame), self.distribution.atoms(subgame)
        n_atoms = atoms.value.shape[1]
        weight = subgame.reach[block.tops, None] * atoms.probability[block.tops]
        return least_above(
            block,
            np.repeat(np.arange(len(block.tops)), n_atoms),
            atoms.value[block.tops].ravel(),
            weight.ravel(),
        )
