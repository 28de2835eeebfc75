"""Entries of the catalogue of games: keys, sizes, exact values."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from treeplex.core.result import LPSize
from treeplex.core.texts import exact_text


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


@dataclass(frozen=True)
class CatalogueEntry:
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
            "lp": None if sizes is None else sizes.lp.as_json(),
            "exact_value": None if sizes is None else exact_text(sizes.exact_value),
        }
