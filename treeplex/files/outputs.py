"""Outputs: where their paths lead, what holds them apart, and their formats.

A path leads to a file, to a device or FIFO, or to an open descriptor. Outputs are held apart from each other
and from inputs: two in one file would lose one of the two. The format is by the suffix of the path, or by
name.
"""

import errno
import os
import stat
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_kind

STANDARD_OUTPUT = "-"
"""The path that stands for standard output."""
DESCRIPTORS = ("/dev/fd", "/proc/self/fd", "/proc/thread-self/fd")
"""Folders whose entries are this process's open descriptors."""
LONGEST_DESCRIPTOR = 9
"""Most digits of a descriptor's number."""
MOST_LINKS = 40
"""Most symbolic links that are followed one after the other, as on Linux."""


@dataclass(frozen=True)
class OutputPlace:
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


def place_of(path: str | Path) -> OutputPlace:
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
        raise BadInputError(cannot_write(path, error)) from error
    return OutputPlace(path, target, status, descriptor)


def check_writable(path: str | Path) -> OutputPlace:
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
        raise BadInputError(f"cannot write {path}: {reason}")
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


def _why_not(place: OutputPlace) -> str | None:
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


def _why_not_beside(place: OutputPlace) -> str | None:
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


Paths = Mapping[str, str | Path | None]
"""Paths by the names of their options; None where there is none."""


def check_apart(outputs: Paths, inputs: Paths | None = None) -> None:
    """Refuse two outputs in one file, and an output that would replace an input.

    Files are told apart by what they are, not by how they are spelled: symbolic and hard links lead to one
    file. New files are one if their names differ in case alone, as on some systems they are. What is written
    to ``/dev/null`` and other character devices may be written there twice.

    Parameters
    ----------
    outputs : mapping
    inputs : mapping, optional
        Those that are to stay as they are.

    Raises
    ------
    ValueError
        If two are one file, or an output leads nowhere.
    """
    written = {name: (path, _identity(place_of(path))) for name, path in outputs.items() if path is not None}
    read = {name: (path, _file(path)) for name, path in (inputs or {}).items() if path is not None}
    pairs = [*combinations(written, 2), *((output, name) for output in written for name in read)]
    both = written | read
    for first, second in pairs:
        (path, one), (other, same) = both[first], both[second]
        if one is not None and one == same:
            raise BadInputError(f"{first} and {second} must be different files, got {path} and {other}")


def _identity(place: OutputPlace) -> Hashable:
    """Return what two places have in common if they are one; None for what may be written twice."""
    status = place.status
    if status is None:
        folder = place.target.parent
        return (_file(folder) or str(folder), place.target.name.casefold())
    if stat.S_ISCHR(status.st_mode):
        return place.descriptor
    return status.st_dev, status.st_ino


def _file(path: str | Path) -> Hashable:
    """Return the identity of a file that is there; None if there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


NO_TEXT = ("npz", "parquet", "png", "pdf")
"""Formats that are not for terminals."""


def check_output(path: str | Path, suffixes: Mapping[str, str], what: str, format: str | None = None) -> str:
    """Return the format of an output, or refuse what could not be written, before any time is spent on it.

    Parameters
    ----------
    path : str or Path
    suffixes : mapping
        The format of each legal suffix, such as ``{".csv": "csv"}``.
    what : str
        What is to be written, such as ``a trace``.
    format : str, optional
        The format by name, for a path that has none of the suffixes. What has one format only needs no
        name where the path leads to no regular file.

    Raises
    ------
    ValueError
        If the format is none of these, the suffix says another or nothing says one, the path cannot be
        written, or what is no text is to go to a terminal.
    """
    check_path(path, what)
    names = tuple(dict.fromkeys(suffixes.values()))
    if format is not None and format not in names and Path(path).suffix.lower() != f".{format}":
        raise BadInputError(f"format must be one of {', '.join(names)}, got {format!r}")
    said = suffixes.get(Path(path).suffix.lower())
    if format in names and said not in (None, format):
        raise BadInputError(f"the file {path} says {said}, and the format is {format}")
    place = check_writable(path)
    chosen = format if format in names else said
    if chosen is None and len(names) == 1 and not place.is_file:
        chosen = names[0]
    if chosen is None:
        instead = "; or name its format" if len(names) > 1 else ""
        raise BadInputError(f"{_must_end(what, suffixes)}, got {path}{instead}")
    if chosen in NO_TEXT and place.descriptor is not None and os.isatty(place.descriptor):
        raise BadInputError(f"{chosen} is no text, and {path} is a terminal")
    return chosen


def check_suffix(path: str | Path, suffixes: Collection[str], what: str) -> None:
    """Refuse a path with another suffix."""
    check_path(path, what)
    if Path(path).suffix.lower() not in suffixes:
        raise BadInputError(f"{_must_end(what, suffixes)}, got {path}")


def check_file(path: str | Path, suffixes: Collection[str], what: str) -> None:
    """Refuse a path with another suffix, or that could not be written, or that leads to no regular file.

    Raises
    ------
    ValueError
    """
    check_suffix(path, suffixes, what)
    if not check_writable(path).is_file:
        raise BadInputError(f"{what} is read again and must be a regular file, got {path}")


def check_path(path: object, what: str) -> None:
    """Refuse what is no path of what is written or read: TypeError; an empty text, ValueError."""
    check_kind(f"the path of {what}", path, str | os.PathLike, "a text or a Path")
    if path == "":
        raise BadInputError(f"the path of {what} must not be empty")


def _must_end(what: str, suffixes: Collection[str]) -> str:
    return f"{what} must end in {' or '.join(suffixes)}"
