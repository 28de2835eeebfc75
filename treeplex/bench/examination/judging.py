"""Verdicts on what a solver answered on one game."""

from treeplex.bench.examination.fingerprint import Fingerprint, Nearest
from treeplex.bench.examination.record import Record
from treeplex.bench.examination.report import RungReport, Verdict
from treeplex.bench.examination.trend import ARRIVED, EXACT, MOST_LOSSES, Trend
from treeplex.seqform.certify.losses import losses

LAST = "last"
"""The average that is the last strategy alone, of which theory promises nothing."""


def is_known(found: Fingerprint | Nearest | None) -> bool:
    """Whether the strategies are those of a known method whose average converges."""
    return isinstance(found, Fingerprint) and not found.averaging.startswith(LAST)


def judged(record: Record, found: Fingerprint | Nearest | None, within: float) -> RungReport:
    """Return the report on one game.

    A solver whose every strategy is optimal, or which does not iterate, is judged by its certificate alone.
    One that iterates is wrong if its certificates are stuck. It is correct if they are narrow, or if they
    fall and either its strategies are those of a known method or they have come within what may be
    expected of an unknown one on this game; else it has not converged.

    Parameters
    ----------
    record : Record
    found : Fingerprint, Nearest or None
    within : float
        NashConv that an unknown method must reach, in parts of the game's scale.
    """
    where = record.trend
    if record.is_exact or record.is_constant:
        verdict, reason = _by_certificate(record)
        slope = None
    else:
        verdict, reason = _by_trend(record, where, found, within)
        slope = where.slope
    played = record.problem.played(record.strategies[record.last])
    lost = () if verdict == "correct" else losses(record.problem.form, played)
    unit = record.problem.game.unit
    series = tuple((t, c.nash_conv) for t, c in sorted(record.certificates.items()))
    return RungReport(
        record.problem.game.name, verdict, reason, unit, series, slope, found, lost[:MOST_LOSSES]
    )


def _by_certificate(record: Record) -> tuple[Verdict, str]:
    """Judge strategies that do not depend on the iterations, or are all optimal."""
    width = f"NashConv {record.width:.3g} {record.problem.game.unit}"
    if record.is_exact:
        return "correct", f"{width}, at most {EXACT:g} of the scale {record.scale:.3g}"
    return "wrong", f"the same strategy whatever the iterations, and {width}"


def _by_trend(
    record: Record, where: Trend, found: Fingerprint | Nearest | None, within: float
) -> tuple[Verdict, str]:
    """Judge strategies that change with the iterations."""
    unit, scale = record.problem.game.unit, record.scale
    width = f"NashConv {record.width:.3g} {unit} after {record.last:,} iterations"
    falls = "" if where.slope is None else f", slope {where.slope:.2f}"
    if _is_stuck(record, where, found):
        return "wrong", f"stuck at about {where.level * scale:.3g} {unit}: {width}{falls}"
    if where.state == "converged":
        return "correct", f"{width}, at most {ARRIVED:g} of the scale {scale:.3g}"
    if not is_known(found) and record.width > within * scale:
        return "not converged", f"{width}{falls}, above {within:g} of the scale {scale:.3g}"
    if not record.falls:
        return "not converged", f"{width}{falls}, not seen to fall with the iterations"
    if is_known(found):
        return "correct", f"the strategies of a known method; {width}{falls}"
    return "correct", f"{width}{falls}, at most {within:g} of the scale {scale:.3g}"


def _is_stuck(record: Record, where: Trend, found: Fingerprint | Nearest | None) -> bool:
    """Whether certificates stay; one without fingerprint may sample, and needs time to leave its start."""
    is_early = found is None and record.may_be_flat
    return not is_early and where.state == "stuck" and not record.still_falls
