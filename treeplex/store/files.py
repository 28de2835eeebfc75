"""Arrays and a head of JSON as .npz files."""

import json
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
