"""Regret matching with regrets tied by bucket, on sequence forms; recall may be imperfect."""

from dataclasses import dataclass

import numpy as np

from treeplex.bench.theorems_on_games.partition import Partition
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats


@dataclass(frozen=True)
class TiedRun:
    """Sums over the iterations of a run in which infosets of a bucket share regrets and play.

    Attributes
    ----------
    iterations : int
    regrets : pair of (S,) f64
        The sum of each action's counterfactual regrets at its infoset, not tied.
    plans : pair of (S,) f64
        The mean of the plans in the whole game; with imperfect recall no strategy in buckets need have it.
    """

    iterations: int
    regrets: tuple[Floats, Floats]
    plans: tuple[Floats, Floats]


def tied_run(form: SequenceForm, partitions: tuple[Partition, Partition], iterations: int) -> TiedRun:
    """Run CFR with simultaneous updates, each bucket's regrets the sums over its infosets."""
    regrets = [np.zeros(t.n_sequences) for t in form.treeplexes]
    totals = [np.zeros(t.n_sequences) for t in form.treeplexes]
    for _ in range(iterations):
        behaviour = [tied_play(own, regret) for own, regret in zip(partitions, regrets, strict=True)]
        plans = [t.plan(b) for t, b in zip(form.treeplexes, behaviour, strict=True)]
        for player, t in enumerate(form.treeplexes):
            q, value = t.evaluate(behaviour[player], form.gradient(player, plans[1 - player]))
            regrets[player][1:] += q[1:] - value[t.infoset_of[1:]]
            totals[player] += plans[player]
    first, second = (total / iterations for total in totals)
    return TiedRun(iterations, (regrets[0], regrets[1]), (first, second))


def tied(partition: Partition, values: Floats) -> Floats:
    """Return the sums of values (S,) over the sequences that become one, by sequence of buckets."""
    return np.asarray(np.bincount(partition.sequence, values), dtype=np.float64)


def tied_play(partition: Partition, regrets: Floats) -> Floats:
    """Return the behaviour (S,) in proportion to the positive regrets of buckets, uniform where none is."""
    positive = np.maximum(tied(partition, regrets), 0.0)[partition.sequence]
    positive[0] = 1.0
    return partition.treeplex.behaviour(positive)
