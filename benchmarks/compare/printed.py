"""Read the figures that benchmarks print: CPU seconds of a case, of an iteration, of a million hands."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """What one printed row says.

    Attributes
    ----------
    cpu : float
        CPU seconds, of what the row is about.
    wall : float or None
        Seconds on the clock, where the row says them.
    step : float
        The least difference in ``cpu`` that the printed digits can show.
    """

    cpu: float
    wall: float | None
    step: float


CASE = re.compile(r"^(?P<row>\S.*?): .*\n +(?P<cpu>[\d.]+) CPU s, (?P<wall>[\d.]+) s wall", re.MULTILINE)
"""Two lines of ``measure.py``."""
ITERATION = (
    (re.compile(r"^(?P<row>\S+) +[\d, ]+ (?P<cpu>[\d.,]+) us ", re.MULTILINE), 1e-6),
    (re.compile(r"^(?P<row>\S.*): [\d,]+ regrets, (?P<cpu>[\d.,]+) CPU ms,", re.MULTILINE), 1e-3),
)
"""Rows of ``scaling`` and ``street_scaling``: how long an iteration takes, with the unit in seconds."""
PACE = re.compile(r"^(?P<row>\S.*?) +(?P<pace>[\d.]+) M/s CPU", re.MULTILINE)
"""Rows of ``evaluator``: how many million hands are ranked in a CPU second."""


def figures(text: str) -> dict[str, Figure]:
    """Return the figure of each row in what a benchmark printed."""
    found = {
        m["row"]: Figure(float(m["cpu"]), float(m["wall"]), _step(m["cpu"])) for m in CASE.finditer(text)
    }
    for pattern, unit in ITERATION:
        for m in pattern.finditer(text):
            digits = m["cpu"].replace(",", "")
            found[m["row"]] = Figure(unit * float(digits), None, unit * _step(digits))
    for m in PACE.finditer(text):
        pace = float(m["pace"])
        found[m["row"]] = Figure(1 / pace, None, _step(m["pace"]) / pace**2)
    return found


def _step(digits: str) -> float:
    return 10.0 ** -len(digits.partition(".")[2])
