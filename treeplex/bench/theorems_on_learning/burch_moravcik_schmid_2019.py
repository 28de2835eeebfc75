"""Burch, Moravčík and Schmid 2019: alternating updates, and what the folk theorem needs of them."""

from collections.abc import Iterator

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.learning_runs import (
    MATCHING,
    log_of,
    run_name,
    runs,
    variant_of,
)
from treeplex.cfr.sequences import full_width
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile

SOURCE = "Burch, Moravčík and Schmid 2019"


def _simultaneous(effort: Effort) -> Iterator[Instance]:
    return runs(effort, orders=("simultaneous",))


def _alternating(effort: Effort) -> Iterator[Instance]:
    return runs(effort, orders=("alternating",))


def _identity(instance: Instance) -> Iterator[Comparison]:
    """Compare the NashConv of the plans' average, and of the average that the engine returns."""
    log, unit = log_of(instance.game, instance.choice), spread(instance.game)
    yield Comparison(log.last.nash_conv, log.last.implied, unit, "average of plans")
    yield Comparison(float(log.own_nash_conv[-1]), log.last.implied, unit, "average of the engine")


def _of_behaviour(instance: Instance) -> Iterator[Comparison]:
    form, variant = enumerated(instance.game).form, variant_of(instance.choice)
    engine, sums = full_width.prepare(form, variant), [np.zeros(n) for n in form.n_sequences]
    state, log = engine.start(), log_of(instance.game, instance.choice)
    for weight in log.weights.tolist():
        for p, t in enumerate(form.treeplexes):
            sums[p] += weight * t.behaviour(state.memories[p].plan)
        state = engine.advance(state, 1)
    mean = Profile(form.treeplexes, (sums[0] / log.last.weight, sums[1] / log.last.weight))
    yield Comparison(certify(form, mean).nash_conv, log.last.implied, spread(instance.game))


def _behaviour_runs(effort: Effort) -> Iterator[Instance]:
    yield Instance("kuhn_poker", choice=run_name("cfr+", "simultaneous", "linear"))
    yield from effort.choose((), tuple(_simultaneous(effort)))


def _without_improvement(instance: Instance) -> Iterator[Comparison]:
    last = log_of(instance.game, instance.choice).last
    yield Comparison(last.nash_conv, (last.regret_0 + last.regret_1) / last.weight, spread(instance.game))


def _improvements(instance: Instance) -> Iterator[Comparison]:
    step = log_of(instance.game, instance.choice).last.least_step
    yield Comparison(0.0, step, spread(instance.game), "smallest step")


def _matching_runs(effort: Effort) -> Iterator[Instance]:
    yield from runs(effort, names=(*MATCHING, "cfr-br"), orders=("alternating",))
    for name in MATCHING:
        yield Instance("kuhn_poker", choice=run_name(name, "alternating", "uniform", 300))


def _all_runs(effort: Effort) -> Iterator[Instance]:
    yield Instance("coin_toss", choice=run_name("pdcfr", "alternating", "uniform"))
    yield from effort.choose((), tuple(_alternating(effort)))


FOLK_IDENTITY = Theorem(
    name="folk-identity",
    plain="With simultaneous updates the average plans' NashConv equals the sum of both regrets over the "
    "sum of weights, for every minimiser and every average.",
    tex=r"\mathrm{NashConv}(\bar x, \bar y) = (R_0^T + R_1^T) / W",
    source="Zinkevich et al. 2008, Theorem 2, with equality (derived here)",
    relation="==",
    instances=_simultaneous,
    measure=_identity,
    tolerance=1e-12,
    twin=Twin("So does the NashConv of the averages of behaviour.", _of_behaviour, _behaviour_runs),
)

ALTERNATING_IDENTITY = Theorem(
    name="alternating-identity",
    plain="With updates in turn the NashConv of the plans that were seen equals the sum of both regrets "
    "less what player 0's updates improved, over the sum of weights.",
    tex=r"\mathrm{NashConv}(\bar x', \bar y) = "
    r"\Big(R_0^T + R_1^T - \sum_t w_t (u(x^{t+1}, y^t) - u(x^t, y^t))\Big) / W",
    source=f"{SOURCE}, with equality (derived here)",
    relation="==",
    instances=_alternating,
    measure=_identity,
    tolerance=1e-12,
    twin=Twin("The improvement may be left out.", _without_improvement),
)

IMPROVEMENT = Theorem(
    name="improvement-lemma",
    plain="An update of regret matching without prediction, of regret matching+, discounted or not, never "
    "earns its player less than before against the plan that it answers.",
    tex=r"u(x^{t+1}, y^t) \ge u(x^t, y^t)",
    source=f"{SOURCE}; discounts keep the proportions of positive regrets and with them the proof",
    relation="<=",
    instances=_matching_runs,
    measure=_improvements,
    tolerance=1e-12,
    twin=Twin("Neither does an update of any other minimiser.", _improvements, _all_runs),
)

THEOREMS = (FOLK_IDENTITY, ALTERNATING_IDENTITY, IMPROVEMENT)
