"""Hands in buckets: none, one for all, and those of a naive twin, on merged boards and on all."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.labelled_hands import bits, buckets, labels_of, pairs_and_board, ranks
from tests.helpers.paths import ROOT
from tests.helpers.running import ran
from tests.helpers.twins.bucketed import Bucketed
from tests.helpers.twins.factored import before, explicit_tree, factored_tree, farthest
from treeplex.cfr.boards import bucket_cfr, factored_cfr
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.boards.bucket_state import BucketMemory
from treeplex.cfr.engine import PairState, average, iterate
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.variant import PLUS, variant_named
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.board_conversions import unmerged
from treeplex.seqform.boards.bucket_tree import BucketStrategy, BucketTree

RIVER = 'small_holdem(ranks=6,suits=3,board="As Ks Qs Js 9s",bets=[0.5,1],raises=[1])'
WEIGHTED = 'small_holdem(ranges=["KsKh:0.5,AhTs,Th9h,QcTc:0.3","QJ,JT:0.25"])'
TURN = 'small_holdem(board="As Ks Qs Js",ranks=4,suits=3)'
SYMMETRIC = 'small_holdem(board="As Ks Qh",ranks=3,suits=4)'
LEDUC = "leduc_poker(suits_visible=true)"
FLOP = "flop_holdem(ranks=4,suits=2,raises=[1,1])"
ALL_IN = "no_limit_flop_holdem(ranks=4,suits=2,stack=100)"
"""One player decides before the flop, the other never, and nobody on it."""
CLOSE = 1e-9


def engine_of(tree, variant="cfr+", threads=1):
    return bucket_cfr.prepare(tree, FactoredConfig(before(variant)), threads)


def in_doubles(engine, state):
    """Return the average strategy without rounding to float32."""
    tree, tables = engine.tree, []
    for p, memory in enumerate(state.memories):
        if not isinstance(memory, BucketMemory):
            tables.append(memory.total)
            continue
        base, table = tree.base[p], np.empty(len(memory.total))
        for s, n in enumerate(tree.count[p].tolist()):
            part = memory.total[base[s] : base[s + 1]].reshape(n, -1)
            table[base[s] : base[s + 1]] = part.T.ravel()
        tables.append(table)
    return BucketStrategy(tree, tuple(tables)).expanded()


def run(tree, iterations, variant="cfr+", threads=1):
    engine = engine_of(tree, variant, threads)
    state = iterate(engine, iterations)
    engine.check(state)
    return in_doubles(engine, state), state


def one_for_all(board, hand):
    return 0


def suits(board, hand):
    """Buckets of one board, which permutations of suits map to each other, by the suit of the higher card."""
    return board, hand[-1] % 4 if hand[0] // 4 < hand[-1] // 4 else tuple(sorted(card % 4 for card in hand))


def decisions(tree):
    for node in np.flatnonzero(tree.betting.player >= 0).tolist():
        for board in np.flatnonzero(tree.boards.street == tree.betting.street[node]).tolist():
            yield int(tree.betting.player[node]), node, board


# a bucket for each hand


@pytest.mark.seconds(3)
@over([*product([TURN, LEDUC], ["cfr", "cfr+", "lcfr", "dcfr"]), (SYMMETRIC, "dcfr")])
def test_a_bucket_for_each_hand_changes_nothing(spec, variant):
    """Beside the explicit public tree, whose engine has float64 tables and no board merged.

    Discounting makes rounding errors grow: on Leduc the engines on the tree and on the public tree are 4e-12
    apart after 30 iterations and 3e-9 after 50.
    """
    game, tree, explicit = load_game(spec), factored_tree(spec), explicit_tree(spec)
    for iterations in (2, 30 if variant == "dcfr" else 50):
        strategy, _ = run(BucketTree.by_hand(tree), iterations, variant)
        other = ran(vector_cfr.prepare(explicit, before(variant)), iterations)
        assert farthest(game, explicit, SimpleNamespace(average=strategy), other) < CLOSE


def test_predictive_play_uses_the_last_regrets():
    """Such play is decided by signs of rounding errors where regrets tie, so that runs part on most games."""
    game, tree, explicit = load_game(LEDUC), factored_tree(LEDUC), explicit_tree(LEDUC)
    strategy, _ = run(BucketTree.by_hand(tree), 30, "pcfr+")
    other = ran(vector_cfr.prepare(explicit, before("pcfr+")), 30)
    assert farthest(game, explicit, SimpleNamespace(average=strategy), other) < CLOSE


# a naive twin


CASES = [
    *product([RIVER, TURN], [ranks, pairs_and_board, one_for_all], ["cfr", "dcfr"]),
    *product([WEIGHTED, LEDUC], [ranks, pairs_and_board], ["cfr+"]),
    (FLOP, pairs_and_board, "cfr+"),
    *product([ALL_IN], [ranks, pairs_and_board], ["cfr+"]),
]


@over([(TURN, ranks, True, True), (FLOP, pairs_and_board, True, False)])
def test_last_plans_are_those_of_the_naive_twin(spec, label, *abstracted):
    tree = factored_tree(spec, isomorphism=False)
    twin = Bucketed(tree, label, before("cfr+"), abstracted)
    twin.iterate(4)
    config = FactoredConfig(variant_named("cfr+", average="last", counted="before"))
    engine = bucket_cfr.prepare(buckets(tree, label, abstracted), config)
    state = iterate(engine, 4)
    engine.check(state)
    strategy = engine.strategy(state).expanded()
    for player, node, board in decisions(tree):
        expected = twin.at(player, node, board, last=True)
        np.testing.assert_allclose(strategy.at(player, node, board), expected, rtol=0, atol=5e-5)


@pytest.mark.seconds(2)
@over(
    [
        *((*case, True, True) for case in CASES),
        *((*case, *sides) for case, sides in product(CASES[::6], [(True, False), (False, True)])),
    ]
)
def test_iterations_are_those_of_the_naive_twin(spec, label, variant, *abstracted):
    tree = factored_tree(spec, isomorphism=False)
    twin = Bucketed(tree, label, before(variant), abstracted)
    twin.iterate(4)
    close = CLOSE if all(abstracted) else 5e-5
    for strategy in (
        run(buckets(tree, label, abstracted), 4, variant)[0],
        unmerged(run(buckets(factored_tree(spec), label, abstracted), 4, variant)[0], tree),
    ):
        for player, node, board in decisions(tree):
            np.testing.assert_allclose(
                strategy.at(player, node, board), twin.at(player, node, board), rtol=0, atol=close
            )


@over([TURN, LEDUC])
def test_buckets_of_one_board_may_be_told_apart_by_suits(spec):
    tree = factored_tree(spec, isomorphism=False)
    twin = Bucketed(tree, suits, before("dcfr"))
    twin.iterate(4)
    merged = factored_tree(spec)
    by_board = BucketTree.by_board(merged, labels_of(merged, suits))
    assert by_board.identity == buckets(merged, suits).identity
    strategy = unmerged(run(by_board, 4, "dcfr")[0], tree)
    for player, node, board in decisions(tree):
        np.testing.assert_allclose(
            strategy.at(player, node, board), twin.at(player, node, board), rtol=0, atol=CLOSE
        )


@over([TURN, SYMMETRIC, 'small_holdem(board="As Ks Qs",ranks=4,suits=4)'])
def test_hands_that_suits_alone_tell_apart_play_the_same_bits(spec):
    tree, alike = factored_tree(spec), 0
    strategy, _ = run(buckets(tree, suits), 25)
    for player, node, board in decisions(tree):
        hands = tree.boards.hands[player]
        first = hands.first[hands.on(board)].astype(int)
        alike += (first != np.arange(len(first))).sum()
        played = strategy.at(player, node, board)
        assert np.array_equal(played, played[first])
    assert alike > 0


# one player in buckets, threads, states


@over([2, 5], [(True, True), (True, False), (False, True)])
def test_threads_change_no_bit(threads, *abstracted):
    tree = buckets(factored_tree(FLOP), ranks, abstracted)
    one, many = (run(tree, 10, "dcfr", n)[1] for n in (1, threads))
    assert bits(one) == bits(many)


@over([0.5, 1.0])
def test_a_run_in_parts_has_the_bits_of_one(prediction):
    learning = (replace(PLUS, prediction=prediction),) * 2
    config = FactoredConfig(replace(before("pcfr+"), minimisers=learning))
    engine = bucket_cfr.prepare(buckets(factored_tree(FLOP), ranks, (True, False)), config)
    whole, parts = iterate(engine, 9), engine.start()
    for n in (1, 3, 5):
        parts = engine.advance(parts, n)
    assert bits(whole) == bits(parts)


def test_nobody_in_buckets_is_the_engine_on_boards():
    tree, config = factored_tree(TURN), FactoredConfig(before("dcfr"))
    free = average(factored_cfr.prepare(tree, config), 10)
    tied = average(bucket_cfr.prepare(BucketTree.of(tree, (None, None)), config), 10)
    for p in (0, 1):
        assert np.array_equal(free.weight[p], tied.weight[p])


def test_damaged_states_are_refused():
    engine = engine_of(buckets(factored_tree(TURN), ranks, (True, False)))
    state = iterate(engine, 3)
    memory, other = state.memories
    for changed, says in (
        (memory._replace(total=memory.total - 10.0), "player 0's total must be between 0 and"),
        (memory._replace(regret=memory.regret * np.nan), "player 0's regret must be between"),
        (memory._replace(regret=memory.regret[1:]), "player 0's regret must have shape"),
        (memory._replace(regret=memory.regret.astype(np.float32)), "player 0's regret must be float64"),
        (other, "got another player 0"),
    ):
        with pytest.raises(ValueError, match=says):
            engine.check(PairState(3, (changed, other)))
    with pytest.raises(ValueError, match="player 1's regret must be"):
        engine.check(PairState(3, (memory, other._replace(regret=other.regret[1:]))))
    with pytest.raises(ValueError, match="player 1's regret must be between"):
        engine.check(PairState(3, (memory, other._replace(regret=other.regret * np.nan))))
    with pytest.raises(ValueError, match="iterations must not be negative"):
        engine.advance(PairState(-1, state.memories), 1)


def test_integers_of_tables_are_for_boards():
    tree = buckets(factored_tree(TURN), ranks)
    with pytest.raises(ValueError, match="storage must be float32 where hands are in buckets"):
        bucket_cfr.prepare(tree, FactoredConfig(before("cfr"), "int16"))
    with pytest.raises(ValueError, match="threads must be between 1 and"):
        engine_of(tree, threads=0)


def test_locked_hands_take_no_buckets():
    tree = factored_tree(load_game(str(ROOT / "examples" / "locked_river.toml")))
    with pytest.raises(ValueError, match="buckets are for games without locks"):
        buckets(tree, one_for_all)
