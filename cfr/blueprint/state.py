"""The state of a blueprint: tables of all public clusters, and counts."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.blueprint.config import BlueprintConfig
from treeplex.cfr.blueprint.tables.layout import BlueprintLayout
from treeplex.cfr.blueprint.tables.walk import LARGEST, LOWEST
from treeplex.cfr.engine import PACKED
from treeplex.cfr.state_checks import check_count, check_range, check_shape
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
        In the layout's units; see :class:`treeplex.cfr.blueprint.tables.layout.BlueprintLayout`. What all
        clusters share is the same in all rows.
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
            raise ValueError(f"{name} must be {kind}, got {found}")


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
        raise ValueError("regrets of the first street must be the same in all clusters")


def floor_of(layout: BlueprintLayout, config: BlueprintConfig) -> int:
    """Return the lowest regret, in units: that of the pruning or of int32."""
    if config.pruning is None:
        return LOWEST
    return int(max(config.pruning.floor * layout.stake, LOWEST))
