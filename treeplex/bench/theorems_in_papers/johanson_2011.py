"""Johanson, Waugh, Bowling and Zinkevich 2011: best responses to strategies that ignore their cards."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import perm

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import KEPT, poker, problem, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_games.card_blind import (
    BLIND_STRATEGIES,
    BlindStrategy,
    best_response_to_blind,
)
from treeplex.seqform.certify.certificate import ExactPlan, exact_bounds, rational_plan
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Treeplex

SOURCE = "Johanson, Waugh, Bowling and Zinkevich, Accelerating best response calculation, 2011"


def uneven(labels: Sequence[str]) -> list[Fraction]:
    """Weigh the k-th legal action by k + 1."""
    total = len(labels) * (len(labels) + 1) // 2
    return [Fraction(k + 1, total) for k in range(len(labels))]


STRATEGIES = {**BLIND_STRATEGIES, "uneven": BlindStrategy("uneven", uneven)}


def _games(effort: Effort) -> Iterator[Instance]:
    quick = (
        "kuhn_poker(ranks=5)",
        "leduc_poker(raises=1,suits_visible=true)",
        "rhode_island(ranks=2,suits=3,raises=1)",
    )
    more = (
        "rhode_island(ranks=3,suits=2,raises=1)",
        "leduc_poker",
        "no_limit_leduc",
        "rhode_island(ranks=3,suits=3,raises=1)",
        "flop_holdem(ranks=4,suits=2,raises=[1,1])",
        "flop_holdem(ranks=3,suits=3,raises=[1,2])",
    )
    for spec in effort.choose(quick, more):
        for name in effort.choose(("always-call", "uneven"), ("always-fold", "uniform")):
            for seat in (0, 1):
                yield Instance(spec, seat=seat, choice=name)


def blind_plan(treeplex: Treeplex, strategy: BlindStrategy) -> ExactPlan:
    """Return the realization plan that mixes by the labels of actions alone, exactly."""
    spans = zip(treeplex.begin.tolist(), treeplex.end.tolist(), strict=True)
    odds = [odd for lo, hi in spans for odd in strategy.mix(treeplex.actions[lo:hi])]
    return rational_plan(treeplex, [Fraction(1), *odds])


def _exact(
    form: SequenceForm, seat: int, own: BlindStrategy, other: BlindStrategy
) -> tuple[Fraction, Fraction]:
    """Return what the seat earns with a blind strategy against another, and at most against that, exactly."""
    chosen = (own, other) if seat == 0 else (other, own)
    x, y = (blind_plan(t, strategy) for t, strategy in zip(form.treeplexes, chosen, strict=True))
    value, lower, upper = exact_bounds(form, x, y)
    return (value, upper) if seat == 0 else (-value, -lower)


def _streamed(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    strategy = STRATEGIES[instance.choice]
    answer = best_response_to_blind(poker(instance.game), strategy, instance.seat)
    _, exact = _exact(problem(instance.game).form, instance.seat, strategy, strategy)
    size = spread(instance.game)
    yield Comparison(Fraction(answer.lower), exact, size, "lower end")
    yield Comparison(exact, Fraction(answer.upper), size, "upper end")
    yield Comparison(Fraction(answer.upper - answer.lower), Fraction(1, 10**9), size, "width")


def _called(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    strategy, call = STRATEGIES[instance.choice], STRATEGIES["always-call"]
    earned, best = _exact(problem(instance.game).form, instance.seat, call, strategy)
    yield Comparison(best, earned, spread(instance.game))


STREAMED_RESPONSE = Theorem(
    name="card-blind-best-response",
    plain="Against a strategy that ignores its cards the opponent's hand stays uniform: visiting boards up "
    "to suits one by one, no ranges kept, gives an interval that holds the best response's exact value.",
    tex=r"\max_{x} x^\top A y_{\mathrm{blind}} \in [\ell, u]",
    source=SOURCE,
    relation="<=",
    instances=_games,
    measure=_streamed,
    tolerance=0.0,
    twin=Twin("A best response to such a strategy needs no cards either: calling is one.", _called),
)


def _limit_games(effort: Effort) -> Iterator[Instance]:
    quick = ("rhode_island(ranks=3,suits=2)", "rhode_island(ranks=4,suits=2,raises=2)")
    for spec in effort.choose(quick, ("rhode_island(ranks=4,suits=3)", "rhode_island")):
        for seat in (0, 1):
            yield Instance(spec, seat=seat)


@lru_cache(KEPT)
def _advantages(spec: str) -> tuple[Fraction, ...]:
    """Return the mean of max(2 e - 1, 0) in each round of Rhode Island hold'em, by enumeration of all deals.

    e is a hand's equity against a uniform hand, over the board cards to come.
    """
    game = poker(spec)
    cards = game.deck.cards
    n = len(cards)
    # The hands that a hand beats on a board of two cards, less those that beat it: (hand, first, second).
    ahead = np.zeros((n, n, n), dtype=np.int64)
    for b, c in combinations(range(n), 2):
        held = [h for h in range(n) if h not in (b, c)]
        strengths = np.array([game.strength((cards[h],), (cards[b], cards[c])) for h in held])
        ahead[held, b, c] = ahead[held, c, b] = np.sign(strengths[:, None] - strengths).sum(axis=1)
    rounds = ahead.sum(axis=(1, 2)), ahead.sum(axis=2), ahead
    return tuple(Fraction(int(np.maximum(sums, 0).sum()), perm(n, 4)) for sums in rounds)


def _closed_form(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    game = poker(instance.game)
    answer = best_response_to_blind(game, STRATEGIES["always-call"], instance.seat)
    ante, sizes = float(max(game.betting.invested)), game.betting.raise_sizes or ()
    gained = sum(size * edge for size, edge in zip(sizes, _advantages(instance.game), strict=True))
    yield Comparison(answer.value, float(gained), ante)


def _antes_alone(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    game = poker(instance.game)
    answer = best_response_to_blind(game, STRATEGIES["always-call"], instance.seat)
    edge, ante = float(_advantages(instance.game)[-1]), float(max(game.betting.invested))
    yield Comparison(answer.value, ante * edge, ante)


ALWAYS_CALL = Theorem(
    name="best-response-to-always-call",
    plain="Against who always calls, the best response raises once a round whenever its equity e is above "
    "one half: it earns in each round the size of a raise times the mean of max(2 e - 1, 0), counted "
    "over all deals.",
    tex=r"\sum_r b_r \, \mathbb E[\max(2 e_r - 1, 0)]",
    source=f"{SOURCE}; closed form derived here",
    relation="==",
    instances=_limit_games,
    measure=_closed_form,
    tolerance=1e-9,
    twin=Twin("It earns the ante times the advantage on the full board.", _antes_alone),
)

THEOREMS = (STREAMED_RESPONSE, ALWAYS_CALL)
