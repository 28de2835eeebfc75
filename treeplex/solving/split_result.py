"""Results on split games: a run made ready, run by the run loop, its strategy certified from its files."""

from collections.abc import Callable
from functools import partial
from math import inf
from pathlib import Path

from treeplex.cfr.boards.board_state import FactoredConfig, FixedPointFacts
from treeplex.cfr.split.split_facts import SplitFacts
from treeplex.cfr.split.split_trunk import SplitState
from treeplex.cfr.split.workers import WorkerLostError
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress
from treeplex.core.result import Result
from treeplex.files.run_loop import Checks, Run, Trace, run_engine
from treeplex.games.base.number_texts import exploitability_text
from treeplex.games.poker.game import PokerGame
from treeplex.process.compilation import working_seconds
from treeplex.seqform.boards.split_strategy import SplitStrategy
from treeplex.seqform.certify.board_certificate import FactoredCertificate, pair_weight
from treeplex.solving.methods import Choices
from treeplex.solving.split_run import SplitOptions, SplitRun, split_run

SplitLoop = Run[SplitState, SplitStrategy, FactoredCertificate]


def split_options(choices: Choices) -> SplitOptions:
    """Return where and by whom a split game is solved, or refuse it; raises ``ValueError``."""
    store = choices.get("store")
    if store is None:
        raise ValueError("the form split needs a store, a folder for its tables, got none")
    return SplitOptions.of(store, choices.get("executor"), choices.get("workers"), choices.get("memory"))


def check_split(choices: Choices, checkpoint: str | Path | None) -> None:
    """Refuse options that no run on a split game has; raises ``ValueError``."""
    split_options(choices)
    if checkpoint is not None:
        raise ValueError(f"a run with a store is kept there, got also the checkpoint {checkpoint}")


def solve_split(
    problem: Problem,
    config: FactoredConfig,
    options: SplitOptions,
    iterations: int,
    enough: Callable[[Trace], bool],
    *,
    checks: Checks,
    progress: Progress,
    warn: Callable[[str], None] | None,
) -> Result:
    """Solve a split game up to ``iterations`` in all, those done in its store included, and certify it.

    Parameters
    ----------
    problem : Problem
        Of a poker game with board cards to come.
    config : FactoredConfig
        CFR+ with storage int32.
    options : SplitOptions
    iterations : int
    enough, checks, progress
        As for :func:`treeplex.files.run_loop.run_engine`.
    warn : callable, optional
        Told what the run will take.

    Raises
    ------
    ValueError
        As :func:`treeplex.solving.split_run.split_run`, and if the store has more iterations done, or tables
        cannot be written or are damaged, or workers die again and again.
    """
    game = problem.game
    assert isinstance(game, PokerGame)
    clock = working_seconds()
    with split_run(game, config, options, problem.report) as run:
        begun = run.done
        if begun > iterations:
            raise ValueError(
                f"{options.store} has {begun:,} iterations done, got {iterations:,} to do in all"
            )
        if warn is not None and begun < iterations:
            more = f" from {begun:,} on" if begun else ""
            warn(f"{iterations:,} iterations{more} will take {run.estimate(iterations - begun)}")
        try:
            loop: SplitLoop = run_engine(
                "cfr+",
                run.engine,
                iterations,
                run.judge,
                enough=enough,
                checks=checks,
                progress=_in_words(problem, progress),
                note=partial(_exploitability, problem, float(pair_weight(game))),
                checkpoint=run.checkpoint,
                slice_seconds=run.slice_seconds,
            )
            facts = run.facts(loop.state, loop.state.iterations - begun, working_seconds() - clock)
        except WorkerLostError as error:
            raise ValueError(str(error)) from error
        return _result(problem, run, loop, facts)


def _result(problem: Problem, run: SplitRun, loop: SplitLoop, facts: SplitFacts) -> Result:
    assert loop.certificate is not None
    return Result(
        **problem.facts,
        form="split",
        method="cfr+",
        status=loop.status,
        strategy=loop.strategy,
        certificate=loop.certificate,
        iterations=loop.state.iterations,
        seconds=loop.seconds,
        trace=loop.trace,
        n_infosets=sum(problem.sizes.infosets),
        n_real_boards=loop.certificate.n_boards,
        n_bytes=facts.disk,
        storage="int32",
        fixed_point=FixedPointFacts.of(run.engine.config, loop.state),
        split=facts,
    )


def _exploitability(problem: Problem, pairs: float, state: SplitState) -> str:
    """Say what best responses in the walk found: player 1's old plan and player 0's new one."""
    width = float(state.worth.sum()) / pairs
    return f"current plan {exploitability_text(width, problem.pot, problem.big_blind, problem.game.unit)}"


def _in_words(problem: Problem, progress: Progress) -> Progress:
    """Return a callback that reports certificates as exploitability in players' units."""

    def in_words(stage: str, width: float) -> None:
        shown = exploitability_text(width, problem.pot, problem.big_blind, problem.game.unit)
        progress(stage if width == inf else f"{stage}, certified {shown}", inf)

    return in_words
