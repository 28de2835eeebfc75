"""Judge a strategy from any source; nothing is solved to judge it."""

import time
from pathlib import Path
from typing import Any

from games.protocol import Game
from seqform.certificate import Certificate, certify
from seqform.exact_certificate import certify_exactly
from seqform.profile import Profile
from seqform.solve import NotSolvedError
from treeplex.problem import Problem, load
from treeplex.programs import solve_best
from treeplex.result import Result
from treeplex.strategy_file import read_strategy

SMALL_SEQUENCES = 5_000
"""Up to so many sequences a game is solved exactly for the sake of one figure."""


def check(
    game: str | Game[Any] | Problem,
    strategy: str | Path | Profile,
    *,
    exact: bool = False,
    bets: str | None = None,
    raises: str | None = None,
) -> Result:
    """Certify a strategy from a file or a profile; nothing is solved to judge it.

    On games small enough to be solved at once, exploitability is measured against the proved value.

    Raises
    ------
    ValueError
        If the game or the strategy is not what it must be, or plays something else than what is locked.
    """
    problem = game if isinstance(game, Problem) else load(game, bets=bets, raises=raises)
    form = problem.form
    profile = strategy if isinstance(strategy, Profile) else read_strategy(strategy, problem.whole)
    played = problem.played(profile)
    clock = time.perf_counter()
    certificate = certify_exactly(form, played) if exact else certify(form, played)
    seconds = time.perf_counter() - clock
    return Result(
        game=problem.game.name,
        method="file",
        status="certified",
        profile=problem.complete(played),
        certificate=certificate,
        reference=_value(problem),
        unit=problem.game.unit,
        pot=problem.pot,
        seconds=seconds,
        n_infosets=sum(form.n_infosets),
    )


def _value(problem: Problem) -> Certificate | None:
    """Return a proof of the exact value of a game that is solved in a moment."""
    if sum(problem.small_form.n_sequences) > SMALL_SEQUENCES:
        return None
    try:
        return solve_best(problem).certificate
    except NotSolvedError:
        return None
