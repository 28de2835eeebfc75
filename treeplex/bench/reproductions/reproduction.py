"""Reproductions as objects: what is computed again, from which source, at which cost, by which function."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path
from typing import Any

from treeplex.bench.reproductions.printed_table import PrintedTable
from treeplex.core.progress import Progress
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import Estimate
from treeplex.games.base.parameters import check_integer
from treeplex.games.base.reading import shown


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What is asked of a reproduction; each takes those of the settings that it names.

    Attributes
    ----------
    rows : tuple of str
        Names of the rows to compute, in any order; none means all but extra ones.
    columns : tuple of str
        Names of the columns to compute, in any order; none means all but extra ones.
    flops : int or None
        Number of classes of flops of the game with a list of flops; None means the whole game.
    iterations : int or None
        Of the regret minimiser that solves a game or subgame; None means as many as the table's own.
    keep : Path or None
        A folder for what was computed on the way, such as plans.
    checkpoint : Path or None
        A folder for the state of the run, from which a run that was ended goes on.
    threads : int or None
        Threads that compute; None means as many as processors.
    """

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    flops: int | None = None
    iterations: int | None = None
    keep: Path | None = None
    checkpoint: Path | None = None
    threads: int | None = None

    @property
    def given(self) -> Mapping[str, object]:
        """The settings that were given, by name."""
        return {name: value for name, value in vars(self).items() if value not in (None, ())}

    @property
    def n_threads(self) -> int:
        """Threads that compute."""
        return self.threads or cpu_count() or 1

    @property
    def n_at_once(self) -> int:
        """Threads that compute at the same time: as many as this machine has processors, at most."""
        return min(self.n_threads, cpu_count() or 1)


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """A table or a figure of a paper that can be computed again.

    Attributes
    ----------
    name : str
        In lower case with hyphens; what ``treeplex reproduce NAME`` takes.
    what : str
        What is computed, in one line.
    source : str
        Paper, year, and table, figure or section.
    rows : tuple of str
        The names of its rows, in order.
    columns : tuple of str
        The names of its columns, in order, where single ones can be computed.
    extra : frozenset of str
        Rows and columns that are computed only if they are asked for.
    takes : frozenset of str
        Names of the fields of :class:`Settings` that it takes, other than ``rows`` and ``columns``.
    estimate : callable
        From settings to what the run takes.
    run : callable
        From settings and a progress callback to tables. Rows that were not asked for are left out. Progress
        is called often: it is also how an interruption is heard.
    """

    name: str
    what: str
    source: str
    rows: tuple[str, ...]
    columns: tuple[str, ...] = ()
    extra: frozenset[str] = frozenset()
    takes: frozenset[str] = frozenset()
    estimate: Callable[[Settings], Estimate]
    run: Callable[[Settings, Progress], tuple[PrintedTable, ...]]

    def as_json(self) -> dict[str, Any]:
        """Return what is listed of it as an object."""
        return {
            "name": self.name,
            "what": self.what,
            "source": self.source,
            "rows": list(self.rows),
            "columns": list(self.columns),
            "takes": sorted(self.takes),
            "estimate": self.estimate(Settings()).as_json(),
        }

    def check(self, settings: Settings) -> None:
        """Refuse settings that it does not take, or that are out of their ranges.

        Raises
        ------
        ValueError
        """
        for name in settings.given:
            own = self.columns and name == "columns"
            if not own and name not in {"rows", *self.takes}:
                raise BadInputError(f"{self.name} takes no {name}, got {shown(getattr(settings, name))}")
        for name, asked, known in (
            ("rows", settings.rows, self.rows),
            ("columns", settings.columns, self.columns),
        ):
            if unknown := [one for one in asked if one not in known]:
                raise BadInputError(
                    f"{name} of {self.name} must be of {', '.join(known)}, got {unknown[0]!r}"
                )
        for name in ("flops", "iterations", "threads"):
            if getattr(settings, name) is not None:
                check_integer(name, getattr(settings, name), 1)

    def chosen(self, settings: Settings) -> tuple[str, ...]:
        """Return the names of the rows to compute, in the order of the table."""
        return self._of(self.rows, settings.rows)

    def chosen_columns(self, settings: Settings) -> tuple[str, ...]:
        """Return the names of the columns to compute, in the order of the table."""
        return self._of(self.columns, settings.columns)

    def _of(self, names: tuple[str, ...], asked: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one for one in names if (one in asked if asked else one not in self.extra))
