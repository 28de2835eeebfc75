"""k-means from several starts by k-means++, with the same bits for any number of threads."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numba import njit

from treeplex.games.clusters.cloud import Cloud, Floats, Labels, Singles
from treeplex.games.reporting import Report, quiet


@dataclass(frozen=True)
class Effort:
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


USUAL = Effort()


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
    cloud: Cloud, count: int, seed: Sequence[int], effort: Effort = USUAL, report: Report = quiet
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
    effort : Effort
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


def _improved(cloud: Cloud, centres: Singles, effort: Effort, report: Report) -> Clustering:
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
