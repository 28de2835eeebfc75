"""Config and state of regret minimisation on factored trees, with the number formats of stored tables."""

from dataclasses import dataclass
from math import isinf
from typing import Literal, get_args

import numpy as np

from treeplex.cfr.engine import PairState, check_done
from treeplex.cfr.factored.layout.arrays import FactoredArrays
from treeplex.cfr.factored.regret_matching import FactoredMemory
from treeplex.cfr.state_checks import LARGEST, check_count, check_range, check_size, sum_of_weights
from treeplex.cfr.variants.variant import Matching, Variant, variant_named

Storage = Literal["float32", "int16"]
STORAGES: tuple[Storage, ...] = get_args(Storage)
LIMITS = {"float32": (0.0, 0.0), "int16": (32_767.0, 65_535.0)}
"""Largest integers in which regrets and averages are stored; 0 for floats."""
BYTES = {"float32": 8, "int16": 4}
"""Bytes per action of a hand on a board: one regret and one average."""
DRIFT = 1.05
"""Averages may exceed the sum of the iterations' weights by this factor, as float32 are rounded each time."""


@dataclass(frozen=True)
class FactoredConfig:
    """A variant of regret matching, and the number format of its regrets and averages.

    Attributes
    ----------
    variant : Variant
        Both players by the same regret matching, alternating, the average finite and of plans ``before``.
    storage : {"float32", "int16"}
        Of regrets and averages; 16-bit integers times a scale for each decision on each board.
    """

    variant: Variant
    storage: Storage = "float32"

    def __post_init__(self) -> None:
        first, second = self.variant.minimisers
        average = self.variant.average
        if not isinstance(first, Matching) or first != second:
            raise ValueError(f"both players must learn by the same regret matching, got {first} and {second}")
        if self.variant.order != "alternating" or average.counted != "before" or isinf(average.exponent):
            raise ValueError(
                "updates must alternate and the average be finite and of the plans before them, got "
                f"{self.variant.order} and {average}"
            )
        if self.storage not in STORAGES:
            raise ValueError(f"storage must be one of {', '.join(STORAGES)}, got {self.storage!r}")

    @property
    def prediction(self) -> float:
        """The weight of the last regret as a prediction of the next."""
        matching = self.variant.minimisers[0]
        assert isinstance(matching, Matching)
        return matching.prediction

    @property
    def is_predictive(self) -> bool:
        """Whether play depends on predicted regrets, so that the last ones are stored."""
        return self.prediction > 0


def factored_config(name: str, average: str | None = None, storage: Storage = "float32") -> FactoredConfig:
    """Return the config of a variant by its name; plans before updates are averaged.

    Raises
    ------
    ValueError
        If there is no such variant, average or storage, or the variant is none of regret matching.
    """
    if average == "last":
        raise ValueError("on boards the average must be of all iterations, got 'last'")
    return FactoredConfig(variant_named(name, average=average, counted="before"), storage)


FactoredState = PairState[FactoredMemory]


def fresh_state(arrays: FactoredArrays, config: FactoredConfig) -> FactoredState:
    """Return the state before the first iteration: all regrets and averages zero."""
    first, second = (fresh_memory(arrays, p, config) for p in (0, 1))
    return PairState(0, (first, second))


def fresh_memory(arrays: FactoredArrays, player: int, config: FactoredConfig) -> FactoredMemory:
    """Return one player's zeros."""
    side = arrays.sides[player]
    slots, steps = int(side.slot_base[-1]), int(side.step_base[-1])
    regret, total = (np.float32, np.float32) if config.storage == "float32" else (np.int16, np.uint16)
    n_root = len(side.root.stay)
    return FactoredMemory(
        regret=np.zeros(slots, regret),
        total=np.zeros(slots, total),
        gain=np.zeros(slots if config.is_predictive else 0, np.float32),
        regret_scale=np.ones(steps, np.float32),
        total_scale=np.ones(steps, np.float32),
        root_regret=np.zeros(n_root),
        root_total=np.zeros(n_root),
        root_gain=np.zeros(n_root if config.is_predictive else 0),
    )


def check_state(arrays: FactoredArrays, state: FactoredState, config: FactoredConfig) -> None:
    """Refuse a state of another tree or storage with ``ValueError``: the kernels check no bounds."""
    check_done(state)
    for p, memory in enumerate(state.memories):
        check_memory(arrays, p, memory, config)


def check_memory(arrays: FactoredArrays, player: int, memory: FactoredMemory, config: FactoredConfig) -> None:
    """Refuse one player's tables of another tree or storage with ``ValueError``."""
    floats, side = config.storage == "float32", arrays.sides[player]
    stored = ("float32", "float32") if floats else ("int16", "uint16")
    kinds = (*stored, *["float32"] * 3, *["float64"] * 3)
    slots, steps, n_root = int(side.slot_base[-1]), int(side.step_base[-1]), len(side.root.stay)
    predicted, root_predicted = (slots, n_root) if config.is_predictive else (0, 0)
    lengths = slots, slots, predicted, steps, steps, n_root, n_root, root_predicted
    for (name, kept), n, kind in zip(memory._asdict().items(), lengths, kinds, strict=True):
        if (kept.shape, kept.dtype.name) != ((n,), kind):
            raise ValueError(
                f"the state must be of the same tree and storage: player {player}'s {name} must be ({n},) "
                f"{kind}, got {kept.shape} {kept.dtype}"
            )


def check_ranges(state: FactoredState, config: FactoredConfig) -> None:
    """Refuse numbers that no state has with ``ValueError``; shapes and number formats as they must be."""
    check_count("iterations", state.iterations)
    for p, memory in enumerate(state.memories):
        check_numbers(p, memory, config, state.iterations)


def check_numbers(p: int, memory: FactoredMemory, config: FactoredConfig, iterations: int) -> None:
    """Refuse numbers that no tables of player ``p`` have with ``ValueError``."""
    average = DRIFT * sum_of_weights(config.variant.average.exponent, iterations)
    most_regret, most_total = LIMITS[config.storage]
    largest = LARGEST["float32"] / max(1.0, most_regret)
    check_size(f"player {p}'s gain", memory.gain)
    check_size(f"player {p}'s root_gain", memory.root_gain)
    check_size(f"player {p}'s root_regret", memory.root_regret)
    check_range(f"player {p}'s root_total", memory.root_total, 0.0, average)
    if config.storage == "float32":
        check_size(f"player {p}'s regret", memory.regret)
        check_range(f"player {p}'s total", memory.total, 0.0, average)
        check_range(f"player {p}'s regret_scale", memory.regret_scale, 1.0, 1.0)
        check_range(f"player {p}'s total_scale", memory.total_scale, 1.0, 1.0)
    else:
        check_range(f"player {p}'s regret", memory.regret, -most_regret, most_regret)
        check_range(f"player {p}'s regret_scale", memory.regret_scale, 0.0, largest)
        check_range(f"player {p}'s total_scale", memory.total_scale, 0.0, max(1.0, average / most_total))
