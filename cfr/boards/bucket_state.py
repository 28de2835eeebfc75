"""Config and state of regret minimisation with hands in buckets, and what it keeps in memory.

In CFR-BR: how players learn, and what best responses have earned. Memory is counted before it is made.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treeplex.cfr.boards.board_arrays import Floats
from treeplex.cfr.boards.board_state import BYTES, DRIFT, FactoredConfig
from treeplex.cfr.boards.regret_matching import FactoredMemory
from treeplex.cfr.engine import PairState
from treeplex.cfr.state_checks import check_range, check_shape, check_size
from treeplex.cfr.variant import Variant
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.forms.treeplex import Index


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

    regret : cumulative counterfactual regrets, discounted; of a bucket the mean of its hands'. Of a local
        rule its arrays one after another.
    total : the weighted sum of a bucket's mean reach times its play.
    gain : the last iteration's regrets; empty unless predictions or a local rule need them.
    """

    regret: Floats
    total: Floats
    gain: Floats

    @property
    def n_bytes(self) -> int:
        """Bytes of regrets, averages and predictions."""
        return self.regret.nbytes + self.total.nbytes + self.gain.nbytes

    @staticmethod
    def fresh(length: int, *, predictive: bool, n_arrays: int = 1) -> "BucketMemory":
        """Return zeros."""
        kept = np.zeros(n_arrays * length)
        return BucketMemory(kept, np.zeros(length), np.zeros(length if predictive else 0))


Memory = BucketMemory | FactoredMemory
"""Of a player whose hands are in buckets, and of one whose are not."""
BucketState = PairState[Memory]


def check_memory(
    player: int, memory: BucketMemory, length: int, *, predictive: bool, n_arrays: int = 1
) -> None:
    """Refuse tables of other buckets or another game with ``ValueError``: the kernels check no bounds."""
    lengths = n_arrays * length, length, length if predictive else 0
    for (name, kept), n in zip(memory._asdict().items(), lengths, strict=True):
        check_shape(f"player {player}'s {name}", kept, (n,))
        if kept.dtype != np.float64:
            raise BadInputError(f"player {player}'s {name} must be float64, got {kept.dtype}")


def check_numbers(player: int, memory: BucketMemory, config: BucketConfig, iterations: int) -> None:
    """Refuse numbers that no state has with ``ValueError``; shapes and number formats as they must be."""
    average = config.variant.average
    most = DRIFT * (iterations if average.is_last else average.total(iterations))
    check_size(f"player {player}'s regret", memory.regret)
    check_size(f"player {player}'s gain", memory.gain)
    check_range(f"player {player}'s total", memory.total, 0.0, most)


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
            raise BadInputError(f"player {player}'s {name} must be float64, got {sums.dtype}")
        check_size(f"player {player}'s {name}", sums)


TABLES_BYTES = 8 * 3 + 4
"""Bytes of a bucket's action: regret, average and play as float64, and the average once more as float32."""
SUM_BYTES = 8
"""Bytes of what each thread adds up for a bucket's action, and for its reach of a decision."""
HAND_BYTES = 4 + 8
"""Bytes of a live hand on a board: its bucket, and its part of the bucket's weight."""
CHOICE_BYTES = 1
"""Bytes of a hand's choice at a decision on a board, where a player best responds."""
EXPANDED_BYTES = 4
"""Bytes of each action of a hand on a board in the strategy that is judged."""


def bucket_bytes(
    tree: FactoredTree,
    counts: Index,
    abstracted: tuple[bool, bool],
    threads: int,
    *,
    predictive: bool,
    n_arrays: int = 1,
    responding: bool = False,
) -> int:
    """Return the bytes that an engine on buckets takes, the strategy that is judged included.

    Parameters
    ----------
    tree : FactoredTree
    counts : (S,) int64
        Buckets of each street.
    abstracted : pair of bool
        Whether each player's hands are in buckets.
    threads : int
    predictive : bool
        Whether the last regrets are kept too.
    n_arrays : int
        How many numbers are kept for each action as regrets.
    responding : bool
        Whether both players best respond too, hand by hand.
    """
    betting, total = tree.betting, 0
    for p in (0, 1):
        on_boards = int(tree.base[p][-1])
        if not abstracted[p]:
            total += on_boards * (BYTES["float32"] + (4 if predictive else 0))
            continue
        nodes = np.flatnonzero(betting.player == p)
        street = betting.street[nodes]
        actions = np.array([len(betting.children[node]) for node in nodes.tolist()])
        rows = int((actions * counts[street]).sum())
        reaches = int(counts[street].sum())
        total += rows * (TABLES_BYTES + 8 * (n_arrays - 1) + (8 if predictive else 0))
        total += (rows + reaches) * SUM_BYTES * threads
        total += len(tree.boards.hands[p].hand) * HAND_BYTES + on_boards * EXPANDED_BYTES
        if responding:
            decisions = np.bincount(street, minlength=betting.n_streets)[tree.boards.street]
            total += int(decisions @ np.diff(tree.boards.hands[p].start)) * CHOICE_BYTES
    return total
