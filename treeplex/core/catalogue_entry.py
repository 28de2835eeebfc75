"""The catalogue of games and its entries: keys, sizes, exact values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from treeplex.core.small_form import LPSize
from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.number_texts import exact_text, fraction_text

LONGEST_VALUE = 23
"""Most characters of an exact value."""
HEADERS = ("game", "what it is", "keys and their defaults")
SMALL = (
    "small enough to enumerate",
    "infosets",
    "sequences",
    "LP rows",
    "columns",
    "nonzeros",
    "exact value",
)
"""Headers of both tables."""


@dataclass(frozen=True)
class EnumeratedSizes:
    """Sizes and exact value of a game that is small enough to be enumerated and solved.

    Attributes
    ----------
    n_infosets, n_sequences : int
        Of both players together; each player's empty sequence is counted.
    lp : LPSize
        Player 0's program, hands that the game cannot tell apart merged.
    exact_value : Fraction
        Player 0's, proved by exact best responses.
    """

    n_infosets: int
    n_sequences: int
    lp: LPSize
    exact_value: Fraction


@dataclass(frozen=True, repr=False)
class CatalogueEntry(Shown):
    """A named game: its keys, and sizes and exact value where it is small.

    Attributes
    ----------
    name : str
    spec : str
        The shortest spec, whose sizes are given.
    keys : mapping of str to (str or None)
        The default of each key as specs spell it; None where there is none.
    summary : str
    unit : str
    sizes : EnumeratedSizes or None
        None for games too big to be counted and solved at once.
    """

    name: str
    spec: str
    keys: Mapping[str, str | None]
    summary: str
    unit: str
    sizes: EnumeratedSizes | None

    def blocks(self) -> tuple[Block, ...]:
        """Return the entry as a catalogue of one game."""
        return Catalogue([self]).blocks()

    def brief(self) -> str:
        """Return the spec and what it is."""
        return f"{self.spec}: {self.summary}"

    def as_json(self) -> dict[str, Any]:
        """Return the entry as an object of ``treeplex games --json``."""
        sizes = self.sizes
        return {
            "name": self.name,
            "spec": self.spec,
            "keys": dict(self.keys),
            "summary": self.summary,
            "unit": self.unit,
            "n_infosets": None if sizes is None else sizes.n_infosets,
            "n_sequences": None if sizes is None else sizes.n_sequences,
            **({"lp": None} if sizes is None else sizes.lp.as_json()),
            "exact_value": None if sizes is None else exact_text(sizes.exact_value),
        }


class Catalogue(Shown, tuple[CatalogueEntry, ...]):
    """The named games: a tuple of their entries."""

    def blocks(self) -> tuple[Block, ...]:
        """Return the games with their keys, and below them the sizes of the small ones."""
        every = tuple((game.name, game.summary, _keys(game)) for game in self)
        small = tuple(tuple(_size_cells(game.spec, game.sizes)) for game in self if game.sizes is not None)
        return (
            Columns(None, HEADERS, every, left=None),
            Line(""),
            Columns(None, SMALL, small, left=(SMALL[0], SMALL[-1])),
            Line("infosets and sequences are those of both players together"),
        )

    def brief(self) -> str:
        """Return how many games there are."""
        return f"{len(self)} games"


def _keys(game: CatalogueEntry) -> str:
    return ", ".join(key if default is None else f"{key}={default}" for key, default in game.keys.items())


def _size_cells(spec: str, sizes: EnumeratedSizes) -> Iterator[str]:
    yield spec
    for n in (sizes.n_infosets, sizes.n_sequences, sizes.lp.n_rows, sizes.lp.n_cols, sizes.lp.nnz):
        yield f"{n:,}"
    yield fraction_text(sizes.exact_value, LONGEST_VALUE)
