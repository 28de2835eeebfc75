"""Burch, Johanson and Bowling 2014: CFR-D, regret minimisation on a trunk above solved subgames."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from treeplex.bench.theorems.cases import random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.learning_runs import run_name
from treeplex.bench.theorems_on_learning.trunk_books import Books, books_of
from treeplex.cfr.sequences.cfr_d import TrunkAverage
from treeplex.cfr.sequences.two_sided_trunk import Pair, TwoSidedTrunk
from treeplex.cfr.variant import VARIANTS
from treeplex.seqform.forms.treeplex import Floats
from treeplex.solving.resolved_trunk import finish

SOURCE = "Burch, Johanson and Bowling 2014; identity and constants derived here"
EARLY = (("random_game(seed=14,depth=3,actions=2)", 2), ("random_game(seed=97,depth=3,actions=2)", 4))
"""Games and numbers of iterations whose trunk regrets use much of their bound."""


def _instances(effort: Effort) -> Iterator[Instance]:
    for game in effort.choose(("kuhn_poker", "coin_toss"), ("leduc_poker(ranks=2,raises=1)",)):
        for name in effort.choose(("cfr", "cfr+"), ("lcfr", "pdcfr")):
            average = "uniform" if name == "cfr" else "linear"
            for solver in effort.choose(("1", "30"), ("exact",)):
                yield Instance(game, choice=f"{run_name(name, 'simultaneous', average, 10)}, {solver}")
    for game, count in EARLY:
        yield Instance(game, choice=f"{run_name('cfr', 'simultaneous', 'uniform', count)}, 1")
    for instance in random_games(effort, quick=4, full=40):
        if _can_be_cut(instance.game):
            name, solver = sorted(VARIANTS)[instance.seed % len(VARIANTS)], ("2", "exact")[instance.seed % 2]
            choice = f"{run_name(name, 'simultaneous', 'linear', 3)}, {solver}"
            yield Instance(instance.game, instance.seed, choice=choice)


def _can_be_cut(spec: str) -> bool:
    """Return whether a game has a usual place to cut."""
    try:
        TwoSidedTrunk.of(enumerated(spec))
    except ValueError:
        return False
    return True


def _identity(instance: Instance) -> Iterator[Comparison]:
    books, unit = books_of(instance.game, instance.choice), spread(instance.game)
    average = books.average
    implied = (sum(average.regrets) + float(books.weights @ books.gaps)) / average.weight
    yield Comparison(sum(average.bounds), implied, unit)


def _without_gaps(instance: Instance) -> Iterator[Comparison]:
    average = books_of(instance.game, instance.choice).average
    yield Comparison(sum(average.bounds), sum(average.regrets) / average.weight, spread(instance.game))


CFR_D_IDENTITY = Theorem(
    name="cfr-d-identity",
    plain="In CFR-D with simultaneous updates the bounds on both players' gains from the values stored at "
    "tops add up to both trunk regrets and the NashConvs of all subgame solutions, over the sum of weights.",
    tex=r"B_0 + B_1 = \Big(R_0^T + R_1^T + \sum_t w_t \sum_S \mathrm{NashConv}_S^t\Big) / W",
    source=SOURCE,
    relation="==",
    instances=_instances,
    measure=_identity,
    tolerance=1e-12,
    twin=Twin("Errors of the subgame solutions do not count.", _without_gaps),
)


def _promised(average: TrunkAverage, unit: float) -> Iterator[Comparison]:
    """Compare what was proved of the trunk with its subgames solved again with what the run stored."""
    done = finish(average)
    proved = done.certificate.nash_conv - 2 * done.certificate.rounding
    yield Comparison(proved, sum(average.bounds), unit, "subgames solved again")


def _bound(instance: Instance) -> Iterator[Comparison]:
    books, unit = books_of(instance.game, instance.choice), spread(instance.game)
    trunk, average = books.average.trunk, books.average
    yield from _promised(average, unit)
    yield Comparison(books.played.nash_conv, sum(average.bounds), unit, "averaged play")
    if instance.choice.startswith("cfr "):
        for p, t in enumerate(trunk.form.treeplexes):
            allowed = unit * float(np.sqrt(len(books.gaps) * (t.end - t.begin)).sum())
            yield Comparison(
                average.regrets[p], allowed, unit * average.weight, f"trunk regret of player {p}"
            )


def _values_of_play(books: Books) -> Pair:
    """Return the sums of what each player's own play in the subgames earned at its tops, (T,)."""
    trunk = books.average.trunk
    earned = np.zeros(len(trunk.entry[0])), np.zeros(len(trunk.entry[1]))
    for weight, x, y in zip(books.weights.tolist(), *books.plans, strict=True):
        for p, (own, other) in enumerate(((x, y), (y, x))):
            for k in range(len(trunk.cuts)):
                earned[p][trunk.tops(p, k)] += weight * _earned_below(trunk, k, p, own, other)
    return earned


def _earned_below(trunk: TwoSidedTrunk, k: int, player: int, own: Floats, other: Floats) -> Floats:
    """Return what a player's play in one subgame earns at its tops, own reach of them taken as 1."""
    view, t = trunk.cuts[k].views[player], trunk.game.form.treeplexes[player]
    behaviour, below = t.behaviour(own), np.zeros(t.n_sequences)
    below[view.entry] = 1.0
    for s in view.other.sequences.tolist():
        below[s] = behaviour[s] * below[view.other.treeplex.parent_of[s]]
    z = view.leaves
    paid = z.amount * other[z.own] * below[z.other]
    return np.bincount(view.root_top[z.root], paid, minlength=len(view.tops)).astype(np.float64)


def _bound_of_play(instance: Instance) -> Iterator[Comparison]:
    books = books_of(instance.game, instance.choice)
    state = replace(books.average.state, tops=_values_of_play(books))
    return _promised(replace(books.average, state=state), spread(instance.game))


def _poorly_solved(effort: Effort) -> Iterator[Instance]:
    yield Instance("kuhn_poker", choice=f"{run_name('cfr', 'simultaneous', 'uniform')}, 1")


CFR_D = Theorem(
    name="cfr-d-bound",
    plain="The trunk's average with its subgames solved again by Resolve has at most the NashConv that the "
    "values stored by CFR-D promise; trunk regrets keep to the bound of CFR with the trunk's infosets alone, "
    "of which the first iterations use up to 36%.",
    tex=r"\mathrm{NashConv}(\text{trunk} + \text{Resolve}) \le B_0 + B_1,\quad "
    r"R_i \le \Delta \sum_{I \in \text{trunk}} \sqrt{|A(I)| T}",
    source=SOURCE,
    relation="<=",
    instances=_instances,
    measure=_bound,
    tolerance=1e-9,
    twin=Twin(
        "So it has where values at tops are those of the players' own play in the subgames.",
        _bound_of_play,
        _poorly_solved,
    ),
)

THEOREMS = (CFR_D_IDENTITY, CFR_D)
