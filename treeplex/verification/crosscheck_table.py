"""What is shown of a crosscheck: one row a method, the proved intervals side by side."""

from collections.abc import Iterator

from treeplex.core.result import Result
from treeplex.core.result_table import ev_text
from treeplex.games.display.blocks import Block, Columns, Line
from treeplex.games.display.numbers import LONGEST, fraction_text, interval_texts
from treeplex.games.inputs.reading import shortened
from treeplex.verification.crosscheck import Crosscheck

LONGEST_REASON = 160
"""Most characters of why a method gave up."""


def crosscheck_table(crosscheck: Crosscheck) -> tuple[Block, ...]:
    """Return the comparison: a row for each method, what they share below, the verdict last."""
    spot = crosscheck.rows[0].pot is not None
    headers = (
        "method",
        "form",
        "value",
        "proved interval",
        "width",
        *(["in pots"] if spot else []),
        "iterations",
        "seconds",
    )
    rows = tuple(tuple(_crosscheck_row(row)) for row in crosscheck.rows)
    table = Columns(crosscheck.game, headers, rows, left=("method", "form", "proved interval"))
    return table, *map(Line, _footer(crosscheck))


def _crosscheck_row(row: Result) -> Iterator[str]:
    value, lower, upper = interval_texts(row.proof.value, row.proof.lower, row.proof.upper)
    width = row.proof.nash_conv
    yield row.method if row.solver in (None, row.method) else f"{row.method} ({row.solver})"
    yield row.form
    yield value
    yield "exact" if width == 0 else f"[{lower}, {upper}]"
    yield f"{width:.2g}"
    if row.pot is not None:
        yield f"{width / float(row.pot):.2g}"
    yield f"{row.iterations:,}"
    yield f"{row.seconds:.2f}"


def _footer(crosscheck: Crosscheck) -> Iterator[str]:
    yield ""
    narrowest = min(crosscheck.rows, key=lambda row: row.proof.nash_conv)
    yield f"values and widths in {narrowest.unit}"
    for row in crosscheck.rows:
        if row.exact_value is not None:
            yield f"exact value {fraction_text(row.exact_value, LONGEST)}"
    if narrowest.pot is not None:
        yield f"EV {ev_text(narrowest.proof, narrowest.pot, narrowest.unit)}"
    if crosscheck.merged is not None:
        yield str(crosscheck.merged)
    if narrowest.note:
        yield narrowest.note
    if crosscheck.compile_seconds >= 0.1:
        yield f"kernels compiled in {crosscheck.compile_seconds:.1f} seconds, which no row contains"
    for method, why in crosscheck.gave_up.items():
        yield shortened(f"{method} gave up: {why}", LONGEST_REASON)
    if crosscheck.stuck:
        yield f"DO NOT SHRINK: {', '.join(crosscheck.stuck)}"
    yield "agree" if crosscheck.agree else "DISAGREE"
