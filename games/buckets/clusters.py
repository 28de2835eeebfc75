"""Clusters of weighted points by k-means from several starts, and centres in groups.

Starts are by k-means++, with the same bits for any number of threads. Of points k-means asks their weights,
their distances from centres, and the means of clusters. Centres are nested within given groups of points,
or on two levels where there are many.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.base.apportionment import apportioned
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reporting import Report, quiet

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


@dataclass(frozen=True)
class ClusterEffort:
    """How long centres are sought.

    Attributes
    ----------
    starts : int
        Starts by k-means++; the one of lowest inertia is kept.
    per_centre : int
        Points drawn for each centre when starts are compared, all if there are not more.
    least : int
        Points drawn then at least.
    rounds : int
        Steps to means, at most.
    gain : float
        The least part of the inertia that a step must gain to be followed by another.
    """

    starts: int = 4
    per_centre: int = 40
    least: int = 5_000
    rounds: int = 25
    gain: float = 1e-3


USUAL = ClusterEffort()


@dataclass(frozen=True)
class Clustering:
    """Centres and the points' places among them.

    Attributes
    ----------
    centres : (K, D) float32
        Each with points. Fewer than were asked for where fewer points differ, or a last step to the means
        left some without any.
    label : (N,) int32
        Each point's nearest centre.
    cost : (N,) float32
        Its squared distance from it.
    inertia : float
        Sum of weights times squared distances.
    """

    centres: Singles
    label: Labels
    cost: Singles
    inertia: float


def k_means(
    cloud: Cloud, count: int, seed: Sequence[int], effort: ClusterEffort = USUAL, report: Report = quiet
) -> Clustering:
    """Return centres of low inertia among weighted points.

    Each start chooses centres one by one, with probability proportional to weight times cost at the nearest
    chosen before (Arthur and Vassilvitskii, k-means++, 2007), then points and means move by turns (Lloyd
    1982). A centre without points moves to the point that costs most. Starts are compared on a sample;
    the best goes on with all points.

    Parameters
    ----------
    cloud : Cloud
    count : int
        At least 1.
    seed : sequence of int
        The same seed gives the same bits.
    effort : ClusterEffort
    report : callable, optional
        Told what is being done.
    """
    rng = np.random.default_rng([*seed])
    n = len(cloud.weight)
    if count == 1:
        return _improved(cloud, cloud.centres_at(np.zeros(1, np.int64)), effort, report)
    few = min(n, max(count * effort.per_centre, effort.least))
    sample = cloud if few == n else _drawn(cloud, few, rng)
    starts = []
    for start in range(effort.starts):
        report(f"{count:,} centres: start {start + 1} of {effort.starts}")
        starts.append(_improved(sample, _start(sample, count, rng), effort, report))
    best = min(starts, key=lambda found: found.inertia)
    return _occupied(best if sample is cloud else _improved(cloud, best.centres, effort, report))


def _drawn(cloud: Cloud, count: int, rng: np.random.Generator) -> Cloud:
    """Return points drawn at equal distances along their weights (systematic sampling), weight 1 each."""
    ends = np.cumsum(cloud.weight)
    rows = np.searchsorted(ends, (np.arange(count) + rng.random()) / count * ends[-1], side="right")
    return cloud.part(np.minimum(rows, len(ends) - 1), np.ones(count))


def _start(cloud: Cloud, count: int, rng: np.random.Generator) -> Singles:
    """Return centres that lie on points, chosen by k-means++; fewer where fewer points differ."""
    rows: list[int] = []
    cost = np.full(len(cloud.weight), np.finfo(np.float32).max)
    for _ in range(count):
        row = _choose(cloud.weight, cost, rng.random())
        if row < 0:
            break
        rows.append(row)
        cost = cloud.lowered(cost, cloud.centres_at(np.array([row]))[0])
    return cloud.centres_at(np.array(rows))


def _improved(cloud: Cloud, centres: Singles, effort: ClusterEffort, report: Report) -> Clustering:
    """Return what follows from centres by steps to the means, the best seen."""
    found = _placed(cloud, centres)
    for step in range(effort.rounds):
        report(f"{len(centres):,} centres among {len(cloud.weight):,} points: step {step + 1}")
        again = _placed(cloud, _moved(cloud, found))
        gained = found.inertia - again.inertia
        found = again if gained > 0.0 else found
        if gained <= effort.gain * found.inertia:
            break
    return found


def _placed(cloud: Cloud, centres: Singles) -> Clustering:
    first = np.zeros(len(cloud.weight), np.int64)
    label, cost = cloud.nearest(centres, first, first + len(centres))
    return Clustering(centres, label, cost, float(_inertia(cloud.weight, cost)))


def _moved(cloud: Cloud, found: Clustering) -> Singles:
    """Return the means of clusters; centres without points go to the points that cost most."""
    centres = cloud.means(found.centres, found.label)
    empty = np.flatnonzero(np.bincount(found.label, minlength=len(centres)) == 0)
    if len(empty):
        dear = np.argsort(-cloud.weight * found.cost, kind="stable")[: len(empty)]
        centres[empty[: len(dear)]] = cloud.centres_at(dear)
    return centres


def _occupied(found: Clustering) -> Clustering:
    """Return the centres that have points."""
    used = np.bincount(found.label, minlength=len(found.centres)) > 0
    label = (np.cumsum(used) - 1)[found.label].astype(np.int32)
    return replace(found, centres=found.centres[used], label=label)


@njit(cache=True, nogil=True)
def _choose(weight: Floats, cost: Singles, at: float) -> int:
    """Return the row at which running sums of weight times cost pass a part of their total, -1 if that is 0.

    Sums are in order, by one thread: the same bits everywhere.
    """
    total = 0.0
    for i in range(len(weight)):
        total += weight[i] * cost[i]
    row, passed = -1, 0.0
    for i in range(len(weight)):
        if cost[i] > 0.0:
            row = i
            passed += weight[i] * cost[i]
            if passed > at * total:
                break
    return row


@njit(cache=True, nogil=True)
def _inertia(weight: Floats, cost: Singles) -> float:
    """Return the sum of weights times costs, in order."""
    total = 0.0
    for i in range(len(weight)):
        total += weight[i] * cost[i]
    return total


TWO_LEVELS = 5_000
"""From so many centres on they are sought on two levels."""
TOP = 200
"""Centres of the upper level."""


@dataclass(frozen=True)
class GroupedCentres:
    """Centres of which each group of points has its own.

    Attributes
    ----------
    centres : (K, D) float32
        By group.
    start : (G + 1,) int64
        First centre of each group.
    top : (G, D) float32 or None
        The groups' own centres, the nearest of which is a point's group; None where groups are given.
    """

    centres: Singles
    start: Index
    top: Singles | None

    def assign(self, cloud: Cloud, group: Index | None = None) -> Labels:
        """Return each point's nearest centre among those of its group, (N,).

        Parameters
        ----------
        cloud : Cloud
        group : (N,) int64, optional
            Each point's group; needed where there is no ``top``.
        """
        if group is None:
            if self.top is None:
                raise BadInputError("groups must be given, got none")
            first = np.zeros(len(cloud.weight), np.int64)
            one = len(self.top) == 1
            group = (
                first if one else cloud.nearest(self.top, first, first + len(self.top))[0].astype(np.int64)
            )
        return cloud.nearest(self.centres, self.start[group], self.start[group + 1])[0]


def fit(
    cloud: Cloud, count: int, seed: Sequence[int], effort: ClusterEffort = USUAL, report: Report = quiet
) -> GroupedCentres:
    """Return centres for all points; on two levels from ``TWO_LEVELS`` centres on, 200 and the rest in each.

    A step among N points of D coordinates costs N D K with K centres, N D (200 + K / 200) on two levels.
    """
    if count < TWO_LEVELS:
        centres = k_means(cloud, count, seed, effort, report).centres
        return GroupedCentres(centres, np.array([0, len(centres)]), centres[:1])
    top = k_means(cloud, TOP, seed, effort, report)
    inside = fit_within(cloud, top.label.astype(np.int64), count, seed, effort, report)
    return GroupedCentres(inside.centres, inside.start, top.centres)


def fit_within(
    cloud: Cloud,
    group: Index,
    count: int,
    seed: Sequence[int],
    effort: ClusterEffort = USUAL,
    report: Report = quiet,
) -> GroupedCentres:
    """Return centres for each group of points, ``count`` in all, apportioned to the groups' weights.

    Parameters
    ----------
    cloud : Cloud
    group : (N,) int64
        Each point's group; none is empty.
    count : int
        At least the number of groups. A group gets no more centres than it has points.
    seed : sequence of int
    effort : ClusterEffort
    report : callable, optional
    """
    points = np.bincount(group)
    mass = np.bincount(group, weights=cloud.weight)
    # apportionment takes integers, of which a millionth of the mean group is fine enough
    sizes = np.maximum(1, np.rint(mass / mass.mean() * 1e6)).astype(np.int64)
    seats = apportioned(sizes.tolist(), points.tolist(), min(count, len(group)))
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(points)
    parts = []
    for g, (end, n, seat) in enumerate(zip(ends.tolist(), points.tolist(), seats, strict=True)):
        rows = order[end - n : end]
        report(f"{count:,} centres: group {g + 1:,} of {len(points):,}")
        parts.append(k_means(cloud.part(rows, cloud.weight[rows]), seat, (*seed, g), effort).centres)
    start = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    return GroupedCentres(np.concatenate(parts), start, None)
