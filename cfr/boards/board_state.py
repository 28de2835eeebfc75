"""Config and state of regret minimisation on factored trees, with number formats of stored tables.

And what a result says of a run in fixed point.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args

import numpy as np

from treeplex.cfr.boards.board_arrays import FactoredArrays, Index, Root
from treeplex.cfr.boards.fixed_point import LARGEST_INTEGER, PAPER, FixedPoint
from treeplex.cfr.boards.regret_matching import FactoredMemory
from treeplex.cfr.drawn_choices import KEPT, LEARNED
from treeplex.cfr.engine import PACKED, check_done
from treeplex.cfr.local_rule import LocalRule, n_arrays
from treeplex.cfr.state_checks import (
    LARGEST,
    check_count,
    check_range,
    check_shape,
    check_size,
)
from treeplex.cfr.variant import PLUS, Matching, Variant, variant_named
from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import Units

Storage = Literal["float32", "int16", "int32", "float64"]
STORAGES: tuple[Storage, ...] = get_args(Storage)
LARGEST_FLOAT32 = float(np.finfo(np.float32).max)
LIMITS = {
    "float32": (0.0, 0.0),
    "int16": (32_767.0, 65_535.0),
    "int32": (0.0, 0.0),
    "float64": (0.0, 0.0),
}
"""Largest integers in which regrets and averages are stored times a scale of each decision; 0 for others."""
DTYPES = {
    "float32": ("float32", "float32"),
    "int16": ("int16", "uint16"),
    "int32": ("int32", "int32"),
    "float64": ("float64", "float64"),
}
"""The dtypes of regrets and averages."""
LARGEST_AVERAGES: dict[Storage, float] = {
    "float32": LARGEST_FLOAT32,
    "int16": LARGEST_FLOAT32,
    "int32": math.inf,
    "float64": float(np.finfo(np.float64).max),
}
"""Largest weighted sums of plans that are finite in each format; in fixed point larger ones are cut off."""
BYTES = {storage: sum(np.dtype(kind).itemsize for kind in kinds) for storage, kinds in DTYPES.items()}
"""Bytes per action of a hand on a board: one regret and one average."""
RULE_BYTES = 48
"""Bytes per action beside a local rule's arrays: play, averages, regrets, their sums and the strategy."""
DRIFT = 1.05
"""Averages may exceed the sum of the iterations' weights by this factor, as float32 are rounded each time."""


@dataclass(frozen=True)
class FactoredConfig:
    """A variant of regret matching, and the number format of its regrets and averages.

    Attributes
    ----------
    variant : Variant
        Both players by the same regret matching or local rule, alternating, the average of plans ``before``.
        It may be the last plan alone where regrets are never negative.
    storage : {"float32", "int16", "int32", "float64"}
        Of regrets and averages; 16-bit integers times a scale for each decision on each board; 32-bit
        integers in fixed point, for CFR+.
    fixed : FixedPoint
        The scales in fixed point.
    """

    variant: Variant
    storage: Storage = "float32"
    fixed: FixedPoint = PAPER

    def __post_init__(self) -> None:
        first, second = self.variant.minimisers
        average = self.variant.average
        if not is_on_boards(self.variant) and not (self.is_by_rule and first == second):
            raise BadInputError(
                f"both players must learn by the same regret matching, got {first} and {second}"
            )
        if self.variant.order != "alternating" or average.counted != "before":
            raise BadInputError(
                "updates must alternate and the average be of the plans before them, got "
                f"{self.variant.order} and {average}"
            )
        if self.storage not in STORAGES:
            raise BadInputError(f"storage must be one of {', '.join(STORAGES)}, got {self.storage!r}")
        if (self.is_last or self.storage == "int32") and first != PLUS:
            what = "the last plan alone" if self.is_last else "fixed point"
            raise BadInputError(f"on boards {what} is for cfr+, got {first}")
        if self.storage != "int32" and self.fixed != PAPER:
            raise BadInputError(f"scales and a warm-up are for the storage int32, got {self.storage}")

    @property
    def is_by_rule(self) -> bool:
        """Whether players learn by a local rule, which runs where hands are in buckets."""
        return isinstance(self.variant.minimisers[0], LocalRule)

    @property
    def n_arrays(self) -> int:
        """How many numbers are kept for each action where regret matching keeps a regret."""
        return n_arrays(self.variant.minimisers[0])

    @property
    def prediction(self) -> float:
        """The weight of the last regret as a prediction of the next."""
        matching = self.variant.minimisers[0]
        return matching.prediction if isinstance(matching, Matching) else 0.0

    @property
    def is_last(self) -> bool:
        """Whether the last plans are returned instead of an average."""
        return self.variant.average.is_last

    @property
    def averages(self) -> bool:
        """Whether averages are stored."""
        return not (self.is_last and self.storage == "int32")

    @property
    def most_iterations(self) -> int:
        """The most iterations whose plans averages can hold: the sum of their weights is still finite."""
        return self.variant.average.most_within(LARGEST_AVERAGES[self.storage] / DRIFT)

    @property
    def is_predictive(self) -> bool:
        """Whether play depends on predicted regrets, so that the last ones are stored."""
        return self.prediction > 0

    @property
    def gain_dtype(self) -> str:
        """The dtype of the last regrets, which predict."""
        return "float64" if self.storage == "float64" else "float32"

    @property
    def entry_bytes(self) -> int:
        """Bytes that are kept for each action of each hand on each board."""
        if self.is_by_rule:  # of a bucket for each hand
            return 8 * self.n_arrays + RULE_BYTES
        regret, total = (np.dtype(kind).itemsize for kind in DTYPES[self.storage])
        gain = np.dtype(self.gain_dtype).itemsize
        return regret + total * self.averages + gain * self.is_predictive


def check_last(config: FactoredConfig, last: int) -> None:
    """Refuse to run to an iteration at which averages are no longer finite; raises ``ValueError``."""
    average, most = config.variant.average, LARGEST_AVERAGES[config.storage] / DRIFT
    if average.is_within(most, last):
        return
    raise BadInputError(
        f"iterations must be at most {config.most_iterations:,} where averages by t^{average.exponent:g} are "
        f"kept in {config.storage}, got {last:,}"
    )


def is_on_boards(variant: Variant) -> bool:
    """Return whether both players learn by the same regret matching."""
    first, second = variant.minimisers
    return isinstance(first, Matching) and first == second


def factored_config(
    name: str,
    average: str | None = None,
    storage: Storage = "float32",
    fixed: FixedPoint = PAPER,
    horizon: int | None = None,
) -> FactoredConfig:
    """Return the config of a variant by its name; plans before updates are averaged.

    Raises
    ------
    ValueError
        If there is no such variant, average or storage, the variant is none of regret matching, or a horizon
        is given and the variant plans nothing.
    """
    variant = variant_named(name, average=average, counted="before", horizon=horizon)
    return FactoredConfig(variant, storage, fixed)


@dataclass(frozen=True, repr=False)
class FactoredState(Shown):
    """Both players' tables after some iterations.

    Attributes
    ----------
    iterations : int
        Number of iterations done.
    memories : pair of FactoredMemory
    saturated : (2,) int64
        Number of times that a regret and an average were too large for fixed point, over all iterations.
    """

    iterations: int
    memories: tuple[FactoredMemory, FactoredMemory] = field(metadata=PACKED)
    saturated: Index

    def brief(self) -> str:
        """Return the number of iterations."""
        return f"{self.iterations:,} iterations"


def fresh_state(arrays: FactoredArrays, config: FactoredConfig) -> FactoredState:
    """Return the state before the first iteration: all regrets and averages zero."""
    first, second = (fresh_memory(arrays, p, config) for p in (0, 1))
    return FactoredState(0, (first, second), np.zeros(2, np.int64))


def fresh_memory(arrays: FactoredArrays, player: int, config: FactoredConfig) -> FactoredMemory:
    """Return one player's zeros."""
    side = arrays.sides[player]
    slots, steps = int(side.slot_base[-1]), int(side.step_base[-1])
    regret, total = DTYPES[config.storage]
    learned, averaged, predicted = root_sizes(side.root, config)
    return FactoredMemory(
        regret=np.zeros(slots, regret),
        total=np.zeros(slots if config.averages else 0, total),
        gain=np.zeros(slots if config.is_predictive else 0, config.gain_dtype),
        regret_scale=np.ones(steps, np.float32),
        total_scale=np.ones(steps, np.float32),
        root_regret=np.zeros(learned),
        root_total=np.zeros(averaged),
        root_gain=np.zeros(predicted),
    )


def root_sizes(root: Root, config: FactoredConfig) -> tuple[int, int, int]:
    """Return the lengths of what is learned, averaged and predicted at root decisions."""
    drawn, n = len(root.drawn.mean), len(root.stay)
    if drawn:
        return 1 + LEARNED * drawn, 1 + KEPT * drawn, 0
    return n, n, n if config.is_predictive else 0


def check_state(arrays: FactoredArrays, state: FactoredState, config: FactoredConfig) -> None:
    """Refuse a state of another tree or storage with ``ValueError``: the kernels check no bounds."""
    check_done(state)
    check_shape("saturated", state.saturated, (2,))
    for p, memory in enumerate(state.memories):
        check_memory(arrays, p, memory, config)


def check_memory(arrays: FactoredArrays, player: int, memory: FactoredMemory, config: FactoredConfig) -> None:
    """Refuse one player's tables of another tree or storage with ``ValueError``."""
    side, floats = arrays.sides[player], (config.gain_dtype, *["float32"] * 2, *["float64"] * 3)
    kinds = *DTYPES[config.storage], *floats
    slots, steps = int(side.slot_base[-1]), int(side.step_base[-1])
    predicted, averaged = (slots if kept else 0 for kept in (config.is_predictive, config.averages))
    lengths = slots, averaged, predicted, steps, steps, *root_sizes(side.root, config)
    for (name, kept), n, kind in zip(memory._asdict().items(), lengths, kinds, strict=True):
        if (kept.shape, kept.dtype.name) != ((n,), kind):
            raise BadInputError(
                f"the state must be of the same tree and storage: player {player}'s {name} must be ({n},) "
                f"{kind}, got {kept.shape} {kept.dtype}"
            )


def check_ranges(state: FactoredState, config: FactoredConfig) -> None:
    """Refuse numbers that no state has with ``ValueError``; shapes and number formats as they must be."""
    check_count("iterations", state.iterations)
    tables = sum(len(memory.regret) for memory in state.memories) if config.storage == "int32" else 0
    check_range("saturated", state.saturated, 0, state.iterations * tables)
    for p, memory in enumerate(state.memories):
        check_numbers(p, memory, config, state.iterations)


def check_numbers(p: int, memory: FactoredMemory, config: FactoredConfig, iterations: int) -> None:
    """Refuse numbers that no tables of player ``p`` have with ``ValueError``."""
    average = DRIFT * (iterations if config.is_last else config.variant.average.total(iterations))
    most_regret, most_total = LIMITS[config.storage]
    largest = LARGEST["float32"] / max(1.0, most_regret)
    scaled = most_regret > 0.0
    check_size(f"player {p}'s gain", memory.gain)
    check_size(f"player {p}'s root_gain", memory.root_gain)
    check_size(f"player {p}'s root_regret", memory.root_regret)
    check_range(f"player {p}'s root_total", memory.root_total, 0.0, average)
    if config.storage == "int32":
        check_range(f"player {p}'s regret", memory.regret, 0, LARGEST_INTEGER)
        check_range(f"player {p}'s total", memory.total, 0, LARGEST_INTEGER)
    elif not scaled:
        check_size(f"player {p}'s regret", memory.regret)
        check_range(f"player {p}'s total", memory.total, 0.0, average)
    if not scaled:
        check_range(f"player {p}'s regret_scale", memory.regret_scale, 1.0, 1.0)
        check_range(f"player {p}'s total_scale", memory.total_scale, 1.0, 1.0)
    else:
        check_range(f"player {p}'s regret", memory.regret, -most_regret, most_regret)
        check_range(f"player {p}'s regret_scale", memory.regret_scale, 0.0, largest)
        check_range(f"player {p}'s total_scale", memory.total_scale, 0.0, max(1.0, average / most_total))


@dataclass(frozen=True, kw_only=True, repr=False)
class FixedPointFacts(Shown):
    """The scales of a run in fixed point, and how often they were too large.

    Attributes
    ----------
    fixed : FixedPoint
        With the scales of all streets.
    regrets, averages : int
        How often a regret and an average were cut off at the largest int32, over all iterations.
    """

    fixed: FixedPoint
    regrets: int
    averages: int

    @staticmethod
    def of(config: FactoredConfig, state: "Saturating") -> "FixedPointFacts":
        """Return what is to be said of a run in fixed point."""
        regrets, averages = state.saturated.tolist()
        return FixedPointFacts(fixed=config.fixed, regrets=regrets, averages=averages)

    def brief(self) -> str:
        """Return how often numbers were cut off."""
        return f"{self.regrets:,} regrets and {self.averages:,} averages cut off"

    def rows(self, units: Units) -> Iterator[tuple[str, str]]:
        """Yield names and values as results show them."""
        scales, averages = self.fixed.scales, self.fixed.average_scales
        yield "scales", f"{_listed(scales)} a chip of regret, {_listed(averages)} a plan"
        if self.fixed.warm_up:
            yield "warm-up", f"{self.fixed.warm_up:,} iterations"
        yield "saturations", f"{self.regrets:,} of regrets, {self.averages:,} of averages"

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of it."""
        fixed_point = {
            "scales": list(self.fixed.scales or ()),
            "average_scales": list(self.fixed.average_scales or ()),
            "warm_up": self.fixed.warm_up,
            "saturations": {"regrets": self.regrets, "averages": self.averages},
        }
        return {"fixed_point": fixed_point}


class Saturating(Protocol):
    """A state that counts what was too large for its integers."""

    @property
    def saturated(self) -> Index:
        """How often a regret and an average were, (2,) int64."""


def _listed(scales: tuple[float, ...] | None) -> str:
    return ", ".join(f"{scale:g}" for scale in scales or ())
