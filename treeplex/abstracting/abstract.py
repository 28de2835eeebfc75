"""Card abstractions of poker games from features and clusters."""

from math import inf
from pathlib import Path

from treeplex.abstracting.making import Making
from treeplex.core.loading import GameLike, unwalked
from treeplex.core.progress import Progress, silent
from treeplex.games.abstraction.card_abstraction import CardAbstraction, Recall
from treeplex.games.abstraction.street_buckets import LOSSLESS, StreetBuckets
from treeplex.games.inputs.parameters import check_kind
from treeplex.games.reporting import Report
from treeplex.outputs.place import place_of
from treeplex.process.compilation import compilation_told
from treeplex.store.abstractions.abstraction_file import check_abstraction_output, write_abstraction


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
