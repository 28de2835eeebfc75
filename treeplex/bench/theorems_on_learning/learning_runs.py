"""Runs of the full-width minimisers by name, with exact regret logs that many theorems share."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from treeplex.bench.theorems.cases import named_games, random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated
from treeplex.bench.theorems.theorem import Comparison, Instance
from treeplex.cfr.theory.regret_log import RegretLog, regret_log
from treeplex.cfr.variant import VARIANTS, Variant, variant_named
from treeplex.seqform.forms.treeplex import Floats

ORDERS = ("alternating", "simultaneous")
AVERAGES = ("uniform", "linear", "quadratic")
MATCHING = ("cfr", "cfr+", "lcfr", "dcfr")
"""The variants of regret matching without prediction."""
ROCK_PAPER_SCISSORS = "matrix_game(payoff=[[0,-1,2],[1,0,-1],[-2,1,0]])"
SKEWED = "matrix_game(payoff=[[0,-1,2],[1,0,-1],[-2,1,1/3]])"
"""A matrix game whose only equilibrium is mixed."""
ITERATIONS = 20
KEPT = 512
"""So many logs are kept in a process; the oldest go."""


def most_apart(left: Floats, right: Floats, scale: float, at: str) -> Comparison:
    """Compare two arrays where they differ most."""
    k = int(np.argmax(np.abs(left - right)))
    return Comparison(float(left[k]), float(right[k]), scale, f"{at}, entry {k}")


def run_name(name: str, order: str, average: str, iterations: int = ITERATIONS) -> str:
    """Return a run's name, the choice of its instances: ``cfr+ alternating linear 20``."""
    return f"{name} {order} {average} {iterations}"


def variant_of(choice: str) -> Variant:
    """Return the variant of a run's name; its average is of the plans seen, for which identities hold."""
    name, order, average, _ = choice.split()
    return variant_named(name, average=average, counted="seen", order=order)


@lru_cache(KEPT)
def log_of(spec: str, choice: str) -> RegretLog:
    """Return the regret log of a run on the enumerated game, one row for all its iterations."""
    iterations = int(choice.rsplit(maxsplit=1)[-1])
    return regret_log(enumerated(spec).form, variant_of(choice), iterations, every=iterations)


def runs(
    effort: Effort, names: tuple[str, ...] = tuple(VARIANTS), orders: tuple[str, ...] = ORDERS
) -> Iterator[Instance]:
    """Yield runs: every variant and order on named games, and some of them on random games.

    In a full run with every average; in a quick one with one, by turns.
    """
    kinds = [(name, order) for name in names for order in orders]
    for g, game in enumerate((Instance(SKEWED), *named_games(effort))):
        for k, (name, order) in enumerate(kinds):
            averages = AVERAGES[(g + k) % 3 :][:1] if effort.quick else AVERAGES
            for average in averages:
                yield Instance(game.game, choice=run_name(name, order, average))
    for game in random_games(effort, quick=8, full=150):
        name, order = kinds[game.seed % len(kinds)]
        average = AVERAGES[game.seed // len(kinds) % 3]
        yield Instance(game.game, game.seed, choice=run_name(name, order, average, 8))
