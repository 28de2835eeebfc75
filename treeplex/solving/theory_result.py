"""What theory says of a run and what was measured: exact regrets beside proved bounds."""

from dataclasses import dataclass
from typing import Any

from treeplex.cfr.theory.regret_bounds import BoundCourse
from treeplex.cfr.theory.regret_log import RegretLog, Regrets
from treeplex.cfr.theory.sampling_bounds import SampledRegretLog
from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.seqform.certify.inequality import Inequality

TOLERANCE = 1e-12
"""Allowed rounding error of identities and bounds, relative to the spread of payoffs."""


@dataclass(frozen=True, repr=False)
class SampledTheory(Shown):
    """A Monte Carlo run's exact regrets, and bounds that each hold with probability at least ``1 - p``.

    Attributes
    ----------
    game, method, unit : str
    p : float
    log : SampledRegretLog
    bounds : tuple of Inequality
    seconds : float
    """

    game: str
    method: str
    unit: str
    p: float
    log: SampledRegretLog
    bounds: tuple[Inequality, ...]
    seconds: float

    @property
    def broken(self) -> tuple[str, ...]:
        """The bounds that do not hold."""
        return tuple(bound.name for bound in self.bounds if not bound.left <= bound.right)

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each bound, the regrets of the run, and the verdict."""
        return _blocks(self, _sampled_log_lines(self))

    def brief(self) -> str:
        """Return game, method, iterations, and whether the bounds hold."""
        return _brief(self)

    def as_json(self) -> dict[str, Any]:
        """Return all of it as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "method": self.method,
            "unit": self.unit,
            "iterations": self.log.state.iterations,
            "seed": self.log.sampling.seed,
            "p": self.p,
            "bounds": _rows(self.bounds),
            "broken": list(self.broken),
            "seconds": self.seconds,
        }


@dataclass(frozen=True, repr=False)
class Theory(Shown):
    """A run's regret log, and the bounds that are proved for its method.

    Attributes
    ----------
    game, method, unit : str
    spread : float
        The largest payoff of the game less the smallest.
    log : RegretLog
    bounds : tuple of Inequality
        After the last iteration.
    courses : tuple of BoundCourse
        Bounds on NashConv in the course of the run.
    seconds : float
    """

    game: str
    method: str
    unit: str
    spread: float
    log: RegretLog
    bounds: tuple[Inequality, ...]
    courses: tuple[BoundCourse, ...]
    seconds: float

    @property
    def broken(self) -> tuple[str, ...]:
        """Names of what does not hold: the identity at some row of the log, or a bound."""
        off = TOLERANCE * self.spread
        identity = any(not row.residual <= off for row in self.log.rows)
        weight = self.log.last.weight
        over = [b.name for b in self.bounds if not b.left <= b.right + off * weight]
        return (*(["NashConv identity"] if identity else []), *over)

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each bound, the regrets of the run, and the verdict."""
        return _blocks(self, _log_lines(self))

    def brief(self) -> str:
        """Return game, method, iterations, and whether the bounds hold."""
        return _brief(self)

    def as_json(self) -> dict[str, Any]:
        """Return all of it as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "method": self.method,
            "unit": self.unit,
            "iterations": self.log.state.iterations,
            **_regrets(self.log.last),
            "bounds": _rows(self.bounds),
            "broken": list(self.broken),
            "seconds": self.seconds,
        }


def _rows(bounds: tuple[Inequality, ...]) -> list[dict[str, object]]:
    return [
        {"name": bound.name, "source": bound.source, "actual": bound.left, "bound": bound.right}
        for bound in bounds
    ]


def _regrets(last: Regrets) -> dict[str, float]:
    return {
        "regret_0": last.regret_0,
        "regret_1": last.regret_1,
        "improvement": last.improvement,
        "weight": last.weight,
        "nash_conv": last.nash_conv,
        "implied": last.implied,
        "residual": last.residual,
    }


def _blocks(theory: Theory | SampledTheory, log: list[str]) -> tuple[Block, ...]:
    """Return a table with a row for each bound, then the regrets of the whole run and the verdict."""
    title = f"{theory.game}: {theory.method}, {theory.log.state.iterations:,} iterations"
    headers = ("bounded", "actual", "bound", "ratio", "proved by")
    rows = tuple(map(_cells, theory.bounds))
    table = Columns(title, headers, rows, left=("bounded", "proved by"))
    return table, *map(Line, ["", *log, _verdict(theory)])


def _brief(theory: Theory | SampledTheory) -> str:
    return f"{theory.game}: {theory.method}, {theory.log.state.iterations:,} iterations, {_verdict(theory)}"


def _verdict(theory: Theory | SampledTheory) -> str:
    return f"BROKEN: {', '.join(theory.broken)}" if theory.broken else "holds"


def _cells(bound: Inequality) -> tuple[str, ...]:
    ratio = "-" if bound.left <= 0.0 else f"{bound.ratio:.4g}"
    return bound.name, f"{bound.left:.6g}", f"{bound.right:.6g}", ratio, bound.source


def _log_lines(theory: Theory) -> list[str]:
    last = theory.log.last
    return [
        f"regret of player 0   {last.regret_0:.12g}",
        f"regret of player 1   {last.regret_1:.12g}",
        f"improvement          {last.improvement:.12g}, least in an iteration {last.least_step:.3g}",
        f"sum of weights       {last.weight:.12g}",
        f"NashConv             {last.nash_conv:.12g}",
        f"(R0 + R1 - i) / W    {last.implied:.12g}, off by {last.residual:.2g}",
        f"payoffs              in {theory.unit}; regrets are totals of weighted iterations",
    ]


def _sampled_log_lines(theory: SampledTheory) -> list[str]:
    return [
        f"each bound holds with probability {1 - theory.p:.12g}; the plan fixed beforehand is uniform",
        f"seed {theory.log.sampling.seed}; regrets are totals, in {theory.unit}",
    ]
