"""CFR-BR in buckets: a naive twin, the exact price of buckets, and bounds by regrets."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.labelled_hands import buckets
from tests.helpers.twins.factored import before, factored_tree
from tests.helpers.twins.naive_cfr_br import naive_cfr_br
from treeplex.bench.theorems_on_abstractions.on_boards import partitions_of
from treeplex.bench.theorems_on_games.partition_price import one_sided_optimum
from treeplex.cfr.boards import bucket_br, bucket_cfr
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.boards.bucket_br import ResponseConfig
from treeplex.cfr.boards.bucket_gains import guarantee_bounds, guarantee_rounding
from treeplex.cfr.engine import PairState, iterate
from treeplex.cfr.variant import Average
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.boards.bucket_tree import BucketStrategy, BucketTree
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.trees.public_tree import compile_public

LEDUC = "leduc_poker(suits_visible=true)"
RIVER = 'small_holdem(ranks=6,suits=3,board="As Ks Qs Js 9s",bets=[0.5,1],raises=[1])'
TURN = 'small_holdem(board="As Ks Qs Js",ranks=4,suits=3)'


def is_paired(board, hand):
    cards = [card // 4 for card in (*hand, *board)]
    return len({*cards}) < len(cards)


def nested(board, hand):
    """Two buckets by the lowest rank; after the last card whether there is a pair too."""
    low = hand[0] // 4 % 2
    return low if len(board) % 5 in (0, 4) else (low, is_paired(board, hand))


def forgetting(board, hand):
    """A bucket for each rank; after the last card whether there is a pair alone."""
    return hand[0] // 4 if len(board) % 5 in (0, 4) else is_paired(board, hand)


def one_for_all(board, hand):
    return 0


@lru_cache(8)
def case(spec, label):
    """Return a tree in buckets, the game's sequence form and its partitions by these buckets."""
    tree = buckets(factored_tree(spec), label)
    form = sequence_form(compile_public(tree.tree.game))
    return tree, form, partitions_of(tree, form)


def engine_of(tree, variant="cfr+", threads=1):
    return bucket_br.prepare(tree, ResponseConfig(FactoredConfig(before(variant))), threads)


def in_doubles(tree, state):
    """Return the averages without rounding to float32, hand by hand."""
    tables = []
    for p, memory in enumerate(state.memories):
        table = np.empty(len(memory.learner.total))
        for s, n in enumerate(tree.count[p].tolist()):
            rows = slice(*tree.base[p][s : s + 2].tolist())
            table[rows] = memory.learner.total[rows].reshape(n, -1).T.ravel()
        tables.append(table)
    return BucketStrategy(tree, (tables[0], tables[1])).expanded()


def bits(state):
    return [a.tobytes() for m in state.memories for a in (*m.learner, m.gained, m.earned)]


@over([LEDUC, TURN], [nested, forgetting, one_for_all])
def test_iterations_are_those_of_a_naive_twin(spec, label):
    tree, form, partitions = case(spec, label)
    for count in (1, 2, 12):
        state = iterate(engine_of(tree), count)
        found = profile_of(tree.tree.game, in_doubles(tree, state), form)
        for player in (0, 1):
            twin, _ = naive_cfr_br(form, player, partitions[player], count)
            plan, expected = (form.treeplexes[player].plan(b) for b in (found.behaviour[player], twin))
            np.testing.assert_allclose(plan, expected, atol=1e-9)


@pytest.mark.seconds(3)
@over([(LEDUC, nested), (LEDUC, one_for_all), (TURN, nested)])
def test_the_best_in_buckets_lies_between_averages_and_bounds_by_regrets(spec, label):
    tree, form, partitions = case(spec, label)
    assert tree.recall == "perfect"
    values = [one_sided_optimum(form, p, partitions[p]).optimum.value for p in (0, 1)]
    assert values[0] <= rational_optimum(form).value <= values[1]
    assert values[0] < values[1]
    best, engine, gaps = (values[0], -values[1]), engine_of(tree), []
    state = engine.start()
    for count in (1, 20, 150):
        state = engine.advance(state, count)
        engine.check(state)
        proof = certify_factored(tree.tree.game, engine.strategy(state).expanded())
        guaranteed, bounds = (proof.lower, -proof.upper), guarantee_bounds(engine, state)
        for least, value, most in zip(guaranteed, best, bounds, strict=True):
            assert least <= value <= most
        gaps.append(sum(bounds) - sum(guaranteed))
    assert gaps[-1] < gaps[0] / 10


@over([(LEDUC, nested), (TURN, nested), (RIVER, nested)])
def test_bounds_are_best_responses_in_buckets_to_the_mean_of_best_responses(spec, label):
    tree, form, partitions = case(spec, label)
    engine = engine_of(tree)
    for count in (1, 12):
        bounds = guarantee_bounds(engine, iterate(engine, count))
        for player, own in enumerate(partitions):
            _, mean = naive_cfr_br(form, player, own, count)
            gradient = np.bincount(own.sequence, form.gradient(player, mean))
            assert bounds[player] == pytest.approx(own.merged().best_response(gradient).total, abs=5e-9)


@over([LEDUC, TURN])
def test_bounds_are_widened_by_their_rounding_and_by_little_more(spec):
    """The naive twin is in floats too, and exact but for much smaller errors."""
    tree, form, partitions = case(spec, nested)
    engine = engine_of(tree)
    rounding = []
    for count in (1, 4, 1000):
        state = iterate(engine, count)
        rounding.append(guarantee_rounding(engine, state, 0))
        if count > 4:
            continue
        bounds = guarantee_bounds(engine, state)
        for player, own in enumerate(partitions):
            _, mean = naive_cfr_br(form, player, own, count)
            gradient = np.bincount(own.sequence, form.gradient(player, mean))
            excess = bounds[player] - own.merged().best_response(gradient).total
            assert 0 < excess < 2 * guarantee_rounding(engine, state, player)
    assert 0 < rounding[0] < rounding[1] < rounding[2] < 1e-7


def test_nothing_is_bounded_without_regrets_or_with_imperfect_recall():
    tree, _, partitions = case(LEDUC, forgetting)
    assert tree.recall == "imperfect"
    assert not all(partition.recalls for partition in partitions)
    engine = engine_of(tree)
    assert guarantee_bounds(engine, iterate(engine, 3)) is None
    perfect = engine_of(case(LEDUC, nested)[0])
    assert guarantee_bounds(perfect, perfect.start()) is None


@over([TURN, LEDUC])
def test_threads_and_interruptions_change_no_bit(spec):
    tree, _, _ = case(spec, forgetting)
    whole = iterate(engine_of(tree), 7)
    for threads in (2, 3):
        engine = engine_of(tree, threads=threads)
        assert bits(iterate(engine, 4, iterate(engine, 3))) == bits(whole)


@over(["cfr", "dcfr", "pcfr+"])
def test_regret_matching_plus_alone_is_taken(variant):
    with pytest.raises(ValueError, match="cfr-br learns by regret matching\\+"):
        engine_of(case(LEDUC, nested)[0], variant)


def test_a_player_without_buckets_is_refused():
    tree = case(LEDUC, nested)[0]
    alone = BucketTree.of(tree.tree, (tree.label[0], None))
    with pytest.raises(ValueError, match="both players' hands in buckets"):
        engine_of(alone)


def test_states_of_others_are_refused():
    engine = engine_of(case(LEDUC, nested)[0])
    other = engine_of(case(TURN, nested)[0]).start()
    for refused in (engine.check, lambda state: engine.advance(state, 1)):
        with pytest.raises(ValueError, match="player 0's regret must have shape"):
            refused(other)
    with pytest.raises(ValueError, match="iterations must be at least 1"):
        engine.advance(engine.start(), 0)
    with pytest.raises(ValueError, match="iterations"):
        engine.check(PairState(-1, engine.start().memories))
    first, second = engine.start().memories
    for field, sums, says in (
        ("gained", second.gained[:-1], "player 1's gained must have shape"),
        ("gained", second.gained.astype(np.float32), "player 1's gained must be float64"),
        ("gained", np.full_like(second.gained, np.nan), "player 1's gained must be between"),
        ("earned", np.zeros(2), "player 1's earned must have shape"),
    ):
        with pytest.raises(ValueError, match=says):
            engine.check(PairState(0, (first, second._replace(**{field: sums}))))


def test_configs_name_the_method():
    tree = case(LEDUC, nested)[0]
    plain = bucket_cfr.prepare(tree, FactoredConfig(before("cfr+")))
    assert engine_of(tree).config.learning == plain.config
    assert engine_of(tree).config != plain.config


def test_averages_of_buckets_end_where_their_strategies_in_float32_would_be_infinite():
    tree = buckets(factored_tree(LEDUC), nested)
    config = FactoredConfig(replace(before("cfr+"), average=Average(5.0, "before")))
    for engine in (bucket_cfr.prepare(tree, config), bucket_br.prepare(tree, ResponseConfig(config))):
        state = replace(engine.start(), iterations=3_532_916)
        with pytest.raises(ValueError, match=r"at most 3,532,917 where averages by t\^5 .* got 3,532,918"):
            engine.advance(state, 2)
