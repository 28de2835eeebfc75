"""Processes that tests start: none outlives its test, none hangs it."""

import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

INTERRUPTIBLE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
"""
"""Begins a program that is to be stopped: children of what ignores these signals would ignore them too."""
COMMAND_LINE = f"""
{INTERRUPTIBLE}
import sys
from treeplex.__main__ import main
from treeplex.process import interruption
hear = interruption._hear
def told(queue):
    interruption._hear = hear
    hear(queue)
    print("listening", flush=True)
interruption._hear = told
sys.argv[0] = "treeplex"
main()
"""
"""The command line, which says on standard output when it begins to hear signals."""


CPU_SECONDS = 300
"""What a process may take of the processors before it is killed."""
HANGS_AFTER = 1800
"""Seconds after which a process is killed that waits for ever; no machine is so busy."""
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


@contextmanager
def running(*words, cpu_seconds=CPU_SECONDS, **options):
    """Start a program with some arguments; it is killed at the end, or if it takes too much."""
    with subprocess.Popen([*map(str, words)], text=True, **options) as process:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
        watch = Timer(HANGS_AFTER, process.kill)
        watch.start()
        try:
            yield process
        finally:
            watch.cancel()
            process.kill()


def python(*arguments, **options):
    """Start Python with some arguments, as :func:`running` does."""
    return running(sys.executable, *arguments, **options)


def ran(*arguments, **options):
    """Run Python to its end; return its exit code, its output and what it said on standard error."""
    return _ended(python(*arguments, **PIPES, **options))


def ran_in_shell(script, *arguments, **options):
    """Run a script of the shell to its end, ``$0`` and ``$@`` being Python and the arguments."""
    return _ended(running("sh", "-c", script, sys.executable, *arguments, **PIPES, **options))


def _ended(start):
    with start as process:
        out, err = process.communicate()
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@contextmanager
def listening(*arguments, **options):
    """Start a command in a process of its own, and wait until it hears signals."""
    with python("-c", COMMAND_LINE, *arguments, **PIPES, **options) as process:
        assert process.stdout.readline() == "listening\n"
        yield process


def cpu_seconds(process):
    """Return what a running process has taken of the processors (Linux)."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children_of(pid):
    """Return the processes that a process has started and that still run (Linux)."""
    numbers = (int(path.parent.name) for path in Path("/proc").glob("[0-9]*/stat"))
    return {number for number in numbers if (state := _state(number)) and state[1] == str(pid)}


def ended(numbers, seconds=HANGS_AFTER):
    """Return whether processes end within some time (Linux)."""
    deadline = time.monotonic() + seconds
    while any(map(_state, numbers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not any(map(_state, numbers))


def _state(pid):
    """Return the state of a process and those numbers of it that follow; nothing of one that has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
    return [] if fields[0] == "Z" else fields


def seconds_to_stop(process, number=signal.SIGINT):
    """Send a signal and wait for the end; return the processor seconds until then, and the output."""
    before, children = cpu_seconds(process), _children()
    process.send_signal(number)
    out, err = process.communicate()
    return _children() - children - before, out, err


def _children():
    times = os.times()
    return times.children_user + times.children_system
