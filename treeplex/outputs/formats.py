"""The format of an output: by the suffix of its path, or by name."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from treeplex.games.inputs.parameters import check_kind
from treeplex.outputs.place import check_writable

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
        raise ValueError(f"format must be one of {', '.join(names)}, got {format!r}")
    said = suffixes.get(Path(path).suffix.lower())
    if format in names and said not in (None, format):
        raise ValueError(f"the file {path} says {said}, and the format is {format}")
    place = check_writable(path)
    chosen = format if format in names else said
    if chosen is None and len(names) == 1 and not place.is_file:
        chosen = names[0]
    if chosen is None:
        instead = "; or name its format" if len(names) > 1 else ""
        raise ValueError(f"{_must_end(what, suffixes)}, got {path}{instead}")
    if chosen in NO_TEXT and place.descriptor is not None and os.isatty(place.descriptor):
        raise ValueError(f"{chosen} is no text, and {path} is a terminal")
    return chosen


def check_suffix(path: str | Path, suffixes: Collection[str], what: str) -> None:
    """Refuse a path with another suffix."""
    check_path(path, what)
    if Path(path).suffix.lower() not in suffixes:
        raise ValueError(f"{_must_end(what, suffixes)}, got {path}")


def check_file(path: str | Path, suffixes: Collection[str], what: str) -> None:
    """Refuse a path with another suffix, or that could not be written, or that leads to no regular file.

    Raises
    ------
    ValueError
    """
    check_suffix(path, suffixes, what)
    if not check_writable(path).is_file:
        raise ValueError(f"{what} is read again and must be a regular file, got {path}")


def check_path(path: object, what: str) -> None:
    """Raise TypeError unless the path of what is written or read is a text or a Path."""
    check_kind(f"the path of {what}", path, str | os.PathLike, "a text or a Path")


def _must_end(what: str, suffixes: Collection[str]) -> str:
    return f"{what} must end in {' or '.join(suffixes)}"
