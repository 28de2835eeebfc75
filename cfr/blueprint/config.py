"""The config of blueprints: all that changes a run's bits, beside the game and its abstraction."""

from dataclasses import dataclass
from typing import Literal, cast, get_args

from treeplex.cfr.blueprint.tables.pruning import BlueprintPruning, pruning_named
from treeplex.cfr.engine import check_seed
from treeplex.games.inputs.parameters import check_word

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
        The identity of the card abstraction, which ``blueprint_cfr.prepare`` writes here.
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
            raise ValueError(f"clusters must be between 1 and {MOST_CLUSTERS:,}, got {self.clusters:,}")
        if self.batch < 1:
            raise ValueError(f"batch must be at least 1, got {self.batch:,}")
        if self.period < 1 or self.period % self.batch:
            raise ValueError(f"period must be a multiple of the batch, {self.batch:,}, got {self.period:,}")
        if not 1 <= self.linear_periods <= MOST_PERIODS:
            raise ValueError(
                f"linear_periods must be between 1 and {MOST_PERIODS:,}, got {self.linear_periods:,}"
            )
        if self.average not in AVERAGES:
            raise ValueError(f"average must be one of {', '.join(AVERAGES)}, got {self.average!r}")

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
        As :func:`treeplex.cfr.blueprint.tables.pruning.pruning_named` reads it.

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
