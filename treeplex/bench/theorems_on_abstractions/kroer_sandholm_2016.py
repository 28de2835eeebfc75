"""Kroer and Sandholm 2016: imperfect recall, and regrets at infosets bounded by those of their buckets.

Imperfect-recall abstractions with bounds in games (EC 2016) bounds the regret of an infoset by that of its
bucket and by how unlike the bucket's infosets are, as No-regret learning in extensive-form games with
imperfect recall (Lanctot, Gibson, Burch, Zinkevich and Bowling, 2012) does for regret minimisation. Both
assume a map between leaves; here the difference of regrets is measured after the run. Let ``R(I, a)`` be the
sum over T iterations of action a's counterfactual regret at the infoset I in the whole game, ``R(b, a)`` the
sum over the m infosets of the bucket b. Zinkevich et al. 2008 (Theorem 3) bounds a player's whole regret by
the sum of ``max_a R(I, a)+``; that needs perfect recall of the game and nothing of play. As

    R(I, a)+ <= R(b, a)+ / m + (R(I, a) - R(b, a) / m)+

it is at most the sum over buckets of ``max_a R(b, a)+`` and over infosets of
``max_a (R(I, a) - R(b, a) / m)+``, the bucket's *spread*. NashConv of the means of both players' plans in the
whole game is the sum of both regrets, over T. These means need not be strategies in buckets: with imperfect
recall infosets of a bucket are reached in other proportions in other iterations.
"""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from treeplex.bench.theorems.cases import random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import KEPT, enumerated, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_abstractions.tied import TiedRun, tied, tied_run
from treeplex.bench.theorems_on_games.partition import Partition
from treeplex.seqform.forms.treeplex import Floats

SOURCE = "After Kroer and Sandholm, Imperfect-recall abstractions with bounds in games, 2016; derived here"
FORGETS = "forgets its actions"
"""Buckets of infosets with equal actions and equal first two letters of their keys: of cards, not of bets."""
FEW_BETS = ("kuhn_poker", "coin_toss")
"""Games in which such buckets are of one infoset each."""
ALL = "all in one"
"""Buckets of all infosets with equal actions."""
COPIES = "no two together"
"""Every infoset a bucket."""
ITERATIONS = 60


def _partition(instance: Instance, player: int) -> Partition:
    t = enumerated(instance.game).form.treeplexes[player]
    if instance.choice == COPIES:
        return Partition.trivial(t)
    actions = [t.actions[lo:hi] for lo, hi in zip(t.begin.tolist(), t.end.tolist(), strict=True)]
    if instance.choice == FORGETS:
        return Partition.of(t, [(key[:2], own) for key, own in zip(t.infosets, actions, strict=True)])
    return Partition.of(t, actions)


@lru_cache(KEPT)
def _run(instance: Instance) -> tuple[TiedRun, tuple[Partition, Partition]]:
    partitions = _partition(instance, 0), _partition(instance, 1)
    return tied_run(enumerated(instance.game).form, partitions, ITERATIONS), partitions


def _most(partition: Partition, values: Floats) -> float:
    """Return the sum over infosets of the largest positive value."""
    t = partition.treeplex
    return float(np.maximum.reduceat(np.maximum(values, 0.0), t.begin).sum()) if t.n_infosets else 0.0


def _bucket_regret(partition: Partition, regrets: Floats) -> float:
    """Return the sum over buckets of the largest positive regret."""
    if partition.n_buckets == 0:
        return 0.0
    positive = np.maximum(tied(partition, regrets), 0.0)
    return float(np.maximum.reduceat(positive, partition.begin).sum())


def _spread(partition: Partition, regrets: Floats) -> float:
    """Return the sum over infosets of how far a regret exceeds its share of the bucket's."""
    mean = tied(partition, regrets) / np.bincount(partition.sequence)
    return _most(partition, regrets - mean[partition.sequence])


def _sides(instance: Instance, *, with_spread: bool) -> Comparison:
    run, partitions = _run(instance)
    form = enumerated(instance.game).form
    first, second = (form.best_response(p, run.plans[1 - p]).total for p in (0, 1))
    allowed = sum(
        _bucket_regret(own, regrets) + (_spread(own, regrets) if with_spread else 0.0)
        for own, regrets in zip(partitions, run.regrets, strict=True)
    )
    return Comparison(first + second, allowed / run.iterations, spread(instance.game))


def _bounded(instance: Instance) -> Iterator[Comparison]:
    yield _sides(instance, with_spread=True)


def _bounded_by_buckets(instance: Instance) -> Iterator[Comparison]:
    yield _sides(instance, with_spread=False)


def _runs(effort: Effort) -> Iterator[Instance]:
    for spec in effort.choose(
        ("kuhn_poker", "coin_toss", "leduc_poker(raises=1)"), ("kuhn_poker(ranks=13)", "leduc_poker")
    ):
        for choice in (ALL, COPIES) if spec.startswith(FEW_BETS) else (FORGETS, ALL, COPIES):
            yield Instance(spec, choice=choice)
    for game in random_games(effort, quick=8, full=100):
        yield Instance(game.game, game.seed, choice=ALL)


IMPERFECT_RECALL = Theorem(
    name="imperfect-recall-regret-bound",
    plain="Where infosets of a bucket share regrets, whatever is forgotten, NashConv of the mean plans in "
    "the whole game is at most the positive regrets of buckets and the spreads of regrets within them, over "
    "the number of iterations.",
    tex=r"\mathrm{NashConv} \le \frac1T \sum_b \max_a R_b^+(a) "
    r"+ \frac1T \sum_I \max_a \left( R_I(a) - R_{b(I)}(a) / |b(I)| \right)^+",
    source=SOURCE,
    relation="<=",
    instances=_runs,
    measure=_bounded,
    equality="Where each player decides once at most.",
    twin=Twin("It is at most the positive regrets of buckets.", _bounded_by_buckets),
)

THEOREMS = (IMPERFECT_RECALL,)
