"""Random numbers of sampled traversals by splitmix64, and sampling of children of chance draws."""

from typing import Any

import numpy as np
from numba import njit

from treeplex.cfr.monte_carlo.arrays import SampledTree
from treeplex.seqform.forms.treeplex import Floats

GAMMA, FIRST, SECOND = (np.uint64(k) for k in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
S11, S27, S30, S31 = (np.uint64(k) for k in (11, 27, 30, 31))


@njit(cache=True)
def mixed(z: Any) -> Any:
    """Return the output of splitmix64 for a state, both uint64.

    Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014.
    """
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    return z ^ (z >> S31)


@njit(cache=True)
def fill(start: Any, drawn: int, draws: Floats) -> None:
    """Write a stream's numbers after the first ``drawn``: uniform on [0, 1), multiples of 2**-53.

    The state of splitmix64 is a counter, so a stream can be continued from any position.
    """
    state = start + np.uint64(drawn) * GAMMA
    for k in range(len(draws)):
        state += GAMMA
        draws[k] = np.float64(mixed(state) >> S11) * 2.0**-53


@njit(cache=True, error_model="numpy")
def drawn_child(tree: SampledTree, node: Any, u: float) -> Any:
    """Return the first child of a draw whose cumulative probability exceeds u."""
    cell = np.uint32(u * np.float64(1 << tree.nodes[node].bits))
    child = tree.nodes[node].first + tree.guide[tree.nodes[node].base + cell]
    while tree.nodes[child].cumulative <= u:
        child += np.uint32(1)
    return child
