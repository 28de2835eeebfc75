"""State of CFR-BR with hands in buckets: how players learn, and what best responses have earned."""

from typing import NamedTuple

import numpy as np

from treeplex.cfr.buckets.state import BucketMemory
from treeplex.cfr.engine import PairState
from treeplex.cfr.factored.layout.arrays import Floats
from treeplex.cfr.state_checks import check_shape, check_size


class ResponseMemory(NamedTuple):
    """One player who learns against best responses.

    learner : BucketMemory
        Its minimisers; (.,) float64.
    gained : its regrets in all iterations, weighted as plans in the average, and not clipped; (.,) float64,
        ordered as those of the learner.
    earned : what best responses earned the other player, weighted in the same way, in the unit of its
        values; (1,) float64.
    """

    learner: BucketMemory
    gained: Floats
    earned: Floats

    @property
    def n_bytes(self) -> int:
        """Bytes of all tables."""
        return self.learner.n_bytes + self.gained.nbytes

    @staticmethod
    def fresh(learner: BucketMemory) -> "ResponseMemory":
        """Return zeros beside the minimisers' first state."""
        return ResponseMemory(learner, np.zeros(len(learner.regret)), np.zeros(1))


ResponseState = PairState[ResponseMemory]


def check_response(player: int, memory: ResponseMemory) -> None:
    """Refuse sums of another game, or that no state has, with ``ValueError``; the learner's are known."""
    for name, sums, length in (
        ("gained", memory.gained, len(memory.learner.regret)),
        ("earned", memory.earned, 1),
    ):
        check_shape(f"player {player}'s {name}", sums, (length,))
        if sums.dtype != np.float64:
            raise ValueError(f"player {player}'s {name} must be float64, got {sums.dtype}")
        check_size(f"player {player}'s {name}", sums)
