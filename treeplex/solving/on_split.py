"""Split games: a trunk, and subgames whose tables are kept in a store, solved by workers.

A run is made ready, run by the run loop, and its strategy certified from its files.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

from treeplex.cfr.boards.board_state import FactoredConfig, FixedPointFacts, factored_config
from treeplex.cfr.boards.fixed_point import FixedPoint, Scales
from treeplex.cfr.split.split_facts import SplitFacts
from treeplex.cfr.split.split_trunk import SplitState
from treeplex.cfr.split.workers import WorkerLostError
from treeplex.cfr.variant import AVERAGES
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress
from treeplex.core.result import Result
from treeplex.core.table_facts import BoardCounts
from treeplex.files.run_loop import (
    Checks,
    Run,
    Trace,
    narrower_than,
    run_engine,
)
from treeplex.files.strategies import ROWS
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import exploitability_text
from treeplex.process.compilation import working_seconds
from treeplex.seqform.boards.split_strategy import SplitStrategy
from treeplex.seqform.certify.board_certificate import FactoredCertificate, pair_weight
from treeplex.seqform.certify.certificate import Target
from treeplex.solving.executors import NAMES as EXECUTORS
from treeplex.solving.form import Form, Limits, as_exploitability, judged
from treeplex.solving.on_boards import MOST_ITERATIONS, check_warm_up, usual_target
from treeplex.solving.options import Options, option
from treeplex.solving.split_run import SplitOptions, SplitRun, split_run

SplitLoop = Run[SplitState, SplitStrategy, FactoredCertificate]


@dataclass(frozen=True, kw_only=True)
class OnSplit(Options):
    """Options of CFR+ in fixed point on split games."""

    average: str | None = option("Weights of iterations.", ", ".join(AVERAGES))
    scales: Scales | None = option(
        "Integers a chip of regret, by street; 16 up to the flop, then 0.5, unless given.",
        "numbers as 16,16,0.5,0.5",
    )
    average_scales: Scales | None = option(
        "Integers a plan of probability 1, by street; 16, then 1, unless given.", "numbers as 16,16,1,1"
    )
    warm_up: int | None = option("Iterations that are not averaged.", "an integer", int)
    store: str | Path | None = option("The folder of the run, from which it goes on.", "a folder")
    executor: str | None = option("Who updates subgames.", ", ".join(EXECUTORS))
    workers: int | None = option("Processes or actors; one a core unless given.", "an integer", int)
    memory: float | None = option("GiB of workers; larger tables go through the disk.", "a number", float)


class Split(Form):
    """Betting lines times boards, split after a street into a trunk and subgames kept in a store."""

    name = "split"
    written = ROWS
    about = "the same split after a street into a trunk and subgames, whose tables are kept in a store"
    options: ClassVar[Mapping[str, type[Options]]] = MappingProxyType({"cfr+": OnSplit})
    iterations = MOST_ITERATIONS
    is_walked = False
    needs = ("store", "a store")

    def config(self, method: str, options: Options) -> FactoredConfig:
        """Return CFR+ in fixed point."""
        assert isinstance(options, OnSplit)
        fixed = FixedPoint.of(options.scales, options.average_scales, options.warm_up)
        return factored_config(method, options.average, "int32", fixed)

    def check(self, method: str, options: Options, limits: Limits) -> None:
        """Refuse values of options."""
        check_warm_up(self.config(method, options), limits.iterations)
        _split_options(options)
        if limits.checkpoint is not None:
            raise BadInputError(
                f"a run with a store is kept there, got also the checkpoint {limits.checkpoint}"
            )

    def target(self, problem: Problem) -> Target:
        """Return a thousandth of the pot, of the big blind or of the largest stake."""
        return usual_target(problem)

    def solve(
        self,
        problem: Problem,
        method: str,
        options: Options,
        limits: Limits,
        progress: Progress,
        warn: Callable[[str], None] | None,
    ) -> Result:
        """Solve up to a number of iterations in all, those done in the store included, and certify.

        Raises
        ------
        ValueError
            As :func:`treeplex.solving.split_run.split_run`, and if the store has more iterations done, or
            tables cannot be written or are damaged, or workers die again and again.
        """
        self.check_exact(limits)
        config, where = self.config(method, options), _split_options(options)
        target = self.asked(problem, limits)
        iterations = limits.iterations or self.iterations
        enough = narrower_than(target)
        checks = limits.checks(target)
        result = _solved(problem, config, where, iterations, enough, checks, progress, warn)
        return result if target is None else judged(result, target)


def _split_options(options: Options) -> SplitOptions:
    """Return where and by whom a split game is solved, or refuse it; raises ``ValueError``."""
    assert isinstance(options, OnSplit)
    if options.store is None:
        raise BadInputError("the form split needs a store, a folder for its tables, got none")
    return SplitOptions.of(options.store, options.executor, options.workers, options.memory)


def _solved(
    problem: Problem,
    config: FactoredConfig,
    options: SplitOptions,
    iterations: int,
    enough: Callable[[Trace], bool],
    checks: Checks,
    progress: Progress,
    warn: Callable[[str], None] | None,
) -> Result:
    """Run CFR+ on a split game, and end its workers."""
    game = problem.poker("a split after a street is of poker games")
    clock = working_seconds()
    with split_run(game, config, options, problem.report) as run:
        begun = run.done
        if begun > iterations:
            raise BadInputError(
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
                progress=as_exploitability(problem, progress, "certified"),
                note=partial(_exploitability, problem, float(pair_weight(game))),
                checkpoint=run.checkpoint,
                slice_seconds=run.slice_seconds,
            )
            facts = run.facts(loop.state, loop.state.iterations - begun, working_seconds() - clock)
        except WorkerLostError as error:
            raise BadInputError(str(error)) from error
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
        facts=(
            BoardCounts(None, loop.certificate.n_boards),
            facts,
            FixedPointFacts.of(run.engine.config, loop.state),
        ),
    )


def _exploitability(problem: Problem, pairs: float, state: SplitState) -> str:
    """Say what best responses in the walk found: player 1's old plan and player 0's new one."""
    width = float(state.worth.sum()) / pairs
    return f"current plan {exploitability_text(width, problem.pot, problem.big_blind, problem.game.unit)}"
