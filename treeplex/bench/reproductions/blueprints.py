"""Blueprints of games that end on the flop or the turn: by card abstraction, and without any."""

from pathlib import Path

import numpy as np

from treeplex.core.progress import Progress
from treeplex.files.abstraction_file import read_abstraction
from treeplex.games.base.errors import BadInputError
from treeplex.games.buckets.card_abstraction import CardAbstraction, rounds_of, street_name
from treeplex.games.cards.cards import Deck
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.bucket_tree import BucketStrategy
from treeplex.solving.abstract import abstract
from treeplex.solving.solve import solve

FEATURES = "ochs"
"""Of hands on the last street: equities against clusters of hands."""
SEED = 0
ITERATIONS, UNABSTRACTED_ITERATIONS = 1000, 1000
"""Of CFR+ on buckets, and of discounted CFR hand by hand."""
BLUEPRINT_FILE, LAST_FILE, UNABSTRACTED_FILE = "blueprint.npz", "last-iteration.npz", "no-abstraction.npz"
"""Where the runs are kept, in a column's folder."""
SMALL = 200
"""With more classes of flops tables by hand are kept as 16-bit integers."""


def bucket_blueprint(
    game: PokerGame, buckets: int, threads: int, folder: Path | None, progress: Progress
) -> BucketStrategy:
    """Return the average of CFR+ on buckets of hands on the last street, no two hands alike before it.

    Parameters
    ----------
    game : PokerGame
    buckets : int
    threads : int
    folder : Path or None
        Where the abstraction and the run are kept, and from where they are read if they are there.
    progress : callable
    """
    return _solved(game, buckets, threads, folder, progress, None, BLUEPRINT_FILE)


def last_iterate(
    blueprint: BucketStrategy,
    game: PokerGame,
    buckets: int,
    threads: int,
    folder: Path | None,
    progress: Progress,
) -> BucketStrategy:
    """Return a blueprint with the plans of the last iteration in place of averages on the last street.

    Brown and Sandholm (2017, section 6) estimate by them what the opponent's best response within the
    abstraction is worth. The iterations are run anew; other parameters as for :func:`bucket_blueprint`.
    """
    last = _solved(game, buckets, threads, folder, progress, "last", LAST_FILE)
    tables = []
    for player, weight in enumerate(blueprint.weight):
        start = int(blueprint.tree.base[player][-2])
        tables.append(np.concatenate((weight[:start], last.weight[player][start:])))
    return BucketStrategy(blueprint.tree, (tables[0], tables[1]))


def _solved(
    game: PokerGame,
    buckets: int,
    threads: int,
    folder: Path | None,
    progress: Progress,
    average: str | None,
    file: str,
) -> BucketStrategy:
    solved = solve(
        game,
        "cfr+",
        form="buckets",
        iterations=ITERATIONS,
        average=average,
        abstraction=_abstraction(game, buckets, threads, folder, progress),
        checkpoint=None if folder is None else folder / file,
        progress=progress,
        threads=threads,
    )
    strategy = solved.strategy
    assert isinstance(strategy, BucketStrategy)
    return strategy


def _abstraction(
    game: PokerGame, buckets: int, threads: int, folder: Path | None, progress: Progress
) -> CardAbstraction:
    path = None if folder is None else folder / "abstraction.npz"
    streets = f"{street_name(len(rounds_of(game)) - 1)}:{buckets}:{FEATURES}"
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            return _read(path, streets)
    return abstract(game, streets, seed=SEED, threads=threads, out=path, progress=progress)


def _read(path: Path, streets: str) -> CardAbstraction:
    """Return the abstraction that is kept; raises ``ValueError`` if it is not the one that was asked for."""
    kept = read_abstraction(path)
    if (kept.text, kept.recall, kept.seed) != (streets, "imperfect", SEED):
        got = f"{kept.text}, {kept.recall} recall, seed {kept.seed}"
        raise BadInputError(f"{path} must be {streets}, imperfect recall, seed {SEED}, got {got}")
    return kept


def scaled(buckets: int, game: PokerGame) -> int:
    """Return as many of a game's deals up to suits as a number of buckets is of the whole deck's, at least 1.

    Deals are counted by street, in the order in which cards come, up to the last.
    """
    rounds = rounds_of(game)
    whole = HandIndex(Deck(13, 4, top_is_king=False), rounds).size
    return max(1, round(buckets * HandIndex(game.deck, rounds).size / whole))


def unabstracted(
    game: PokerGame, threads: int, folder: Path | None, progress: Progress
) -> tuple[float, float]:
    """Return what best responses earn against either seat of a strategy without abstraction, in chips."""
    storage = "float32" if len(game.flops or range(SMALL + 1)) <= SMALL else "int16"
    solved = solve(
        game,
        "dcfr",
        form="boards",
        iterations=UNABSTRACTED_ITERATIONS,
        checkpoint=None if folder is None else folder / UNABSTRACTED_FILE,
        progress=progress,
        threads=threads,
        storage=storage,
    )
    certificate = solved.certificate
    assert certificate is not None
    return -float(certificate.lower), float(certificate.upper)
