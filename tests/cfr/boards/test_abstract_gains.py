"""Best responses by bucket, beside the judge and beside the merged sequence form."""

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.twins.factored import before, factored_tree
from treeplex.bench.theorems_on_games.partition import Partition, merged_form
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.boards.bucket_cfr import prepare
from treeplex.cfr.boards.bucket_gains import abstract_nash_conv, last_street_response
from treeplex.cfr.engine import average
from treeplex.games.buckets.perfect_recall import lossless
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.boards.bucket_tree import BucketStrategy, BucketTree
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, find_infoset
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.subgames.composed_responses import entering_after, judged, subgames
from treeplex.subgames.composed_trunk import ComposedTrunk
from treeplex.subgames.solve_on_boards import QUARTIC

FLOP = "flop_holdem(ranks=4,suits=2,raises=[1,1])"
NO_LIMIT = "no_limit_flop_holdem(ranks=5,suits=2,max_raises=[1,2],stack=400)"
SHALLOW = "no_limit_flop_holdem(ranks=4,suits=2,max_raises=[1,1],stack=400)"
TURN = "turn_holdem(ranks=4,suits=2,raises=[1,1,1])"
ALL_IN = "no_limit_flop_holdem(ranks=4,suits=2,stack=100)"
RIVER = 'small_holdem(board="As Kh Qs Jh Td",ranks=6,suits=4,bets=[0.5,1])'
LISTED = "flop_holdem(ranks=5,suits=3,raises=[1,1],flops=4)"


def strategy_of(tree, iterations=7, threads=1):
    return average(prepare(tree, FactoredConfig(before("cfr+")), threads), iterations)


@over([FLOP, NO_LIMIT, TURN, LISTED, ALL_IN], [1, 2])
def test_a_bucket_for_each_deal_allows_every_best_response(spec, threads):
    tree = factored_tree(spec)
    strategy = strategy_of(BucketTree.by_abstraction(tree, lossless(tree.game)))
    proved = certify_factored(tree.game, strategy.expanded())
    assert abstract_nash_conv(strategy, threads) == pytest.approx(proved.nash_conv, abs=3 * proved.rounding)


def nested(tree):
    """Return labels by the higher card, and later also by whether the board pairs it."""
    found = []
    for hands in tree.boards.hands:
        rows = []
        for board, cards in enumerate(tree.boards.cards):
            ranks = {card // 4 for card in cards}
            rows += [
                2 * (h[-1] // 4) + (h[-1] // 4 in ranks) for h in hands.cards[hands.hand[hands.on(board)]]
            ]
        found.append(np.array(rows))
    return tuple(found)


def check_that_it_is_that_of_the_merged_sequence_form(spec):
    tree = factored_tree(spec)
    buckets = BucketTree.of(tree, nested(tree))
    strategy, game = strategy_of(buckets), tree.game
    form = tp.load(spec).form

    def partition(player):
        labels = []
        for key in form.treeplexes[player].infosets:
            found = find_infoset(game, tree.betting, tree.boards, player, key)
            labels.append((found.node, int(buckets.on(player, found.board.image)[found.place])))
        return Partition.of(form.treeplexes[player], labels)

    merged = merged_form(form, (partition(0), partition(1)))
    profile = profile_of(game, strategy.expanded(), form)
    behaviours = []
    for own, behaviour in zip(merged.partitions, profile.behaviour, strict=True):
        one = np.empty(int(own.sequence.max()) + 1)
        one[own.sequence] = behaviour
        behaviours.append(one)
    proved = certify(merged.form, Profile(merged.form.treeplexes, tuple(behaviours)))
    assert abstract_nash_conv(strategy) == pytest.approx(proved.nash_conv, rel=1e-9)
    real = certify_factored(game, strategy.expanded())
    assert real.nash_conv > proved.nash_conv + 0.1


@pytest.mark.seconds(3)
@over([FLOP])
def test_it_is_that_of_the_merged_sequence_form(spec):
    check_that_it_is_that_of_the_merged_sequence_form(spec)


@pytest.mark.seconds(3)
@over([SHALLOW])
def test_it_is_that_of_the_merged_sequence_form_of_a_game_without_limit(spec):
    check_that_it_is_that_of_the_merged_sequence_form(spec)


def test_nothing_is_said_where_it_is_not_computed():
    tree = factored_tree(FLOP)
    labels = nested(tree)
    low = tuple(np.where(label > 0, label % 3, 0) for label in labels)
    assert abstract_nash_conv(strategy_of(BucketTree.of(tree, (labels[0], None)))) is None
    forgetful = BucketTree.of(tree, low)
    assert forgetful.recall == "imperfect"
    assert abstract_nash_conv(strategy_of(forgetful)) is None


def test_responses_on_one_street_are_best_within_the_buckets():
    """One street has perfect recall: both responses together gain the NashConv of the abstract game."""
    tree = factored_tree(RIVER)
    strategy = strategy_of(BucketTree.of(tree, nested(tree)))
    response, own = last_street_response(strategy).expanded(), strategy.expanded()
    first = certify_factored(tree.game, FactoredStrategy(tree, (response.weight[0], own.weight[1]))).value
    second = certify_factored(tree.game, FactoredStrategy(tree, (own.weight[0], response.weight[1]))).value
    assert float(first - second) == pytest.approx(abstract_nash_conv(strategy), rel=1e-6)


@pytest.mark.seconds(2)
def test_responses_on_the_last_street_are_best_at_each_line():
    """Buckets forget the hands before the flop; no other strategy in them gets more after any line to it."""
    tree = factored_tree(FLOP)
    labels = tuple(np.where(label > 0, label % 3, 0) for label in nested(tree))
    buckets = BucketTree.of(tree, labels)
    strategy, rng = strategy_of(buckets), np.random.default_rng(5)
    response = last_street_response(strategy, threads=2)
    before = [int(base[-2]) for base in buckets.base]
    for p in (0, 1):
        assert np.array_equal(response.weight[p][: before[p]], strategy.weight[p][: before[p]])
    best = lines_worth(strategy, response)
    for _ in range(5):
        others = [rng.random(len(weight)).astype(np.float32) ** 4 for weight in strategy.weight]
        assert (lines_worth(strategy, BucketStrategy(buckets, tuple(others))) <= best + 1e-9).all()
    assert (lines_worth(strategy, strategy) <= best + 1e-9).all()
    assert (lines_worth(strategy, strategy) < best - 1e-3).any()


def lines_worth(strategy, playing):
    """Return what either player gets after each line to the flop by playing as told against the other."""
    found = []
    for defender in (0, 1):
        trunk = ComposedTrunk.of(strategy.expanded(), defender, QUARTIC, estimating=playing.expanded())
        start = judged(trunk, 0, trunk.start())
        total = 0.0
        for number, flop in enumerate(start.here.nexts.boards.tolist()):
            entering = entering_after(trunk, start.here, start.gifts, flop)
            chance = trunk.flop(flop).boards.hands[1 - defender].weight
            share = start.here.nexts.share[number]
            total += share * np.array(
                [chance @ one.tops.played for one in subgames(trunk, flop, entering, 1.0)]
            )
        found.append(total)
    return np.concatenate(found)
