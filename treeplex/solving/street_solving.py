"""Solve a poker game of several streets, all hands at once, and prove how well on every real board."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from treeplex.cfr.factored import cfr as street_cfr
from treeplex.cfr.factored.cfr import check_threads
from treeplex.cfr.factored.tables import Storage, StreetConfig
from treeplex.games.counting.game_sizes import game_sizes
from treeplex.games.protocol import Game
from treeplex.seqform.factored.strategy import StreetStrategy
from treeplex.seqform.judge.certificate import StreetCertificate, certify_streets
from treeplex.solving.guided import Progress, silent
from treeplex.solving.iterating import (
    AT_THE_END,
    FOR_TARGETS,
    FOR_TRACES,
    Checks,
    Trace,
    narrower_than,
    run_engine,
)
from treeplex.solving.methods import Choices, config_of, methods_on
from treeplex.solving.street_problem import StreetProblem, load_streets
from treeplex.solving.street_result import StreetResult
from treeplex.store.checkpoint import SUFFIXES, CheckpointFile, Identity, identity_of
from treeplex.store.files import check_writable
from treeplex.store.street_file import read_streets

METHODS = methods_on("boards")
"""The minimisers that run on betting times boards."""
SMALL = 1e-3
"""How small exploitability is made, in pots or big blinds, unless a target or iterations are given."""
MOST_ITERATIONS = 100_000
"""Where a run stops when no number of iterations is given."""


def solve_streets(
    game: str | Game[Any] | StreetProblem,
    method: str = "dcfr",
    *,
    iterations: int | None = None,
    target: float | None = None,
    average: str | None = None,
    storage: Storage = "float32",
    threads: int = 1,
    isomorphism: bool = True,
    traced: bool = False,
    checkpoint: str | Path | None = None,
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress | None = None,
) -> StreetResult:
    """Solve a poker game on betting times boards, and prove how well.

    Whatever the settings, the certificate is computed in float64 on every real board.

    Parameters
    ----------
    game : str, Game or StreetProblem
        A spec, a file's path or a poker game of one or two hole cards; a problem that was made ready before
        brings its own boards.
    method : str
        One of ``METHODS``.
    iterations : int, optional
        How many; with a target, at most how many.
    target : float, optional
        NashConv to reach, in the game's unit. Without a target or iterations, exploitability is brought to a
        thousandth of the pot or of the big blind (of the largest stake where there is neither).
    average : str, optional
        ``uniform``, ``linear``, ``quadratic`` or ``cubic``.
    storage : {"float32", "int16"}
        How regrets and averages are kept.
    threads : int
        Their number changes nothing but the time.
    isomorphism : bool
        Whether boards that suits alone tell apart are solved as one.
    traced : bool
        Certify after 1, 2, 3, ... iterations, then more sparsely, for the trace.
    checkpoint : str or Path, optional
        An .npz file in which the run is kept, and from which it goes on if the file is there.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame.
    progress : callable, optional
        Called with the stage, which says how exploitable the last certified average is, and infinity.

    Raises
    ------
    ValueError
        If the game or an option is not what it must be, or the tables would not fit into memory.
    """
    config = _checked(method, average, iterations, target, storage, threads, checkpoint)
    tell = progress or silent
    tell("listing boards", float("inf"))
    problem = (
        game
        if isinstance(game, StreetProblem)
        else load_streets(
            game,
            storage=storage,
            predictive=config.is_predictive,
            isomorphism=isomorphism,
            bets=bets,
            raises=raises,
        )
    )
    file = None
    if checkpoint is not None:
        file = CheckpointFile(Path(checkpoint), _identity(problem, method, config))
    if target is None:
        target = 0.0 if iterations is not None else 2 * _unit(problem) * SMALL
    result = run_streets(
        problem,
        method,
        config,
        iterations or MOST_ITERATIONS,
        narrower_than(target),
        threads=threads,
        checks=FOR_TRACES if traced else FOR_TARGETS if target > 0 else AT_THE_END,
        checkpoint=file,
        progress=_saying_exploitability(problem, tell),
    )
    asked = {"iterations": iterations, "target": target, "average": average, "threads": threads}
    asked |= {"storage": storage, "isomorphism": isomorphism}
    return replace(result, parameters=MappingProxyType(asked))


def run_streets(
    problem: StreetProblem,
    method: str,
    config: StreetConfig,
    iterations: int,
    enough: Callable[[Trace], bool],
    *,
    threads: int = 1,
    checks: Checks = FOR_TARGETS,
    checkpoint: CheckpointFile | None = None,
    progress: Progress | None = None,
) -> StreetResult:
    """Run up to ``iterations`` in all, stopping at the first check after which it is enough.

    Raises
    ------
    ValueError
        If the checkpoint is of another run, or has more iterations done.
    """
    run = run_engine(
        method,
        street_cfr.prepare(problem.tree, config, threads),
        iterations,
        partial(certify_streets, problem.game),
        enough=enough,
        checks=checks,
        progress=progress or silent,
        checkpoint=checkpoint,
    )
    assert run.certificate is not None
    return _result(
        problem,
        method,
        run.status,
        run.certificate,
        run.strategy,
        iterations=run.state.iterations,
        seconds=run.seconds,
        trace=run.trace,
    )


def check_streets(
    game: str | Game[Any],
    path: str | Path,
    *,
    bets: str | None = None,
    raises: str | None = None,
) -> StreetResult:
    """Certify a strategy on betting times boards from a file, on every real board; nothing is solved.

    Raises
    ------
    ValueError
        If the game or the file is not what it must be.
    """
    known, strategy = read_streets(game, path, bets=bets, raises=raises)
    problem = StreetProblem(known, strategy.tree, game_sizes(known), sum(t.nbytes for t in strategy.weight))
    certificate = certify_streets(known, strategy)
    return _result(problem, "file", "certified", certificate, strategy, seconds=certificate.seconds)


def _result(
    problem: StreetProblem,
    method: str,
    status: str,
    certificate: StreetCertificate,
    strategy: StreetStrategy,
    **rest: Any,
) -> StreetResult:
    return StreetResult(
        game=problem.game.name,
        method=method,
        status=status,
        certificate=certificate,
        unit=problem.game.unit,
        pot=problem.pot,
        n_infosets=sum(problem.sizes.infosets),
        problem=problem,
        strategy=strategy,
        storage="int16" if strategy.weight[0].dtype == np.uint16 else str(strategy.weight[0].dtype),
        n_boards=problem.tree.boards.n_boards,
        n_real_boards=certificate.n_boards,
        **rest,
    )


def _checked(
    method: str,
    average: str | None,
    iterations: int | None,
    target: float | None,
    storage: str,
    threads: int,
    checkpoint: str | Path | None,
) -> StreetConfig:
    """Refuse bad options before a game is loaded for them."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    if average == "last":
        raise ValueError("average must be of all iterations, got 'last'")
    config = config_of(method, Choices(average, storage=storage), "boards")
    assert isinstance(config, StreetConfig)
    check_threads(threads)
    if iterations is not None and iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    if target is not None and not 0 < target < float("inf"):
        raise ValueError(f"target must be a positive and finite NashConv, got {target}")
    if checkpoint is not None:
        check_writable(checkpoint, SUFFIXES, "a checkpoint")
    return config


def _identity(problem: StreetProblem, method: str, config: StreetConfig) -> Identity:
    """Return what a run is of."""
    return identity_of(problem.game, method, f"{problem.tree.boards.n_boards:,} boards", config)


def _saying_exploitability(problem: StreetProblem, tell: Progress) -> Progress:
    """Return what says exploitability as players count it instead of NashConv."""

    def told(stage: str, width: float) -> None:
        proved = f", exploitability {problem.exploitability_text(width)}" if isfinite(width) else ""
        tell(stage + proved, float("inf"))

    return told


def _unit(problem: StreetProblem) -> float:
    """Return the pot, the big blind, or the largest stake where there is neither."""
    betting = problem.tree.betting
    largest = max(abs(int(stake)) for stake in betting.stake) / betting.stake_den
    return float(problem.pot or problem.big_blind or largest)
