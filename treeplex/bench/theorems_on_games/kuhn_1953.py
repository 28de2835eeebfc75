"""Kuhn 1953: perfect recall, and behaviour strategies that reach every leaf as mixed strategies do."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import prod

import numpy as np

from treeplex.bench.theorems.cases import named_and_random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, spread, strategy
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_games.rules import Odds, Past, leaves, odds, own_states
from treeplex.bench.theorems_on_games.written import forgetful, guess_the_ace, slips
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.trees.game_tree import build_tree

SOURCE = "Kuhn, Extensive games and the problem of information, 1953"
WRITTEN = {"the forgetful player": forgetful(), "slips": slips(2), "guess the ace": guess_the_ace(3)}
MIXTURE = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
"""The probabilities of three pure strategies in a mixed one."""


def _seats(effort: Effort) -> Iterator[Instance]:
    for instance in named_and_random_games(effort, quick=4, full=40):
        yield from (replace(instance, seat=seat) for seat in (0, 1))


def _infosets_pasts(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    pasts = defaultdict[str, set[Past]](set)
    for key, _, past in own_states(instance.game, instance.seat):
        pasts[key].add(past)
    yield Comparison(max(map(len, pasts.values()), default=0), 1)


def _public_pasts(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    pasts = defaultdict[str, set[Past]](set)
    for _, public, past in own_states(instance.game, instance.seat):
        pasts[public].add(past)
    yield Comparison(max(map(len, pasts.values()), default=0), 1)


PERFECT_RECALL = Theorem(
    name="perfect-recall",
    plain="All histories of an infoset follow the same own moves of its player, each with the infoset at "
    "which it was made: the largest number of different pasts is 1, or 0 for who never acts.",
    tex=r"h, h' \in I \Rightarrow \sigma_i(h) = \sigma_i(h')",
    source=SOURCE,
    relation="<=",
    instances=_seats,
    measure=_infosets_pasts,
    tolerance=0.0,
    equality="Wherever the player acts.",
    twin=Twin("Players who see only what is public have perfect recall too.", _public_pasts),
)


def _written(effort: Effort) -> Iterator[Instance]:
    for name in WRITTEN:
        yield Instance(choice=name)


def _accepted(instance: Instance) -> int:
    """Return 1 if a written game gets a sequence form, 0 if it is refused."""
    try:
        number_tree(build_tree(WRITTEN[instance.choice]))
    except ValueError:
        return 0
    return 1


def _refusals(instance: Instance) -> Iterator[Comparison]:
    yield Comparison(_accepted(instance), int(instance.choice != "the forgetful player"))


def _acceptances(instance: Instance) -> Iterator[Comparison]:
    yield Comparison(_accepted(instance), 1)


REFUSED_RECALL = Theorem(
    name="imperfect-recall-is-refused",
    plain="A game has a sequence form if its players have perfect recall; one in which a player forgets a "
    "move is refused.",
    tex=r"\sigma_i(h) \ne \sigma_i(h'),\ h, h' \in I \Rightarrow \text{no } \mathrm{par}(I)",
    source=f"{SOURCE}; von Stengel 1996",
    relation="==",
    instances=_written,
    measure=_refusals,
    tolerance=0.0,
    twin=Twin("Every game has a sequence form.", _acceptances),
)


def _pure(instance: Instance) -> list[Floats]:
    """Return three pure behaviours of the instance's seat, each (S,)."""
    assert instance.seat is not None
    seeds = (3 * instance.seed + k for k in range(len(MIXTURE)))
    return [strategy(instance.game, f"pure:{seed}").behaviour[instance.seat] for seed in seeds]


def _farthest(instance: Instance, behaviour: Floats) -> Comparison:
    """Compare the reaches of the leaf where the mixed strategy and a behaviour differ most."""
    assert instance.seat is not None
    t = enumerated(instance.game).form.treeplexes[instance.seat]
    tables = [odds(t, pure) for pure in _pure(instance)]
    told = odds(t, behaviour)

    def reach(table: Odds, past: Past) -> Fraction:
        return prod((table[move] for move in past), start=Fraction(1))

    pairs = []
    for past in {leaf.past[instance.seat] for leaf in leaves(instance.game)}:
        mixed = sum((w * reach(t, past) for w, t in zip(MIXTURE, tables, strict=True)), Fraction(0))
        pairs.append((abs(mixed - reach(told, past)), past, mixed, reach(told, past)))
    _, past, left, right = max(pairs)
    return Comparison(left, right, 1.0, "/".join(action for _, action in past))


def _of_plan(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    t = enumerated(instance.game).form.treeplexes[instance.seat]
    weights = [float(w) for w in MIXTURE]
    plan = np.sum([w * t.plan(b) for w, b in zip(weights, _pure(instance), strict=True)], axis=0)
    yield _farthest(instance, t.behaviour(plan))


def _of_behaviour(instance: Instance) -> Iterator[Comparison]:
    weights = [float(w) for w in MIXTURE]
    yield _farthest(instance, np.sum([w * b for w, b in zip(weights, _pure(instance), strict=True)], axis=0))


REALISATION_EQUIVALENCE = Theorem(
    name="realisation-equivalence",
    plain="A mixed strategy and the behaviour of its plan, the mean of its pure strategies' plans, "
    "contribute the same probability to every leaf.",
    tex=r"\sum_k \lambda_k \, \pi_i^{\sigma_k}(z) = \prod_{(I,a) \sqsubset z} "
    r"\frac{\sum_k \lambda_k x^k_{(I,a)}}{\sum_k \lambda_k x^k_{\mathrm{par}(I)}}",
    source=SOURCE,
    relation="==",
    instances=_seats,
    measure=_of_plan,
    tolerance=1e-12,
    twin=Twin("The mean of the pure strategies' behaviour does so.", _of_behaviour),
)


def _mean(instance: Instance, of_plans: bool) -> Iterator[Comparison]:
    assert instance.seat is not None
    form, seat = enumerated(instance.game).form, instance.seat
    t = form.treeplexes[seat]
    names = [f"random:{2 * instance.seed + k}" for k in (0, 1)]
    first, second = (strategy(instance.game, name).behaviour[seat] for name in names)
    gradient = form.gradient(seat, strategy(instance.game, "uniform").plans[1 - seat])
    earned = [float(t.plan(b) @ gradient) for b in (first, second)]
    mean = t.behaviour(t.plan(first) / 2 + t.plan(second) / 2) if of_plans else first / 2 + second / 2
    yield Comparison(float(t.plan(mean) @ gradient), sum(earned) / 2, spread(instance.game))


def _mean_of_plans(instance: Instance) -> Iterator[Comparison]:
    yield from _mean(instance, of_plans=True)


def _mean_of_behaviour(instance: Instance) -> Iterator[Comparison]:
    yield from _mean(instance, of_plans=False)


PLANS_AVERAGE = Theorem(
    name="plans-average",
    plain="The behaviour of the mean of two plans earns the mean of what they earn: payoffs are linear in "
    "plans.",
    tex=r"u(\tfrac12 x + \tfrac12 x', y) = \tfrac12 u(x, y) + \tfrac12 u(x', y)",
    source=f"{SOURCE}; linear in plans: von Stengel 1996",
    relation="==",
    instances=_seats,
    measure=_mean_of_plans,
    tolerance=1e-12,
    twin=Twin("The mean of two behaviours earns the mean of what they earn.", _mean_of_behaviour),
)

THEOREMS = (PERFECT_RECALL, REFUSED_RECALL, REALISATION_EQUIVALENCE, PLANS_AVERAGE)
