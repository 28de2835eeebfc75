"""Folders that one run at a time writes to, kept by a lock on one of their files."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from treeplex.files.outputs import cannot_write
from treeplex.games.base.errors import BadInputError

IN_USE = "is in use by another run"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other runs out of the folder of a file, which is made if it is not there.

    Raises
    ------
    ValueError
        If a run is in the folder, or the file cannot be opened.
    """
    try:
        lock = _opened(path)
    except OSError as error:
        raise BadInputError(cannot_write(path, error)) from None
    with lock as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInputError(f"{path.parent} {IN_USE}") from None
        except OSError as error:
            raise BadInputError(f"cannot lock {path}: {error.strerror}") from None
        yield


def _opened(path: Path) -> IO[bytes]:
    """Open a file for appending, as network disks lock no others; one that is there for reading at least."""
    try:
        return path.open("ab")
    except OSError:
        if not path.exists():
            raise
        return path.open("rb")


def check_free(path: Path) -> None:
    """Refuse the folder of a file if a run is in it, with ``ValueError``; it is free if there is no file."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadInputError(f"{path.parent} {IN_USE}") from None
    except FileNotFoundError:
        return
    except OSError as error:
        raise BadInputError(f"cannot read {path}: {error.strerror}") from None
