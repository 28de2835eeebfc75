"""What k-means asks of points: their weights, their distances from centres, and the means of clusters."""

from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Index = NDArray[np.int64]
Labels = NDArray[np.int32]


class Cloud(Protocol):
    """Weighted points of one kind among which centres are sought.

    A cost is a squared distance. Whatever runs in several threads is computed for each point by itself, so
    that the results have the same bits for any number of threads.
    """

    @property
    def weight(self) -> Floats:
        """Weights, (N,), above 0."""

    def part(self, rows: Index, weight: Floats) -> Self:
        """Return the points of some rows with new weights."""

    def centres_at(self, rows: Index) -> Singles:
        """Return centres that lie on the points of some rows, (M, D)."""

    def lowered(self, cost: Singles, centre: Singles) -> Singles:
        """Return each point's cost (N,), or that at one more centre (D,) where it is lower."""

    def nearest(self, centres: Singles, first: Index, last: Index) -> tuple[Labels, Singles]:
        """Return each point's nearest centre and its cost there, (N,) each.

        Parameters
        ----------
        centres : (K, D) float32
        first, last : (N,) int64
            The centres from which a point chooses, ``last`` excluded; of equally near ones the first.
        """

    def means(self, centres: Singles, label: Labels) -> Singles:
        """Return the weighted mean of each centre's points, (K, D), summed in order; the centre if none."""
