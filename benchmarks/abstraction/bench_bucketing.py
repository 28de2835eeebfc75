"""Buckets of turns and rivers of the whole deck: some boards timed, all of them projected, on two threads."""

import time
from functools import partial

import numpy as np

from benchmarks.measure import Case, main
from treeplex.games.buckets.clusters import GroupedCentres
from treeplex.games.buckets.features import KINDS, Features, deck_hands
from treeplex.solving.abstract import planned
from treeplex.solving.street_bucketing import USUAL_SEARCH, StreetDeals

BOARDS = {"turn": ("hist", 40), "river": ("ochs", 600)}
"""The kind of buckets, and how many boards are timed."""
BUCKETS = 1_000
TARGET = "both streets within 60 min and 8 GB"


def prepared(street: str) -> tuple[StreetDeals, GroupedCentres]:
    """Return the deals of a street and centres that lie on some of them; kernels are compiled."""
    kind, _ = BOARDS[street]
    making = planned("limit_holdem", f"{street}:{BUCKETS}:{kind}", threads=2)
    deck = making.game.deck
    cluster = np.arange(len(deck_hands(deck))) % KINDS[kind].clusters
    deals = making.deals(2 if street == "turn" else 3, Features(deck, 5, KINDS[kind], cluster), None)
    assert deals.boards is not None
    found, points = deals.source.on(deals.boards.cards(np.arange(2)))
    deals.index.of(found)
    centres = points[np.random.default_rng(0).integers(len(points), size=BUCKETS)]
    return deals, GroupedCentres(centres, np.array([0, BUCKETS]), centres[:1])


def speed(street: str, given: object) -> str:
    """Put the hands of some boards into buckets; say what all boards take so, and k-means beside."""
    assert isinstance(given, tuple)
    deals, centres = given
    n = BOARDS[street][1]
    boards = deals.boards.cards(np.linspace(0, deals.boards.size - 1, n).astype(np.int64))
    marks = [time.process_time()]
    found, points = deals.source.on(boards)
    marks.append(time.process_time())
    deals.index.of(found)
    marks.append(time.process_time())
    centres.assign(deals.source.cloud(points, np.ones(len(points)), 1))
    marks.append(time.process_time())
    features, numbers, nearest = np.diff(marks) / n * deals.boards.size / 60
    steps = 40 * nearest * USUAL_SEARCH.sample / deals.n_rows
    whole = 2 * features + numbers + nearest + steps
    return (
        f"whole deck, CPU minutes: features {features:.1f} twice, numbers {numbers:.1f},"
        f" nearest {nearest:.1f}, k-means {steps:.1f}: {whole:.1f} in all, half of that on two cores"
    )


CASES = [Case(street, TARGET, partial(prepared, street), partial(speed, street)) for street in BOARDS]

if __name__ == "__main__":
    main("benchmarks.abstraction.bench_bucketing", CASES)
