"""Loops report a few times a second, whatever their steps cost."""

from itertools import pairwise

import pytest

from tests.helpers.cells import over
from treeplex.games.base import reporting
from treeplex.games.base.reporting import Ticker, reported


class Clock:
    """A clock that moves when a step is made."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(reporting, "monotonic", clock)
    return clock


@over([1e-6, 1e-4, 0.01, 0.05])
def test_a_loop_reports_about_five_times_a_second(cost, clock):
    told, clock.now = [], 0.0

    def steps():
        for step in range(int(30 / cost) if cost > 1e-5 else 3_000_000):
            clock.now += cost
            yield step

    for _ in reported(steps(), lambda text: told.append((clock.now, text)), lambda n: f"{n} so far"):
        pass
    times = [0.0, *(when for when, _ in told)]
    assert max(after - before for before, after in pairwise(times)) <= 0.5
    assert len(told) <= clock.now / 0.19
    assert told[0][1].endswith(" so far")


def test_a_loop_whose_steps_become_slow_reports_after_the_step(clock):
    ticker, done = Ticker(lambda text: told.append(done)), 0
    told, due = [], 1
    for done in range(1, 100_000):
        clock.now += 1e-6 if done < 50_000 else 0.1
        if done >= due:
            due = ticker.tell(done, "")
        if clock.now > 3000:
            break
    gaps = [after - before for before, after in pairwise(told) if before > 60_000]
    assert max(gaps) <= 4


def test_what_a_report_raises_ends_the_loop(monkeypatch):
    monkeypatch.setattr(reporting, "SECONDS", 0.0)
    done = []

    def stop(text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        done += reported(range(10), stop, str)
    assert len(done) < 10
