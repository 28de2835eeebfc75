"""A program of others that ends with who tends it: python -m treeplex.process.tended COMMAND ARGUMENT...

The command is started in the process group of this process. When it has ended its exit code is printed. At
the end of standard input, which comes when the parent closes it or ends in whatever way, the whole group is
killed: this process, the command, and what that started.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from threading import Thread

NOT_STARTED = 127
"""The exit code of a command that cannot be started, as in shells."""


def tend(command: list[str]) -> None:
    """Start a command, print its exit code when it has ended, and kill the group at the end of the input."""
    Thread(target=_run, args=(command,), daemon=True).start()
    with suppress(OSError):
        sys.stdin.buffer.read()
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _run(command: list[str]) -> None:
    none = subprocess.DEVNULL
    try:
        code = subprocess.run(command, stdin=none, stdout=none, stderr=none, check=False).returncode
    except (OSError, ValueError):
        code = NOT_STARTED
    print(code, flush=True)


if __name__ == "__main__":
    tend(sys.argv[1:])
