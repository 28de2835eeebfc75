"""A program of others that ends with who tends it: python tended.py COMMAND ARGUMENT...

The command is started in the process group of this process. When it has ended, its exit code and the last
line that it wrote to its standard error are printed. At the end of standard input, which comes when the
parent closes it or ends in whatever way, the whole group is killed: this process, the command, and what that
started.

It is run as a file and imports the standard library alone, so that the command has the environment of who
asked for it, and finds no modules of this program.
"""

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread
from typing import IO

NOT_STARTED = 127
"""The exit code of a command that cannot be started, as in shells."""
LONGEST_LINE = 1000
"""Bytes of a line of standard error that are kept."""
CLOSING_SECONDS = 0.5
"""How long is waited for the last line: what the command started may hold its standard error open."""


def tend(command: list[str]) -> None:
    """Start a command, print how it ended when it has, and kill the group at the end of the input."""
    Thread(target=_run, args=(command,), daemon=True).start()
    with suppress(OSError):
        sys.stdin.buffer.read()
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _run(command: list[str]) -> None:
    none, lines = subprocess.DEVNULL, deque[bytes](maxlen=1)
    try:
        child = subprocess.Popen(command, stdin=none, stdout=none, stderr=subprocess.PIPE)
    except (OSError, ValueError):
        code = NOT_STARTED
    else:
        assert child.stderr is not None
        reader = Thread(target=lines.extend, args=(_lines(child.stderr),), daemon=True)
        reader.start()
        code = child.wait()
        reader.join(CLOSING_SECONDS)
    with suppress(OSError):
        os.write(1, b"%d %s" % (code, b"".join(lines).strip()))  # in one piece: it is read in one


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream that are not empty, of long ones the beginning."""
    is_begun = False
    while piece := stream.readline(LONGEST_LINE):
        if not is_begun and piece.strip():
            yield piece
        is_begun = not piece.endswith(b"\n")


if __name__ == "__main__":
    tend(sys.argv[1:])
