"""Signals that stop commands: heard at any moment, and nothing that was done is lost."""

import json
import os
import random
import signal
import sys
import time

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.processes import INTERRUPTIBLE, PIPES, cpu_seconds, listening, python, ran, seconds_to_stop
from treeplex.process import interruption
from treeplex.process.interruption import Interruption, current

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals, and /proc")

ENDLESS = ("solve", "leduc_poker", "--method", "cfr", "--iterations", 10**8)
SAID = "treeplex: interrupted\n"
HEARD = 2.0
"""Seconds of processor that a process may still take after a signal."""
PROGRAM = """
import sys, time, ctypes
from treeplex.process.interruption import current
from treeplex.process.interruption import run_interruptibly

def told(text):
    print(text, flush=True)

"""


def commanded(body):
    """Return a program that runs a command with this body."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"{INTERRUPTIBLE}{PROGRAM}def command():\n{lines}\n\nsys.exit(run_interruptibly(command))"


def started(program):
    return python("-c", program, **PIPES)


def interrupted_after(seconds, *command, **options):
    """Interrupt a command some time after it began to listen; it must say so and end."""
    with listening(*command, **options) as process:
        time.sleep(seconds)
        taken, out, err = seconds_to_stop(process)
    assert (process.returncode, out, last(err)) == (130, "", SAID)
    assert taken < HEARD


def last(err):
    """Return the last line of what was said; before it may stand how far a run was."""
    return err.splitlines(keepends=True)[-1]


# at any moment


def test_an_interrupt_while_the_entry_point_is_loaded_ends_the_process_without_words():
    """Python's own handler would print where in an import it was."""
    program = f"""{INTERRUPTIBLE}
import builtins, os
load = builtins.__import__
def interrupted(name, *more):
    if name == "treeplex.process.standard_streams":
        os.kill(os.getpid(), signal.SIGINT)
    return load(name, *more)
builtins.__import__ = interrupted
import treeplex.__main__
"""
    with started(program) as process:
        assert process.communicate() == ("", "")
    assert process.returncode == -signal.SIGINT


def test_a_signal_that_comes_just_before_the_wait_is_heard(monkeypatch):
    """The wait for signals ends now and then, as Python runs handlers only between its instructions."""
    waits = []

    class Queue(interruption.SimpleQueue):
        def get(self, *wait, timeout=None):
            waits.append(timeout)
            return super().get(*wait, timeout=timeout)

    monkeypatch.setattr(interruption, "SimpleQueue", Queue)
    monkeypatch.setattr(interruption, "_hear", lambda signals: None)
    assert interruption.run_interruptibly(lambda: 7) == 7
    assert waits
    assert all(timeout is not None for timeout in waits)


@pytest.mark.seconds(3)
@over([0.0, 1.0])
def test_an_interrupt_is_heard_while_libraries_are_loaded_and_later(seconds):
    interrupted_after(seconds, *ENDLESS)


@pytest.mark.seconds(35)
@over(range(20))
def test_no_interrupt_is_lost(seed, tmp_path):
    """At random times, every fifth with kernels to compile."""
    cold = {"NUMBA_CACHE_DIR": str(tmp_path)} if seed % 5 == 0 else {}
    interrupted_after(random.Random(seed).uniform(0.0, 4.0), *ENDLESS, env={**os.environ, **cold})


@pytest.mark.seconds(3)
def test_an_interrupt_within_a_callback_from_compiled_code_is_heard():
    """Python drops what handlers raise there, in ctypes as in numba's loading of kernels."""
    body = """
def endless():
    told("begun")
    while True:
        pass
ctypes.CFUNCTYPE(None)(endless)()
"""
    with started(commanded(body)) as process:
        assert process.stdout.readline() == "begun\n"
        _, out, err = seconds_to_stop(process)
    assert (process.returncode, out, err) == (130, "", SAID)


@pytest.mark.seconds(4)
def test_an_interrupt_is_heard_within_a_linear_program():
    interrupted_after(2.0, "solve", "leduc_poker(ranks=16)", "--method", "lp", "--solver", "simplex")


@pytest.mark.seconds(3)
@over([("SIGTERM", 143), ("SIGHUP", 129)])
def test_other_signals_end_a_command_as_well(name, code):
    with listening(*ENDLESS) as process:
        time.sleep(0.5)
        taken, out, err = seconds_to_stop(process, getattr(signal, name))
    assert (process.returncode, out, last(err)) == (code, "", SAID)
    assert taken < HEARD


def test_an_ignored_signal_stays_ignored():
    """As in a job that a shell put into the background, or under nohup."""
    ignored = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    program = commanded("told('begun')\ntime.sleep(0.5)\nreturn 7").replace(INTERRUPTIBLE, ignored)
    with started(program) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate() == ("", "")
    assert process.returncode == 7


def test_a_signal_is_heard_although_a_library_has_set_a_handler_of_its_own():
    """As Ray does, in C, where Python does not see it."""
    body = """
ctypes.CDLL(None).signal(signal.SIGTERM, 0)
time.sleep(0.3)
told("begun")
time.sleep(600)
"""
    with started(commanded(body)) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGTERM)
        assert process.communicate() == ("", SAID)
    assert process.returncode == 128 + signal.SIGTERM


@pytest.mark.seconds(3)
def test_importing_and_solving_set_no_handler():
    program = (
        "import signal\n"
        "before = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]\n"
        "import treeplex as tp, treeplex.cli.main\n"
        "tp.solve('kuhn_poker')\n"
        "assert before == [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]"
    )
    assert ran("-c", program).returncode == 0


SLOW_JUDGE = """
import os, sys, threading, time
import treeplex as tp
from treeplex.solving import form
judged = form.run_engine

def slowly(name, engine, iterations, judge, **options):
    def late(strategy):
        print("judging", file=sys.__stdout__, flush=True)
        threading.Event().wait(600)
        return judge(strategy)
    return judged(name, engine, iterations, late, **options)

form.run_engine = slowly
"""


@pytest.mark.seconds(3)
@over([False, True])
def test_a_certificate_under_way_is_left_in_a_script(kept, tmp_path):
    path = tmp_path / "run.npz"
    script = f"tp.solve('kuhn_poker', 'cfr+', iterations=5, checkpoint={str(path) if kept else None!r})"
    with started(f"{INTERRUPTIBLE}{SLOW_JUDGE}{script}") as process:
        assert process.stdout.readline() == "judging\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate()[1].splitlines()[-1] == "KeyboardInterrupt"
    assert path.exists() == kept


@pytest.mark.seconds(4)
@over([True, False])
def test_a_command_leaves_its_certificate_and_keeps_what_was_run(kept, tmp_path):
    path = tmp_path / "run.npz"
    command = ["solve", "kuhn_poker", "--method", "cfr+", "--iterations", "5"]
    command += ["--checkpoint", str(path)] if kept else []
    program = commanded(f"from treeplex.cli.main import run\nreturn run({command})")
    with started(program.replace("def command", f"{SLOW_JUDGE}\ndef command")) as process:
        assert process.stdout.readline() == "judging\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate() == ("", SAID)
    assert (process.returncode, path.exists()) == (130, kept)


# nothing is lost


@pytest.mark.seconds(12)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_keeps_its_checkpoint(number, tmp_path):
    path = tmp_path / "run.npz"
    with listening(*ENDLESS, "--checkpoint", path) as process:
        while cpu_seconds(process) < 5.0:  # loading takes one or two of them
            time.sleep(0.1)
        _, out, err = seconds_to_stop(process, number)
    assert (process.returncode, out, last(err)) == (128 + number, "", SAID)
    with np.load(path) as file:
        done = json.loads(file["head"].tobytes())["numbers"]["iterations"]
    assert done > 0
    resumed = tp.solve("leduc_poker", "cfr", iterations=done, checkpoint=path)
    assert f"resumed after {done:,}" in resumed.status
    straight = tp.solve("leduc_poker", "cfr", iterations=done)
    assert (resumed.lower, resumed.upper) == (straight.lower, straight.upper)


def test_what_must_be_finished_is_finished_first():
    body = """
with current().finishing("one thing is done"):
    told("begun")
    time.sleep(2.5)
    told("done")
while True:
    time.sleep(0.1)
"""
    with started(commanded(body)) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, "done\n")
    assert err == "treeplex: one thing is done, then this ends; a second signal ends it at once\n" + SAID


def test_a_second_signal_ends_at_once_and_tidies_up():
    body = """
with current().finishing("one thing is done", abandon=lambda: told("tidied")):
    told("begun")
    time.sleep(600)
"""
    with started(commanded(body)) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert process.stderr.readline().startswith("treeplex: one thing is done, ")
        process.send_signal(signal.SIGINT)
        assert process.communicate() == ("tidied\n", SAID)
    assert process.returncode == 130


def test_what_goes_wrong_is_raised_and_what_ends_well_is_returned():
    for body, code in (("return 5", 5), ("raise RuntimeError('wrong')", 1)):
        with started(commanded(body)) as process:
            _, err = process.communicate()
        assert (process.returncode, "RuntimeError: wrong" in err) == (code, code == 1)


# the request


def test_a_request_is_seen_where_it_is_looked_at():
    interruption = Interruption()
    interruption.look()
    with interruption.finishing("this"):
        interruption.request()
        assert interruption.close() == "this"
        with interruption.finishing("that"):
            assert interruption.close() == "that"
        with pytest.raises(KeyboardInterrupt):
            interruption.look()
    assert interruption.close() is None
    with pytest.raises(KeyboardInterrupt), interruption.finishing("nothing begins any more"):
        pass


def test_without_a_command_line_nothing_asks():
    with current().finishing("this"):
        current().look()
