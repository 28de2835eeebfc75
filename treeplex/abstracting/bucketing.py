"""The buckets of a street: centres sought among its deals, and the nearest centre of each deal."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from treeplex.abstracting.street_deals import Drawn, Part, StreetDeals
from treeplex.games.abstraction.street_buckets import Buckets, StreetBuckets, bucket_dtype
from treeplex.games.clusters.cloud import Index, Labels
from treeplex.games.clusters.grouped import GroupedCentres, fit, fit_within

MOST_WHOLE = 2_200_000
"""Most deals, hands times boards, whose points are all kept: the flop of a whole deck has 2,063,880."""
SAMPLE = 500_000
"""Deals among which centres are sought where there are more."""


class Assigned(NamedTuple):
    """Deals by their numbers, their nearest centres, and their buckets on the street before, or 0."""

    number: Index
    label: Labels
    group: Index


def street_buckets(deals: StreetDeals, kind: str, count: int, seed: tuple[int, ...]) -> StreetBuckets:
    """Return the buckets of a street; with perfect recall, nested in those of the street before.

    Centres are sought among all deals, or a sample where there are many; then each deal goes to the nearest.
    Buckets are numbered from weak to strong, with perfect recall within the bucket before. Where fewer deals
    differ than buckets were asked for, there are fewer.

    Parameters
    ----------
    deals : StreetDeals
    kind : str
        How the buckets are called.
    count : int
        How many, at most.
    seed : tuple of int
        The same seed gives the same bytes, whatever the threads.
    """
    whole = deals.n_rows <= MOST_WHOLE
    drawn = deals.whole() if whole else deals.sampled(SAMPLE, (*seed, 1))
    centres = _centres(deals, drawn, count, seed)
    table = np.empty(deals.index.size, bucket_dtype(len(centres.centres)))
    parent, used = np.zeros(len(centres.centres), np.int64), np.zeros(len(centres.centres), np.bool_)
    for number, label, group in _assigned(deals, drawn if whole else None, centres):
        table[number] = label
        parent[label] = group
        used[label] = True
    order = np.lexsort((deals.source.strength(centres.centres), parent))
    order = order[used[order]]
    place = np.zeros(len(parent), np.int64)
    place[order] = np.arange(len(order))
    nested = None if deals.above is None else parent[order].astype(bucket_dtype(deals.above.buckets.count))
    final: Buckets = place.astype(bucket_dtype(len(order)))[table]
    return StreetBuckets(kind, len(order), final, nested)


def _centres(deals: StreetDeals, drawn: Drawn, count: int, seed: tuple[int, ...]) -> GroupedCentres:
    cloud = deals.source.cloud(drawn.points, drawn.weight, deals.threads)

    def report(text: str) -> None:
        deals.report(f"{deals.name}: {text}")

    if deals.above is None:
        return fit(cloud, count, seed, report=report)
    return fit_within(cloud, drawn.group, count, seed, report=report)


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
