"""Proved bounds on NashConv after each of some iterations of a run, not after the last one only."""

from dataclasses import dataclass, replace

import numpy as np

from treeplex.cfr.theory.bounds import bounds
from treeplex.cfr.theory.regret_log import RegretLog
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index

MOST_POINTS = 25
"""Iterations after which bounds are computed, apart by equal factors."""
KINDS = ("steps seen", "a priori")
"""Bounds from the regrets of single iterations as they were, and from the spread of payoffs alone."""


@dataclass(frozen=True)
class BoundCourse:
    """A proved bound on NashConv in the course of a run.

    Attributes
    ----------
    name : str
        One of ``KINDS``.
    iteration : (K,) int64
    bound : (K,) float64
        On the NashConv of the averages after each of these iterations.
    """

    name: str
    iteration: Index
    bound: Floats


def bound_courses(form: SequenceForm, log: RegretLog, spread: float) -> tuple[BoundCourse, ...]:
    """Return the bounds on NashConv that hold after some iterations of a log, for each of ``KINDS`` proved.

    A bound on both regrets, over the sum of the weights, bounds NashConv wherever the regrets do
    (:func:`treeplex.cfr.theory.bounds.bounds`).

    Parameters
    ----------
    form : SequenceForm
    log : RegretLog
        Of a run on the form.
    spread : float
        The largest payoff of the game less the smallest.
    """
    rows = np.unique(np.geomspace(1, len(log.rows), MOST_POINTS).round().astype(np.int64)) - 1
    at = [_bounds_at(form, log, int(row), spread) for row in rows]
    return tuple(
        BoundCourse(kind, log.iteration[rows], np.array([found[kind] for found in at]))
        for kind in KINDS
        if all(kind in found for found in at)
    )


def _bounds_at(form: SequenceForm, log: RegretLog, row: int, spread: float) -> dict[str, float]:
    """Return the bounds on NashConv by kind after the iteration of a row."""
    part = _until(log, row)
    found = bounds(form, part, spread)
    if all(bound.name != "NashConv: regrets" for bound in found):
        return {}
    allowed: dict[str, float] = {}
    for kind in KINDS:
        totals = [
            [bound.right for bound in found if bound.name.startswith(f"player {player}: {kind}")]
            for player in (0, 1)
        ]
        if all(totals):
            allowed[kind] = sum(map(min, totals)) / part.last.weight
    return allowed


def _until(log: RegretLog, row: int) -> RegretLog:
    """Return a log as it was after the iteration of one of its rows."""
    begun = log.state.iterations - len(log.weights)
    count = int(log.iteration[row]) - begun
    return replace(
        log,
        iteration=log.iteration[: row + 1],
        rows=log.rows[: row + 1],
        own_nash_conv=log.own_nash_conv[: row + 1],
        weights=log.weights[:count],
        steps=(log.steps[0][:count], log.steps[1][:count]),
        state=replace(log.state, iterations=begun + count),
    )
