"""The config of bucket sampling: all that changes a run's bits, beside the game and its abstraction.

Pruning: own actions of large negative regret are skipped, in the two published ways.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, cast, get_args

from treeplex.cfr.engine import check_seed
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_types, check_word
from treeplex.games.base.reading import shown
from treeplex.games.formats.spec_text import parse_keys

NEVER, BY_REGRET, BY_COIN = 0, 1, 2
"""Kinds of pruning, as kernels read them."""


class PrunedBuckets(NamedTuple):
    """Pruning as kernels read it, regrets in the units of tables."""

    kind: int
    threshold: float
    constant: float
    least: float
    share: float
    last_street: int


UNPRUNED = PrunedBuckets(NEVER, 0.0, 1.0, 1.0, 0.0, 0)
"""All own actions are tried."""


def _check_threshold(threshold: float) -> None:
    if not -math.inf < threshold < 0.0:
        raise BadInputError(f"threshold must be below 0 and finite, got {threshold}")


def _check_start(start: int) -> None:
    if start < 0:
        raise BadInputError(f"start must be at least 0, got {start}")


@dataclass(frozen=True)
class LibratusPruning:
    """An own action of regret R below the threshold C is tried with probability ``K / (K + C - R)``.

    Brown and Sandholm, Superhuman AI for heads-up no-limit poker: Libratus beats top professionals (2018),
    note 39, which names no numbers. What is not tried keeps its regrets, and so does everything below it;
    increments are not divided by the probability. Where no regret is positive all actions are tried.

    Attributes
    ----------
    threshold : float
        C, below 0, in largest stakes of the game: regrets are totals over traversals, weighted as these are,
        and their noise grows with the root of the visits, which C must exceed.
    constant : float
        K, above 0, in largest stakes.
    least : float
        The least probability, in (0, 1].
    start : int
        Number of traversals without pruning at the start.
    """

    threshold: float = -230.0
    constant: float = 2300.0
    least: float = 0.05
    start: int = 0

    def __post_init__(self) -> None:
        _check_threshold(self.threshold)
        if not 0.0 < self.constant < math.inf:
            raise BadInputError(f"constant must be above 0 and finite, got {self.constant}")
        if not 0.0 < self.least <= 1.0:
            raise BadInputError(f"least must be above 0 and at most 1, got {self.least}")
        _check_start(self.start)

    @property
    def kind(self) -> str:
        """The name of the rule."""
        return "libratus"

    @property
    def floor(self) -> float:
        """The lowest regret, in largest stakes: no other than that of the tables."""
        return -math.inf

    def numbers(self, stake: float, last_street: int) -> PrunedBuckets:
        """Return the rule as kernels read it; ``stake`` is the largest stake in units of regrets."""
        return PrunedBuckets(
            BY_REGRET, self.threshold * stake, self.constant * stake, self.least, 1.0, last_street
        )


@dataclass(frozen=True)
class PluribusPruning:
    """In most traversals own actions of regret below the threshold C are skipped, in the others none.

    Brown and Sandholm, Superhuman AI for multiplayer poker (2019): not on the last street, nor where the
    action ends the hand. Where no regret is positive all actions are tried.

    Attributes
    ----------
    threshold : float
        C, below 0, in largest stakes of the game, as for :class:`LibratusPruning`.
    floor : float
        The lowest regret, in largest stakes, at most the threshold: just below it actions come back soon.
        Pluribus has C = -300 and this floor -310 million chips, with stacks of 10,000.
    share : float
        The probability with which a traversal skips, in [0, 1].
    start : int
        Number of traversals without pruning at the start.
    """

    threshold: float = -230.0
    floor: float = -238.0
    share: float = 0.95
    start: int = 0

    def __post_init__(self) -> None:
        _check_threshold(self.threshold)
        if not -math.inf < self.floor <= self.threshold:
            raise BadInputError(f"floor must be finite and at most {self.threshold:g}, got {self.floor}")
        if not 0.0 <= self.share <= 1.0:
            raise BadInputError(f"share must be between 0 and 1, got {self.share}")
        _check_start(self.start)

    @property
    def kind(self) -> str:
        """The name of the rule."""
        return "pluribus"

    def numbers(self, stake: float, last_street: int) -> PrunedBuckets:
        """Return the rule as kernels read it; ``stake`` is the largest stake in units of regrets."""
        return PrunedBuckets(BY_COIN, self.threshold * stake, 1.0, 0.0, self.share, last_street)


BlueprintPruning = LibratusPruning | PluribusPruning
PRUNINGS: Mapping[str, BlueprintPruning] = MappingProxyType(
    {one.kind: one for one in (LibratusPruning(), PluribusPruning())}
)
"""Both rules by their names."""


def pruning_named(text: str) -> BlueprintPruning:
    """Return the rule that a text names, its numbers written as in specs.

    >>> pruning_named("pluribus(threshold=-100,share=0.9)")
    PluribusPruning(threshold=-100.0, floor=-238.0, share=0.9, start=0)

    Raises
    ------
    ValueError
        If there is no such rule or number, or a number is out of range.
    """
    named = re.fullmatch(r"(\w+)\s*(\(.*\))?", text.strip(), re.DOTALL)
    name = named[1] if named else text
    check_word("pruning", name, tuple(PRUNINGS))
    rule = PRUNINGS[name]
    values = parse_keys((named and named[2]) or "()")
    for key in values:
        if key not in (legal := [field.name for field in fields(rule)]):
            raise BadInputError(f"pruning: {name} takes {', '.join(legal)}, got {shown(key)}")
    try:
        check_types(type(rule), values)
        given: Any = {key: _number(getattr(rule, key), value) for key, value in values.items()}
        return replace(rule, **given)
    except ValueError as error:
        raise BadInputError(f"pruning: {name}: {error}") from None


def _number(plain: float, value: Any) -> float:
    """Return a number in the type of a rule's own; infinite what is beyond floats, which rules refuse."""
    if isinstance(plain, int):
        return int(value)
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


BlueprintAverage = Literal["counts", "snapshots"]
AVERAGES: tuple[BlueprintAverage, ...] = get_args(BlueprintAverage)
MOST_CLUSTERS = 1024
MOST_PERIODS = 1 << 15
"""Limit on the weight of a traversal, so that counts have room for many of them."""


@dataclass(frozen=True)
class BlueprintConfig:
    """Seed, ownership, weights, averages and pruning of a blueprint.

    Attributes
    ----------
    seed : int
        Of the random numbers, 0 to 2**64 - 1; those of a traversal are a function of seed and number.
    clusters : int
        Number of public clusters of the first board cards, at most as many as there are classes of these
        cards. Each has tables of its own after the first street: buckets of two clusters are different
        buckets. 1 to ``MOST_CLUSTERS``.
    batch : int
        Traversals during which the first street's regrets stay as they are, if there are several clusters.
        Small games need few, so that what is played before the first board cards follows soon.
    period : int
        Traversals of one weight, a multiple of ``batch``.
    linear_periods : int
        Traversals of period n = 1, 2, ... have weight ``min(n, linear_periods)`` in regrets and averages: 1
        is no weighting, ``MOST_PERIODS`` linear weighting throughout. Regrets are multiplied by n / (n + 1)
        at the end of period n (Brown and Sandholm, Superhuman AI for multiplayer poker, 2019, by minutes).
    average : {"counts", "snapshots"}
        How strategies are averaged: ``counts`` of the actions that were sampled for the player who does not
        update, in expectation the player's own reach times the strategy; ``snapshots``, the mean of the
        strategies at the ends of periods, whatever their reach, which no theorem covers.
    pruning : LibratusPruning or PluribusPruning, optional
    abstraction : str
        The identity of the card abstraction, which ``bucket_sampler.prepare`` writes here.
    """

    seed: int = 0
    clusters: int = 6
    batch: int = 10_000
    period: int = 1_000_000
    linear_periods: int = MOST_PERIODS
    average: BlueprintAverage = "counts"
    pruning: BlueprintPruning | None = None
    abstraction: str = ""

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if not 1 <= self.clusters <= MOST_CLUSTERS:
            raise BadInputError(f"clusters must be between 1 and {MOST_CLUSTERS:,}, got {self.clusters:,}")
        if self.batch < 1:
            raise BadInputError(f"batch must be at least 1, got {self.batch:,}")
        if self.period < 1 or self.period % self.batch:
            raise BadInputError(
                f"period must be a multiple of the batch, {self.batch:,}, got {self.period:,}"
            )
        if not 1 <= self.linear_periods <= MOST_PERIODS:
            raise BadInputError(
                f"linear_periods must be between 1 and {MOST_PERIODS:,}, got {self.linear_periods:,}"
            )
        if self.average not in AVERAGES:
            raise BadInputError(f"average must be one of {', '.join(AVERAGES)}, got {self.average!r}")

    def weight(self, iterations: int) -> int:
        """Return the weight of the traversal after so many."""
        return min(iterations // self.period + 1, self.linear_periods)


def blueprint_config(
    *,
    seed: int = 0,
    clusters: int | None = None,
    batch: int | None = None,
    period: int | None = None,
    average: str = "linear",
    averaged: str = AVERAGES[0],
    pruning: str | None = None,
) -> BlueprintConfig:
    """Return the config that words and numbers choose; None is the default.

    Parameters
    ----------
    seed, clusters, batch : int
        As in the config.
    period : int
        The largest multiple of the batch up to the default unless given, at least one batch.
    average : {"linear", "uniform"}
        Weights of periods.
    averaged : {"counts", "snapshots"}
    pruning : str, optional
        As :func:`treeplex.cfr.bucket_sampling.sampler_config.pruning_named` reads it.

    Raises
    ------
    ValueError
        If a word or a number is none of these.
    """
    check_word("average", average, ("linear", "uniform"))
    check_word("averaged", averaged, AVERAGES)
    plain = BlueprintConfig()
    length = plain.batch if batch is None else batch
    return BlueprintConfig(
        seed=seed,
        clusters=plain.clusters if clusters is None else clusters,
        batch=length,
        period=max(plain.period // max(length, 1), 1) * length if period is None else period,
        linear_periods=MOST_PERIODS if average == "linear" else 1,
        average=cast(BlueprintAverage, averaged),
        pruning=None if pruning is None else pruning_named(pruning),
    )
