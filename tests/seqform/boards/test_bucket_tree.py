"""Buckets of hands on boards: weights, recall, identity, and what is refused."""

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.twins.factored import factored_tree
from treeplex.games.buckets.perfect_recall import lossless
from treeplex.seqform.boards.bucket_tree import BucketStrategy, BucketTree, multiplicity

TURN = 'small_holdem(board="As Ks Qs Js",ranks=4,suits=3)'
SYMMETRIC = 'small_holdem(board="As Ks Qs",ranks=4,suits=4)'
FLOP = "flop_holdem(ranks=4,suits=2,raises=[1,1])"
LEDUC = "leduc_poker(suits_visible=true)"


def labels(tree, label):
    """Return ``label(board, hand)``, an integer, for each live hand of each board."""
    found = []
    for hands in tree.boards.hands:
        rows = [
            [label(cards, tuple(hand)) for hand in hands.cards[hands.hand[hands.on(board)]].tolist()]
            for board, cards in enumerate(tree.boards.cards)
        ]
        found.append(np.array([one for row in rows for one in row], np.int64))
    return tuple(found)


def high(board, hand):
    """The higher rank: the same bucket on all boards of a street, whatever comes."""
    return hand[-1] // 4


def high_and_paired(board, hand):
    """Nested in ``high``: it tells apart whether the board pairs the higher card."""
    return 2 * (hand[-1] // 4) + any(card // 4 == hand[-1] // 4 for card in board)


def low_later(board, hand):
    """The higher rank at first, the lower one later: what was known is forgotten."""
    return hand[0 if board else -1] // 4


@over([TURN, FLOP, LEDUC])
def test_weights_and_shares_are_those_of_all_real_boards(spec):
    merged, real = (
        BucketTree.of(tree, labels(tree, high_and_paired))
        for tree in (factored_tree(spec), factored_tree(spec, isomorphism=False))
    )
    assert np.array_equal(
        np.bincount(merged.tree.boards.street, multiplicity(merged.tree)),
        np.bincount(real.tree.boards.street),
    )
    for p in (0, 1):
        for one, other in zip(merged.weight(p), real.weight(p), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12)
        for tree in (merged, real):
            street = np.repeat(tree.tree.boards.street, np.diff(tree.tree.boards.hands[p].start))
            for s, count in enumerate(tree.count[p].tolist()):
                here = street == s
                sums = np.bincount(tree.label[p][here], tree.share(p)[here], count)
                np.testing.assert_allclose(sums[tree.weight(p)[s] > 0], 1.0, rtol=1e-12)


def test_recall_is_measured():
    tree = factored_tree(FLOP)
    found = {label: BucketTree.of(tree, labels(tree, label)) for label in (high, high_and_paired, low_later)}
    assert found[high].recall == "perfect"
    assert found[low_later].recall == "imperfect"
    assert found[high_and_paired].recall == "perfect"
    assert BucketTree.of(tree, (None, labels(tree, low_later)[1])).recall == "imperfect"
    first, later = found[high_and_paired].parents(0)
    assert (first == -1).all()
    assert [int(parent) for parent in later if parent >= 0] == [
        2 * (b // 2) for b, up in enumerate(later) if up >= 0
    ]
    assert found[low_later].parents(0)[1] is None
    tree = BucketTree.of(tree, (labels(tree, low_later)[0], None))
    assert (tree.abstracted, tree.recall) == ((True, False), "imperfect")


def test_a_strategy_by_bucket_is_that_of_its_hands():
    tree = factored_tree(FLOP)
    buckets, rng = BucketTree.of(tree, labels(tree, high)), np.random.default_rng(0)
    tables = tuple(rng.random(buckets.length(p)).astype(np.float32) for p in (0, 1))
    strategy = BucketStrategy(buckets, tables)
    expanded = strategy.expanded()
    for node in np.flatnonzero(tree.betting.player >= 0).tolist():
        p, s = int(tree.betting.player[node]), int(tree.betting.street[node])
        start, n = int(buckets.base[p][s]), int(buckets.count[p][s])
        n_actions, slot = len(tree.betting.children[node]), int(tree.slot[node])
        rows = tables[p][start + slot * n : start + (slot + n_actions) * n].reshape(n_actions, n)
        for board in np.flatnonzero(tree.boards.street == s).tolist():
            played = rows[:, buckets.on(p, board)].T
            np.testing.assert_allclose(
                expanded.at(p, node, board), played / played.sum(axis=1, keepdims=True), rtol=1e-6
            )
    player, infoset, action, probability = next(strategy.rows())
    assert strategy.action_probabilities(player, infoset)[action] == probability


def test_a_player_without_buckets_keeps_its_table():
    tree = factored_tree(TURN)
    buckets = BucketTree.of(tree, (labels(tree, high)[0], None))
    table = np.random.default_rng(0).random(int(tree.base[1][-1])).astype(np.float32)
    strategy = BucketStrategy(buckets, (np.zeros(buckets.length(0), np.float32), table))
    assert strategy.expanded().weight[1] is table
    assert buckets.length(1) == len(table)


def test_the_identity_is_of_labels_and_counts():
    tree = factored_tree(TURN)
    one, again = (BucketTree.of(tree, labels(tree, high)) for _ in range(2))
    others = [
        BucketTree.of(tree, labels(tree, high_and_paired)),
        BucketTree.of(tree, (labels(tree, high)[0], None)),
        BucketTree.of(tree, labels(tree, high), ((20, 20), (20, 20))),
    ]
    assert one.identity == again.identity
    assert len({one.identity, *(other.identity for other in others)}) == 4


def test_what_are_no_buckets_is_refused():
    tree = factored_tree(TURN)
    good = labels(tree, high)[0]
    for bad, says in (
        (good[1:], "labels of player 0 must have shape"),
        (good - 100, "labels of player 0 must be integers from 0 to 4,294,967,294, got int64 from -91 to 0"),
        (good.astype(float), "labels of player 0 must be integers from 0 to .*, got float64 from 0.0 to"),
    ):
        with pytest.raises(ValueError, match=says):
            BucketTree.of(tree, (bad, good))
    with pytest.raises(ValueError, match="numbers of buckets by street must be at least"):
        BucketTree.of(tree, (good, good), ((2, 2), (2, 2)))


def test_buckets_that_suits_part_are_refused_where_boards_are_merged():
    tree = factored_tree(TURN)

    def by_suit(board, hand):
        return int(hand[0] % 4 == 1)

    with pytest.raises(ValueError, match="buckets on AsKsQsJs must be mapped to buckets by the permutations"):
        BucketTree.of(tree, labels(tree, by_suit))
    real = factored_tree(TURN, isomorphism=False)
    assert BucketTree.of(real, labels(real, by_suit))


def test_buckets_over_boards_must_be_the_same_for_hands_that_suits_tell_apart():
    """Where a bucket has hands on several boards, what it learns need not be symmetric on one of them."""
    tree = factored_tree(SYMMETRIC)

    def suits(board, hand):
        low, high = hand
        return high % 4 if low // 4 < high // 4 else (1 << low % 4) + (1 << high % 4) + 4

    with pytest.raises(ValueError, match="must be mapped to buckets"):
        BucketTree.of(tree, labels(tree, suits))
    assert BucketTree.by_board(tree, labels(tree, suits))


def test_buckets_of_an_abstraction_are_those_of_its_tables():
    tree = factored_tree(FLOP)
    whole = lossless(tree.game)
    buckets = BucketTree.by_abstraction(tree, whole)
    assert (buckets.recall, buckets.identity) == ("perfect", whole.identity)
    for p in (0, 1):
        assert buckets.count[p].tolist() == [*whole.counts]
        for weight in buckets.weight(p):
            assert (weight > 0).all()
        for board in range(tree.boards.n_boards):
            first = tree.boards.hands[p].first[tree.boards.hands[p].on(board)]
            found = buckets.on(p, board)
            assert len(np.unique(found)) == len(np.unique(first))
            assert np.array_equal(found, found[first])
    one = BucketTree.by_abstraction(tree, whole, (False, True))
    assert (one.label[0], one.abstracted) == (None, (False, True))
    with pytest.raises(ValueError, match="the abstraction is of a deck of 4 ranks and 2 suits"):
        BucketTree.by_abstraction(factored_tree("flop_holdem(ranks=4,suits=3,raises=[1,1])"), whole)
