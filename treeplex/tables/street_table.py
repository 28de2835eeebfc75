"""A strategy on betting times boards, and what is proved of it, as a table for people."""

from collections.abc import Iterator

from rich.table import Table

from treeplex.solving.street_result import StreetResult
from treeplex.tables.rendering import ev_text, interval_texts, rows_table


def street_table(result: StreetResult, target: float | None = None) -> Table:
    """Return one result as a table of two columns."""
    return rows_table(result.game, _rows(result, target))


def _rows(result: StreetResult, target: float | None) -> Iterator[tuple[str, str]]:
    value, lower, upper = interval_texts(result.certificate)
    yield "method", result.method
    yield "status", result.status
    yield "value", f"{value} {result.unit}"
    yield "proved", f"[{lower}, {upper}]"
    yield "NashConv", f"{result.nash_conv:.2g} {result.unit}"
    yield "gains", f"{result.gains[0]:.2g}, {result.gains[1]:.2g}"
    yield "exploitability", result.problem.exploitability_text(result.nash_conv)
    if target is not None:
        yield "target", f"{target:g}: {'met' if result.nash_conv <= target else 'missed'}"
    if result.ev is not None:
        yield "EV", ev_text(result)
    if result.iterations:
        yield "iterations", f"{result.iterations:,}"
    yield "seconds", f"{result.seconds:.2f}"
    yield "infosets", f"{result.n_infosets:,}"
    yield "boards", f"{result.n_boards:,} solved, {result.n_real_boards:,} judged"
    yield "tables", f"{result.problem.n_bytes / 2**20:,.1f} MiB, {result.storage}"
