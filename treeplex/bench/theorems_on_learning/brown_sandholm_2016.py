"""Brown and Sandholm 2016: regret minimisation started from a given profile."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from treeplex.bench.theorems.cases import named_games, random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, spread, strategy
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.learning_runs import most_apart
from treeplex.cfr.engine import iterate
from treeplex.cfr.sequences import warm_start
from treeplex.cfr.sequences.sequence_learning import Memory
from treeplex.cfr.sequences.warm_start import WarmStart
from treeplex.cfr.variant import Average, Matching, Variant
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.treeplex import Floats, Treeplex

CFR = Variant((Matching(), Matching()), "simultaneous", Average(0.0, "seen"))
AFTER = replace(CFR, average=Average(0.0, "after"))
STARTS = ("random:5", "uniform", "cfr+:30")
LENGTHS = ((1, 5), (20, 10), (50, 1))
"""Numbers of iterations that the profile stands for, and numbers of iterations after it."""


def _instances(effort: Effort) -> Iterator[Instance]:
    for game in named_games(effort):
        for k, start in enumerate(STARTS):
            before, after = LENGTHS[k]
            yield Instance(game.game, choice=f"{start} for {before} and {after}")
    for game in random_games(effort, quick=6, full=60):
        before, after = LENGTHS[game.seed % 3]
        yield Instance(game.game, game.seed, choice=f"random:{game.seed} for {before} and {after}")


def _earned(treeplex: Treeplex, gradient: Floats, memory: Memory, iterations: int) -> float:
    """Return the value per iteration that a warm start gives the root, from the regrets that it holds."""
    q = gradient.copy()
    for i in range(treeplex.n_infosets - 1, -1, -1):
        rows = slice(int(treeplex.begin[i]), int(treeplex.end[i]))
        q[treeplex.parent[i]] += float(np.max(q[rows] - memory.regret[rows] / iterations))
    return float(q[0])


def _measured(instance: Instance, variant: Variant) -> Iterator[Comparison]:
    start, _, before, _, after = instance.choice.split()
    form, profile = enumerated(instance.game).form, strategy(instance.game, start)
    count = int(before) + int(after)
    engine = warm_start.prepare(form, WarmStart(variant, profile, int(before)))
    state = iterate(engine, int(after))
    held = earned = 0.0
    for p, t in enumerate(form.treeplexes):
        if t.n_infosets:
            held += float(np.maximum(np.maximum.reduceat(state.memories[p].regret, t.begin), 0.0).sum())
        gradient = form.gradient(p, profile.plans[1 - p])
        earned += int(before) * _earned(t, gradient, engine.first.memories[p], int(before))
    left = count * certify(form, engine.strategy(state)).nash_conv
    yield Comparison(left, held + earned, spread(instance.game) * count)


def _of_seen(instance: Instance) -> Iterator[Comparison]:
    return _measured(instance, CFR)


def _of_after(instance: Instance) -> Iterator[Comparison]:
    return _measured(instance, AFTER)


def _averaged_after(effort: Effort) -> Iterator[Instance]:
    yield Instance("coin_toss(forfeit=false,subgames=2)", choice="uniform for 20 and 10")
    yield from effort.choose((), tuple(_instances(effort)))


WARM_START = Theorem(
    name="warm-start-bound",
    plain="CFR with simultaneous updates, started from a profile as the average of T iterations, has after n "
    "more a NashConv of at most its positive regrets plus T times what both chosen values at the root "
    "add up to, over T + n; averaged are the plans seen.",
    tex=r"(T + n)\,\mathrm{NashConv}(\bar x, \bar y) \le \sum_I \max_a Q^+(I,a) + T (v'_0 + v'_1)",
    source="Brown and Sandholm 2016; form derived here",
    relation="<=",
    instances=_instances,
    measure=_of_seen,
    tolerance=1e-11,
    twin=Twin(
        "So it is where the plans after updates are averaged.",
        _of_after,
        _averaged_after,
    ),
)


def _averages(instance: Instance, counted: bool) -> Iterator[Comparison]:
    """Compare averages after the start with the profile's plan times T and the plans seen, over T + n."""
    start, _, before, _, after = instance.choice.split()
    form, profile = enumerated(instance.game).form, strategy(instance.game, start)
    engine = warm_start.prepare(form, WarmStart(CFR, profile, int(before)))
    state, count = engine.first, int(before) if counted else 1
    sums = [count * plan for plan in profile.plans]
    for _ in range(int(after)):
        sums = [total + memory.plan for total, memory in zip(sums, state.memories, strict=True)]
        state = engine.advance(state, 1)
    for p, plan in enumerate(engine.strategy(state).plans):
        yield most_apart(plan, sums[p] / (count + int(after)), 1.0, f"player {p}")


def _as_iterations(instance: Instance) -> Iterator[Comparison]:
    return _averages(instance, True)


def _as_one(instance: Instance) -> Iterator[Comparison]:
    return _averages(instance, False)


WARM_AVERAGE = Theorem(
    name="warm-start-average",
    plain="The average of a warm start is that of T times the profile's plan and the n plans seen since.",
    tex=r"\bar x = \Big(T x^0 + \sum_{t \le n} x^t\Big) / (T + n)",
    source="Brown and Sandholm 2016",
    relation="==",
    instances=_instances,
    measure=_as_iterations,
    tolerance=1e-12,
    twin=Twin("The profile counts as one iteration.", _as_one),
)

THEOREMS = (WARM_START, WARM_AVERAGE)
