"""Config and state of regret minimisation with hands in buckets."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treeplex.cfr.engine import PairState
from treeplex.cfr.factored.layout.arrays import Floats
from treeplex.cfr.factored.regret_matching import FactoredMemory
from treeplex.cfr.factored.state import DRIFT, FactoredConfig
from treeplex.cfr.state_checks import check_range, check_shape, check_size, sum_of_weights
from treeplex.cfr.variants.variant import Variant


@dataclass(frozen=True)
class BucketConfig:
    """A variant of regret matching on buckets.

    Attributes
    ----------
    variant : Variant
        As in ``FactoredConfig``.
    tied : str
        The players whose hands are in buckets, such as ``0 and 1``; another learns as on boards, in float32.
    abstraction : str
        The identity of the buckets.
    """

    variant: Variant
    tied: str
    abstraction: str

    @property
    def on_boards(self) -> FactoredConfig:
        """The config of a player whose hands are in no buckets."""
        return FactoredConfig(self.variant)


class BucketMemory(NamedTuple):
    """The state of one player's minimisers, ordered by street, bucket and slot; (.,) float64.

    regret : cumulative counterfactual regrets, discounted; of a bucket the mean of its hands'.
    total : the weighted sum of a bucket's mean reach times its play.
    gain : the last iteration's regrets; empty without prediction.
    """

    regret: Floats
    total: Floats
    gain: Floats

    @property
    def n_bytes(self) -> int:
        """Bytes of regrets, averages and predictions."""
        return self.regret.nbytes + self.total.nbytes + self.gain.nbytes

    @staticmethod
    def fresh(length: int, *, predictive: bool) -> "BucketMemory":
        """Return zeros."""
        return BucketMemory(np.zeros(length), np.zeros(length), np.zeros(length if predictive else 0))


Memory = BucketMemory | FactoredMemory
"""Of a player whose hands are in buckets, and of one whose are not."""
BucketState = PairState[Memory]


def check_memory(player: int, memory: BucketMemory, length: int, *, predictive: bool) -> None:
    """Refuse tables of other buckets or another game with ``ValueError``: the kernels check no bounds."""
    lengths = length, length, length if predictive else 0
    for (name, kept), n in zip(memory._asdict().items(), lengths, strict=True):
        check_shape(f"player {player}'s {name}", kept, (n,))
        if kept.dtype != np.float64:
            raise ValueError(f"player {player}'s {name} must be float64, got {kept.dtype}")


def check_numbers(player: int, memory: BucketMemory, config: BucketConfig, iterations: int) -> None:
    """Refuse numbers that no state has with ``ValueError``; shapes and number formats as they must be."""
    most = DRIFT * sum_of_weights(config.variant.average.exponent, iterations)
    check_size(f"player {player}'s regret", memory.regret)
    check_size(f"player {player}'s gain", memory.gain)
    check_range(f"player {player}'s total", memory.total, 0.0, most)
