"""Card abstractions of poker games from features and clusters.

How long one will take and how much memory is estimated from parts of the work measured on this machine.
"""

from math import comb, inf
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from treeplex.cfr.boards.board_state import BYTES
from treeplex.core.loading import GameLike, unwalked
from treeplex.core.progress import Progress, silent
from treeplex.files.abstraction_file import check_abstraction_output, write_abstraction
from treeplex.files.outputs import place_of
from treeplex.games.base.number_texts import MEBIBYTE, Estimate
from treeplex.games.base.parameters import check_kind
from treeplex.games.base.reporting import Report
from treeplex.games.buckets.card_abstraction import LOSSLESS, CardAbstraction, Recall, StreetBuckets
from treeplex.games.buckets.clusters import TOP, TWO_LEVELS
from treeplex.games.buckets.features import KINDS, Features, KnownPoints, deck_hands
from treeplex.games.buckets.points import Points
from treeplex.games.cards.hand_index import HandIndex
from treeplex.process.compilation import compilation_told
from treeplex.solving.abstraction_making import EMD, NEXT, WEVA, Making
from treeplex.solving.abstraction_warm_up import ITERATIONS, point_bytes, walked_entries
from treeplex.solving.street_bucketing import ROWS, SHORT_SEARCH, USUAL_SEARCH, Search, StreetDeals


def abstract(
    game: GameLike,
    streets: str,
    *,
    recall: Recall = "imperfect",
    seed: int = 0,
    threads: int = 1,
    out: str | Path | None = None,
    progress: Progress = silent,
) -> CardAbstraction:
    """Make a card abstraction: hands and boards up to suits put into buckets by clusters of features.

    Features look at the rest of the hand up to the game's last street, against a hand of which nothing is
    known. Buckets are clusters of them, found by k-means. ``equity`` is E[HS], the mean equity at showdown
    over the cards to come; ``ehs2`` E[HS^2], the mean of its square; ``hist`` its histogram, compared by
    earth mover's distance, which has 50 bins and on the last street says no more than the bin; ``ochs`` the
    equity against each of eight clusters of hands (Johanson et al. 2013). ``emd`` compares distributions over
    clusters of the next street (Ganzfried and Sandholm 2014); ``weva`` what hands win at all decisions of the
    street after ten iterations of CFR on the whole game (Li and Huang 2026). Those buckets depend on the bets
    too, and the game has to fit into memory hand by hand.

    Parameters
    ----------
    game : str, Path, Game or Problem
        A poker game with streets, in which nothing is known before the deal. For all kinds of buckets but
        ``lossless`` hold'em hands of two cards.
    streets : str
        Such as ``flop:2000:hist,turn:1000:hist,river:1000:ochs``: a street's name, number of buckets and
        kind. A street that is not named, or ``flop:lossless``, has a bucket for each deal up to suits.
    recall : {"imperfect", "perfect"}, optional
        With perfect recall a bucket implies the bucket on the street before, and the order in which streets
        came is known; the buckets of a street are apportioned to those before by their numbers of deals.
        With imperfect recall the board is a set, and what was known before may be forgotten.
    seed : int, optional
        Of clusters; the same seed gives the same bytes.
    threads : int, optional
        Change no byte.
    out : str or Path, optional
        An .npz file to write. Until it is there, finished streets are kept beside it, and a run that was
        ended takes them from there; beside devices and pipes nothing is kept.
    progress : callable, optional
        Called with what is being done.

    Returns
    -------
    CardAbstraction

    Raises
    ------
    TypeError
        If the game is none, or the streets are no text.
    ValueError
        If the game is no such game, the streets or another argument cannot be, or the file cannot be written.

    Examples
    --------
    >>> abstract("leduc_poker", "flop:lossless").counts  # cards, then cards with boards, up to suits
    (3, 15)
    """

    def report(text: str) -> None:
        progress(text, inf)

    if out is not None:
        check_abstraction_output(out)
    beside = None if out is None or not place_of(out).is_file else Path(out)
    making = planned(game, streets, recall=recall, seed=seed, threads=threads, progress=progress)
    with compilation_told(report):
        buckets = _made(making, beside, report)
    made = CardAbstraction(making.game.deck, making.rounds, recall, buckets, seed, making.text)
    if out is not None:
        report("writing")
        write_abstraction(out, made)
    if beside is not None:
        for street in range(len(buckets)):
            making.kept(beside, street).remove()
    return made


def planned(
    game: GameLike,
    streets: str,
    *,
    recall: Recall = "imperfect",
    seed: int = 0,
    threads: int = 1,
    progress: Progress = silent,
) -> Making:
    """Return what is to be made; takes and raises what :func:`abstract` does."""
    check_kind("streets", streets, str, "a text")
    return Making.of(unwalked(game, progress=progress), streets, recall, seed, threads)


def _made(making: Making, out: Path | None, report: Report) -> tuple[StreetBuckets, ...]:
    """Return the buckets of all streets; those that are kept beside an output are taken from there."""
    made: list[StreetBuckets] = []
    for street, wanted in enumerate(making.streets):
        kept = None if out is None or wanted.kind == LOSSLESS else making.kept(out, street)
        buckets = None if kept is None else kept.read()
        if buckets is None:
            buckets = making.buckets(street, made[-1] if made else None, report)
            if kept is not None:
                kept.write(buckets)
        made.append(buckets)
    return tuple(made)


PROBED = 3
"""Boards on which features are timed."""
POINTS = 500
"""Points whose nearest centres are timed."""
STEPS = 10
"""Steps to means that k-means takes, about."""
BASE = 350 * MEBIBYTE
"""Bytes of a process that has done nothing."""
GREEDY, LOOKUP = 6e-5, 1e-7
"""Seconds for a point's nearest centre by the greedy earth mover's distance; for the cluster of a deal."""

UPDATE, WALKED, ADDED = 8e-9, 2e-8, 7e-8
"""Seconds for an entry of the tables in an iteration of CFR, or in a walk that values all hands, and for each
value that is added to a deal's."""


class Cost(NamedTuple):
    """Seconds of one thread, and bytes."""

    seconds: float
    memory: float


def estimated(making: Making) -> Estimate:
    """Return what an abstraction takes: all streets' seconds, the most memory of one, and the tables.

    Features of a few boards and distances of a few points are timed, compiled before.
    """
    made = [street for street, wanted in enumerate(making.streets) if wanted.kind != LOSSLESS]
    costs = [cost for street in made for cost in _costs(making, street)]
    if any(making.streets[street].kind == WEVA for street in made):
        entries = making.problem.boards().n_entries
        costs.append(Cost(ITERATIONS * entries * UPDATE, BYTES["float32"] * entries))
    tables = sum(making.indices[s].size * (2 if making.streets[s].count <= 1 << 16 else 4) for s in made)
    seconds = sum(cost.seconds for cost in costs) / making.threads
    return Estimate(seconds, BASE + max((cost.memory for cost in costs), default=0.0) + 2 * tables, tables)


def _costs(making: Making, street: int) -> list[Cost]:
    """Return the costs of one street, one after the other."""
    wanted = making.streets[street]
    if wanted.kind == WEVA:
        return [_walked(making, street)]
    if wanted.kind != EMD:
        source = _probe(making, wanted.kind)
        return [_cost(making, making.deals(street, source, None), wanted.count, _among(making, street))]
    following = making.next_deals(street, _probe(making, making.next_kind(street)))
    deals = making.deals(street, following.source, None)
    left = len(making.game.deck.cards) - deals.index.n_cards
    atoms = comb(left, making.rounds[street + 1])
    looked_up = deals.n_rows * atoms * LOOKUP
    drawn, compared = _compared(deals, wanted.count, SHORT_SEARCH)
    memory = drawn * (2 * atoms + 40) + wanted.count * NEXT * 24 + 3 * making.threads * ROWS * 4 * atoms
    return [_cost(making, following, NEXT, NEXT), Cost(2 * looked_up + compared * GREEDY, memory)]


def _walked(making: Making, street: int) -> Cost:
    """Return the cost of the values of all deals, by a walk in one thread, and of clusters of them."""
    tree, index, count = making.problem.boards(), making.indices[street], making.streets[street].count
    n_points = point_bytes(tree, street, index)
    width = n_points // index.size // 4
    deals = making.deals(street, KnownPoints(index, np.empty((0, width), np.float32)), None)
    drawn, compared = _compared(deals, count, USUAL_SEARCH)
    walk = (walked_entries(tree, street) * WALKED + deals.n_rows * width * ADDED) * making.threads
    seconds = walk + deals.n_rows * LOOKUP + _timed_distance(width) * compared * _among(making, street)
    return Cost(seconds, drawn * (4 * width + 40) + n_points + tree.n_entries * 4)


def _probe(making: Making, name: str) -> Features:
    """Return features whose clusters of opponents are as many, but not made."""
    kind, deck = KINDS[name], making.game.deck
    return Features(deck, making.n_last, kind, np.arange(len(deck_hands(deck))) % kind.clusters)


def _cost(making: Making, deals: StreetDeals, count: int, among: float) -> Cost:
    """Return the cost of features and of as many clusters, each point's sought among so many."""
    features, width = _timed_features(making, deals)
    drawn, compared = _compared(deals, count, USUAL_SEARCH)
    passes = 1 if deals.n_rows <= USUAL_SEARCH.most_whole else 2
    memory = drawn * (4 * width + 40) + 3 * making.threads * ROWS * 16 * width
    return Cost(features * passes + _timed_distance(width) * compared * among, memory)


def _compared(deals: StreetDeals, count: int, search: Search) -> tuple[int, int]:
    """Return how many points are drawn, and how often a point's nearest centre is sought."""
    whole = deals.n_rows <= search.most_whole
    drawn = deals.index.size if whole else search.sample
    few = min(drawn, max(count * search.effort.per_centre, search.effort.least))
    return drawn, STEPS * (drawn + search.effort.starts * few) + (drawn if whole else deals.n_rows)


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
