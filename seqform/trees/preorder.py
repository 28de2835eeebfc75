"""Trees as arrays of parents, nodes numbered in preorder."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


def children_of(parent: NDArray[np.int32]) -> tuple[NDArray[np.int32], ...]:
    """Return the children of each of N nodes, ascending, from their parents (N,); the root's is -1."""
    order = np.argsort(parent[1:], kind="stable") + 1
    cuts = np.searchsorted(parent[1:][order - 1], np.arange(len(parent) + 1))
    return tuple(order[a:b].astype(np.int32) for a, b in pairwise(cuts))
