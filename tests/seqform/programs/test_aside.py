"""Calls in another thread: what they return and raise, and how waits for them end."""

import sys
import threading
import time

import pytest

from tests.helpers.processes import INTERRUPTIBLE, PIPES, python, seconds_to_stop
from treeplex.games.base.threads import run_aside


def test_results_and_errors_come_back():
    assert run_aside(lambda: threading.current_thread().name) != threading.main_thread().name
    with pytest.raises(ZeroDivisionError):
        run_aside(lambda: 1 / 0)


def test_other_threads_call_directly():
    names = []
    own = threading.Thread(target=lambda: names.append(run_aside(threading.current_thread)))
    own.start()
    own.join()
    assert names == [own]


def test_what_looks_ends_the_wait():
    stopped = threading.Event()

    def look():
        raise KeyboardInterrupt

    ended, released = threading.Event(), threading.Event()

    def work():
        released.wait(60)
        ended.set()

    with pytest.raises(KeyboardInterrupt):
        run_aside(lambda: stopped.wait(60), look=look, stop=stopped.set)
    assert stopped.is_set()
    with pytest.raises(KeyboardInterrupt):
        run_aside(work, look=look, patience=0.0)
    assert not ended.is_set()
    released.set()
    assert ended.wait(60)


@pytest.mark.seconds(3)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals, and /proc")
def test_an_interrupt_ends_a_linear_program_in_a_script():
    program = (
        f"{INTERRUPTIBLE}import treeplex as tp\n"
        "game = tp.load('leduc_poker(ranks=16)')\n"
        "tp.solve('kuhn_poker', 'lp', solver='simplex')\n"  # loads all that is needed
        "print('begun', flush=True)\n"
        "tp.solve(game, 'lp', solver='simplex')"
    )
    with python("-c", program, **PIPES) as process:
        assert process.stdout.readline() == "begun\n"
        time.sleep(1.0)
        taken, out, err = seconds_to_stop(process)
    assert (out, err.splitlines()[-1]) == ("", "KeyboardInterrupt")
    assert process.returncode != 0
    assert taken < 2.0
