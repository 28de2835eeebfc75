"""What is shown of a result: names and values in two columns; ``--json`` is for programs."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from treeplex.core.result import COUNTS, Result
from treeplex.games.display.blocks import Rows
from treeplex.games.display.numbers import (
    LONGEST,
    decimals_of,
    exploitability_text,
    fixed,
    fraction_text,
    interval_texts,
)
from treeplex.games.inputs.reading import amount_text
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.local_response.local_response import LowerBounds


def result_table(result: Result, target: float | None = None) -> Rows:
    """Return one result as a table of two columns, with a target whether it is met."""
    return Rows(result.game, tuple(_result_rows(result, target)))


def _result_rows(result: Result, target: float | None) -> Iterator[tuple[str, str]]:
    yield "method", result.method
    yield "form", result.form
    if result.why is not None:
        yield "why", result.why
    if result.solver is not None:
        yield "solver", result.solver
    yield "status", result.status
    if completed := completed_text(result.parameters):
        yield "completed", completed
    if result.abstraction is not None:
        yield from result.abstraction.rows(result.unit)
        if result.certificate is not None:
            yield "judged in", "the real game, on every board"
    if result.blueprint is not None:
        yield from result.blueprint.rows()
    yield from _proved_rows(result, target)
    if result.iterations:
        yield "iterations", f"{result.iterations:,}"
    yield "seconds", f"{result.seconds:.2f}"
    yield "infosets", f"{result.n_infosets:,}{' met' if result.form == 'table' else ''}"
    yield from _table_rows(result)
    if result.lp is not None:
        yield "LP", result.lp.brief()
    if result.merged is not None:
        yield "hands", str(result.merged)
    if result.note:
        yield "note", result.note


def _table_rows(result: Result) -> Iterator[tuple[str, str]]:
    """Yield the rows of boards and tables."""
    if result.split is not None:
        yield "boards", f"{result.n_real_boards:,} judged"
        yield from result.split.rows()
    elif result.n_boards is not None:
        solved = "" if result.blueprint is not None else f"{result.n_boards:,} solved, "  # others are sampled
        yield "boards", f"{solved}{result.n_real_boards:,} judged"
    if result.n_bytes is not None and result.split is None:
        yield "tables", ", ".join(filter(None, (f"{result.n_bytes / 2**20:,.1f} MiB", result.storage)))
    if result.fixed_point is not None:
        yield from result.fixed_point.rows()


def _proved_rows(result: Result, target: float | None) -> Iterator[tuple[str, str]]:
    """Yield the rows of the certificate."""
    proof = result.certificate
    if proof is None:
        too_large = "best responses would not fit into memory"
        reason = "the game is not enumerated" if result.lower_bounds is None else too_large
        yield "certified", f"nothing: {reason}"
        if result.lower_bounds is not None:
            yield from _bound_rows(result.lower_bounds, result)
        if target is not None:
            yield "target", f"{target:g}: not proved"
        return
    value, lower, upper = interval_texts(proof.value, proof.lower, proof.upper)
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


def _bound_rows(bounds: LowerBounds, result: Result) -> Iterator[tuple[str, str]]:
    """Yield what a local best response won."""
    yield (
        "lower bounds",
        f"a local best response from street {bounds.first_street}, {bounds.hands:,} hands a seat",
    )
    won = (f"{won:.4g} +- {error:.2g}" for won, error in zip(bounds.winnings, bounds.errors, strict=True))
    yield "it won", f"{', '.join(won)} {result.unit} a hand"
    text = exploitability_text(bounds.nash_conv, result.pot, result.big_blind, result.unit)
    error = exploitability_text(bounds.error, result.pot, result.big_blind, result.unit)
    yield "exploitability", f"above about {text}, standard error {error}"


def ev_text(proof: Certificate, pot: Fraction, unit: str) -> str:
    """Return both shares of the pot, whose sum is exact in print too."""
    decimals = decimals_of(proof.nash_conv)
    share = Fraction(fixed(Fraction(proof.value) + pot / 2, decimals, "near"))
    shares = (fixed(part, decimals, "near") for part in (share, pot - share))
    return f"{', '.join(shares)} of a pot of {amount_text(pot)} {unit}"


def completed_text(counts: Mapping[str, object]) -> str:
    """Return in words how much was added to a strategy; empty where nothing was.

    >>> completed_text({"completed": 12, "absent": 0})
    '12 infosets played uniformly, 0 absent actions never'
    """
    infosets, actions = (counts.get(count, 0) for count in COUNTS)
    if not infosets and not actions:
        return ""
    return f"{infosets:,} infosets played uniformly, {actions:,} absent actions never"
