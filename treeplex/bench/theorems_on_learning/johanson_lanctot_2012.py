"""Johanson, Bard, Lanctot, Gibson and Bowling 2012: public-chance sampling."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import poker, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.learning_runs import most_apart
from treeplex.cfr.engine import PairState, iterate
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.public.vector_cfr import VectorState
from treeplex.cfr.sampling import board_sampling
from treeplex.cfr.sampling.board_sampling import BoardSampling, Paths, SampledBoards
from treeplex.cfr.sampling.draws import fill, mixed
from treeplex.cfr.variant import Average, Matching, Variant
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.trees.public_tree import PublicTree, compile_public

FULL = Variant((Matching(), Matching()), "simultaneous", Average(0.0, "before"))
"""The full-width variant whose increments public-chance sampling estimates."""
TURN = 'small_holdem(board="As Kh Qs Jh",ranks=5,ranges=["AA,KK:0.5,QJ,JT","all"])'
FLOP = 'small_holdem(board="As Kh Qs",ranks=5,ranges=["AA,AQ,JTo","KK,AJ,QT:0.3"])'


@lru_cache(32)
def _public(spec: str) -> PublicTree:
    return compile_public(poker(spec))


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
        yield most_apart(mean.regret, new.regret - old.regret, unit, f"player {p}'s regrets")
        yield most_apart(mean.total, mean.drawn * (new.total - old.total), 1.0, f"player {p}'s average")


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

THEOREMS = (PUBLIC_CHANCE,)
