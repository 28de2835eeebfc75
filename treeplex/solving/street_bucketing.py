"""The buckets of a street: centres sought among its deals, and the nearest centre of each deal.

Deals come board by board, with their features and the buckets that they had before.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.reporting import Report, reported
from treeplex.games.base.threads import blocks, in_order
from treeplex.games.buckets.card_abstraction import Buckets, StreetBuckets, bucket_dtype
from treeplex.games.buckets.clusters import (
    USUAL,
    Cloud,
    ClusterEffort,
    Floats,
    GroupedCentres,
    Index,
    Labels,
    Singles,
    fit,
    fit_within,
)
from treeplex.games.cards.hand_index import HandIndex

ROWS = 40_000
"""Deals of a block of boards, about."""


class Source(Protocol):
    """What features are asked for; ``games.buckets.features.Features`` is one."""

    def on(self, boards: Index) -> tuple[Index, NDArray[Any]]:
        """Return the live hands of boards with the boards' cards, and their points."""

    def before_boards(self, threads: int, report: Report) -> NDArray[Any]:
        """Return the points of all hands up to suits before any board."""

    def cloud(self, points: NDArray[Any], weight: Floats, threads: int) -> Cloud:
        """Return weighted points."""

    def strength(self, centres: Singles) -> Floats:
        """Return a number for each centre by which those of weaker hands come first."""


class Above(NamedTuple):
    """The street before, with perfect recall: how its deals are numbered, and their buckets."""

    numbering: HandIndex
    buckets: StreetBuckets

    def group(self, deals: Index) -> Index:
        """Return the bucket that each deal was in, (N,)."""
        number = self.numbering.of(deals[:, : self.numbering.n_cards])
        return number if self.buckets.table is None else self.buckets.table[number].astype(np.int64)


class BucketingPart(NamedTuple):
    """Deals: their numbers (N,), points (N, D), and buckets on the street before, or 0 (N,)."""

    number: Index
    points: NDArray[Any]
    group: Index


class Drawn(NamedTuple):
    """Points among which centres are sought, with weights, and buckets on the street before, or 0."""

    points: NDArray[Any]
    weight: Floats
    group: Index


@dataclass(frozen=True)
class StreetDeals:
    """All deals of a street up to suits.

    Attributes
    ----------
    name : str
    source : Source
        Of features.
    index : HandIndex
        Numbers deals: hole cards and board.
    boards : HandIndex or None
        Numbers boards; None before any board card.
    above : Above or None
        With perfect recall, the street before.
    threads : int
    report : callable
    """

    name: str
    source: Source
    index: HandIndex
    boards: HandIndex | None
    above: Above | None
    threads: int
    report: Report

    @property
    def live(self) -> int:
        """Number of hands that are possible on a board."""
        dealt = 0 if self.boards is None else self.boards.n_cards
        return comb(len(self.index.deck.cards) - dealt, 2)

    @property
    def n_rows(self) -> int:
        """Number of boards up to suits times hands on each."""
        return self.index.size if self.boards is None else self.boards.size * self.live

    def parts(
        self, doing: str, wanted: NDArray[np.bool_] | None = None
    ) -> Iterator[tuple[slice, BucketingPart]]:
        """Yield all deals by blocks of boards, in order; those that suits alone tell apart come again.

        Parameters
        ----------
        doing : str
            What is reported to be done.
        wanted : (boards,) bool, optional
            Boards of which blocks without any are left out.
        """
        if self.boards is None:
            yield slice(0, 1), self._before_boards()
            return
        found = blocks(self.boards.size, max(1, ROWS // self.live))
        if wanted is not None:
            found = [block for block in found if wanted[block].any()]
        size, every = found[0].stop - found[0].start, self.boards.size
        parts = in_order(self._part, found, self.threads)

        def text(n: int) -> str:
            return f"{self.name}: {doing}, {n * size:,} of {every:,} boards"

        yield from zip(found, reported(parts, self.report, text), strict=True)

    def whole(self) -> Drawn:
        """Return a point for each deal up to suits, in order of numbers, weighted by its number of deals."""
        points, group = None, np.zeros(self.index.size, np.int64)
        for _, part in self.parts("features"):
            if points is None:
                points = np.empty((self.index.size, part.points.shape[1]), part.points.dtype)
            points[part.number], group[part.number] = part.points, part.group
        assert points is not None
        return Drawn(points, self.index.orbit(np.arange(self.index.size)).astype(np.float64), group)

    def sampled(self, count: int, seed: tuple[int, ...]) -> Drawn:
        """Return points of deals drawn with equal probability, weight 1 each.

        Boards are drawn at equal distances along their numbers of deals (systematic sampling), hands at
        random. Of each bucket on the street before there is one deal at least.
        """
        assert self.boards is not None
        rng = np.random.default_rng(seed)
        ends = np.cumsum(self.boards.orbit(np.arange(self.boards.size)))
        at = (np.arange(count) + rng.random()) / count * float(ends[-1])
        board = np.minimum(np.searchsorted(ends, at, side="right"), len(ends) - 1)
        row = board * self.live + rng.integers(self.live, size=count)
        wanted = None if self.above is not None else np.isin(np.arange(self.boards.size), board)
        points, groups, seen = [], [], np.zeros(0, np.int64)
        for block, part in self.parts("features of a sample", wanted):
            lo, hi = np.searchsorted(board, (block.start, block.stop))
            chosen = row[lo:hi] - block.start * self.live
            if self.above is not None:
                there, first = np.unique(part.group, return_index=True)
                new = first[~np.isin(there, seen)]
                seen = np.union1d(seen, there)
                chosen = np.concatenate([chosen, new])
            points.append(part.points[chosen])
            groups.append(part.group[chosen])
        return Drawn(np.concatenate(points), np.ones(sum(map(len, points))), np.concatenate(groups))

    def _part(self, block: slice) -> BucketingPart:
        assert self.boards is not None
        deals, points = self.source.on(self.boards.cards(np.arange(block.start, block.stop)))
        group = np.zeros(len(deals), np.int64) if self.above is None else self.above.group(deals)
        return BucketingPart(self.index.of(deals), points, group)

    def _before_boards(self) -> BucketingPart:
        points = self.source.before_boards(self.threads, self.report)
        return BucketingPart(np.arange(len(points)), points, np.zeros(len(points), np.int64))


@dataclass(frozen=True)
class Search:
    """How centres are sought on a street.

    Attributes
    ----------
    most_whole : int
        Most deals, hands times boards up to suits, whose points are all kept.
    sample : int
        Deals among which centres are sought where there are more.
    effort : ClusterEffort
    """

    most_whole: int
    sample: int
    effort: ClusterEffort


USUAL_SEARCH = Search(2_200_000, 500_000, USUAL)
"""The flop of a whole deck, with 2,063,880 deals, is kept whole."""
SHORT_SEARCH = Search(200_000, 150_000, ClusterEffort(starts=2, per_centre=20, least=2_000, rounds=12))
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
    deals: StreetDeals, drawn: Drawn, count: int, seed: tuple[int, ...], effort: ClusterEffort
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
        yield _nearest(deals, BucketingPart(np.arange(deals.index.size), drawn.points, drawn.group), centres)
        return
    for _, part in deals.parts("nearest buckets"):
        yield _nearest(deals, part, centres)


def _nearest(deals: StreetDeals, part: BucketingPart, centres: GroupedCentres) -> Assigned:
    cloud = deals.source.cloud(part.points, np.ones(len(part.points)), deals.threads)
    label = centres.assign(cloud, None if deals.above is None else part.group)
    return Assigned(part.number, label, part.group)
