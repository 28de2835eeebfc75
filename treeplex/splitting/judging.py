"""Split strategies certified from the files of a store, flop by flop, by the workers of a run."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treeplex.cfr.split.executor import Executor, despite_losses
from treeplex.cfr.split.worker import Worker
from treeplex.games.reporting import Report
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.judge.certificate import FactoredCertificate
from treeplex.seqform.judge.split.flop_values import FlopTask, FlopValues, judge_flop
from treeplex.seqform.judge.split.split_certificate import certify_split
from treeplex.seqform.split.split_strategy import SplitStrategy
from treeplex.splitting.stored_tables import Generation, StoredTables


class JudgeTask(NamedTuple):
    """A flop to be judged, and the tables of which generation."""

    flop: int
    task: FlopTask
    generation: Generation


def judge_on(worker: Worker, task: JudgeTask) -> FlopValues:
    """Judge a flop from the files that its owner has."""

    def tree(flop: int, line: int) -> FactoredTree:
        return worker.layout(flop).lines[line].tree

    return judge_flop(worker.split, StoredTables(task.generation, tree), task.task)


def certified(
    strategy: SplitStrategy, generation: Generation, executor: Executor, report: Report
) -> FactoredCertificate:
    """Certify a split strategy whose tables are those of a generation; anew where a worker dies."""

    def run(tasks: Sequence[FlopTask]) -> Iterator[FlopValues]:
        return executor.map(judge_on, [JudgeTask(task.flop, task, generation) for task in tasks])

    return despite_losses(lambda: certify_split(strategy.split, strategy, run, report), "a certificate")
