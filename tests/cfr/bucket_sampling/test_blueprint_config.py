"""Configs of blueprints, layouts, and public clusters."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.cfr.bucket_sampling.bucket_sampler import prepare
from treeplex.cfr.bucket_sampling.sampler_config import (
    BlueprintConfig,
    LibratusPruning,
    PluribusPruning,
    pruning_named,
)
from treeplex.cfr.bucket_sampling.sampler_layout import STAKE_BITS, blueprint_layout, public_clusters
from treeplex.games.buckets.card_abstraction import CardAbstraction, StreetBuckets, street_rounds
from treeplex.games.buckets.perfect_recall import lossless
from treeplex.games.cards.cards import Deck
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import flop_holdem, kuhn_poker, leduc_poker, no_limit_flop_holdem
from treeplex.seqform.boards.betting_tree import BettingTree

FULL = Deck(13, 4, False)


@over(
    [
        ({"clusters": 0}, "clusters must be between 1 and 1,024, got 0"),
        ({"batch": 0}, "batch must be at least 1, got 0"),
        ({"batch": 30, "period": 100}, "period must be a multiple of the batch, 30, got 100"),
        ({"linear_periods": 0}, "linear_periods must be between 1 and 32,768, got 0"),
        ({"average": "last"}, "average must be one of counts, snapshots, got 'last'"),
        ({"seed": -1}, "seed must be"),
    ]
)
def test_bad_configs_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        BlueprintConfig(**given)


@over(
    [
        (LibratusPruning, {"threshold": 0.0}, "threshold must be below 0"),
        (LibratusPruning, {"constant": 0.0}, "constant must be above 0"),
        (LibratusPruning, {"least": 0.0}, "least must be above 0"),
        (LibratusPruning, {"start": -1}, "start must be at least 0"),
        (PluribusPruning, {"threshold": 1.0}, "threshold must be below 0"),
        (PluribusPruning, {"floor": -1.0}, "floor must be finite and at most -230, got -1.0"),
        (PluribusPruning, {"share": 1.5}, "share must be between 0 and 1"),
        (PluribusPruning, {"start": -1}, "start must be at least 0"),
    ]
)
def test_bad_prunings_are_refused(kind, given, message):
    with pytest.raises(ValueError, match=message):
        kind(**given)


def test_prunings_have_numbers_of_ones_own():
    assert pruning_named("libratus") == LibratusPruning()
    own = pruning_named(" libratus (threshold=-1/2, constant=4, least=1e-2, start=30) ")
    assert own == LibratusPruning(-0.5, 4.0, 0.01, 30)
    assert repr(own) == repr(LibratusPruning(-0.5, 4.0, 0.01, 30))
    assert pruning_named("pluribus(share=0)") == PluribusPruning(share=0.0)


@over(
    [
        ("all", "pruning must be one of libratus, pluribus, got 'all'"),
        ("all(start=1)", "pruning must be one of libratus, pluribus, got 'all'"),
        ("pluribus(", "pruning must be one of libratus, pluribus, got 'pluribus\\('"),
        ("pluribus(least=1)", "pruning: pluribus takes threshold, floor, share, start, got 'least'"),
        ("pluribus(start=0.5)", "pruning: pluribus: start must be an integer, got"),
        ("pluribus(share=many)", "pruning: pluribus: share must be a number, got 'many'"),
        ("pluribus(threshold=-300)", "pluribus: floor must be finite and at most -300, got -238"),
        ("libratus(threshold=-1e999)", "libratus: threshold must be below 0 and finite, got -inf"),
        ("libratus(threshold=-1,threshold=-2)", "threshold must be given once"),
    ]
)
def test_texts_that_are_no_prunings_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        pruning_named(text)


def test_weights_grow_by_period():
    config = BlueprintConfig(batch=10, period=20, linear_periods=3)
    assert [config.weight(n) for n in (0, 19, 20, 59, 60, 10**6)] == [1, 1, 2, 3, 3, 3]


@over([2, 3, 6, 60])
def test_clusters_of_flops_are_about_equally_likely_and_blind_to_suits(most):
    clusters = public_clusters(FULL, (2, 3, 1, 1), most)
    assert clusters.count == most
    weight = np.bincount(clusters.cluster, HandIndex(FULL, (3,)).orbit(np.arange(1755)), most)
    assert weight.sum() == 22100
    assert np.abs(weight - 22100 / most).max() <= 25
    flop = np.array([[51, 30, 8]])
    for suits in permutations(range(4)):
        renamed = flop // 4 * 4 + np.array(suits)[flop % 4]
        assert clusters.of(renamed) == clusters.of(flop)
    high = [int(clusters.of(np.array([[a, b, c]]))[0]) for a, b, c in ((51, 50, 49), (4, 1, 0))]
    assert high == [0, most - 1]


def test_small_games_have_as_many_clusters_as_classes():
    assert public_clusters(Deck(3, 1, True), (1,), 6).count == 1
    assert public_clusters(Deck(3, 2, True), (1, 1), 6).count == 3
    assert public_clusters(Deck(3, 2, True), (1, 1), 2).count == 2
    assert public_clusters(FULL, (2, 3, 1, 1), 1).index is None


def test_rows_fill_the_tables_first_street_first():
    game = no_limit_flop_holdem(5, 4)
    layout = blueprint_layout(game, lossless(game), 4)
    ends = 0
    for street in (0, 1):
        for node in np.flatnonzero((layout.nodes["kind"] < 2) & (layout.nodes["street"] == street)):
            assert layout.nodes["base"][node] == ends
            ends += layout.abstraction.counts[street] * int(layout.nodes["count"][node])
            assert (layout.shared == ends) or street == 1 or ends < layout.shared
    assert layout.length == ends
    assert 2 ** (STAKE_BITS - 1) <= layout.stake < 2**STAKE_BITS
    assert layout.stake * layout.unit == BettingTree.of(game).largest_stake


def test_the_menu_of_a_blueprint_has_the_sizes_that_are_counted():
    game = load_game('no_limit_holdem(stack=10000, bets="1,a", raises="1,a", max_raises=3)')
    rounds = (2, 3, 1, 1)
    sizes = [HandIndex(game.deck, one).size for one in street_rounds(rounds, "imperfect")[:2]]
    flop = StreetBuckets("ehs2", 2000, np.zeros(sizes[1], np.uint16), None)
    assert sizes[0] == 169
    layout = _layout_with(game, rounds, (169, 2000, 2000, 1000), flop)
    assert layout.length == 39 * 169 + (218 + 782) * 2000 + 2082 * 1000
    assert layout.shared == 39 * 169


def _layout_with(game, rounds, counts, flop):
    """Return a layout with so many buckets, without tables of turns and rivers, which take long to make."""

    class Counted(CardAbstraction):
        def __post_init__(self):
            pass

        @property
        def counts(self):
            return counts

    return blueprint_layout(game, Counted(game.deck, rounds, "imperfect", (flop,), 0, "counted"), 6)


def test_bad_games_and_workers_are_refused():
    game = leduc_poker()
    with pytest.raises(ValueError, match="threads must be between 1 and 256, got 0"):
        prepare(game, lossless(game), BlueprintConfig(), 0)
    with pytest.raises(ValueError, match="the abstraction is of a deck"):
        prepare(kuhn_poker(), lossless(game), BlueprintConfig())
    plain = flop_holdem(5, 4, (1, 1))
    with pytest.raises(ValueError, match=r"flops of .* tell them apart"):
        prepare(replace(plain, flops=(((51, 50, 46), 1),)), lossless(plain), BlueprintConfig())


def test_prunings_know_the_last_street():
    game = leduc_poker()
    engine = prepare(game, lossless(game), BlueprintConfig(pruning=PluribusPruning(start=5)))
    assert engine._pruned(4).kind == 0
    assert engine._pruned(5)[-1] == 1
    assert replace(engine, config=BlueprintConfig())._pruned(5).kind == 0
