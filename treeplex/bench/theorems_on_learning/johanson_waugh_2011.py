"""Johanson, Waugh, Bowling and Zinkevich 2011: iterations on public trees, and on betting times boards."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import poker, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.learning_runs import (
    AVERAGES,
    MATCHING,
    ORDERS,
    run_name,
    variant_of,
)
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import VARIANTS, variant_named
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.trees.public_tree import PublicTree, compile_public

POKER = ("kuhn_poker", "leduc_poker(raises=1)")
MORE_POKER = ("kuhn_poker(ranks=5)", "leduc_poker", "leduc_poker(suits_visible=true)")
RIVER = "small_holdem"
TURN = 'small_holdem(board="As Kh Qs Jh",ranks=5)'
FLOP = 'small_holdem(board="As Kh Qs",ranks=5)'


@lru_cache(32)
def _without_ties(spec: str, seed: int) -> PublicTree:
    """Return a public tree with each stake a little off, so that rounding decides no tie."""
    tree = compile_public(poker(spec))
    noise = np.random.default_rng(seed).integers(0, 10**4, tree.n_nodes).astype(object)
    return replace(tree, stake=tree.stake.astype(object) * 10**5 + noise, stake_den=tree.stake_den * 10**5)


def _on_public_trees(effort: Effort) -> Iterator[Instance]:
    for game in effort.choose(POKER, MORE_POKER):
        for k, (name, order) in enumerate((name, order) for name in VARIANTS for order in ORDERS):
            yield Instance(game, effort.seed, choice=run_name(name, order, AVERAGES[k % 3], 8))
    # Hands that no partner is left for tie exactly, which decides best responses and predictions.
    for game in effort.choose((RIVER,), (TURN,)):
        for k, name in enumerate((*MATCHING, "hedge")):
            yield Instance(game, effort.seed, choice=run_name(name, ORDERS[k % 2], AVERAGES[k % 3], 6))


def _vector_form(more: int) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of averages on the public tree, and of those ``more`` iterations later on its form.

    What they guarantee and concede is compared.
    """

    def measure(instance: Instance) -> Iterator[Comparison]:
        tree, variant = _without_ties(instance.game, instance.seed), variant_of(instance.choice)
        form, count = sequence_form(tree), int(instance.choice.rsplit(maxsplit=1)[-1])
        engine = vector_cfr.prepare(tree, variant)
        gains = engine.gains(iterate(engine, count))
        x, y = average(full_width.prepare(form, variant), count + more).plans
        unit = spread(instance.game)
        yield Comparison(gains.lower, -form.best_response(1, x).total, unit, "guaranteed")
        yield Comparison(gains.upper, form.best_response(0, y).total, unit, "conceded")

    return measure


def _one_variant(effort: Effort) -> Iterator[Instance]:
    for game in POKER:
        yield Instance(game, effort.seed, choice=run_name("cfr", ORDERS[0], AVERAGES[0], 8))


VECTOR_FORM = Theorem(
    name="vector-form",
    plain="An iteration on the public tree, all hands as one vector at each node, is the iteration on the "
    "sequence form, for every variant; measured on stakes without ties.",
    tex=r"\bar\sigma_{\text{public}}^T = \bar\sigma_{\text{sequences}}^T",
    source="Johanson, Waugh, Bowling and Zinkevich 2011, for CFR and best responses; here for the family",
    relation="==",
    instances=_on_public_trees,
    measure=_vector_form(0),
    tolerance=1e-11,
    twin=Twin("It is that on the sequence form one iteration later.", _vector_form(1), _one_variant),
)


def _on_boards(effort: Effort) -> Iterator[Instance]:
    for game in effort.choose(("kuhn_poker", RIVER), ("leduc_poker(suits_visible=true)", TURN, FLOP)):
        for name in effort.choose(("cfr+",), ("cfr", "lcfr", "dcfr")):
            yield Instance(game, choice=run_name(name, "alternating", AVERAGES[len(name) % 3], 8))


def _factored_form(more: int) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of averages on betting times boards, and of those later on the public tree.

    What they guarantee and concede is compared, ``more`` iterations later.
    """

    def measure(instance: Instance) -> Iterator[Comparison]:
        game, unit = poker(instance.game), spread(instance.game)
        name, order, weights, count = instance.choice.split()
        variant = variant_named(name, average=weights, counted="before", order=order)
        public = vector_cfr.prepare(compile_public(game), variant)
        gains = public.gains(iterate(public, int(count) + more))
        tree = FactoredTree.of(game, BettingTree.of(game), BoardTree.of(game))
        engine = factored_cfr.prepare(tree, FactoredConfig(variant))
        found = certify_factored(game, average(engine, int(count)))
        yield Comparison(found.lower, gains.lower, unit, "guaranteed")
        yield Comparison(found.upper, gains.upper, unit, "conceded")

    return measure


FACTORED_FORM = Theorem(
    name="factored-form",
    plain="An iteration on betting lines times boards up to suits, regrets kept to 24 bits, is that on the "
    "public tree with every board.",
    tex=r"\bar\sigma_{\text{boards}}^T = \bar\sigma_{\text{public}}^T",
    source="derived here",
    relation="==",
    instances=_on_boards,
    measure=_factored_form(0),
    tolerance=3e-7,
    twin=Twin("It is that on the public tree one iteration later.", _factored_form(1)),
)

THEOREMS = (VECTOR_FORM, FACTORED_FORM)
