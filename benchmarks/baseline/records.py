"""Results as JSON that can be compared: arrays and files as digests, times and temporary folders left out."""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDER = "TMP"
"""What stands for the temporary folder of a case."""
TIMED = "seconds"
"""Keys and columns with this in their names are left out."""
PICTURES = (".png", ".svg", ".pdf")
"""Files of which only the existence is kept."""
KEPT_RUN = "run.npz"
"""The name of every checkpoint: it holds times, and is not digested."""
HEAD = "head"
"""The name of an array of .npz files that is a JSON object in UTF-8."""
LINES = 80
"""Longer text is kept as a digest."""


WHOLE = "(whole case)"
Keys = tuple[str | int, ...]
"""The way to a value: names in objects, places in lists."""


@dataclass(frozen=True)
class Difference:
    """One number or text that changed.

    Attributes
    ----------
    case : str
    path : tuple of str and int
    before, after : str or None
        As JSON; None where it is absent.
    """

    case: str
    path: Keys
    before: str | None
    after: str | None

    @property
    def key(self) -> str:
        """The last name on the way."""
        return next(str(part) for part in reversed(self.path) if isinstance(part, str))

    @property
    def where(self) -> str:
        """The whole way: ``1.out.gains[0]``."""
        return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in self.path).removeprefix(".")


def digest(arrays: Iterable[NDArray[Any]]) -> str:
    """Return a digest of arrays: bytes, dtypes and shapes, in order."""
    found = hashlib.sha256()
    for array in arrays:
        found.update(f"{array.dtype.str} {array.shape};".encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()[:32]


def text_digest(text: str) -> str:
    """Return a digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def untimed(content: Any) -> Any:
    """Return a JSON value without the keys that hold times, at any depth."""
    if isinstance(content, dict):
        return {key: untimed(value) for key, value in content.items() if TIMED not in key}
    return [untimed(value) for value in content] if isinstance(content, list) else content


def numbers(result: Any) -> Any:
    """Return a dataclass of numbers, such as a certificate, as a JSON object without times."""
    return untimed(json.loads(json.dumps(asdict(result), default=_plain)))


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return digest([value])
    return str(value) if isinstance(value, Fraction) else repr(value)


def printed(text: str, folder: Path) -> Any:
    """Return what a command printed: an object, a list of lines, or the digest of many lines."""
    text = text.replace(str(folder), FOLDER)
    try:
        return untimed(json.loads(text))
    except ValueError:
        lines = [line.rstrip() for line in text.splitlines()]
        return lines if len(lines) <= LINES else text_digest(text)


def file_record(path: Path, folder: Path) -> Any:
    """Return what is kept of a file: a digest, of .npz files one for each array."""
    if path.name == KEPT_RUN or path.suffix in PICTURES:
        return "written"
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            return {name: _array_record(name, arrays[name], folder) for name in sorted(arrays.files)}
    if path.suffix == ".csv":
        return text_digest(_untimed_table(path.read_text()))
    return hashlib.sha256(path.read_bytes().replace(str(folder).encode(), FOLDER.encode())).hexdigest()[:32]


def _array_record(name: str, array: NDArray[Any], folder: Path) -> Any:
    """Return the digest of an array, or what is written in the head of a file."""
    return printed(array.tobytes().decode(), folder) if name == HEAD else digest([array])


def _untimed_table(text: str) -> str:
    rows = list(csv.reader(io.StringIO(text)))
    kept = [i for i, name in enumerate(rows[0]) if TIMED not in name]
    return "\n".join(",".join(row[i] for i in kept) for row in rows)


def differences(before: dict[str, Any], after: dict[str, Any]) -> Iterator[Difference]:
    """Yield every key of every case whose value changed, appeared or went."""
    for case in sorted(before.keys() | after.keys()):
        if case not in before or case not in after:
            yield Difference(case, (WHOLE,), *("kept" if case in m else None for m in (before, after)))
            continue
        old, new = dict(_leaves(before[case])), dict(_leaves(after[case]))
        for path in dict.fromkeys((*old, *new)):
            if old.get(path) != new.get(path):
                yield Difference(case, path, old.get(path), new.get(path))


def _leaves(content: Any, path: Keys = ()) -> Iterator[tuple[Keys, str]]:
    """Yield every value that is neither a full object nor a full list, as JSON, with the path to it."""
    if isinstance(content, dict) and content:
        for name, value in content.items():
            yield from _leaves(value, (*path, name))
    elif isinstance(content, list) and content:
        for i, value in enumerate(content):
            yield from _leaves(value, (*path, i))
    else:
        yield path, json.dumps(content)
