"""One door: a reproduction by name, checked, run, with its result."""

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treeplex.bench.reproductions.printed_table import PrintedTable
from treeplex.bench.reproductions.registry import reproduction
from treeplex.bench.reproductions.reproduction import Reproduction, Settings
from treeplex.bench.reproductions.table_picture import TablePicture
from treeplex.core.progress import Progress, silent
from treeplex.files.figure_file import PICTURES
from treeplex.files.outputs import check_output, check_path
from treeplex.files.writing import write_text
from treeplex.games.base.display import Block, Line, Shown
from treeplex.games.base.number_texts import Estimate
from treeplex.games.base.reading import shown

SUFFIXES = {".json": "json", ".md": "md", **PICTURES}


@dataclass(frozen=True, kw_only=True, repr=False)
class Reproduced(Shown):
    """Tables that were computed again.

    Attributes
    ----------
    name, what, source : str
        Of the reproduction.
    settings : Settings
    estimate : Estimate
    tables : tuple of PrintedTable
    seconds : float
        Wall time, of the last run where it went on from a checkpoint.
    """

    name: str
    what: str
    source: str
    settings: Settings
    estimate: Estimate
    tables: tuple[PrintedTable, ...]
    seconds: float

    def blocks(self) -> tuple[Block, ...]:
        """Return the tables, each with its source and notes."""
        parts = [part for table in self.tables for part in (*table.blocks(), Line(""))]
        return *parts, Line(f"seconds {self.seconds:.1f}, estimated {self.estimate.seconds:.0f}")

    def brief(self) -> str:
        """Return the name and what was computed again."""
        return f"{self.name}: {self.what}"

    def as_json(self) -> dict[str, Any]:
        """Return the result as the object that ``--json`` prints."""
        given = {name: str(v) if isinstance(v, Path) else v for name, v in self.settings.given.items()}
        return {
            "name": self.name,
            "what": self.what,
            "source": self.source,
            "settings": given,
            "estimate": self.estimate.as_json(),
            "tables": [table.as_json() for table in self.tables],
            "seconds": self.seconds,
        }

    def markdown(self) -> str:
        """Return all tables as Markdown."""
        return "\n".join(table.markdown() for table in self.tables)


def reproduce(
    name: str,
    *,
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    flops: int | None = None,
    iterations: int | None = None,
    keep: str | Path | None = None,
    checkpoint: str | Path | None = None,
    threads: int | None = None,
    progress: Progress = silent,
) -> Reproduced:
    """Compute a table or a figure of a paper again, and return it beside the printed numbers.

    Parameters
    ----------
    name : str
        As ``treeplex reproduce`` lists them.
    rows : sequence of str
        The rows to compute; all unless given.
    columns : sequence of str
        The columns to compute; all unless given.
    flops : int, optional
        The game with a list of so many classes of flops instead of the whole game.
    iterations : int, optional
        Of the regret minimiser that solves a game or subgame; as many as the table's own unless given.
    keep : str or Path, optional
        A folder for what is computed on the way.
    checkpoint : str or Path, optional
        A folder for the state of the run, from which a run that was ended goes on.
    threads : int, optional
        As many as processors unless given.
    progress : callable, optional

    Raises
    ------
    ValueError
        If there is no such reproduction, or it does not take what is given.

    Examples
    --------
    >>> reproduce("coin-toss").brief()
    'coin-toss: What player 0 wins in Coin Toss against the strategies of Figures 1, 2 and 4, with errata'
    """
    found = reproduction(name)
    for what, names in (("rows", rows), ("columns", columns)):
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise TypeError(f"{what} must be a sequence of texts, got {shown(names)}")
    for what, folder in (("kept answers", keep), ("the run's state", checkpoint)):
        if folder is not None:
            check_path(folder, what)
    settings = Settings(
        rows=tuple(rows),
        columns=tuple(columns),
        flops=flops,
        iterations=iterations,
        keep=None if keep is None else Path(keep),
        checkpoint=None if checkpoint is None else Path(checkpoint),
        threads=threads,
    )
    return reproduced(found, settings, progress)


def reproduced(found: Reproduction, settings: Settings, progress: Progress) -> Reproduced:
    """Check the settings of a reproduction and run it; raises ``ValueError`` as :func:`reproduce`."""
    found.check(settings)
    estimate = found.estimate(settings)
    progress(f"{found.name}, {estimate}", float("inf"))
    clock = time.perf_counter()
    tables = found.run(settings, progress)
    seconds = time.perf_counter() - clock
    return Reproduced(
        name=found.name,
        what=found.what,
        source=found.source,
        settings=settings,
        estimate=estimate,
        tables=tables,
        seconds=seconds,
    )


def check_reproduced(out: str | Path, format: str | None = None) -> str:
    """Return the format of a file of tables; raises ``ValueError`` if it could not be written."""
    return check_output(out, SUFFIXES, "a reproduction", format)


def write_reproduced(result: Reproduced, out: str | Path, format: str) -> None:
    """Write tables as Markdown, JSON or a picture; raises ``ValueError`` if they cannot be written."""
    if format in PICTURES.values():
        TablePicture.of(result.tables).write(out, format)
        return
    text = result.markdown() if format == "md" else json.dumps(result.as_json(), allow_nan=False) + "\n"
    write_text(out, lambda file: file.write(text))
