"""Examinations of solvers as text, verdicts first, and the infosets at which strategies lose most."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType

from treeplex.examination.fingerprint import Fingerprint, Nearest
from treeplex.examination.report import Examination, RungReport
from treeplex.seqform.certify.losses import Loss
from treeplex.tables.layout import Columns, Line

MOST = 10
"""Rows of the table unless another number is given."""
HEADERS = ("game", "verdict", "NashConv", "unit", "iterations", "slope", "method")


def examination_table(examination: Examination) -> Group:
    """Return the verdict, a row for each game, and the evidence of the first game that is not correct."""
    rows = tuple(_row(rung) for rung in examination.rungs)
    table = Columns(None, HEADERS, rows, left=("game", "verdict", "unit", "method"))
    return Group(Line(examination.line), Line(""), table, *_evidence(examination))


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


def _evidence(examination: Examination) -> Iterator[RenderableType]:
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
        yield losses_table(rung.where, rung.unit)


def losses_table(losses: Sequence[Loss], unit: str, most: int = MOST) -> Columns:
    """Return the largest of a profile's losses, which come sorted; how many there are is in the title."""
    shown = losses[:most]
    counted = f"{len(losses):,} infosets lose" if len(losses) != 1 else "1 infoset loses"
    of_these = f"; the largest {len(shown):,}" if len(shown) < len(losses) else ""
    rows = tuple(
        (str(one.player), one.infoset, f"{one.loss:.3g}", _played_text(one), one.best) for one in shown
    )
    return Columns(
        f"{counted} in {unit}{of_these}",
        ("player", "infoset", "loss", "played", "best"),
        rows,
        left=("infoset", "played", "best"),
    )


def _played_text(loss: Loss) -> str:
    return ", ".join(
        f"{action} {probability:.3g}" for action, probability in loss.played.items() if probability
    )
