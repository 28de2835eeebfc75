"""The catalogue of games as two tables: keys of all, sizes and exact values of the small ones."""

from collections.abc import Iterator, Sequence

from rich.console import Group

from treeplex.core.catalogue_entry import CatalogueEntry, EnumeratedSizes
from treeplex.tables.layout import Columns, Line
from treeplex.tables.numbers import fraction_text

LONGEST_VALUE = 23
"""Most characters of an exact value."""


def games_table(games: Sequence[CatalogueEntry]) -> Group:
    """Return the list of games with their keys, and below it the sizes of the small ones."""
    every = tuple((game.name, game.summary, _keys(game)) for game in games)
    headers = (
        "small enough to enumerate",
        "infosets",
        "sequences",
        "LP rows",
        "columns",
        "nonzeros",
        "exact value",
    )
    small = tuple(tuple(_size_cells(game.spec, game.sizes)) for game in games if game.sizes is not None)
    return Group(
        Columns(None, ("game", "what it is", "keys and their defaults"), every, left=None),
        Line(""),
        Columns(None, headers, small, left=(headers[0], headers[-1])),
        Line("infosets and sequences are those of both players together"),
    )


def _keys(game: CatalogueEntry) -> str:
    return ", ".join(key if default is None else f"{key}={default}" for key, default in game.keys.items())


def _size_cells(spec: str, sizes: EnumeratedSizes) -> Iterator[str]:
    yield spec
    for n in (sizes.n_infosets, sizes.n_sequences, sizes.lp.rows, sizes.lp.cols, sizes.lp.nnz):
        yield f"{n:,}"
    yield fraction_text(sizes.exact_value, LONGEST_VALUE)
