"""The catalogue of games as two tables: keys of all, sizes and exact values of the small ones."""

from collections.abc import Iterator, Sequence

from rich.console import Group
from rich.text import Text

from treeplex.core.catalogue_entry import CatalogueEntry, EnumeratedSizes
from treeplex.tables.layout import columns_table
from treeplex.tables.numbers import fraction_text

LONGEST_VALUE = 23
"""Most characters of an exact value."""


def games_table(games: Sequence[CatalogueEntry]) -> Group:
    """Return the list of games with their keys, and below it the sizes of the small ones."""
    every = columns_table(None, ["game", "what it is", "keys and their defaults"], left=None)
    for game in games:
        keys = ", ".join(key if default is None else f"{key}={default}" for key, default in game.keys.items())
        every.add_row(*map(Text, (game.name, game.summary, keys)))
    headers = [
        "small enough to enumerate",
        "infosets",
        "sequences",
        "LP rows",
        "columns",
        "nonzeros",
        "exact value",
    ]
    small = columns_table(None, headers, left=(headers[0], headers[-1]))
    for game in games:
        if game.sizes is not None:
            small.add_row(*map(Text, _size_cells(game.spec, game.sizes)))
    return Group(every, Text(), small, Text("infosets and sequences are those of both players together"))


def _size_cells(spec: str, sizes: EnumeratedSizes) -> Iterator[str]:
    yield spec
    for n in (sizes.n_infosets, sizes.n_sequences, sizes.lp.rows, sizes.lp.cols, sizes.lp.nnz):
        yield f"{n:,}"
    yield fraction_text(sizes.exact_value, LONGEST_VALUE)
