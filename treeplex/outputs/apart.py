"""Outputs held apart from each other and from inputs: two in one file would lose one of the two."""

import os
import stat
from collections.abc import Hashable, Mapping
from itertools import combinations
from pathlib import Path

from treeplex.outputs.place import Place, place_of

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
            raise ValueError(f"{first} and {second} must be different files, got {path} and {other}")


def _identity(place: Place) -> Hashable:
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
