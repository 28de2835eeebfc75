"""Digests of arrays and of what describes them."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def digest_of(head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return the SHA-256 digest of a head and of the names, dtypes, shapes and entries of arrays."""
    whole = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
    for name in sorted(arrays):
        array = arrays[name]
        whole.update(f"\0{name} {np.lib.format.dtype_to_descr(array.dtype)} {array.shape}\0".encode())
        whole.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return whole.hexdigest()
