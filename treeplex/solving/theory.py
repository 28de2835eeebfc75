"""Exact regrets of a run, the NashConv identity, and the proved bounds of its method."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral

from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.cfr.theory.regret_bounds import bound_courses, bounds
from treeplex.cfr.theory.regret_log import regret_log
from treeplex.cfr.theory.sampling_bounds import sampled_bounds, sampled_regret_log
from treeplex.cfr.variant import VARIANTS, variant_named
from treeplex.core.loading import GameLike, load
from treeplex.core.progress import Progress, silent
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_kind
from treeplex.process.compilation import working_seconds
from treeplex.seqform.forms.profile import Profile
from treeplex.solving.form import check_payoffs
from treeplex.solving.on_trees import SAMPLERS
from treeplex.solving.theory_result import SampledTheory, Theory

MOST_STEPS = 100_000_000
"""Largest regret log, iterations times sequences: 0.8 GB."""
SAMPLED = tuple(
    name for name, chosen in SAMPLERS.items() if isinstance(chosen, Sampling) and chosen.pruning is None
)
METHODS = (*VARIANTS, *SAMPLED)
"""The methods whose theory is implemented."""
UNLIKELY = 1e-6
"""Default probability that a bound on a sampled run fails."""


def theory(
    game: GameLike,
    method: str,
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
    method : str
        One of ``METHODS``: of full width, or sampled on the enumerated game.
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
    """
    if method not in METHODS:
        raise BadInputError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    of_full_width = {"average": average, "order": order, "every": every}
    of_sampled = {"seed": seed, "p": p}
    check_kind("iterations", iterations, Integral, "an integer")
    check_kind("every", every, Integral | None, "an integer")
    for key, value in (of_full_width if method in SAMPLED else of_sampled).items():
        if value is not None:
            raise BadInputError(f"{key} is not for the theory of {method}, got {value!r}")
    if method in SAMPLED:
        return _sampled(game, method, iterations, seed or 0, UNLIKELY if p is None else p, progress)
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
        raise BadInputError("theory is about averages: uniform, linear, quadratic or cubic, got 'last'")
    problem = load(game, progress=progress)
    check_payoffs(problem)
    steps = iterations * sum(problem.form.n_sequences)
    if steps > MOST_STEPS:
        raise BadInputError(
            f"iterations times sequences must be at most {MOST_STEPS:,}, got {iterations:,} times "
            f"{sum(problem.form.n_sequences):,}"
        )
    log = regret_log(problem.form, variant, iterations, every=every)
    spread = problem.spread
    found = bounds(problem.form, log, spread)
    courses = bound_courses(problem.form, log, spread)
    seconds = working_seconds() - clock
    return Theory(problem.game.name, method, problem.game.unit, spread, log, found, courses, seconds)


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
    return SampledTheory(problem.game.name, method, problem.game.unit, p, log, found, seconds)
