"""Reproductions as tables: what there is, and computed numbers beside printed ones."""

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType

from treeplex.reproductions.reproduce import Reproduced
from treeplex.reproductions.reproduction import Reproduction, Settings
from treeplex.reproductions.table import Table
from treeplex.tables.layout import Columns, Line


def reproductions_table(found: Iterable[Reproduction]) -> Columns:
    """Return a row for each reproduction: its name, what it computes, from where, and what it takes."""
    rows = tuple((one.name, one.what, one.source, str(one.estimate(Settings()))) for one in found)
    return Columns(None, ("name", "what", "source", "takes"), rows, left=None)


def reproduced_table(result: Reproduced) -> Group:
    """Return the tables of a result, each with its source and notes."""
    parts = [part for table in result.tables for part in _parts(table)]
    return Group(*parts, Line(f"seconds {result.seconds:.1f}, estimated {result.estimate.seconds:.0f}"))


def _parts(table: Table) -> Iterator[RenderableType]:
    yield Columns(table.title, table.headers, tuple(map(table.cells, table.rows)), left=("",))
    yield Line(f"source: {table.source}; in {table.unit}")
    yield from map(Line, table.sentences)
    yield Line("")
