"""Exact regrets of a run, the NashConv identity, and the proved bounds of its method."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

from treeplex.cfr.local_rule import LocalRule, is_own, name_of
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.cfr.theory.regret_bounds import BoundCourse, bound_courses, bounds
from treeplex.cfr.theory.regret_log import RegretLog, Regrets, regret_log
from treeplex.cfr.theory.sampling_bounds import SampledRegretLog, sampled_bounds, sampled_regret_log
from treeplex.cfr.variant import FINITE_AVERAGES, ON_TREEPLEXES, RULES, VARIANTS, variant_named
from treeplex.core.loading import GameLike, load
from treeplex.core.progress import Progress, silent
from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_kind
from treeplex.process.compilation import working_seconds
from treeplex.seqform.certify.inequality import Inequality
from treeplex.seqform.forms.profile import Profile
from treeplex.solving.form import check_payoffs
from treeplex.solving.on_trees import SAMPLERS

MOST_STEPS = 100_000_000
"""Largest regret log, iterations times sequences: 0.8 GB."""
SAMPLED = tuple(
    name for name, chosen in SAMPLERS.items() if isinstance(chosen, Sampling) and chosen.pruning is None
)
METHODS = (*VARIANTS, *RULES, *ON_TREEPLEXES, *SAMPLED)
"""The methods whose theory is implemented."""
UNLIKELY = 1e-6
"""Default probability that a bound on a sampled run fails."""
TOLERANCE = 1e-12
"""Allowed rounding error of identities and bounds, relative to the largest payoff."""


@dataclass(frozen=True, repr=False)
class SampledTheory(Shown):
    """A Monte Carlo run's exact regrets, and bounds that each hold with probability at least ``1 - p``.

    Attributes
    ----------
    game, method, unit : str
    largest : float
        The largest payoff, in absolute value.
    p : float
    log : SampledRegretLog
    bounds : tuple of Inequality
    seconds : float
    """

    game: str
    method: str
    unit: str
    largest: float
    p: float
    log: SampledRegretLog
    bounds: tuple[Inequality, ...]
    seconds: float

    @property
    def broken(self) -> tuple[str, ...]:
        """The bounds that do not hold."""
        off = TOLERANCE * self.largest * self.log.state.iterations
        return tuple(bound.name for bound in self.bounds if not bound.left <= bound.right + off)

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
    largest : float
        The largest payoff, in absolute value.
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
    largest: float
    log: RegretLog
    bounds: tuple[Inequality, ...]
    courses: tuple[BoundCourse, ...]
    seconds: float

    @property
    def broken(self) -> tuple[str, ...]:
        """Names of what does not hold: the identity at some row of the log, or a bound."""
        off = TOLERANCE * self.largest
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
        f"each bound fails with probability {theory.p:g} at most; the plan fixed beforehand is uniform",
        f"seed {theory.log.sampling.seed}; regrets are totals, in {theory.unit}",
    ]


def theory(
    game: GameLike,
    method: str | LocalRule,
    iterations: int,
    *,
    average: str | None = None,
    order: str | None = None,
    every: int | None = None,
    seed: int | None = None,
    p: float | None = None,
    progress: Progress = silent,
) -> Theory | SampledTheory:
    """Run a regret minimiser and compare its exact regrets with its proved bounds.

    Parameters
    ----------
    game : str, Path, Game or Problem
    method : str or LocalRule
        One of ``METHODS``: of full width, or sampled on the enumerated game; or a rule of your own.
    iterations : int
    average, order : str, optional
        Of full width: as for :func:`treeplex.solve`; the average gives the weights of regrets too.
    every : int, optional
        Of full width: how often the regret log has a row; 1 unless given.
    seed : int, optional
        Sampled: of the random numbers; 0 unless given.
    p : float, optional
        Sampled: probability with which each bound may fail, in (0, 1); 1e-6 unless given.
    progress : callable, optional
        Called with what is being done while the game is made ready.

    Raises
    ------
    ValueError
        If the game, the method or an option is not what it must be, or the regret log would be too large.

    Examples
    --------
    >>> theory("coin_toss", "cfr+", 10)
    Theory(coin_toss: cfr+, 10 iterations, holds)
    """
    method = name_of(method)
    if method not in METHODS and not is_own(method):
        raise BadInputError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    of_full_width = {"average": average, "order": order, "every": every}
    of_sampled = {"seed": seed, "p": p}
    check_kind("iterations", iterations, Integral, "an integer")
    for name, given in (("every", every), ("seed", seed)):
        check_kind(name, given, Integral | None, "an integer")
    check_kind("p", p, Real | None, "a number")
    for key, value in (of_full_width if method in SAMPLED else of_sampled).items():
        if value is not None:
            raise BadInputError(f"{key} is not for the theory of {method}, got {value!r}")
    if method in SAMPLED:
        return _sampled(
            game, method, iterations, int(seed or 0), UNLIKELY if p is None else float(p), progress
        )
    every = 1 if every is None else every
    return _full_width(game, method, iterations, average, order, every, progress)


def _full_width(
    game: GameLike,
    method: str,
    iterations: int,
    average: str | None,
    order: str | None,
    every: int,
    progress: Progress,
) -> Theory:
    clock = working_seconds()
    variant = variant_named(method, average=average, counted="seen", order=order)
    if average == "last":
        raise BadInputError(f"theory is about averages: {', '.join(FINITE_AVERAGES)}, got 'last'")
    problem = load(game, progress=progress)
    check_payoffs(problem)
    steps = iterations * sum(problem.form.n_sequences)
    if steps > MOST_STEPS:
        raise BadInputError(
            f"iterations times sequences must be at most {MOST_STEPS:,}, got {iterations:,} times "
            f"{sum(problem.form.n_sequences):,}"
        )
    variant = variant.planned(max(iterations, 1))
    log = regret_log(problem.form, variant, iterations, every=every)
    spread = problem.spread
    found = bounds(problem.form, log, spread)
    courses = bound_courses(problem.form, log, spread)
    seconds = working_seconds() - clock
    largest = problem.form.stakes[1]
    return Theory(problem.game.name, method, problem.game.unit, largest, log, found, courses, seconds)


def _sampled(
    game: GameLike, method: str, iterations: int, seed: int, p: float, progress: Progress
) -> SampledTheory:
    clock = working_seconds()
    if not 0.0 < p < 1.0:
        raise BadInputError(f"p must be above 0 and below 1, got {p}")
    problem = load(game, progress=progress)
    sampling, enumerated = SAMPLERS[method], problem.enumerated
    assert isinstance(sampling, Sampling)
    log = sampled_regret_log(enumerated, replace(sampling, seed=seed), iterations)
    first, second = (t.uniform() for t in enumerated.form.treeplexes)
    found = sampled_bounds(enumerated, log, p, Profile(enumerated.form.treeplexes, (first, second)))
    seconds = working_seconds() - clock
    largest = enumerated.form.stakes[1]
    return SampledTheory(problem.game.name, method, problem.game.unit, largest, p, log, found, seconds)
