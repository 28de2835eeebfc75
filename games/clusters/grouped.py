"""Centres in groups: nested within given groups of points, or on two levels where there are many."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treeplex.games.apportionment import apportioned
from treeplex.games.clusters.cloud import Cloud, Index, Labels, Singles
from treeplex.games.clusters.k_means import USUAL, Effort, k_means
from treeplex.games.reporting import Report, quiet

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
                raise ValueError("groups must be given, got none")
            first = np.zeros(len(cloud.weight), np.int64)
            one = len(self.top) == 1
            group = (
                first if one else cloud.nearest(self.top, first, first + len(self.top))[0].astype(np.int64)
            )
        return cloud.nearest(self.centres, self.start[group], self.start[group + 1])[0]


def fit(
    cloud: Cloud, count: int, seed: Sequence[int], effort: Effort = USUAL, report: Report = quiet
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
    effort: Effort = USUAL,
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
    effort : Effort
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
