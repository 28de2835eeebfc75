"""The deals of a street, board by board, with their features and the buckets that they had before."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from treeplex.games.abstraction.street_buckets import StreetBuckets
from treeplex.games.clusters.cloud import Cloud, Floats, Index, Singles
from treeplex.games.indexing.hand_index import HandIndex
from treeplex.games.parallel import blocks, in_order
from treeplex.games.reporting import Report, reported

ROWS = 40_000
"""Deals of a block of boards, about."""


class Source(Protocol):
    """What features are asked for; ``games.features.features.Features`` is one."""

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


class Part(NamedTuple):
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

    def parts(self, doing: str, wanted: NDArray[np.bool_] | None = None) -> Iterator[tuple[slice, Part]]:
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

    def _part(self, block: slice) -> Part:
        assert self.boards is not None
        deals, points = self.source.on(self.boards.cards(np.arange(block.start, block.stop)))
        group = np.zeros(len(deals), np.int64) if self.above is None else self.above.group(deals)
        return Part(self.index.of(deals), points, group)

    def _before_boards(self) -> Part:
        points = self.source.before_boards(self.threads, self.report)
        return Part(np.arange(len(points)), points, np.zeros(len(points), np.int64))
