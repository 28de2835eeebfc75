"""Points of a space of few dimensions, with Euclidean distances or the sum of absolute differences."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.threads import blocks, in_order
from treeplex.games.buckets.clusters import Floats, Index, Labels, Singles

BLOCK = 8_192
"""Points that a thread takes at a time."""


@dataclass(frozen=True)
class Points:
    """Weighted points as rows of coordinates; a ``Cloud``.

    The sum of absolute differences of two cumulative distributions is the earth mover's distance of the
    distributions, in steps of their grid. A mean of cumulative distributions is that of the mean
    distribution, so that k-means keeps its mean, although medians would have the smaller sum of distances.

    scikit-learn's k-means is not used: it knows no such distance, and its sums change in the last bits with
    the number of threads.

    Attributes
    ----------
    values : (N, D) float32
        Finite.
    weight : (N,) float64
        Above 0.
    absolute : bool
        Whether distances are sums of absolute differences; Euclidean otherwise.
    threads : int
    """

    values: Singles
    weight: Floats
    absolute: bool
    threads: int = 1

    def __post_init__(self) -> None:
        if (
            self.values.ndim != 2
            or self.values.dtype != np.float32
            or self.weight.shape != (len(self.values),)
        ):
            shapes = f"{self.values.dtype} {self.values.shape} with weights {self.weight.shape}"
            raise BadInputError(f"points must be float32 (N, D) with weights (N,), got {shapes}")
        if not np.isfinite(self.values).all():
            raise BadInputError("points must be finite")
        if not ((self.weight > 0.0) & (self.weight < np.inf)).all():
            raise BadInputError("weights must be finite and above 0")

    def part(self, rows: Index, weight: Floats) -> "Points":
        """Return the points of some rows with new weights."""
        return Points(self.values[rows], weight, self.absolute, self.threads)

    def centres_at(self, rows: Index) -> Singles:
        """Return the coordinates of some points, (M, D)."""
        return self.values[rows]

    def lowered(self, cost: Singles, centre: Singles) -> Singles:
        """Return each point's cost (N,), or its squared distance from one more centre (D,) where less."""
        label, here = np.empty(len(self.values), np.int32), np.empty(len(self.values), np.float32)
        none, one = np.zeros(len(label), np.int64), np.ones(len(label), np.int64)
        _nearest(self.values, centre.reshape(-1, 1), none, one, self.absolute, label, here)
        return np.minimum(cost, here)

    def nearest(self, centres: Singles, first: Index, last: Index) -> tuple[Labels, Singles]:
        """Return each point's nearest centre and its squared distance from it, as ``Cloud.nearest`` says."""
        label, cost = np.empty(len(self.values), np.int32), np.empty(len(self.values), np.float32)
        columns = np.ascontiguousarray(centres.T)

        def one(b: slice) -> None:
            _nearest(self.values[b], columns, first[b], last[b], self.absolute, label[b], cost[b])

        for _ in in_order(one, blocks(len(self.values), BLOCK), self.threads):
            pass
        return label, cost

    def means(self, centres: Singles, label: Labels) -> Singles:
        """Return the weighted mean of each centre's points, (K, D), summed in order; the centre if none."""
        total = np.zeros(centres.shape)
        mass = np.zeros(len(centres))
        _add_points(self.values, self.weight, label, total, mass)
        means = total / np.where(mass > 0.0, mass, 1.0)[:, None]
        return np.where((mass > 0.0)[:, None], means, centres).astype(np.float32)


@njit(cache=True, nogil=True, error_model="numpy")
def _nearest(
    values: Singles, columns: Singles, first: Index, last: Index, absolute: bool, label: Labels, cost: Singles
) -> None:
    """Write each point's nearest centre and its squared distance; ``columns`` are the centres, (D, K)."""
    distance = np.empty(columns.shape[1], np.float32)
    # floats that are not negative are ordered as their bits are, and minima of integers are vectorised
    bits = distance.view(np.int32)
    for i in range(len(values)):
        lo, n = first[i], last[i] - first[i]
        near = distance[:n]
        near[:] = 0.0
        for d in range(len(columns)):
            x, row = values[i, d], columns[d, lo : lo + n]
            if absolute:
                for k in range(n):
                    near[k] += abs(x - row[k])
            else:
                for k in range(n):
                    near[k] += (x - row[k]) * (x - row[k])
        least = np.int32(0x7FFFFFFF)
        for k in range(n):
            least = min(least, bits[k])
        k = 0
        while bits[k] != least:
            k += 1
        label[i] = lo + k
        cost[i] = near[k] * near[k] if absolute else near[k]


@njit(cache=True, nogil=True, error_model="numpy")
def _add_points(values: Singles, weight: Floats, label: Labels, total: Floats, mass: Floats) -> None:
    """Add each point's coordinates times its weight to its label's total, and its weight to the mass."""
    for i in range(len(values)):
        k, w = label[i], weight[i]
        mass[k] += w
        for d in range(values.shape[1]):
            total[k, d] += w * values[i, d]
