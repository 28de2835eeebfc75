"""Tables of two columns, and empty tables with headers."""

from collections.abc import Container, Iterable

from rich.table import Table
from rich.text import Text


def rows_table(title: str, rows: Iterable[tuple[str, str]]) -> Table:
    """Return names and texts as a table of two columns."""
    table = Table(show_header=False, title=Text(title), title_justify="left", box=None, padding=(0, 2))
    for name, text in rows:
        table.add_row(name, Text(text))
    return table


def columns_table(title: str | None, headers: Iterable[str], left: Container[str] | None) -> Table:
    """Return an empty table; columns ``left``, or all, hold text, the others numbers."""
    title_text = None if title is None else Text(title)
    table = Table(title=title_text, title_justify="left", box=None, padding=(0, 1), pad_edge=False)
    for header in headers:
        text = left is None or header in left
        table.add_column(header, justify="left" if text else "right", overflow="fold", no_wrap=not text)
    return table
