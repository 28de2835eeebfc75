"""Reports of examinations: of one game, and of all; the verdict, a row for each game, and the evidence."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from treeplex.bench.examination.fingerprint import Fingerprint, Nearest
from treeplex.bench.examination.judging import Verdict
from treeplex.bench.examination.trend import MOST_LOSSES
from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.losses import Loss, Losses

WORST: tuple[Verdict, ...] = ("wrong", "cannot tell", "converging", "correct")
"""Verdicts, those that decide on all games first."""


@dataclass(frozen=True, repr=False)
class RungReport(Shown):
    """What was found on one game.

    Attributes
    ----------
    game : str
        The spec.
    verdict : {"correct", "converging", "cannot tell", "wrong"} or None
        None where the game was skipped.
    reason : str
        Why, in a sentence; of a skipped game why it was skipped.
    unit : str
    series : tuple of (int, float)
        NashConv in the game's unit by number of iterations.
    slope : float or None
        Exponent of the fall of NashConv with iterations; None where the strategy does not depend on them or
        there are too few.
    fingerprint : Fingerprint, Nearest or None
        The known method whose strategies these are, or the nearest one; None where they were not compared.
    where : tuple of Loss
        The infosets where most is lost, largest first; of games where it is wrong or cannot be told.
    is_failed : bool
        Whether the solver could not be run on it; it is skipped then, and the reason is the error.
    """

    game: str
    verdict: Verdict | None
    reason: str
    unit: str = ""
    series: tuple[tuple[int, float], ...] = ()
    slope: float | None = None
    fingerprint: Fingerprint | Nearest | None = None
    where: tuple[Loss, ...] = ()
    is_failed: bool = False

    @property
    def nash_conv(self) -> float | None:
        """NashConv after the most iterations, in the game's unit; None where the game was skipped."""
        return self.series[-1][1] if self.series else None

    @property
    def infosets(self) -> tuple[tuple[int, str], ...]:
        """The infosets that first differ from the nearest method, a few of them; none where one matches."""
        return self.fingerprint.infosets[:MOST_LOSSES] if isinstance(self.fingerprint, Nearest) else ()

    @property
    def line(self) -> str:
        """The verdict on this game in one line."""
        return f"{self.game}: {self.verdict or 'skipped'}: {self.reason}"

    def brief(self) -> str:
        """Return the verdict on this game."""
        return self.line

    def as_json(self) -> dict[str, Any]:
        """Return the report as the object that ``--json`` prints; null is what does not apply."""
        return {
            "game": self.game,
            "verdict": self.verdict,
            "skipped": None if self.verdict else self.reason,
            "nash_conv": self.nash_conv,
            "slope": self.slope,
            "fingerprint": None if self.fingerprint is None else self.fingerprint.as_json(),
            "where": [loss.as_json() for loss in self.where],
        }


@dataclass(frozen=True, repr=False)
class Examination(Shown):
    """What was found on all games.

    Attributes
    ----------
    solver : str
        What was examined.
    rungs : tuple of RungReport
        In the order in which they were climbed.
    error : str
        Why the solver could not be run on the last of them; empty where it could.
    """

    solver: str
    rungs: tuple[RungReport, ...]
    error: str = ""

    @property
    def verdict(self) -> Verdict | None:
        """The first of ``wrong``, ``cannot tell``, ``converging`` and ``correct`` that it is on any game.

        None if the solver could not be run on one.
        """
        if self.error:
            return None
        found = {rung.verdict for rung in self.rungs}
        return next(verdict for verdict in WORST if verdict in found)

    @property
    def decisive(self) -> RungReport | None:
        """The first game with the verdict; None where it is correct, or the solver could not be run."""
        if self.verdict in ("correct", None):
            return None
        return next(rung for rung in self.rungs if rung.verdict == self.verdict)

    @property
    def line(self) -> str:
        """The verdict in one line, with the first game that is not correct, and why."""
        if self.error:
            return f"could not be run: {self.error}"
        if self.decisive is not None:
            return f"{self.verdict}, first on {self.decisive.game}: {self.decisive.reason}"
        run = [rung.game for rung in self.rungs if rung.verdict is not None]
        return f"correct on {len(run)} games, up to {run[-1]}" if len(run) > 1 else f"correct on {run[0]}"

    def blocks(self) -> tuple[Block, ...]:
        """Return the verdict, a row for each game, and the evidence of the first that is not correct."""
        return examination_table(self)

    def brief(self) -> str:
        """Return the solver and the verdict."""
        return f"{self.solver}: {self.line}"

    def as_json(self) -> dict[str, Any]:
        """Return the examination as the object that ``--json`` prints."""
        return {"verdict": self.verdict, "rungs": [rung.as_json() for rung in self.rungs]}


class NotRunError(BadInputError):
    """A solver could not be run on a game; the text says which and why.

    Attributes
    ----------
    examination : Examination
        What was found before, and last the game on which it could not be run.
    """

    def __init__(self, examination: Examination) -> None:
        super().__init__(examination.error)
        self.examination = examination


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
        return found.name
    return "unknown" if found is not None else "-"


def _evidence(examination: Examination) -> Iterator[Block]:
    """Yield what is known of the first game that decides the verdict."""
    rung = examination.decisive
    if rung is None:
        return
    if isinstance(rung.fingerprint, Nearest):
        yield Line("")
        yield Line(f"nearest known method: {rung.fingerprint.nearest.name}")
        infosets = ", ".join(f"{infoset!r} of player {player}" for player, infoset in rung.infosets)
        yield Line(f"first difference from it: after iteration {rung.fingerprint.iteration}, at {infosets}")
    if rung.where:
        yield Line("")
        (table,) = Losses(rung.where, rung.unit).blocks()
        assert isinstance(table, Columns)
        yield replace(table, title=f"the largest losses of infosets, in {rung.unit}")
