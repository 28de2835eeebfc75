"""The buckets of a street: centres sought among its deals, and the nearest centre of each deal."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treeplex.abstracting.street_deals import Drawn, Part, StreetDeals
from treeplex.games.abstraction.street_buckets import Buckets, StreetBuckets, bucket_dtype
from treeplex.games.clusters.cloud import Index, Labels, Singles
from treeplex.games.clusters.grouped import GroupedCentres, fit, fit_within
from treeplex.games.clusters.k_means import USUAL, Effort


@dataclass(frozen=True)
class Search:
    """How centres are sought on a street.

    Attributes
    ----------
    most_whole : int
        Most deals, hands times boards up to suits, whose points are all kept.
    sample : int
        Deals among which centres are sought where there are more.
    effort : Effort
    """

    most_whole: int
    sample: int
    effort: Effort


USUAL_SEARCH = Search(2_200_000, 500_000, USUAL)
"""The flop of a whole deck, with 2,063,880 deals, is kept whole."""
SHORT_SEARCH = Search(200_000, 150_000, Effort(starts=2, per_centre=20, least=2_000, rounds=12))
"""For distances that cost much."""


class Clustered(NamedTuple):
    """Clusters of a street's deals, from weak to strong, with perfect recall within the bucket before.

    Attributes
    ----------
    table : (deals,) uint16 or uint32
    parent : (K,) int64
        The bucket before, 0 with imperfect recall.
    centres : (K, D) float32
    """

    table: Buckets
    parent: Index
    centres: Singles


class Assigned(NamedTuple):
    """Deals by their numbers, their nearest centres, and their buckets on the street before, or 0."""

    number: Index
    label: Labels
    group: Index


def street_buckets(
    deals: StreetDeals, kind: str, count: int, seed: tuple[int, ...], search: Search
) -> StreetBuckets:
    """Return the buckets of a street; with perfect recall, nested in those of the street before.

    Parameters
    ----------
    deals, count, seed, search
        As for :func:`clustered`.
    kind : str
        How the buckets are called.
    """
    found = clustered(deals, count, seed, search)
    nested = None if deals.above is None else found.parent.astype(bucket_dtype(deals.above.buckets.count))
    return StreetBuckets(kind, len(found.parent), found.table, nested)


def clustered(deals: StreetDeals, count: int, seed: tuple[int, ...], search: Search) -> Clustered:
    """Return clusters of a street's deals.

    Centres are sought among all deals, or a sample where there are many; then each deal goes to the nearest.
    Where fewer deals differ than clusters were asked for, there are fewer.

    Parameters
    ----------
    deals : StreetDeals
    count : int
        How many, at most.
    seed : tuple of int
        The same seed gives the same bytes, whatever the threads.
    search : Search
    """
    whole = deals.n_rows <= search.most_whole
    drawn = deals.whole() if whole else deals.sampled(search.sample, (*seed, 1))
    found = _centres(deals, drawn, count, seed, search.effort)
    table = np.empty(deals.index.size, bucket_dtype(len(found.centres)))
    parent, used = np.zeros(len(found.centres), np.int64), np.zeros(len(found.centres), np.bool_)
    for number, label, group in _assigned(deals, drawn if whole else None, found):
        table[number] = label
        parent[label] = group
        used[label] = True
    order = np.lexsort((deals.source.strength(found.centres), parent))
    order = order[used[order]]
    place = np.zeros(len(parent), np.int64)
    place[order] = np.arange(len(order))
    final: Buckets = place.astype(bucket_dtype(len(order)))[table]
    return Clustered(final, parent[order], found.centres[order])


def _centres(
    deals: StreetDeals, drawn: Drawn, count: int, seed: tuple[int, ...], effort: Effort
) -> GroupedCentres:
    cloud = deals.source.cloud(drawn.points, drawn.weight, deals.threads)

    def report(text: str) -> None:
        deals.report(f"{deals.name}: {text}")

    if deals.above is None:
        return fit(cloud, count, seed, effort, report)
    return fit_within(cloud, drawn.group, count, seed, effort, report)


def _assigned(deals: StreetDeals, drawn: Drawn | None, centres: GroupedCentres) -> Iterator[Assigned]:
    """Yield all deals with their nearest centres, in parts; from the points that were kept, if any were."""
    if drawn is not None:
        yield _nearest(deals, Part(np.arange(deals.index.size), drawn.points, drawn.group), centres)
        return
    for _, part in deals.parts("nearest buckets"):
        yield _nearest(deals, part, centres)


def _nearest(deals: StreetDeals, part: Part, centres: GroupedCentres) -> Assigned:
    cloud = deals.source.cloud(part.points, np.ones(len(part.points)), deals.threads)
    label = centres.assign(cloud, None if deals.above is None else part.group)
    return Assigned(part.number, label, part.group)
