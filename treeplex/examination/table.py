"""What is shown of an examination: the verdict, a row for each game, and the evidence."""

from collections.abc import Iterator

from treeplex.examination.fingerprint import Fingerprint, Nearest
from treeplex.examination.report import Examination, RungReport
from treeplex.games.display.blocks import Block, Columns, Line
from treeplex.seqform.certify.losses import Losses

HEADERS = ("game", "verdict", "NashConv", "unit", "iterations", "slope", "method")


def examination_table(examination: Examination) -> tuple[Block, ...]:
    """Return the verdict, a row for each game, and the evidence of the first game that is not correct."""
    rows = tuple(_row(rung) for rung in examination.rungs)
    table = Columns(None, HEADERS, rows, left=("game", "verdict", "unit", "method"))
    return Line(examination.line), Line(""), table, *_evidence(examination)


def _row(rung: RungReport) -> tuple[str, ...]:
    if rung.nash_conv is None:
        verdict = "could not be run" if rung.is_failed else f"skipped: {rung.reason}"
        return rung.game, verdict, "-", "", "-", "-", ""
    slope = "-" if rung.slope is None else f"{rung.slope:.2f}"
    iterations = f"{rung.series[-1][0]:,}"
    method = _method(rung.fingerprint)
    return rung.game, str(rung.verdict), f"{rung.nash_conv:.3g}", rung.unit, iterations, slope, method


def _method(found: Fingerprint | Nearest | None) -> str:
    if isinstance(found, Fingerprint):
        return _name(found)
    return "unknown" if found is not None else "-"


def _name(found: Fingerprint) -> str:
    return f"{found.variant}; {found.order}; average {found.averaging}"


def _evidence(examination: Examination) -> Iterator[Block]:
    """Yield what is known of the first game that decides the verdict."""
    rung = examination.decisive
    if rung is None:
        return
    if isinstance(rung.fingerprint, Nearest):
        yield Line("")
        yield Line(f"nearest known method: {_name(rung.fingerprint.nearest)}")
        infosets = ", ".join(f"{infoset!r} of player {player}" for player, infoset in rung.infosets)
        yield Line(f"first difference from it: after iteration {rung.fingerprint.iteration}, at {infosets}")
    if rung.where:
        yield Line("")
        yield from Losses(rung.where, rung.unit).blocks()
