"""A result as a table of names and values for terminals; ``--json`` is for programs."""

from collections.abc import Iterator
from fractions import Fraction

from treeplex.core.problem import Problem
from treeplex.core.result import Result
from treeplex.core.texts import exploitability_text
from treeplex.games.inputs.reading import amount_text
from treeplex.seqform.certify.certificate import Certificate
from treeplex.store.completion import completed_text
from treeplex.tables.layout import Rows
from treeplex.tables.numbers import LONGEST, decimals_of, fixed, fraction_text, interval_texts


def result_table(result: Result, problem: Problem | None = None, target: float | None = None) -> Rows:
    """Return one result as a table of two columns; with its problem, which hands were merged is said too."""
    return Rows(result.game, tuple(_result_rows(result, problem, target)))


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
    """Yield the rows of the certificate."""
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
    decimals = decimals_of(proof.nash_conv)
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
