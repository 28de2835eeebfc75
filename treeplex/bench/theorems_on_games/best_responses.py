"""Best responses: from the leaves up, against every pure strategy, as a sum of losses; and repairs."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from treeplex.bench.theorems.cases import named_and_random_games, random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, equilibrium, spread, strategy
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_games.rules import Choices, Odds, odds
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.certify.losses import losses
from treeplex.seqform.certify.repairs import repairs
from treeplex.seqform.forms.profile import Profile

MOST_PURE = 20_000
"""Games in which a player has more reduced pure strategies are not enumerated."""
REACHED = 1e-6
"""An infoset with a smaller reach, or NashConv below this part of the payoffs' spread, is as good as none."""


def _tiny(effort: Effort) -> Iterator[Instance]:
    specs = effort.choose(("kuhn_poker", "coin_toss", "dummy_pennies", "goofspiel"), ("kuhn_poker(ranks=4)",))
    games = [Instance(spec) for spec in specs]
    games += random_games(effort, quick=4, full=40, depth=4)
    for game in games:
        yield from (replace(game, seat=seat, choice=f"random:{game.seed}") for seat in (0, 1))


def _against_pure(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    seat, profile = instance.seat, strategy(instance.game, instance.choice)
    form = enumerated(instance.game).form
    told = odds(form.treeplexes[1 - seat], profile.behaviour[1 - seat])
    choices = Choices.of(instance.game, seat, told)
    if choices.n_pure(()) <= MOST_PURE:
        best = form.best_response(seat, profile.plans[1 - seat]).total
        yield Comparison(best, max(choices.pure(())), spread(instance.game))


def _greedy_against_pure(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    seat, profile = instance.seat, strategy(instance.game, instance.choice)
    form = enumerated(instance.game).form
    t, gradient = form.treeplexes[seat], form.gradient(seat, profile.plans[1 - seat])
    greedy = np.zeros(t.n_sequences)
    for lo, hi in zip(t.begin.tolist(), t.end.tolist(), strict=True):
        greedy[lo + int(np.argmax(gradient[lo:hi]))] = 1.0
    best = form.best_response(seat, profile.plans[1 - seat]).total
    yield Comparison(float(t.plan(greedy) @ gradient), best, spread(instance.game))


PURE_BEST_RESPONSE = Theorem(
    name="pure-best-response",
    plain="The best response from the leaves up earns what the best of all reduced pure strategies earns.",
    tex=r"Q_0 = \max_{s \in S_i^{\mathrm{pure}}} u_i(s, \sigma_{-i})",
    source="Bellman 1957 (backward induction on infosets under perfect recall); von Stengel 1996",
    relation="==",
    instances=_tiny,
    measure=_against_pure,
    tolerance=1e-12,
    twin=Twin(
        "The action with the largest payoff at the leaves right after it earns as much.", _greedy_against_pure
    ),
)


def _values(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    seat, profile = instance.seat, strategy(instance.game, instance.choice)
    form = enumerated(instance.game).form
    told = odds(form.treeplexes[1 - seat], profile.behaviour[1 - seat])
    best = form.best_response(seat, profile.plans[1 - seat])
    for key, value in _exact_values(instance.game, seat, told).items():
        found = best.value[form.treeplexes[seat].index[key]]
        yield Comparison(float(found), value, spread(instance.game), key)


def _exact_values(spec: str, seat: int, told: Odds) -> dict[str, Fraction]:
    """Return the counterfactual best-response value of every infoset, straight from the rules."""
    values: dict[str, Fraction] = {}
    Choices.of(spec, seat, told).value((), values)
    return values


def _reached_values(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    seat, form = instance.seat, enumerated(instance.game).form
    t = form.treeplexes[seat]
    best = form.best_response(seat, strategy(instance.game, instance.choice).plans[1 - seat])
    reach = t.plan(best.behaviour())[t.parent]
    for i, key in enumerate(t.infosets):
        yield Comparison(float(reach[i] * best.value[i]), float(best.value[i]), spread(instance.game), key)


def _values_games(effort: Effort) -> Iterator[Instance]:
    for game in named_and_random_games(effort, quick=4, full=40):
        for seat in (0, 1):
            yield replace(game, seat=seat, choice=f"random:{game.seed}")


COUNTERFACTUAL_VALUES = Theorem(
    name="counterfactual-values",
    plain="A best response maximises at every infoset, also where its own choices never lead: each value is "
    "the most that the leaves below the infoset can earn, weighed by chance and the other's reach.",
    tex=r"V_I = \max_{a} \Big( \sum_{z \in Z(I,a)} \pi_{-i}(z) u_i(z) + \sum_{I' \succ (I,a)} V_{I'} \Big)",
    source="Brown and Sandholm 2017, section 3 (counterfactual best response)",
    relation="==",
    instances=_values_games,
    measure=_values,
    tolerance=1e-12,
    twin=Twin(
        "The values of a best response are those of its own play, 0 where it never comes.", _reached_values
    ),
)


def _profiles(effort: Effort) -> Iterator[Instance]:
    for game in named_and_random_games(effort, quick=4, full=40):
        for name in ("uniform", "cfr+:20", f"random:{game.seed}"):
            for seat in (0, 1):
                yield replace(game, seat=seat, choice=name)


def _losses(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    seat, form = instance.seat, enumerated(instance.game).form
    profile = strategy(instance.game, instance.choice)
    lost = sum(one.loss for one in losses(form, profile) if one.player == seat)
    gradient = form.gradient(seat, profile.plans[1 - seat])
    gain = form.treeplexes[seat].best_response(gradient).total - float(profile.plans[seat] @ gradient)
    yield Comparison(lost, gain, spread(instance.game))


def _one_shot_losses(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    seat, form = instance.seat, enumerated(instance.game).form
    t, profile = form.treeplexes[seat], strategy(instance.game, instance.choice)
    gradient = form.gradient(seat, profile.plans[1 - seat])
    own = profile.plans[seat]
    q, value = t.evaluate(profile.behaviour[seat], gradient)
    lost = 0.0
    for i, (lo, hi) in enumerate(zip(t.begin.tolist(), t.end.tolist(), strict=True)):
        lost += float(own[t.parent[i]] * (q[lo:hi].max() - value[i]))
    gain = t.best_response(gradient).total - float(own @ gradient)
    yield Comparison(lost, gain, spread(instance.game))


LOSSES_SUM = Theorem(
    name="losses-sum-to-gains",
    plain="What a best response gains on a strategy is the sum over infosets of own reach times the best "
    "value less the best-response values of what is played.",
    tex=r"Q_0 - u_i(\sigma) = \sum_I x_{\mathrm{par}(I)} \Big(V_I - \sum_a \sigma(I,a) Q_{(I,a)}\Big)",
    source="Derived here: the sum telescopes over the treeplex",
    relation="==",
    instances=_profiles,
    measure=_losses,
    tolerance=1e-12,
    twin=Twin(
        "The same with the values of the play itself in place of best-response values.", _one_shot_losses
    ),
)


def _spoilt(effort: Effort) -> Iterator[Instance]:
    for game in named_and_random_games(effort, quick=4, full=40):
        for k in range(3 if effort.quick else 12):
            yield replace(game, seed=game.seed + k)


def _mistaken(instance: Instance) -> Iterator[tuple[Profile, int, str]]:
    """Yield the optimum spoilt at random at one infoset that it reaches, and the infoset, if there is one."""
    form, rng = enumerated(instance.game).form, np.random.default_rng(instance.seed)
    optimum = equilibrium(instance.game).profile
    reached = [
        (p, int(i))
        for p, t in enumerate(form.treeplexes)
        for i in np.flatnonzero(optimum.plans[p][t.parent] > REACHED)
    ]
    if not reached:
        return
    player, i = reached[rng.integers(len(reached))]
    t = form.treeplexes[player]
    behaviour = [b.copy() for b in optimum.behaviour]
    behaviour[player][t.begin[i] : t.end[i]] = rng.dirichlet(np.ones(t.end[i] - t.begin[i]))
    yield Profile(form.treeplexes, (behaviour[0], behaviour[1])), player, t.infosets[i]


def _repaired(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    for profile, _, infoset in _mistaken(instance):
        width = certify(form, profile).nash_conv
        if width > REACHED * spread(instance.game):
            largest, *_ = repairs(form, profile, most=1)
            at = f"the largest at {largest.loss.infoset}, spoilt at {infoset}"
            yield Comparison(largest.repair, width, spread(instance.game), at)


def _lost_there(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    for profile, player, infoset in _mistaken(instance):
        lost = [one.loss for one in losses(form, profile) if (one.player, one.infoset) == (player, infoset)]
        yield Comparison(sum(lost), certify(form, profile).nash_conv, spread(instance.game), infoset)


ONE_MISTAKE = Theorem(
    name="one-mistake-is-the-largest-repair",
    plain="Where an optimum is spoilt at one infoset, some infoset's behaviour can be replaced so that "
    "NashConv falls to 0: the largest repair is all of NashConv.",
    tex=r"\max_I \Big(N(\sigma) - \min_w N(\sigma_{I \to w})\Big) = N(\sigma), \quad "
    r"N(\sigma) = \sum_i \Big(\max_{\tau} u_i(\tau, \sigma_{-i}) - u_i(\sigma)\Big)",
    source="Derived here: the old behaviour, put back, repairs all of it, and NashConv is at least 0",
    relation="==",
    instances=_spoilt,
    measure=_repaired,
    tolerance=1e-10,
    twin=Twin("The spoilt infoset's loss is all of NashConv.", _lost_there),
)

THEOREMS = (PURE_BEST_RESPONSE, COUNTERFACTUAL_VALUES, LOSSES_SUM, ONE_MISTAKE)
