"""What a run on betting times boards remembers, and in which numbers."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from treeplex.cfr.factored.arrays import FactoredArrays
from treeplex.cfr.factored.learning import Tables
from treeplex.cfr.variants.variant import Matching, Variant

Storage = Literal["float32", "int16"]
LIMITS = {"float32": (0.0, 0.0), "int16": (32_767.0, 65_535.0)}
"""The largest integers that regrets and averages are kept as; 0 where they are kept as floats."""
BYTES = {"float32": 8, "int16": 4}
"""What a hand's action on a board takes: a regret and an average."""


@dataclass(frozen=True)
class FactoredState:
    """Everything that a later iteration depends on; going on from it equals never having stopped.

    Attributes
    ----------
    variant : Variant
    storage : {"float32", "int16"}
    iterations : int
        Done so far.
    tables : pair of Tables
    """

    variant: Variant
    storage: Storage
    iterations: int
    tables: tuple[Tables, Tables]


def no_state(variant: Variant, storage: Storage) -> FactoredState:
    """Return a state of no iterations, its tables empty: what a state that is read from a file is like."""
    tables = _tables(0, 0, variant, storage)
    return FactoredState(variant, storage, 0, (tables, tables))


def fresh_state(arrays: FactoredArrays, variant: Variant, storage: Storage) -> FactoredState:
    """Return the state before the first iteration: no regret, nothing counted."""
    ends = [side.base[-1].tolist() for side in arrays.sides]
    first, second = (_tables(slots, steps, variant, storage) for slots, steps in ends)
    return FactoredState(variant, storage, 0, (first, second))


def _tables(slots: int, steps: int, variant: Variant, storage: Storage) -> Tables:
    regret, total = (np.float32, np.float32) if storage == "float32" else (np.int16, np.uint16)
    return Tables(
        regret=np.zeros(slots, regret),
        total=np.zeros(slots, total),
        gain=np.zeros(slots if is_predictive(variant) else 0, np.float32),
        regret_scale=np.ones(steps, np.float32),
        total_scale=np.ones(steps, np.float32),
    )


def is_predictive(variant: Variant) -> bool:
    """Return whether the last regrets are expected once more, and so kept."""
    matching = variant.minimisers[0]
    return isinstance(matching, Matching) and matching.prediction > 0


def check_state(arrays: FactoredArrays, state: FactoredState, variant: Variant, storage: Storage) -> None:
    """Refuse a state of another run with ``ValueError``: the kernels check no bounds."""
    if (state.variant, state.storage) != (variant, storage):
        raise ValueError(f"the state is of {state.variant} in {state.storage}, got {variant} in {storage}")
    if state.iterations < 0:
        raise ValueError(f"a state's iterations must not be negative, got {state.iterations}")
    for p, pair in enumerate(zip(state.tables, fresh_state(arrays, variant, storage).tables, strict=True)):
        for name, kept, fresh in zip(Tables._fields, *pair, strict=True):
            if (kept.shape, kept.dtype) != (fresh.shape, fresh.dtype):
                raise ValueError(
                    f"the state must be of the same tree: player {p}'s {name} must be {fresh.shape} "
                    f"{fresh.dtype}, got {kept.shape} {kept.dtype}"
                )
