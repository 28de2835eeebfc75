"""Workers in processes: who answers, what errors and deaths become, and that none is left."""

import os
import signal
import sys
from contextlib import closing

import pytest

from tests.helpers.processes import children_of, ended
from tests.helpers.worker_calls import Number, killed, plan_for, refused, told
from treeplex.cfr.split.workers import WorkerLostError
from treeplex.solving.worker_processes import Processes

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc"),
    pytest.mark.seconds(2),
]


@pytest.mark.seconds(3)
def test_each_flop_has_one_owner_and_answers_come_in_order(tmp_path, capfd):
    before = children_of(os.getpid())
    with closing(Processes(plan_for(tmp_path), 2)) as workers:
        tasks = [Number(flop, number) for number, flop in enumerate([0, 3, 2, 1, 1, 0, 2])]
        answers = [*workers.map(told, tasks)]
        assert [number for _, number in answers] == [*range(7)]
        assert [pid for pid, _ in answers] == [workers.pids[task.flop % 2] for task in tasks]
        assert len({*workers.pids}) == 2
        pids = workers.pids
    assert ended(pids)
    assert children_of(os.getpid()) == before
    assert capfd.readouterr() == ("", "printed\n" * 7)


@pytest.mark.seconds(3)
def test_errors_come_out_and_the_dead_are_replaced(tmp_path, capfd):
    with closing(Processes(plan_for(tmp_path), 1)) as workers:
        ((first, _),) = workers.map(told, [Number(0)])
        with pytest.raises(ValueError, match=r"^number 7 is refused$"):
            [*workers.map(refused, [Number(0, 7), Number(0, 8)])]
        ((second, _),) = workers.map(told, [Number(0)])
        with pytest.raises(WorkerLostError, match=f"code {-signal.SIGKILL}$"):
            [*workers.map(killed, [Number(0)])]
        ((third, _),) = workers.map(told, [Number(0)])
        assert first == second != third
    assert ended([first, third])


def test_workers_that_are_not_asked_are_not_started(tmp_path):
    with closing(Processes(plan_for(tmp_path), 4096)) as workers:
        assert workers.pids == ()
