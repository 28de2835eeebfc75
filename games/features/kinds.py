"""Kinds of features: how what a hand wins over last boards becomes a point, and how far points are apart."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from treeplex.games.features.run_outs import Totals

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Kind:
    """A kind of features.

    Attributes
    ----------
    values : callable
        Takes totals, returns points (R, D).
    cumulative : bool
        Whether points are cumulative distributions, compared by the sum of absolute differences; Euclidean
        distances otherwise.
    clusters : int
        How many clusters of opposing hands there are.
    bins : int
        How many bins of equity.
    """

    values: Callable[[Totals], Floats]
    cumulative: bool = False
    clusters: int = 1
    bins: int = 1

    def points(self, totals: Totals) -> Singles:
        """Return the points of totals, (R, D) float32."""
        return self.values(totals).astype(np.float32)

    def strength(self, points: Singles) -> Floats:
        """Return a number for each point (K, D) by which weaker hands come first, (K,)."""
        mean: Floats = points.mean(axis=1, dtype=np.float64)
        return -mean if self.cumulative else mean


def mean_equity(totals: Totals) -> Floats:
    """Return E[HS], the mean equity over last boards, (R, 1)."""
    equity: Floats = totals.doubled.sum(axis=1) / totals.most.sum(axis=1)
    return equity[:, None]


def mean_square(totals: Totals) -> Floats:
    """Return E[HS^2], the mean square of the equity over last boards, (R, 1).

    Each last board has equally many opposing hands.
    """
    most = totals.most.sum(axis=1) / totals.boards
    square: Floats = totals.squares / (totals.boards * most * most)
    return square[:, None]


def cumulative_histogram(totals: Totals) -> Floats:
    """Return the part of last boards in each bin of equity or a lower one, (R, bins - 1)."""
    return np.cumsum(totals.histogram[:, :-1], axis=1) / totals.boards[:, None]


def cluster_equities(totals: Totals) -> Floats:
    """Return the mean equity against each cluster of opposing hands, 1/2 where there are none, (R, G)."""
    known = totals.most > 0
    return np.where(known, totals.doubled / np.where(known, totals.most, 1), 0.5)


BINS = 50
"""Bins of equity."""
CLUSTERS = 8
"""Clusters of opposing hands."""
KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "equity": Kind(mean_equity),
        "ehs2": Kind(mean_square),
        "hist": Kind(cumulative_histogram, cumulative=True, bins=BINS),
        "ochs": Kind(cluster_equities, clusters=CLUSTERS),
    }
)
"""Kinds by name: equity, E[HS^2], histograms of last equities, and opponent cluster hand strength.

Histograms and clusters of opponents after Johanson, Burch, Valenzano and Bowling, Evaluating state-space
abstractions in extensive-form games (2013). On the last street a histogram is one spike, so that ``hist`` is
``equity`` in 50 steps there.
"""
