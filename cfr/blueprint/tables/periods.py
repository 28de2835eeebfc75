"""What is done to whole tables at the ends of batches and of periods."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.blueprint.tables.walk import LARGEST, positive_sum
from treeplex.cfr.monte_carlo.poker.lines import SHOWDOWN, Records
from treeplex.seqform.forms.treeplex import Index


def add_gains(regret: NDArray[np.int32], gain: Index, floor: int) -> int:
    """Add the gains of all clusters to the regrets that these share, and set them to 0.

    Parameters
    ----------
    regret : (clusters, L) int32
    gain : (clusters, P) int64
    floor : int
        Lowest regret, in units.

    Returns
    -------
    int
        How many regrets were cut off at ``LARGEST``.
    """
    shared = gain.shape[1]
    total = regret[0, :shared] + gain.sum(axis=0)
    regret[:, :shared] = np.clip(total, floor, LARGEST)
    gain[:] = 0
    return int((total > LARGEST).sum())


@njit(cache=True, nogil=True)
def discount(regret: NDArray[np.int32], factor: float) -> None:
    """Multiply regrets (L,) by a factor of at most 1, rounded to integers."""
    for k in range(len(regret)):
        regret[k] = np.int32(np.rint(regret[k] * factor))


@njit(cache=True, nogil=True, error_model="numpy")
def add_snapshot(
    nodes: Records, counts: Index, regret: NDArray[np.int32], total: NDArray[np.float32], weight: float
) -> None:
    """Add the current strategy at every row of a cluster's tables (L,) with a weight.

    ``counts`` are the numbers of buckets of the streets.
    """
    for line in range(len(nodes)):
        if nodes[line].kind >= SHOWDOWN:
            continue
        n, base = nodes[line].count, nodes[line].base
        for bucket in range(counts[nodes[line].street]):
            row = base + bucket * n
            mass = positive_sum(regret, row, n)
            for a in range(n):
                share = max(regret[row + a], 0) / mass if mass > 0 else 1.0 / n
                total[row + a] += np.float32(weight * share)


def discount_factor(number: int, linear_periods: int) -> float:
    """Return by what regrets are multiplied at the end of period ``number``, from 1: n / (n + 1), then 1."""
    return number / (number + 1) if number < linear_periods else 1.0
