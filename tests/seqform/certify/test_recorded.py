"""Values of subgames by the judge beside those of the enumerated game, top by top."""

from functools import cache

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.twins.factored import factored_tree, invariant_strategy
from treeplex.gadgets.boards.board_subgame import board_subgame
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.subtree import Subtree
from treeplex.seqform.certify.board_certificate import pair_weight
from treeplex.seqform.certify.board_values import RangeJudge, range_values, recorded_values
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.trees.game_tree import build_tree

PLACES = [
    ("leduc_poker(ranks=4,suits=2,suits_visible=true)", "rc/c"),
    ("small_holdem(ranks=5,suits=2,board=AsKhQsJhAh,bets=[0.5,1])", "r1"),
    ("small_holdem(board=AsKhQsJh,ranks=5,suits=2,raises=[1],stack=6)", "r2c/"),
    ('small_holdem(board=AsKsQh,ranks=3,suits=4,ranges=["AA,KK:0.5,AK","AQ:0.25,QQ,AK:0.5"])', "r2"),
    ('small_holdem(board=AsAhKs,ranks=3,suits=3,ranges=["AA,KK:0.5,AK","AQ:0.25,QQ,KQ:0.5"])', "cc/"),
]


@cache
def known(spec):
    """A game, its tree, a strategy of numbers of which some are zero, and the enumerated game."""
    game = load_game(spec)
    tree = factored_tree(game)
    strategy = invariant_strategy(tree, game, zeros=0.2)
    numbered = number_tree(build_tree(game, max_nodes=2_000_000))
    return game, tree, strategy, numbered, PublicStates.of(numbered.tree)


def boards_at(tree, node):
    """The first, middle and last board of a node's street."""
    found = np.flatnonzero(tree.boards.street == tree.betting.street[node])
    return [int(b) for b in {*found[[0, len(found) // 2, -1]].tolist()}]


@pytest.mark.seconds(3)
@over(PLACES, [0, 1])
def test_reaches_and_values_are_those_of_the_enumerated_game(spec, line, defender):
    game, tree, strategy, numbered, states = known(spec)
    node, compared = tree.betting.node_of[line], 0
    profile = profile_of(game, strategy, numbered.form)
    found = recorded_values(game, strategy, [(node, board) for board in boards_at(tree, node)])
    for (_, board), record in found.items():
        subgame = board_subgame(Subtree.of(tree, node, board), strategy, defender, record)
        exact = Subgame.of(cut(states, numbered, [subgame.name], defender), profile)
        street = int(tree.boards.street[board])
        unit = subgame.subtree.scale(1 - defender) / tree.boards.runouts[street] / float(pair_weight(game))
        place = {top: t for t, top in enumerate(subgame.tops)}
        order = [place[top.split("|")[0]] for top in exact.tops]
        np.testing.assert_allclose(unit * subgame.reach[order], exact.reach, rtol=1e-12, atol=1e-16)
        np.testing.assert_allclose(unit * subgame.value[order], exact.value, rtol=1e-11, atol=1e-14)
        np.testing.assert_allclose(subgame.opponent_reach[order], exact.opponent_reach, rtol=1e-12)
        compared += int(exact.live.sum())
    assert compared > 2


@over(PLACES)
def test_values_at_the_root_of_a_subgame_are_what_was_recorded_there(spec, line):
    game, tree, strategy, *_ = known(spec)
    node = tree.betting.node_of[line]
    for board in boards_at(tree, node):
        subtree = Subtree.of(tree, node, board)
        record = recorded_values(game, strategy, [(node, board)], below=board)[node, board]
        order = [np.argsort(h.hand[h.on(board)], kind="stable") for h in tree.boards.hands]
        first, second = (r[o] for r, o in zip(record.reach, order, strict=True))
        found = range_values(subtree.tree.game, subtree.part(strategy), (first, second))
        for mine, value, o in zip(found, record.value, order, strict=True):
            np.testing.assert_allclose(mine, value[o], rtol=1e-12, atol=1e-13)


def test_a_judge_of_many_strategies_says_of_each_what_one_of_its_own_says():
    game, tree, strategy, *_ = known(PLACES[2][0])
    rng = np.random.default_rng(1)
    judge = RangeJudge(game, strategy)
    for _ in range(3):
        table = tuple(rng.random(len(w)) for w in strategy.weight)
        other = FactoredStrategy(tree, (table[0], table[1]))
        reaches = tuple(rng.random(len(h.weight)) for h in tree.boards.hands)
        again = range_values(game, other, (reaches[0], reaches[1]))
        for mine, theirs in zip(judge.values(other, (reaches[0], reaches[1])), again, strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_a_judge_of_many_strategies_refuses_those_that_do_not_fit():
    game, tree, strategy, *_ = known(PLACES[2][0])
    judge, ones = RangeJudge(game, strategy), tuple(np.ones(len(h.weight)) for h in tree.boards.hands)
    elsewhere = FactoredStrategy(factored_tree(game), strategy.weight)
    with pytest.raises(ValueError, match="must be on the tree of the first one"):
        judge.values(elsewhere, (ones[0], ones[1]))
    bad = strategy.weight[0].copy()
    bad[3] = -1.0
    with pytest.raises(ValueError, match="weights must be at least 0 and finite, got -1"):
        judge.values(FactoredStrategy(tree, (bad, strategy.weight[1])), (ones[0], ones[1]))
