"""Atomic writes of text, bytes and arrays, and checks of paths."""

import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray


def check_writable(path: str | Path, suffixes: Sequence[str], what: str) -> None:
    """Refuse a path that could not be written, before any time is spent on its content.

    Parameters
    ----------
    path : str or Path
    suffixes : sequence of str
        The legal ones, such as ``.csv``.
    what : str
        What is to be written, such as ``a trace``.

    Raises
    ------
    ValueError
        If the suffix is another, the path is a directory, or its directory is missing or not writable.
    """
    path = Path(path)
    check_suffix(path, suffixes, what)
    if path.is_dir():
        raise ValueError(f"cannot write {path}: it is a directory")
    if not path.parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no directory {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise ValueError(f"cannot write {path}: the directory {path.parent} is not writable")


def check_suffix(path: str | Path, suffixes: Sequence[str], what: str) -> None:
    """Refuse a path with another suffix."""
    if Path(path).suffix.lower() not in suffixes:
        raise ValueError(f"{what} must end in {' or '.join(suffixes)}, got {path}")


def write_text(path: str | Path, write: Callable[[IO[str]], object]) -> None:
    """Write text in UTF-8; raises what :func:`write_bytes` raises."""
    _write_whole(Path(path), write, mode="w", encoding="utf-8", newline="")


def write_bytes(path: str | Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write to a temporary file beside ``path`` and move it there, so that nothing is ever half-written.

    Raises
    ------
    ValueError
        If the file cannot be written.
    """
    _write_whole(Path(path), write, mode="wb")


def _write_whole(path: Path, write: Callable[[IO[Any]], object], **how: str) -> None:
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}") from error
    try:
        with os.fdopen(handle, **how) as file:  # type: ignore[call-overload]
            write(file)
            file.flush()
            os.fsync(handle)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}") from error
    finally:
        Path(name).unlink(missing_ok=True)


def write_arrays(path: str | Path, head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays and a head of JSON to an .npz file; raises what :func:`write_bytes` raises."""
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    write_bytes(path, lambda file: np.savez(file, head=text, **arrays))  # type: ignore[arg-type]
