"""Standard streams of the process: closed ones opened, and printing that fails in one line."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from treeplex.games.base.errors import BadInputError

STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
"""The standard streams in the order of their descriptors, 0, 1 and 2, with their modes."""


class NobodyReadsError(ValueError):
    """Standard output is a pipe whose reader is gone; nothing is wrong with what was to be written."""


def open_streams() -> None:
    """Open closed standard streams on nothing; to be called before any file is opened.

    Else the next file to be opened would take the place of standard output, and be printed to.
    """
    for descriptor in range(len(STREAMS)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # which takes the lowest descriptor that is free
    for name, mode in STREAMS:
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


@contextmanager
def printing() -> Iterator[None]:
    """Print to standard output and leave nothing of it in a buffer.

    Raises
    ------
    NobodyReadsError
        If standard output is a pipe whose reader is gone.
    ValueError
        If it cannot be written.
    """
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise NobodyReadsError("nobody reads standard output") from error
        raise BadInputError(f"cannot write standard output: {error.strerror}") from error


def complain(line: str) -> None:
    """Print a line to standard error if that can be written; what terminals obey is written out."""
    from treeplex.games.base.reading import visible  # imported late: before it no signal is heard

    with suppress(OSError):
        print(visible(line), file=sys.stderr, flush=True)


def settle_streams() -> None:
    """Drop what standard output and standard error hold and cannot write, which Python would tell at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _drop(stream)


def _drop(stream: TextIO) -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)
    stream.flush()
