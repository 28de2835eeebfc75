"""Where the path of an output leads: to a file, to a device or FIFO, or to an open descriptor."""

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path

STANDARD_OUTPUT = "-"
"""The path that stands for standard output."""
DESCRIPTORS = ("/dev/fd", "/proc/self/fd", "/proc/thread-self/fd")
"""Folders whose entries are this process's open descriptors."""
LONGEST_DESCRIPTOR = 9
"""Most digits of a descriptor's number."""
MOST_LINKS = 40
"""Most symbolic links that are followed one after the other, as on Linux."""


@dataclass(frozen=True)
class Place:
    """What a path leads to when its symbolic links are followed.

    Attributes
    ----------
    path : Path
        As it was given.
    target : Path
        What it leads to.
    status : os.stat_result or None
        Of the target; None if there is nothing yet.
    descriptor : int or None
        The number of the open descriptor that the path means, as ``/dev/stdout`` means 1.
    """

    path: Path
    target: Path
    status: os.stat_result | None
    descriptor: int | None = None

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file, or nothing yet and will be one."""
        return self.descriptor is None and (self.status is None or stat.S_ISREG(self.status.st_mode))

    @property
    def is_standard_output(self) -> bool:
        """Whether it is standard output, by whatever name."""
        return self.descriptor == 1


def place_of(path: str | Path) -> Place:
    """Return where a path leads.

    Parameters
    ----------
    path : str or Path
        ``-`` is standard output.

    Raises
    ------
    ValueError
        If symbolic links go round, a name is too long or none, or a descriptor is not open.
    """
    path = Path(path)
    try:
        target, descriptor = (path, 1) if str(path) == STANDARD_OUTPUT else _followed(path)
        status = _status(target) if descriptor is None else os.fstat(descriptor)
    except (OSError, ValueError) as error:
        raise ValueError(cannot_write(path, error)) from error
    return Place(path, target, status, descriptor)


def check_writable(path: str | Path) -> Place:
    """Return where a path leads, or refuse it if it could not be written.

    Raises
    ------
    ValueError
        As :func:`place_of`; or if it is a directory, a socket, not writable, another user's file in a sticky
        directory, or in a directory that is missing or not writable.
    """
    place = place_of(path)
    reason = _why_not(place)
    if reason is not None:
        raise ValueError(f"cannot write {path}: {reason}")
    return place


def cannot_write(path: str | Path, error: Exception) -> str:
    """Return one line on an output that failed, without Python's words for it."""
    return f"cannot write {path}: {getattr(error, 'strerror', None) or error}"


def _followed(path: Path) -> tuple[Path, int | None]:
    """Return what symbolic links lead to, and the descriptor if it is one.

    Entries of ``DESCRIPTORS`` are links too, but to what may have no name: pipes, sockets, deleted files.
    """
    descriptors = {os.path.realpath(folder) for folder in DESCRIPTORS}
    for _ in range(MOST_LINKS):
        folder, name = os.path.realpath(path.parent), path.name
        if folder in descriptors and name.isdecimal() and len(name) <= LONGEST_DESCRIPTOR:
            return path, int(name)
        path = Path(folder, name)
        if not path.is_symlink():
            return path, None
        path = Path(folder, os.readlink(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _status(target: Path) -> os.stat_result | None:
    try:
        return target.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _why_not(place: Place) -> str | None:
    """Return why a place cannot be written, as far as can be said beforehand."""
    target, mode = place.target, 0 if place.status is None else place.status.st_mode
    if place.descriptor is not None:
        return None if _is_open_for_writing(place.descriptor) else "it is not open for writing"
    if stat.S_ISDIR(mode):
        return "it is a directory"
    if stat.S_ISSOCK(mode):
        return "it is a socket"
    if place.status is not None and not os.access(target, os.W_OK):
        return "it is not writable"
    return _why_not_beside(place) if place.is_file else None


def _why_not_beside(place: Place) -> str | None:
    """Return why no file can be made in the directory of a regular file and moved onto it."""
    folder, said = place.target.parent, place.path.parent
    if str(folder) != os.path.realpath(said):  # a link leads to another directory
        said = folder
    if not folder.is_dir():
        return f"there is no directory {said}"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"the directory {said} is not writable"
    if place.status is not None and os.name == "posix":
        status, user = folder.stat(), os.geteuid()
        if status.st_mode & stat.S_ISVTX and user not in (0, status.st_uid, place.status.st_uid):
            return f"it is another user's, and the directory {said} is sticky"
    return None


def _is_open_for_writing(descriptor: int) -> bool:
    if os.name != "posix":
        return True
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
