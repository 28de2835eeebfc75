"""Judge a strategy from any source; nothing is solved to judge it."""

import time
from types import MappingProxyType
from typing import Any

from treeplex.games.protocol import Game
from treeplex.problem import Problem, load
from treeplex.seqform.certify.certificate import Certificate, certify
from treeplex.seqform.certify.exact_certificate import certify_exactly
from treeplex.seqform.lp.solve import NotSolvedError
from treeplex.solving.programs import solve_best
from treeplex.solving.result import Result
from treeplex.store.strategy_given import Given, strategy_of

SMALL_SEQUENCES = 5_000
"""Up to so many sequences a game is solved exactly for the sake of one figure."""


def check(
    game: str | Game[Any] | Problem,
    strategy: Given,
    *,
    missing: str = "error",
    exact: bool = False,
    bets: str | None = None,
    raises: str | None = None,
) -> Result:
    """Certify a strategy from a file, a table or a profile; nothing is solved to judge it.

    On games small enough to be solved at once, exploitability is measured against the proved value.

    Parameters
    ----------
    game : str, Game or Problem
    strategy : str, Path, DataFrame or Profile
        As :func:`treeplex.read_strategy` and :func:`treeplex.read_table` take it.
    missing : {"error", "uniform"}
        What becomes of infosets without rows. How many were completed is in the result's ``parameters``.
    exact : bool
        Compute the certificate in exact arithmetic.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame, such as ``0.5,1,a``.

    Raises
    ------
    ValueError
        If the game or the strategy is not what it must be, or plays something else than what is locked.
    """
    problem = game if isinstance(game, Problem) else load(game, bets=bets, raises=raises)
    form = problem.form
    given = strategy_of(problem, strategy, missing)
    played = problem.played(given.profile)
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
        parameters=MappingProxyType({"exact": exact, "missing": missing, **given.counts}),
    )


def _value(problem: Problem) -> Certificate | None:
    """Return a proof of the exact value of a game that is solved in a moment."""
    if sum(problem.small_form.n_sequences) > SMALL_SEQUENCES:
        return None
    try:
        return solve_best(problem).certificate
    except NotSolvedError:
        return None
