"""Farina, Kroer and Sandholm 2020: regrets of sampled runs, bounds that hold with high probability."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, strategy
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.cfr.sampling.sampling_config import SCHEMES, Sampling
from treeplex.cfr.theory.sampling_bounds import SampledRegretLog, sampled_bounds, sampled_regret_log
from treeplex.seqform.certify.inequality import Inequality

PROBABILITIES = (0.5, 0.1, 0.01)
"""With these probabilities a bound may fail."""
ITERATIONS = 20
RUNS, MORE_RUNS = 30, 200
SAMPLINGS: dict[str, Sampling] = {scheme: Sampling(scheme, beta=0.0, tau=1.0) for scheme in SCHEMES}


@lru_cache(64)
def _logs(instance: Instance) -> tuple[SampledRegretLog, ...]:
    """Return the logs of an instance's runs, whose seeds follow each other."""
    scheme, runs = instance.choice.split()[:2]
    game, first = enumerated(instance.game), 1000 * instance.seed
    seeds = range(first, first + int(runs))
    return tuple(
        sampled_regret_log(game, replace(SAMPLINGS[scheme], seed=seed), ITERATIONS) for seed in seeds
    )


def _instances(effort: Effort) -> Iterator[Instance]:
    runs = RUNS if effort.quick else MORE_RUNS
    for seed in effort.seeds(quick=1, full=2):
        for game in effort.choose(("kuhn_poker", "coin_toss"), ("leduc_poker(ranks=2,raises=1)",)):
            for scheme in SCHEMES:
                yield Instance(game, seed, choice=f"{scheme} {runs} runs")


def _bounds(instance: Instance, p: float) -> list[tuple[Inequality, ...]]:
    against = strategy(instance.game, "random:0")
    return [sampled_bounds(enumerated(instance.game), log, p, against) for log in _logs(instance)]


def _broken(instance: Instance) -> Iterator[Comparison]:
    """Compare with p how many of the runs break each bound, in parts of them."""
    for p in PROBABILITIES:
        for found in zip(*_bounds(instance, p), strict=True):
            share = float(np.mean([bound.left > bound.right for bound in found]))
            yield Comparison(share, p, at=f"{found[0].name}, p = {p}")


def _smaller_ranges(instance: Instance) -> Iterator[Comparison]:
    """Compare as :func:`_broken` for plans fixed beforehand, with a twentieth of what samples may miss."""
    against = strategy(instance.game, "random:0")
    sampled = [
        [log.sampled_regret(player, plan) for player, plan in enumerate(against.plans)]
        for log in _logs(instance)
    ]
    for p in PROBABILITIES:
        fixed = [
            [bound for bound in found if bound.name.endswith("beforehand")] for found in _bounds(instance, p)
        ]
        for player in (0, 1):
            broken = [
                bounds[player].left > seen[player] + (bounds[player].right - seen[player]) / 20.0
                for bounds, seen in zip(fixed, sampled, strict=True)
            ]
            yield Comparison(float(np.mean(broken)), p, at=f"player {player}, p = {p}")


WITH_PROBABILITY = Theorem(
    name="sampled-regret-bound",
    plain="With probability 1 - p the regret of a sampled run against a plan fixed beforehand exceeds the "
    "sampled one by at most the ranges of exact and sampled payoffs times the root of 2 T log(1/p), of which "
    "runs use up to a seventh; "
    "against the best plan with the logarithm of the number of pure plans over p. In external sampling it is "
    "at most (1 + sqrt(2/p)) times infosets times the spread times the root of actions times iterations.",
    tex=r"P\Big(R^T(z) > \tilde R^T(z) + (M + \tilde M) \sqrt{2 T \ln(1/p)}\Big) \le p",
    source="Farina, Kroer and Sandholm 2020, Proposition 1; a priori Lanctot et al. 2009, Theorem 5",
    relation="<=",
    instances=_instances,
    measure=_broken,
    tolerance=0.0,
    twin=Twin("A twentieth of that root is enough.", _smaller_ranges),
)

THEOREMS = (WITH_PROBABILITY,)
