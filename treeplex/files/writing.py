"""Writing of outputs: files aside and moved to their places, streams straight."""

import errno
import fcntl
import os
import secrets
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import FileIO, TextIOWrapper
from pathlib import Path
from stat import S_IMODE
from tempfile import SpooledTemporaryFile
from typing import IO

from xxhash import xxh64_hexdigest

from treeplex.files.outputs import OutputPlace, cannot_write, check_writable
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import visible
from treeplex.process.interruption import current
from treeplex.process.standard_streams import NobodyReadsError

IN_MEMORY = 2**26
"""Bytes up to which what goes to a stream is kept in memory; more goes to a temporary file first."""
NO_OTHER = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK
"""Opens what is of this name itself: links of others are not followed, FIFOs not waited for."""
NO_PRIVILEGES = 0o777
"""Bits of a file's mode that are kept: not those that lend its owner's rights to who runs it."""


def write_text(path: str | Path, write: Callable[[IO[str]], object]) -> None:
    """Write text in UTF-8; raises what :func:`write_bytes` raises."""

    def encoded(file: IO[bytes]) -> None:
        text = TextIOWrapper(file, encoding="utf-8", newline="")
        write(text)
        text.detach()  # which flushes; closed it would close the file too

    write_bytes(path, encoded)


def append_whole(file: FileIO, content: bytes, *, to_disk: bool = False) -> None:
    """Write content behind what an unbuffered file has, or leave the file as it was.

    Parameters
    ----------
    file : FileIO
        Open for appending.
    content : bytes
    to_disk : bool
        Whether to wait until the disk has it.

    Raises
    ------
    OSError
        If it cannot be written. What goes to a pipe or a device is not taken back.
    """
    before = file.seek(0, os.SEEK_END) if file.seekable() else None
    try:
        if file.write(content) != len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if to_disk:
            os.fsync(file.fileno())
    except OSError:
        if before is not None:
            with suppress(OSError):
                file.truncate(before)
        raise


def write_bytes(path: str | Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write to what a path leads to: a file whole or not at all, a stream when all is there.

    A regular file, or one that is new, is written aside and moved to its place, which symbolic links lead
    to. Devices, FIFOs and open descriptors are written straight, as they cannot be replaced.

    Parameters
    ----------
    path : str or Path
        ``-`` is standard output.
    write : callable
        Writes to a binary file, in which it may seek.

    Raises
    ------
    ValueError
        If it cannot be written.
    NobodyReadsError
        If it is standard output, and its reader is gone.
    """
    place = check_writable(path)
    try:
        (write_aside if place.is_file else write_straight)(place, write)
    except BrokenPipeError as error:
        if place.is_standard_output:
            raise NobodyReadsError("nobody reads standard output") from error
        raise BadInputError(cannot_write(path, error)) from error
    except OSError as error:
        raise BadInputError(cannot_write(path, error)) from error


def write_aside(place: OutputPlace, write: Callable[[IO[bytes]], object]) -> None:
    """Write to a file beside a place's target and move it there, so that nothing is ever half-written.

    The mode and, where that is allowed, the owner of a file that is there are kept; a new one has the mode
    that the umask says. A file that is mounted by itself, as into containers, cannot be replaced: it gets
    the content. What killed runs were writing for the same target is removed. Raises ``OSError``.
    """
    prefix = f".treeplex-{xxh64_hexdigest(os.fsencode(place.target.name))}-"
    _remove_left(place.target.parent, prefix)
    aside = place.target.with_name(prefix + secrets.token_hex(8))
    tidy = partial(aside.unlink, missing_ok=True)
    with current().finishing(visible(f"{place.path} is written"), tidy):
        try:
            with aside.open("xb") as file:
                with suppress(OSError):  # file systems without locks
                    fcntl.flock(file, fcntl.LOCK_SH)
                if place.status is not None:
                    _make_alike(aside, place.status)
                write(file)
                file.flush()
                os.fsync(file.fileno())
            _move(aside, place.target)
        finally:
            tidy()


def _remove_left(folder: Path, prefix: str) -> None:
    """Remove files that runs which were killed have begun; those of living runs are locked or empty."""
    for left in folder.glob(prefix + "*"):
        with suppress(OSError), os.fdopen(os.open(left, NO_OTHER), "wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file.fileno()).st_size:
                left.unlink()


def _move(aside: Path, target: Path) -> None:
    try:
        os.replace(aside, target)
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        shutil.copyfile(aside, target)


def _make_alike(aside: Path, status: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(aside, status.st_uid, status.st_gid)
    aside.chmod(S_IMODE(status.st_mode) & NO_PRIVILEGES)


def write_straight(place: OutputPlace, write: Callable[[IO[bytes]], object]) -> None:
    """Write to a device, a FIFO or an open descriptor; raises ``OSError``.

    Streams cannot be sought in, and what they were given cannot be taken back: all is made before.
    """
    with SpooledTemporaryFile(IN_MEMORY) as whole:
        write(whole)
        whole.seek(0)
        with _opened(place) as stream:
            shutil.copyfileobj(whole, stream)


def _opened(place: OutputPlace) -> IO[bytes]:
    """Return a stream to write to; a descriptor's own stream stays open when this one is closed."""
    if place.descriptor is None:
        return os.fdopen(os.open(place.target, os.O_WRONLY), "wb")
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # what was printed before stands before
            stream.flush()
    return os.fdopen(os.dup(place.descriptor), "wb")
