"""Hands in buckets: none, one for all, and those of a naive twin, on merged boards and on all."""

import numpy as np
import pytest

from tests.helpers.paths import ROOT
from tests.helpers.twins.bucketed import Bucketed
from tests.helpers.twins.factored import before, factored_tree
from treeplex.cfr.engine import iterate
from treeplex.cfr.factored import factored_cfr
from treeplex.cfr.factored.layout.buckets import Buckets
from treeplex.cfr.factored.state import FactoredConfig
from treeplex.games.specs.specs import load_game
from treeplex.seqform.factored.unmerging import unmerged

RIVER = 'small_holdem(ranks=6,suits=3,board="As Ks Qs Js 9s",bets=[0.5,1],raises=[1])'
WEIGHTED = 'small_holdem(ranges=["KsKh:0.5,AhTs,Th9h,QcTc:0.3","QJ,JT:0.25"])'
TURN = 'small_holdem(board="As Ks Qs Js",ranks=4,suits=3)'
SYMMETRIC = 'small_holdem(board="As Ks Qh",ranks=3,suits=4)'
LEDUC = "leduc_poker(suits_visible=true)"
CLOSE = 5e-5


def labelled(tree, label):
    """Return the buckets of ``label(board, hand)``, any object."""
    found = []
    for hands in tree.boards.hands:
        one = np.empty(len(hands.hand), np.int64)
        for board, cards in enumerate(tree.boards.cards):
            live = hands.cards[hands.hand[hands.on(board)]].tolist()
            names = [repr(label(cards, tuple(hand))) for hand in live]
            one[hands.on(board)] = np.unique(names, return_inverse=True)[1] if names else []
        found.append(one)
    return Buckets.of(tree, tuple(found))


def run(tree, label, iterations, variant="cfr+", storage="float32", threads=1):
    buckets = None if label is None else labelled(tree, label)
    config = FactoredConfig(before(variant), storage)
    engine = factored_cfr.prepare(tree, config, threads, buckets=buckets)
    state = iterate(engine, iterations)
    engine.check(state)
    return engine.strategy(state), state


def each(board, hand):
    return hand


def one_for_all(board, hand):
    return 0


def ranks(board, hand):
    """Hands of one sum of ranks, which suits do not change; other buckets on each street."""
    return sum(card // 4 for card in hand) % (2 + len(board) % 3)


def pairs_and_board(board, hand):
    return len({card // 4 for card in (*hand, *board)}), max(card // 4 for card in hand)


def suits(board, hand):
    """Buckets that permutations of suits map to each other, by the suit of the higher card."""
    return hand[-1] % 4 if hand[0] // 4 < hand[-1] // 4 else sorted(card % 4 for card in hand)


def bits(state):
    return [array.tobytes() for tables in state.memories for array in tables]


@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize("variant", ["cfr+", "dcfr", "pcfr+"])
@pytest.mark.parametrize("spec", [RIVER, WEIGHTED])
def test_a_bucket_for_each_hand_changes_no_bit(spec, variant, storage):
    tree = factored_tree(spec)
    (tied, state), (free, other) = (run(tree, label, 30, variant, storage) for label in (each, None))
    assert bits(state) == bits(other)
    for p in (0, 1):
        assert np.array_equal(tied.weight[p], free.weight[p])


@pytest.mark.parametrize("spec", [TURN, SYMMETRIC, LEDUC])
def test_a_bucket_for_each_hand_changes_nothing_on_boards(spec):
    tree = factored_tree(spec)
    (tied, _), (free, _) = (run(tree, label, 8) for label in (each, None))
    for player, node, board in decisions(tree):
        np.testing.assert_allclose(
            tied.at(player, node, board), free.at(player, node, board), rtol=0, atol=CLOSE
        )


@pytest.mark.parametrize("spec", [RIVER, WEIGHTED, TURN, SYMMETRIC, LEDUC])
def test_one_bucket_for_all_plays_one_strategy(spec):
    tree = factored_tree(spec)
    strategy, state = run(tree, one_for_all, 20, "dcfr")
    mixed = 0
    for player, node, board in decisions(tree):
        played = strategy.at(player, node, board)
        assert np.array_equal(played, np.broadcast_to(played[:1], played.shape))
        mixed += bool(np.ptp(played[0]) > 0)
        start, n_actions, width = tree.rows(player, node, board)
        regret = state.memories[player].regret[start : start + n_actions * width].reshape(n_actions, width)
        assert np.array_equal(regret, np.broadcast_to(regret[:, :1], regret.shape))
    assert mixed > 0


@pytest.mark.parametrize("variant", ["cfr", "cfr+", "dcfr"])
@pytest.mark.parametrize("label", [ranks, pairs_and_board, suits, one_for_all])
@pytest.mark.parametrize("spec", [RIVER, WEIGHTED, TURN, LEDUC])
def test_iterations_are_those_of_the_naive_twin(spec, label, variant):
    tree = factored_tree(spec, isomorphism=False)
    twin = Bucketed(tree, label, before(variant))
    twin.iterate(4)
    for strategy in (
        run(tree, label, 4, variant)[0],
        unmerged(run(factored_tree(spec), label, 4, variant)[0], tree),
    ):
        for player, node, board in decisions(tree):
            np.testing.assert_allclose(
                strategy.at(player, node, board), twin.at(player, node, board), rtol=0, atol=CLOSE
            )


@pytest.mark.parametrize("spec", [TURN, SYMMETRIC, 'small_holdem(board="As Ks Qs",ranks=4,suits=4)'])
def test_hands_that_suits_alone_tell_apart_learn_the_same_bits(spec):
    tree, alike = factored_tree(spec), 0
    _, state = run(tree, suits, 25)
    for p in (0, 1):
        hands = tree.boards.hands[p]
        for board in np.flatnonzero(tree.boards.symmetric):
            start, end = tree.base[p][board : board + 2]
            first = hands.first[hands.on(board)].astype(int)
            alike += (first != np.arange(len(first))).sum()
            for table in (state.memories[p].regret, state.memories[p].total):
                rows = table[start:end].reshape(-1, len(first))
                assert (rows == rows[:, first]).all()
    assert alike > 0


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_no_bit(threads):
    tree = factored_tree(TURN)
    one, many = (run(tree, ranks, 10, "dcfr", threads=n)[1] for n in (1, threads))
    assert bits(one) == bits(many)


def decisions(tree):
    for node in np.flatnonzero(tree.betting.player >= 0).tolist():
        for board in np.flatnonzero(tree.boards.street == tree.betting.street[node]).tolist():
            yield int(tree.betting.player[node]), node, board


# what is refused


def test_buckets_that_suits_part_are_refused_where_boards_are_merged():
    tree = factored_tree(TURN)

    def by_suit(board, hand):
        return hand[0] % 4 == 1

    with pytest.raises(ValueError, match="buckets on AsKsQsJs must be mapped to buckets by the permutations"):
        labelled(tree, by_suit)
    assert labelled(factored_tree(TURN, isomorphism=False), by_suit)


def test_buckets_of_something_else_are_refused():
    tree, config = factored_tree(RIVER), FactoredConfig(before("cfr+"))
    with pytest.raises(ValueError, match="buckets must be of the tree that is solved"):
        factored_cfr.prepare(tree, config, buckets=labelled(factored_tree(RIVER), each))
    with pytest.raises(ValueError, match="labels of player 0 must have shape"):
        Buckets.of(tree, (np.zeros(3, np.int64), np.zeros(3, np.int64)))


def test_locked_hands_take_no_buckets():
    tree = factored_tree(load_game(str(ROOT / "examples" / "locked_river.toml")))
    with pytest.raises(ValueError, match="buckets are for games without locks"):
        labelled(tree, one_for_all)
