"""Distributions over clusters that have distances, compared by a greedy earth mover's distance."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.base.threads import blocks, in_order
from treeplex.games.buckets.clusters import Floats, Index, Labels, Singles

BLOCK = 1_024
"""Points that a thread takes at a time."""
GRID = 64
"""Cells of the line on which distributions are compared first."""
SHORTLIST = 50
"""Centres whose greedy distance is computed at most, those nearest on the line first."""
LEFT = 1e-7
"""Mass that counts as none: masses of centres are float32, rounded by up to 3e-8."""

Order = NDArray[np.uint16]


class Ground(NamedTuple):
    """Clusters below and how far they are apart.

    Attributes
    ----------
    distance : (C, C) float64
        By rank: ``distance[b, i]`` is how far the i-th nearest cluster is from cluster b.
    order : (C, C) uint16
        ``order[b, i]`` is the i-th nearest cluster of b, itself the first.
    cell : (C,) int64
        The cell of each cluster on a line on which no two are further apart than they are.
    width : float
        Of a cell.
    """

    distance: Floats
    order: Order
    cell: Index
    width: float

    @staticmethod
    def of(centres: Singles, *, absolute: bool) -> "Ground":
        """Return the distances of centres (C, D): sums of absolute differences, or Euclidean.

        The place on the line is the sum of coordinates, divided by the root of their number where distances
        are Euclidean: places differ by no more than the distance (Cauchy and Schwarz).
        """
        points = centres.astype(np.float64)
        gaps = np.empty((len(points), len(points)))
        for b, point in enumerate(points):
            apart = np.abs(points - point)
            gaps[b] = apart.sum(axis=1) if absolute else np.sqrt((apart * apart).sum(axis=1))
        order = np.argsort(gaps, axis=1, kind="stable")
        place = points.sum(axis=1) / (1.0 if absolute else np.sqrt(points.shape[1]))
        width = float(np.ptp(place)) / GRID or 1.0
        cell = np.minimum(((place - place.min()) / width).astype(np.int64), GRID - 1)
        return Ground(np.take_along_axis(gaps, order, axis=1), order.astype(np.uint16), cell, width)


@dataclass(frozen=True)
class Atoms:
    """Points that are distributions over clusters, a ``Cloud``; each atom has the same mass.

    The distance of a point from a centre, a histogram over the clusters, is the earth mover's distance found
    greedily: for i = 1, 2, ... each atom takes what is left at its i-th nearest cluster and pays the distance
    (Ganzfried and Sandholm, Potential-aware imperfect-recall abstraction with earth mover's distance, 2014).
    It is at least the earth mover's distance and no metric, so that no triangle inequality helps. Centres
    come in the order of the earth mover's distance on a line, which is a lower bound: the search ends where
    that exceeds the best distance found, and after ``SHORTLIST`` centres.

    Attributes
    ----------
    values : (N, A) uint16
        The clusters of each point's atoms, in increasing order.
    weight : (N,) float64
        Above 0.
    ground : Ground
    threads : int
    """

    values: Order
    weight: Floats
    ground: Ground
    threads: int = 1

    def part(self, rows: Index, weight: Floats) -> "Atoms":
        """Return the points of some rows with new weights."""
        return Atoms(self.values[rows], weight, self.ground, self.threads)

    def centres_at(self, rows: Index) -> Singles:
        """Return the histograms of some points, (M, C)."""
        found = np.zeros((len(rows), len(self.ground.cell)))
        _add_atoms(self.values[rows], np.ones(len(rows)), np.arange(len(rows)), found)
        return found.astype(np.float32)

    def lowered(self, cost: Singles, centre: Singles) -> Singles:
        """Return the costs (N,) where one more centre (C,) may be cheaper."""
        result = cost.copy()
        one = centre.reshape(1, -1).astype(np.float64)
        lines = _lines(one, self.ground)

        def lower(b: slice) -> None:
            _lower(self.values[b], one, lines, self.ground, result[b])

        for _ in in_order(lower, blocks(len(cost), BLOCK), self.threads):
            pass
        return result

    def nearest(self, centres: Singles, first: Index, last: Index) -> tuple[Labels, Singles]:
        """Return each point's nearest centre and its squared distance from it, as ``Cloud.nearest`` says."""
        label, cost = np.empty(len(self.values), np.int32), np.empty(len(self.values), np.float32)
        histograms = centres.astype(np.float64)
        lines = _lines(histograms, self.ground)

        def one(b: slice) -> None:
            _nearest(self.values[b], histograms, lines, self.ground, first[b], last[b], label[b], cost[b])

        for _ in in_order(one, blocks(len(label), BLOCK), self.threads):
            pass
        return label, cost

    def means(self, centres: Singles, label: Labels) -> Singles:
        """Return the mean histogram of each centre's points, (K, C), summed in order; the centre if none."""
        total = np.zeros(centres.shape)
        _add_atoms(self.values, self.weight, label.astype(np.int64), total)
        mass = total.sum(axis=1)
        means = total / np.where(mass > 0.0, mass, 1.0)[:, None]
        return np.where((mass > 0.0)[:, None], means, centres).astype(np.float32)


def _lines(histograms: Floats, ground: Ground) -> Singles:
    """Return the cumulative distributions of histograms on the line, (GRID, K)."""
    cells = np.zeros((GRID, len(histograms)))
    for cluster, cell in enumerate(ground.cell.tolist()):
        cells[cell] += histograms[:, cluster]
    return np.cumsum(cells, axis=0).astype(np.float32)


@njit(cache=True, nogil=True, error_model="numpy")
def greedy_distance(
    atoms: Order, centre: Floats, ground: Ground, most: float, left: Floats, mass: Floats
) -> float:
    """Return a distribution's greedy distance from a histogram, or a number above ``most``.

    Parameters
    ----------
    atoms : (A,) uint16
        Of equal mass, in increasing order.
    centre : (C,) float64
    ground : Ground
    most : float
        The search ends beyond it.
    left : (C,) float64
        Work space: what is left of the centre.
    mass : (A,) float64
        Work space: what is left of the first atom of each cluster.
    """
    # the first of equal atoms carries their mass; live atoms are kept together at the front
    n_atoms, live = len(atoms), 0
    where = np.empty(n_atoms, np.int64)
    for j in range(n_atoms):
        if j == 0 or atoms[j] != atoms[j - 1]:
            where[live] = atoms[j]
            mass[live] = 0.0
            live += 1
        mass[live - 1] += 1.0 / n_atoms
    left[:] = centre
    paid = 0.0
    for i in range(len(centre)):
        j, due = 0, 0.0
        while j < live:
            b = where[j]
            t = ground.order[b, i]
            taken = min(mass[j], left[t])
            paid += taken * ground.distance[b, i]
            left[t] -= taken
            mass[j] -= taken
            if mass[j] <= LEFT:
                live -= 1
                mass[j], where[j] = mass[live], where[live]
            else:
                # what is left pays this distance at least
                due += mass[j] * ground.distance[b, i]
                j += 1
        if live == 0 or paid + due > most:
            break
    return paid + due


@njit(cache=True, nogil=True, error_model="numpy")
def _line_distances(
    atoms: Order, lines: Singles, first: int, last: int, ground: Ground, gaps: Singles
) -> None:
    """Write the distance on the line of a distribution from each centre, in cells."""
    counts = np.zeros(GRID, np.float32)
    for atom in atoms:
        counts[ground.cell[atom]] += np.float32(1.0)
    gaps[:] = 0.0
    reached = np.float32(0.0)
    for cell in range(GRID):
        reached += counts[cell]
        here, row = reached / np.float32(len(atoms)), lines[cell, first:last]
        for k in range(len(gaps)):
            gaps[k] += abs(here - row[k])


@njit(cache=True, nogil=True, error_model="numpy")
def _lower(values: Order, centre: Floats, lines: Singles, ground: Ground, cost: Singles) -> None:
    left, mass, gap = np.empty(centre.shape[1]), np.empty(values.shape[1]), np.empty(1, np.float32)
    for i in range(len(values)):
        _line_distances(values[i], lines, 0, 1, ground, gap)
        best = np.sqrt(cost[i])
        # places were rounded to cells, by less than one cell in all
        if (gap[0] - 1.0) * ground.width < best:
            here = greedy_distance(values[i], centre[0], ground, best, left, mass)
            cost[i] = min(cost[i], np.float32(here * here))


@njit(cache=True, nogil=True, error_model="numpy")
def _nearest(
    values: Order,
    centres: Floats,
    lines: Singles,
    ground: Ground,
    first: Index,
    last: Index,
    label: Labels,
    cost: Singles,
) -> None:
    """Write each point's nearest centre and its squared distance."""
    left, mass = np.empty(centres.shape[1]), np.empty(values.shape[1])
    room = np.empty(len(centres), np.float32)
    for i in range(len(values)):
        n = last[i] - first[i]
        gaps = room[:n]
        bits = gaps.view(np.int32)
        _line_distances(values[i], lines, first[i], last[i], ground, gaps)
        best, at = np.inf, 0
        for _ in range(min(n, SHORTLIST)):
            least = np.int32(0x7FFFFFFF)
            for k in range(n):
                least = min(least, bits[k])
            k = 0
            while bits[k] != least:
                k += 1
            if (gaps[k] - 1.0) * ground.width >= best:
                break
            here = greedy_distance(values[i], centres[first[i] + k], ground, best, left, mass)
            if here < best:
                best, at = here, k
            gaps[k] = np.inf
        label[i] = first[i] + at
        cost[i] = best * best


@njit(cache=True, nogil=True, error_model="numpy")
def _add_atoms(values: Order, weight: Floats, label: Index, total: Floats) -> None:
    """Add each point's atoms, which share its weight, to its label's histogram."""
    for i in range(len(values)):
        share = weight[i] / values.shape[1]
        for j in range(values.shape[1]):
            total[label[i], values[i, j]] += share
