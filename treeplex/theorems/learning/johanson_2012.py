"""Johanson et al. 2011 and 2012: the vector form of CFR, public-chance sampling, and CFR-BR."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from treeplex.cfr.engine import PairState, average, iterate
from treeplex.cfr.monte_carlo.draws import fill, mixed
from treeplex.cfr.monte_carlo.public_chance import sampling as board_sampling
from treeplex.cfr.monte_carlo.public_chance.boards import Paths
from treeplex.cfr.monte_carlo.public_chance.sampling import BoardSampling, SampledBoards
from treeplex.cfr.public_tree import vector_cfr
from treeplex.cfr.public_tree.vector_cfr import VectorState
from treeplex.cfr.sequence_form import full_width
from treeplex.cfr.theory.regret_log import Regrets, regrets_of
from treeplex.cfr.variants.variant import VARIANTS, Average, Matching, Variant
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.trees.public_compiler import compile_public
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.theorems.cases import named_games, random_games
from treeplex.theorems.effort import Effort
from treeplex.theorems.learning.runs import AVERAGES, ORDERS, SKEWED, run_name, variant_of
from treeplex.theorems.prepared import distance_to_value, enumerated, problem, spread
from treeplex.theorems.theorem import Comparison, Instance, Theorem, Twin

FULL = Variant((Matching(), Matching()), "simultaneous", Average(0.0, "before"))
"""The full-width variant whose increments public-chance sampling estimates."""
POKER = ("kuhn_poker", "leduc_poker(raises=1)")
TURN = 'small_holdem(board="As Kh Qs Jh",ranks=5,ranges=["AA,KK:0.5,QJ,JT","all"])'
FLOP = 'small_holdem(board="As Kh Qs",ranks=5,ranges=["AA,AQ,JTo","KK,AJ,QT:0.3"])'
MORE_POKER = ("kuhn_poker(ranks=5)", "leduc_poker", "leduc_poker(suits_visible=true)")


def _responded(instance: Instance) -> tuple[Regrets, tuple[Floats, Floats], Floats]:
    """Run a variant, drop the first plans; return the regrets of pairs of plans, averages, and the last plan.

    In CFR-BR each plan of player 1 but the first is a best response to player 0's of the same pair.
    """
    form, variant = enumerated(instance.game).form, variant_of(instance.choice)
    engine, count = full_width.prepare(form, variant), int(instance.choice.rsplit(maxsplit=1)[-1])
    state, xs, ys = engine.start(), [], []
    for _ in range(count):
        state = engine.advance(state, 1)
        xs.append(state.memories[0].plan)
        ys.append(state.memories[1].plan)
    weights = np.arange(1.0, count + 1) ** variant.average.exponent
    x, y = (weights @ np.array(plans) / weights.sum() for plans in (xs, ys))
    return regrets_of(form, xs, ys, weights.tolist(), "simultaneous"), (x, y), xs[-1]


def _conceded(game: str, plan: Floats) -> float:
    """Return how much less than the game's value a plan of player 0 guarantees."""
    first, second = enumerated(game).form.treeplexes
    return distance_to_value(game, 0, Profile((first, second), (first.behaviour(plan), second.uniform())))


def _best_response(instance: Instance) -> Iterator[Comparison]:
    regrets, (mean, _), _ = _responded(instance)
    allowed, unit = regrets.regret_0 / regrets.weight, spread(instance.game)
    yield Comparison(_conceded(instance.game, mean), allowed, unit, "exploitability")
    yield Comparison(regrets.nash_conv, allowed, unit, "NashConv")


def _responding(effort: Effort, name: str) -> Iterator[Instance]:
    for k, game in enumerate(
        (Instance(SKEWED), *named_games(effort), *random_games(effort, quick=4, full=60))
    ):
        choice = run_name(name, "alternating", AVERAGES[k % 3], 30)
        yield Instance(game.game, game.seed, choice=choice)


def _best_responding(effort: Effort) -> Iterator[Instance]:
    return _responding(effort, "cfr-br")


def _learning(effort: Effort) -> Iterator[Instance]:
    return _responding(effort, "cfr+")


CFR_BR = Theorem(
    name="cfr-br-bound",
    plain="Where player 1 best responds to every plan of player 0, what player 0's average plan concedes, "
    "and NashConv, is at most player 0's own average regret.",
    tex=r"v^* - \min_y u(\bar x, y) \le R_0^T / W",
    source="Johanson, Bard, Burch and Bowling 2012; the constant is derived here",
    relation="<=",
    instances=_best_responding,
    measure=_best_response,
    tolerance=1e-9,
    twin=Twin(
        "So it is where player 1 learns by regret matching+.",
        _best_response,
        _learning,
    ),
)


@lru_cache(32)
def _public(spec: str) -> PublicTree:
    game = problem(spec).game
    assert isinstance(game, PokerGame)
    return compile_public(game)


@lru_cache(32)
def _without_ties(spec: str, seed: int) -> PublicTree:
    """Return a public tree with each stake a little off, so that rounding decides no tie."""
    tree = _public(spec)
    noise = np.random.default_rng(seed).integers(0, 10**4, tree.n_nodes).astype(object)
    return replace(tree, stake=tree.stake.astype(object) * 10**5 + noise, stake_den=tree.stake_den * 10**5)


def _on_public_trees(effort: Effort) -> Iterator[Instance]:
    kinds = [(name, order) for name in VARIANTS for order in ORDERS]
    for game in effort.choose(POKER, MORE_POKER):
        for k, (name, order) in enumerate(kinds):
            yield Instance(game, effort.seed, choice=run_name(name, order, AVERAGES[k % 3], 8))


def _vector_form(instance: Instance) -> Iterator[Comparison]:
    """Compare what the averages guarantee and concede on the public tree and on its sequence form."""
    tree, variant = _without_ties(instance.game, instance.seed), variant_of(instance.choice)
    form, count = sequence_form(tree), int(instance.choice.rsplit(maxsplit=1)[-1])
    engine = vector_cfr.prepare(tree, variant)
    gains = engine.gains(iterate(engine, count))
    x, y = average(full_width.prepare(form, variant), count).plans
    unit = spread(instance.game)
    yield Comparison(gains.lower, -form.best_response(1, x).total, unit, "guaranteed")
    yield Comparison(gains.upper, form.best_response(0, y).total, unit, "conceded")


VECTOR_FORM = Theorem(
    name="vector-form",
    plain="An iteration on the public tree, all hands as one vector at each node, is the iteration on the "
    "sequence form, for every variant; measured on stakes without ties.",
    tex=r"\bar\sigma_{\text{public}}^T = \bar\sigma_{\text{sequences}}^T",
    source="Johanson, Waugh, Bowling and Zinkevich 2011, for CFR and best responses; here for the family",
    relation="==",
    instances=_on_public_trees,
    measure=_vector_form,
    tolerance=1e-11,
)


def _seeds(paths: Paths) -> list[int]:
    """Return for each path of boards a seed whose first number draws it."""
    seeds: dict[int, int] = {}
    draw, seed = np.empty(1), 0
    while len(seeds) < len(paths.cumulative):
        fill(np.uint64(mixed(np.uint64(seed))), 0, draw)
        seeds.setdefault(int(np.searchsorted(paths.cumulative, draw[0], side="right")), seed)
        seed += 1
    return [seeds[k] for k in range(len(seeds))]


def _board_games(effort: Effort) -> Iterator[Instance]:
    for game in effort.choose(("leduc_poker", TURN), ("leduc_poker(suits_visible=true)", FLOP)):
        for seed in effort.seeds(quick=1, full=4):
            yield Instance(game, seed)


def _boards_added_up(instance: Instance, weighted: bool) -> Iterator[Comparison]:
    """Compare increments of regrets and of sums of plans, all boards added up, with those of full width."""
    tree, unit = _public(instance.game), spread(instance.game)
    engine = board_sampling.prepare(tree, BoardSampling(seed=instance.seed))
    before = iterate(engine, 40)
    full = iterate(vector_cfr.prepare(tree, FULL), 1, before)
    means = _expected_increments(engine, before, weighted)
    for p, (old, new, mean) in enumerate(zip(before.memories, full.memories, means, strict=True)):
        yield _most_apart(mean.regret, new.regret - old.regret, unit, f"player {p}'s regrets")
        yield _most_apart(mean.total, mean.drawn * (new.total - old.total), 1.0, f"player {p}'s average")


def _most_apart(left: Floats, right: Floats, unit: float, at: str) -> Comparison:
    k = int(np.argmax(np.abs(left - right)))
    return Comparison(float(left[k]), float(right[k]), unit, f"{at}, row {k}")


class Increments(NamedTuple):
    """One player's expected increments of regrets and of sums of plans, and how likely each row is drawn."""

    regret: Floats
    total: Floats
    drawn: Floats


def _expected_increments(engine: SampledBoards, before: VectorState, weighted: bool) -> list[Increments]:
    """Return both players' expected increments, from a state on."""
    means = [Increments(*(np.zeros_like(m.regret) for _ in range(3))) for m in before.memories]
    shares = np.diff(engine.paths.cumulative, prepend=0.0)
    arrays = engine.weighted if weighted else engine.arrays
    for share, seed in zip(shares, _seeds(engine.paths), strict=True):
        one = replace(engine, config=BoardSampling(seed=seed), weighted=arrays)
        after = iterate(one, 1, PairState(0, before.memories))
        for mean, old, new in zip(means, before.memories, after.memories, strict=True):
            mean.regret[:] += share * (new.regret - old.regret)
            mean.total[:] += share * (new.total - old.total)
            mean.drawn[:] += share * (new.total > old.total)
    return means


def _weighted(instance: Instance) -> Iterator[Comparison]:
    return _boards_added_up(instance, True)


def _unweighted(instance: Instance) -> Iterator[Comparison]:
    return _boards_added_up(instance, False)


PUBLIC_CHANCE = Theorem(
    name="public-chance-unbiased",
    plain="What an iteration on sampled boards, payoffs divided by the probability of their board, adds to "
    "regrets is on average what the full-width iteration adds; to sums of plans its share of the draws.",
    tex=r"\mathbb E\, \tilde r(I,a) = r(I,a)",
    source="Johanson, Bard, Lanctot, Gibson and Bowling 2012",
    relation="==",
    instances=_board_games,
    measure=_weighted,
    tolerance=1e-11,
    twin=Twin("Payoffs need not be divided.", _unweighted),
)

THEOREMS = (CFR_BR, VECTOR_FORM, PUBLIC_CHANCE)
