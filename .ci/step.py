"""Run a command within a limit of seconds; end what hangs, with its stack, and whatever it leaves running.

    python3 .ci/step.py SECONDS NAME COMMAND...

The exit code is the command's; 124 if it did not end in time, 125 if it left processes running. What hangs is
sent SIGABRT first, at which Python prints the stacks of all threads (PYTHONFAULTHANDLER).
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

BECOME_SUBREAPER = 36
STACKS = 5
"""Seconds in which stacks are printed, at most."""


def main(seconds: int, name: str, command: list[str]) -> int:
    """Run the command and return its exit code."""
    ctypes.CDLL(None).prctl(BECOME_SUBREAPER, 1, 0, 0, 0)  # orphans become children of this process
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print(f"== {name}: at most {seconds} s", flush=True)
    began = time.monotonic()
    environment = {**os.environ, "PYTHONFAULTHANDLER": "1"}
    running = subprocess.Popen(command, stdin=subprocess.DEVNULL, env=environment)
    try:
        code = running.wait(seconds)
    except subprocess.TimeoutExpired:
        code = 124
        print(f"== {name} did not end within {seconds} s; stacks of what runs:", flush=True)
        ended(signal.SIGABRT)
        until = time.monotonic() + STACKS
        while descendants() and time.monotonic() < until:
            time.sleep(0.1)
            reap()
    finally:
        left = ended(signal.SIGKILL)
    if left and not code:
        code = 125
    for line in left:
        print(f"== {name} left running, ended: {line}")
    print(f"== {name}: exit {code} after {time.monotonic() - began:.0f} s", flush=True)
    return code


def ended(with_signal: signal.Signals) -> list[str]:
    """Signal all processes below this one, with SIGKILL until none is left; return their commands."""
    commands = []
    for _ in range(200 if with_signal == signal.SIGKILL else 1):
        for pid in descendants():
            try:
                words = (
                    Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
                if words:  # not yet ended
                    commands.append(words.strip()[:200])
                os.kill(pid, with_signal)
            except (ProcessLookupError, FileNotFoundError):
                continue
        reap()
        if not descendants():
            break
        time.sleep(0.05)
    return commands


def reap() -> None:
    """Take the exit codes of children that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def descendants() -> set[int]:
    """Return the processes below this one."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
    found, new = set[int](), {os.getpid()}
    while new:
        new = {pid for pid, parent in parents.items() if parent in new} - found
        found |= new
    return found


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2], sys.argv[3:]))
