"""The claim that a way of averaging strategies keeps their payoffs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from typing import Any, ClassVar, TypeAlias

import numpy as np

from treeplex.bench.challenges.case import Case, rational, strategy_of
from treeplex.bench.challenges.case_drawing import drawn_game, drawn_strategy, rng_of
from treeplex.bench.challenges.case_edits import EDITS, Edit
from treeplex.bench.challenges.claim import Breach
from treeplex.bench.challenges.claim_targets import called, loaded, profile_from
from treeplex.files.strategies import StrategyLike
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.seqform.certify.certificate import ExactPlan, exact_best_response, rational_plan

Table: TypeAlias = Mapping[tuple[int, str], Mapping[str, float]]
Averager: TypeAlias = Callable[[Game[Any], Sequence[Table], Sequence[float]], StrategyLike]
"""From a game, strategies ``{(player, infoset): {action: probability}}`` and weights that sum to one."""
KINDS = ("pure", "random", "uniform")


@dataclass(frozen=True)
class AverageClaim:
    """Averages: against whatever the other plays, the average earns the weighted mean of what they earn."""

    name: ClassVar[str] = "average"
    statement: ClassVar[str] = "{} earns against every opponent what the strategies earn on average"

    def target(self, given: object) -> Averager:
        """Return a callable from itself, its class or ``module:Name``."""
        averager: Averager = loaded(given, "way of averaging")
        return averager

    def cases(self, target: Averager, seed: int) -> Iterator[Case]:
        """Yield games with two or three strategies and weights."""
        for draw in count():
            rng = rng_of(seed, draw)
            game = drawn_game(draw, rng)
            n = int(rng.integers(2, 4))
            strategies = tuple(drawn_strategy(KINDS[int(rng.integers(3))], game.form, rng) for _ in range(n))
            odds = [Fraction(int(odd)) for odd in rng.integers(1, 5, n)]
            weights = tuple(odd / sum(odds) for odd in odds)
            yield replace(game, strategies=strategies, weights=weights)

    def edits(self, target: Averager) -> Sequence[Edit]:
        """Return all edits."""
        return EDITS

    def breach(self, target: Averager, case: Case) -> Breach:
        """Return the largest difference between both payoffs, over the players and all the other may play."""
        if not case.weights or len(case.weights) != len(case.strategies):
            raise BadInputError(
                f"{case.origin}: no strategies with weights, one each, which could be averaged"
            )
        treeplexes = case.form.treeplexes
        tables = [
            {key: {a: float(p) for a, p in row.items()} for key, row in strategy.items()}
            for strategy in case.strategies
        ]
        weights = [float(weight) for weight in case.weights]
        mean = called(target, case.origin, lambda: target(case.game, tables, weights))
        profile = profile_from(target, case, mean)
        behaviours = {p: rational(treeplexes[p], profile.behaviour[p]) for p in (0, 1)}
        off = [_most_off(case, p, behaviours[p]) for p in (0, 1)]
        figures = tuple((f"payoff of player {p} off by", off[p]) for p in (0, 1))
        return Breach(max(off), case.spread, figures, strategy_of(treeplexes, behaviours))


def _most_off(case: Case, player: int, behaviour: list[Fraction]) -> Fraction:
    """Return by how much a behaviour's payoff can differ from the mean of the strategies' payoffs."""
    treeplex = case.form.treeplexes[player]
    plans = [rational_plan(treeplex, behaviour)]
    plans += [rational_plan(treeplex, case.behaviour(player, k)) for k in range(len(case.strategies))]
    shares = [Fraction(1), *(-weight for weight in case.weights)]
    den = int(
        np.lcm.reduce(np.array([s.denominator * p.den for s, p in zip(shares, plans, strict=True)], object))
    )
    num = sum(p.num * int(s * den / p.den) for s, p in zip(shares, plans, strict=True))
    both = (ExactPlan(np.asarray(sign * num), den) for sign in (1, -1))
    return max(exact_best_response(case.form, 1 - player, plan) for plan in both)
