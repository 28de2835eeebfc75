"""The state of bucket sampling: tables of all public clusters, and counts.

And what is done to whole tables at the ends of batches and of periods.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig
from treeplex.cfr.bucket_sampling.sampler_layout import BlueprintLayout
from treeplex.cfr.bucket_sampling.sampler_walk import LARGEST, LOWEST, positive_sum
from treeplex.cfr.engine import PACKED
from treeplex.cfr.sampling.poker_infosets import SHOWDOWN, Records
from treeplex.cfr.state_checks import check_count, check_range, check_shape
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.treeplex import Index

DTYPES = {"counts": np.dtype(np.int32), "snapshots": np.dtype(np.float32)}
"""Of sums of strategies."""


@dataclass(frozen=True)
class BlueprintState:
    """The state between traversals; a run continued from it is bitwise that of an unbroken run.

    Attributes
    ----------
    iterations : int
        Number of traversals done.
    visited : int
        Number of decisions of both players that these visited.
    saturated : int
        Number of times that a regret or a count was cut off at the largest int32.
    regret : (clusters, L) int32
        In the layout's units; see :class:`treeplex.cfr.bucket_sampling.sampler_layout.BlueprintLayout`. What
        all clusters share is the same in all rows.
    gain : (clusters, P) int64
        Regrets of what they share since the batch began, in units.
    total : (clusters, L) int32 or float32
        Sums of strategies; those of what is shared add up over clusters.
    """

    iterations: int
    visited: int
    saturated: int
    regret: NDArray[np.int32] = field(metadata=PACKED)
    gain: Index
    total: NDArray[Any] = field(metadata=PACKED)

    @property
    def n_bytes(self) -> int:
        """Bytes of the tables."""
        return self.regret.nbytes + self.gain.nbytes + self.total.nbytes


def fresh_state(layout: BlueprintLayout, config: BlueprintConfig) -> BlueprintState:
    """Return the state before the first traversal: all zero."""
    count = layout.clusters.count
    return BlueprintState(
        iterations=0,
        visited=0,
        saturated=0,
        regret=np.zeros((count, layout.length), np.int32),
        gain=np.zeros((count, layout.shared), np.int64),
        total=np.zeros((count, layout.length), DTYPES[config.average]),
    )


def state_bytes(layout: BlueprintLayout) -> int:
    """Return the bytes of a state's tables."""
    return layout.clusters.count * 8 * (layout.length + layout.shared)


def check_shapes(layout: BlueprintLayout, config: BlueprintConfig, state: BlueprintState) -> None:
    """Refuse the state of another game or config with ``ValueError``: kernels check no bounds."""
    count = layout.clusters.count
    check_shape("regret", state.regret, (count, layout.length))
    check_shape("gain", state.gain, (count, layout.shared))
    check_shape("total", state.total, (count, layout.length))
    kinds = np.dtype(np.int32), np.dtype(np.int64), DTYPES[config.average]
    for name, kind in zip(("regret", "gain", "total"), kinds, strict=True):
        if (found := getattr(state, name).dtype) != kind:
            raise BadInputError(f"{name} must be {kind}, got {found}")


def check_state(layout: BlueprintLayout, config: BlueprintConfig, state: BlueprintState, floor: int) -> None:
    """Refuse a damaged state with ``ValueError``; ``floor`` is the lowest regret in units."""
    check_count("iterations", state.iterations)
    check_count("visited", state.visited)
    check_count("saturated", state.saturated, most=state.visited * int(layout.nodes["count"].max()))
    check_shapes(layout, config, state)
    since = state.iterations % config.batch
    most = since * (int(2 * layout.stake) + 1)
    for c in range(layout.clusters.count):
        check_range(f"regret of cluster {c}", state.regret[c], floor, LARGEST)
        check_range(f"gain of cluster {c}", state.gain[c], -most, most)
        check_range(f"total of cluster {c}", state.total[c], 0, LARGEST)
    if (state.regret[:, : layout.shared] != state.regret[:1, : layout.shared]).any():
        raise BadInputError("regrets of the first street must be the same in all clusters")


def floor_of(layout: BlueprintLayout, config: BlueprintConfig) -> int:
    """Return the lowest regret, in units: that of the pruning or of int32."""
    if config.pruning is None:
        return LOWEST
    return int(max(config.pruning.floor * layout.stake, LOWEST))


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
