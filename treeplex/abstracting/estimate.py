"""How long an abstraction will take and how much memory, from parts of the work measured on this machine."""

from time import perf_counter

import numpy as np

from treeplex.abstracting.bucketing import MOST_WHOLE, SAMPLE
from treeplex.abstracting.making import Making
from treeplex.abstracting.street_deals import ROWS, StreetDeals
from treeplex.games.abstraction.street_buckets import LOSSLESS
from treeplex.games.clusters.grouped import TOP, TWO_LEVELS
from treeplex.games.clusters.k_means import USUAL
from treeplex.games.clusters.points import Points
from treeplex.games.features.features import Features
from treeplex.games.features.kinds import KINDS
from treeplex.games.features.preflop import deck_hands
from treeplex.games.indexing.hand_index import HandIndex
from treeplex.runs.estimate import MEBIBYTE, Estimate

PROBED = 3
"""Boards on which features are timed."""
POINTS = 500
"""Points whose nearest centres are timed."""
STEPS = 10
"""Steps to means that k-means takes, about."""
BASE = 350 * MEBIBYTE
"""Bytes of a process that has done nothing."""


def estimated(making: Making) -> Estimate:
    """Return what an abstraction takes: all streets' seconds, the most memory of one, and the tables.

    Features of a few boards and distances of a few points are timed, compiled before.
    """
    seconds, working, tables = 0.0, 0.0, 0.0
    for street, wanted in enumerate(making.streets):
        if wanted.kind == LOSSLESS:
            continue
        index = making.indices[street]
        own, here = _street(making, street)
        seconds += own
        working = max(working, here)
        tables += index.size * (2 if wanted.count <= 1 << 16 else 4)
    return Estimate(seconds, BASE + working + 2 * tables, tables)


def _street(making: Making, street: int) -> tuple[float, float]:
    """Return seconds and bytes of one street."""
    wanted, deck = making.streets[street], making.game.deck
    kind = KINDS[wanted.kind]
    cluster = np.arange(len(deck_hands(deck))) % kind.clusters
    deals = making.deals(street, Features(deck, making.n_last, kind, cluster), None)
    features, width = _timed_features(making, deals)
    whole = deals.n_rows <= MOST_WHOLE
    rows = deals.index.size if whole else SAMPLE
    drawn = min(rows, max(wanted.count * USUAL.per_centre, USUAL.least))
    compared = STEPS * (rows + USUAL.starts * drawn) + (rows if whole else deals.n_rows)
    distances = _timed_distance(width) * compared * _among(making, street)
    n_bytes = rows * (4 * width + 40) + 3 * making.threads * ROWS * 16 * width
    return (features * (1 if whole else 2) + distances) / making.threads, n_bytes


def _among(making: Making, street: int) -> float:
    """Return among how many centres a point's nearest is sought."""
    count = making.streets[street].count
    if making.recall == "perfect" and street:
        return max(1.0, count / making.streets[street - 1].count)
    return count if count < TWO_LEVELS else TOP + count / TOP


def _timed_features(making: Making, deals: StreetDeals) -> tuple[float, int]:
    """Return the seconds that one thread takes for all features, and their coordinates."""
    boards = deals.boards
    if boards is None:
        boards = HandIndex(making.game.deck, (making.n_last,))
    some = boards.cards(np.linspace(0, boards.size - 1, PROBED).astype(np.int64))
    began = 0.0
    for probe in (some[:1], some):  # the first compiles
        began = perf_counter()
        found, points = deals.source.on(probe)
        if deals.boards is not None:
            deals.index.of(found)
    return (perf_counter() - began) / PROBED * boards.size, points.shape[1]


def _timed_distance(width: int) -> float:
    """Return the seconds that one thread takes for the distance of a point and a centre."""
    values = np.random.default_rng(0).random((POINTS, width)).astype(np.float32)
    cloud, first = Points(values, np.ones(POINTS), absolute=True), np.zeros(POINTS, np.int64)
    cloud.nearest(values, first, first + 1)
    began = perf_counter()
    cloud.nearest(values, first, first + POINTS)
    return (perf_counter() - began) / POINTS**2
