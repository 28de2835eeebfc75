"""Arrays and a head of JSON as .npz files."""

import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.outputs.writing import write_bytes


def write_arrays(path: str | Path, head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays and a head of JSON to an .npz file; raises what :func:`write_bytes` raises."""
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    write_bytes(path, lambda file: np.savez(file, head=text, **arrays))  # type: ignore[arg-type]


def read_arrays(path: Path, what: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the head and the arrays of a file that :func:`write_arrays` wrote: zip has checksums.

    Raises
    ------
    ValueError
        If the file cannot be read, or is none of ``what``, such as ``checkpoint of a run``.
    """
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as whole:
            if whole.testzip() is not None:
                raise zipfile.BadZipFile
            file.seek(0)
            arrays = dict(np.load(file, allow_pickle=False))
            head = json.loads(arrays.pop("head").tobytes().decode())
            if not isinstance(head, dict):
                raise TypeError
            return head, arrays
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror or error}") from error
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, RuntimeError, EOFError, zlib.error) as error:
        raise ValueError(f"{path} is no {what}") from error
