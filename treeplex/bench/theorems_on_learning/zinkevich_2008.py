"""Zinkevich, Johanson, Bowling and Piccione 2008: counterfactual regret minimisation."""

from collections.abc import Iterator

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.adversarial_courses import (
    named_courses,
    of_instance,
    prior_of,
    within,
)
from treeplex.bench.theorems_on_learning.learning_runs import (
    MATCHING,
    SKEWED,
    log_of,
    run_name,
    runs,
)
from treeplex.cfr.theory.regret_bounds import bounds, same_actions
from treeplex.cfr.theory.regret_log import RegretLog
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats

SOURCE = "Zinkevich, Johanson, Bowling and Piccione 2008"


def _regrets(log: RegretLog) -> tuple[float, float]:
    return log.last.regret_0, log.last.regret_1


def _largest(instance: Instance, player: int) -> Floats:
    """Return the largest weighted immediate regret of each of a player's infosets, (I,)."""
    t = enumerated(instance.game).form.treeplexes[player]
    if t.n_infosets == 0:
        return np.zeros(0)
    return np.asarray(np.maximum.reduceat(log_of(instance.game, instance.choice).immediate(player), t.begin))


def _sides(instance: Instance, right: Floats) -> Iterator[Comparison]:
    """Compare both players' regrets with something of each player, in units of the spread and the weight."""
    log = log_of(instance.game, instance.choice)
    unit = spread(instance.game) * log.last.weight
    for player, regret in enumerate(_regrets(log)):
        yield Comparison(regret, float(right[player]), unit, f"player {player}")


def _decomposed(instance: Instance) -> Iterator[Comparison]:
    log, form = log_of(instance.game, instance.choice), enumerated(instance.game).form
    best = [t.best_response(log.immediate(p)).total for p, t in enumerate(form.treeplexes)]
    return _sides(instance, np.array(best))


def _largest_sum(instance: Instance) -> Iterator[Comparison]:
    return _sides(instance, np.array([_largest(instance, p).sum() for p in (0, 1)]))


def _positive_sum(instance: Instance) -> Iterator[Comparison]:
    return _sides(instance, np.array([np.maximum(_largest(instance, p), 0.0).sum() for p in (0, 1)]))


def _largest_alone(instance: Instance) -> Iterator[Comparison]:
    return _sides(instance, np.array([_largest(instance, p).max(initial=0.0) for p in (0, 1)]))


REGRET_DECOMPOSITION = Theorem(
    name="regret-decomposition",
    plain="A player's regret is what the best plan collects of its immediate counterfactual regrets.",
    tex=r"R_i^T = \max_{z} \sum_{I,a} z(I,a)\, R^T_{\mathrm{imm}}(I,a)",
    source=f"{SOURCE}, proof of Theorem 3, with equality",
    relation="==",
    instances=runs,
    measure=_decomposed,
    tolerance=1e-12,
    twin=Twin("It is the sum of the largest immediate regrets of all infosets.", _largest_sum),
)

POSITIVE_REGRETS = Theorem(
    name="positive-immediate-regrets",
    plain="A player's regret is at most the sum of its infosets' positive immediate counterfactual regrets.",
    tex=r"R_i^T \le \sum_I \max(0, \max_a R^T_{\mathrm{imm}}(I,a))",
    source=f"{SOURCE}, Theorem 3",
    relation="<=",
    instances=runs,
    measure=_positive_sum,
    tolerance=1e-12,
    equality="In matrix games, if the regret is not negative.",
    twin=Twin("It is at most the largest immediate regret of one infoset.", _largest_alone),
)


def _folk_runs(effort: Effort) -> Iterator[Instance]:
    """Yield runs with simultaneous updates, and runs in turn of regret matching without prediction."""
    yield from runs(effort, orders=("simultaneous",))
    yield from runs(effort, names=MATCHING, orders=("alternating",))


def _folk(instance: Instance) -> Iterator[Comparison]:
    last = log_of(instance.game, instance.choice).last
    implied = (last.regret_0 + last.regret_1) / last.weight
    yield Comparison(last.nash_conv, implied, spread(instance.game))


def _folk_of_last(instance: Instance) -> Iterator[Comparison]:
    log, form = log_of(instance.game, instance.choice), enumerated(instance.game).form
    x, y = (t.behaviour(m.plan) for t, m in zip(form.treeplexes, log.state.memories, strict=True))
    last = certify(form, Profile(form.treeplexes, (x, y))).nash_conv
    yield Comparison(last, sum(_regrets(log)) / log.last.weight, spread(instance.game))


def _last_plans(effort: Effort) -> Iterator[Instance]:
    yield Instance(SKEWED, choice=run_name("cfr", "simultaneous", "uniform", 200))
    yield Instance("kuhn_poker", choice=run_name("cfr", "alternating", "uniform", 200))
    yield from effort.choose((), tuple(_folk_runs(effort)))


FOLK = Theorem(
    name="folk-theorem",
    plain="The average plans' NashConv is at most the sum of both players' average regrets; where updates "
    "are in turn, for regret matching without prediction.",
    tex=r"\mathrm{NashConv}(\bar x, \bar y) \le (R_0^T + R_1^T) / W",
    source=f"{SOURCE}, Theorem 2; in turn Burch, Moravčík and Schmid 2019",
    relation="<=",
    instances=_folk_runs,
    measure=_folk,
    tolerance=1e-12,
    equality="With simultaneous updates.",
    twin=Twin("So is the NashConv of the last plans.", _folk_of_last, _last_plans),
)


def _cfr_runs(effort: Effort) -> Iterator[Instance]:
    yield from runs(effort, names=("cfr",))
    yield from named_courses("cfr")


def _half(instance: Instance) -> Iterator[Comparison]:
    yield within(instance, prior_of(of_instance(instance), spread(instance.game)) / 2, "half of it")


def _cfr(instance: Instance) -> Iterator[Comparison]:
    """Compare with the norms of the steps seen, the spread alone, and by own actions."""
    if instance.seat is not None:
        yield within(instance, prior_of(of_instance(instance), spread(instance.game)), "against an adversary")
        return
    log, form = log_of(instance.game, instance.choice), enumerated(instance.game).form
    for bound in bounds(form, log, spread(instance.game)):
        unit = spread(instance.game) * (1.0 if bound.name.startswith("NashConv") else log.last.weight)
        if "positive" not in bound.name:
            yield Comparison(bound.left, bound.right, unit, bound.name)
    for player, t in enumerate(form.treeplexes):
        m, at = same_actions(t), f"player {player}: M"
        yield Comparison(t.n_infosets**0.5, m, max(t.n_infosets, 1), f"{at} from below")
        yield Comparison(m, t.n_infosets, max(t.n_infosets, 1), f"{at} from above")


CFR_BOUND = Theorem(
    name="cfr-bound",
    plain="A player's regret in CFR is at most the spread of payoffs times its infosets times the root of "
    "actions times iterations; a number M between the root of its infosets and their number will do. "
    "Runs use up to about an eighth of it, an adversary of one infoset 60%.",
    tex=r"R_i^T \le \Delta M_i \sqrt{|A_i| T},\quad \sqrt{|\mathcal I_i|} \le M_i \le |\mathcal I_i|",
    source=f"{SOURCE}, Theorem 4; M: Lanctot, Waugh, Zinkevich and Bowling 2009",
    relation="<=",
    instances=_cfr_runs,
    measure=_cfr,
    tolerance=1e-12,
    twin=Twin("It is at most half of that.", _half, lambda effort: named_courses("cfr")),
)

THEOREMS = (REGRET_DECOMPOSITION, POSITIVE_REGRETS, FOLK, CFR_BOUND)
