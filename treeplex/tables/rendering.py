"""Results as tables for people; ``--json`` is for programs."""

import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Literal

from rich.console import Group
from rich.table import Table
from rich.text import Text

from treeplex.core.problem import Problem
from treeplex.core.result import Result, exact_text, exploitability_text
from treeplex.games.inputs.reading import amount_text, shortened
from treeplex.seqform.certify.certificate import Certificate
from treeplex.store.completion import completed_text
from treeplex.tables.listing import Listed, Sizes
from treeplex.verification.crosschecking import Crosscheck

LONGEST = 60
"""Most characters of an exact value in a table of one result; longer ones are cut in the middle."""
LONGEST_LISTED = 23
"""The same in the list of games."""
LONGEST_REASON = 160
"""Most characters of why a method gave up."""
MOST_DECIMALS = 12
"""Decimals, or figures beside an exponent, of a value that is known exactly, and the most of any."""
FIXED = 1e-10, 1e15
"""Magnitudes between which numbers are printed without an exponent."""

Rounding = Literal["down", "near", "up"]
ROUNDINGS: Mapping[Rounding, Callable[[Fraction], int]] = {"down": math.floor, "near": round, "up": math.ceil}
DECIMAL_ROUNDINGS: Mapping[Rounding, str] = {
    "down": ROUND_FLOOR,
    "near": ROUND_HALF_EVEN,
    "up": ROUND_CEILING,
}


def fraction_text(value: Fraction, longest: int) -> str:
    """Return a fraction, numerator and denominator each cut in the middle where both are too long."""
    text = exact_text(value)
    if len(text) <= longest:
        return text
    return "/".join(shortened(part, (longest - 1) // 2) for part in text.split("/"))


def fixed(value: float | Fraction, decimals: int, rounding: Rounding) -> str:
    """Return a number with so many decimals, at least one; rounded outward, an interval stays proved.

    >>> fixed(Fraction(-1, 18), 3, "down")
    '-0.056'
    """
    scaled = Fraction(value) * 10**decimals
    n = ROUNDINGS[rounding](scaled)
    whole, part = divmod(abs(n), 10**decimals)
    return f"{'-' if n < 0 else ''}{whole}.{part:0{decimals}}"


def scientific(value: float | Fraction, figures: int, rounding: Rounding) -> str:
    """Return a number with so many figures and an exponent.

    >>> scientific(Fraction(1, 3), 2, "up")
    '3.4e-1'
    """
    number = Fraction(value)
    if number == 0:
        return "0"
    context = Context(prec=figures, rounding=DECIMAL_ROUNDINGS[rounding])
    return f"{context.divide(Decimal(number.numerator), Decimal(number.denominator)):.{figures - 1}e}"


def interval_texts(certificate: Certificate) -> tuple[str, str, str]:
    """Return value, lower and upper, with digits enough to see two figures of the width."""
    value, lower, upper = certificate.value, certificate.lower, certificate.upper
    largest = max(abs(float(number)) for number in (value, lower, upper))
    numbers: tuple[tuple[float | Fraction, Rounding], ...] = (value, "near"), (lower, "down"), (upper, "up")
    if largest and not FIXED[0] <= largest < FIXED[1]:
        figures = _figures(certificate.nash_conv, largest)
        texts = [scientific(number, figures, rounding) for number, rounding in numbers]
    else:
        decimals = _decimals(certificate.nash_conv)
        texts = [fixed(number, decimals, rounding) for number, rounding in numbers]
    return texts[0], texts[1], texts[2]


def _figures(width: float, largest: float) -> int:
    if width <= 0:
        return MOST_DECIMALS
    return min(MOST_DECIMALS, max(3, 3 + math.ceil(math.log10(largest) - math.log10(width))))


def _decimals(width: float) -> int:
    if width <= 0:
        return MOST_DECIMALS
    return min(MOST_DECIMALS, max(2, 2 - math.floor(math.log10(width))))


def result_table(result: Result, problem: Problem | None = None, target: float | None = None) -> Table:
    """Return one result as a table of two columns; with its problem, which hands were merged is said too."""
    return rows_table(result.game, _result_rows(result, problem, target))


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


def _result_rows(result: Result, problem: Problem | None, target: float | None) -> Iterator[tuple[str, str]]:
    yield "method", result.method
    yield "form", result.form
    if result.why is not None:
        yield "why", result.why
    if result.solver is not None:
        yield "solver", result.solver
    yield "status", result.status
    if completed := completed_text(result.parameters):
        yield "completed", completed
    yield from _proved_rows(result, target)
    if result.iterations:
        yield "iterations", f"{result.iterations:,}"
    yield "seconds", f"{result.seconds:.2f}"
    yield "infosets", f"{result.n_infosets:,}{' met' if result.form == 'table' else ''}"
    if result.n_boards is not None:
        yield "boards", f"{result.n_boards:,} solved, {result.n_real_boards:,} judged"
    if result.n_bytes is not None:
        yield "tables", ", ".join(filter(None, (f"{result.n_bytes / 2**20:,.1f} MiB", result.storage)))
    if result.lp is not None:
        yield "LP", f"{result.lp.rows:,} rows, {result.lp.cols:,} columns, {result.lp.nnz:,} nonzeros"
        if problem is not None and problem.small.merged is not None:
            yield "hands", merged_text(problem)
    if result.note:
        yield "note", result.note


def _proved_rows(result: Result, target: float | None) -> Iterator[tuple[str, str]]:
    """Yield what the certificate says."""
    proof = result.certificate
    if proof is None:
        yield "certified", "nothing: the game is not enumerated"
        return
    value, lower, upper = interval_texts(proof)
    yield "value", f"{value} {result.unit}"
    yield "proved", f"[{lower}, {upper}]"
    if result.exact_value is not None:
        yield "exact value", fraction_text(result.exact_value, LONGEST)
    yield "NashConv", f"{proof.nash_conv:.2g} {result.unit}"
    yield "gains", f"{proof.gains[0]:.2g}, {proof.gains[1]:.2g}"
    yield (
        "exploitability",
        exploitability_text(proof.nash_conv, result.pot, result.big_blind, result.unit),
    )
    if result.distance_to_value is not None:
        yield "distance to value", "{:.2g}, {:.2g}".format(*result.distance_to_value)
    if target is not None:
        yield "target", f"{target:g}: {'met' if proof.nash_conv <= target else 'missed'}"
    if result.pot is not None:
        yield "EV", ev_text(proof, result.pot, result.unit)


def ev_text(proof: Certificate, pot: Fraction, unit: str) -> str:
    """Return both shares of the pot, whose sum is exact in print too."""
    decimals = _decimals(proof.nash_conv)
    share = Fraction(fixed(Fraction(proof.value) + pot / 2, decimals, "near"))
    shares = (fixed(part, decimals, "near") for part in (share, pot - share))
    return f"{', '.join(shares)} of a pot of {amount_text(pot)} {unit}"


def merged_text(problem: Problem) -> str:
    """Return how many hands the linear program merged into how many."""
    assert problem.tree is not None
    assert problem.small.merged is not None
    before, after = (
        " and ".join(dict.fromkeys(f"{len(hands):,}" for hands in tree.hands))
        for tree in (problem.tree, problem.small.merged.tree)
    )
    return f"{before} hands a side, {after} classes that the game cannot tell apart"


def crosscheck_table(crosscheck: Crosscheck, problem: Problem) -> Group:
    """Return the comparison: a row for each method, what they share below, the verdict last."""
    spot = problem.pot is not None
    headers = [
        "method",
        "value",
        "proved interval",
        "width",
        *(["in pots"] if spot else []),
        "iterations",
        "seconds",
    ]
    table = columns_table(crosscheck.game, headers, left=("method", "proved interval"))
    for row in crosscheck.rows:
        table.add_row(*map(Text, _crosscheck_row(row)))
    return Group(table, *map(Text, _footer(crosscheck, problem)))


def _crosscheck_row(row: Result) -> Iterator[str]:
    value, lower, upper = interval_texts(row.proof)
    width = row.proof.nash_conv
    yield row.method if row.solver in (None, row.method) else f"{row.method} ({row.solver})"
    yield value
    yield "exact" if width == 0 else f"[{lower}, {upper}]"
    yield f"{width:.2g}"
    if row.pot is not None:
        yield f"{width / float(row.pot):.2g}"
    yield f"{row.iterations:,}"
    yield f"{row.seconds:.2f}"


def _footer(crosscheck: Crosscheck, problem: Problem) -> Iterator[str]:
    yield ""
    narrowest = min(crosscheck.rows, key=lambda row: row.proof.nash_conv)
    yield f"values and widths in {narrowest.unit}"
    for row in crosscheck.rows:
        if row.exact_value is not None:
            yield f"exact value {fraction_text(row.exact_value, LONGEST)}"
    if problem.pot is not None:
        yield f"EV {ev_text(narrowest.proof, problem.pot, narrowest.unit)}"
    if problem.small.merged is not None:
        yield merged_text(problem)
    if narrowest.note:
        yield narrowest.note
    for method, why in crosscheck.gave_up.items():
        yield shortened(f"{method} gave up: {why}", LONGEST_REASON)
    if crosscheck.stuck:
        yield f"DO NOT SHRINK: {', '.join(crosscheck.stuck)}"
    yield "agree" if crosscheck.agree else "DISAGREE"


def games_table(games: Sequence[Listed]) -> Group:
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


def _size_cells(spec: str, sizes: Sizes) -> Iterator[str]:
    yield spec
    for n in (sizes.n_infosets, sizes.n_sequences, sizes.lp.rows, sizes.lp.cols, sizes.lp.nnz):
        yield f"{n:,}"
    yield fraction_text(sizes.exact_value, LONGEST_LISTED)
