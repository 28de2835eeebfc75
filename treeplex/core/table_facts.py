"""What results say of boards and of tables, on boards or of sampled infosets."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treeplex.games.base.number_texts import Units


@dataclass(frozen=True)
class BoardCounts:
    """How many boards a strategy and its certificate are on.

    Attributes
    ----------
    n_boards : int or None
        Of the strategy; None where they are not listed, as in split games.
    n_real_boards : int
        On which the certificate judged it.
    is_sampled : bool
        Whether the strategy was learnt from sampled boards, and not solved on all of them.
    """

    n_boards: int | None
    n_real_boards: int
    is_sampled: bool = False

    def rows(self, units: Units) -> Iterator[tuple[str, str]]:
        """Yield names and values as results show them."""
        solved = "" if self.n_boards is None or self.is_sampled else f"{self.n_boards:,} solved, "
        yield "boards", f"{solved}{self.n_real_boards:,} judged"

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of it."""
        return {"n_boards": self.n_boards, "n_real_boards": self.n_real_boards}


@dataclass(frozen=True)
class TableBytes:
    """What tables on boards or of sampled infosets take.

    Attributes
    ----------
    n_bytes : int
    storage : str or None
        Number format of averages on boards; None of other tables.
    """

    n_bytes: int
    storage: str | None = None

    def rows(self, units: Units) -> Iterator[tuple[str, str]]:
        """Yield names and values as results show them."""
        yield "tables", ", ".join(filter(None, (f"{self.n_bytes / 2**20:,.1f} MiB", self.storage)))

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of it."""
        return {"bytes": self.n_bytes, "storage": self.storage}
