"""Parts of factored trees below a public state, beside trees built from the rules of the subgame alone."""

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.twins.factored import factored_tree, invariant_strategy
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.poker_subgame import subgame_of
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.subtree import Subtree

SPECS = {
    "Leduc": "leduc_poker",
    "monotone flop": "small_holdem(board=AsKsQs,ranks=4,suits=3)",
    "paired flop": "small_holdem(board=AsAhKd,ranks=3,suits=4)",
    "rainbow flop": "small_holdem(board=AsKhQd,ranks=3,suits=4,raises=[1],stack=6)",
    "two suits of a turn": 'small_holdem(board="As Kh Qs Jh",ranks=5,bets=[0.5,1],raises=[1],stack=9)',
    "paired turn": "small_holdem(board=AsAhKsKh,ranks=4,suits=4)",
    "weights, the largest of a hand that a turn takes away": (
        'small_holdem(board="As Ks Qh",ranks=4,suits=3,'
        'ranges=["JsJh,AA:0.7,KK:0.3,QQ:0.9,AJ:0.1","AA,KK:0.7,QQ:0.3"])'
    ),
    "ranges that prefer suits": (
        'small_holdem(board="As Ks Qh",ranks=4,suits=4,ranges=["AhAd,KhJd,JcJd:1/3","AA,KJ:0.9,QJs"])'
    ),
}


def places(tree, street):
    """Some public states at which somebody acts: the first and last lines and boards of a street."""
    betting, boards = tree.betting, tree.boards
    nodes = np.flatnonzero((betting.player >= 0) & (betting.street == street))
    found = np.flatnonzero(boards.street == street)
    if not len(nodes) or not len(found):
        return []
    return [(int(n), int(b)) for n in {*nodes[[0, -1]]} for b in {*found[[0, len(found) // 2, -1]]}]


def assert_same_boards(one, other):
    for field in ("street", "parent", "ways", "symmetric"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field), field)
    assert one.cards == other.cards
    np.testing.assert_allclose(one.runouts, other.runouts, rtol=1e-15)
    for mine, theirs in zip(one.hands, other.hands, strict=True):
        for field in ("cards", "weight", "start", "hand", "above", "home", "mate", "first", "size"):
            np.testing.assert_array_equal(getattr(mine, field), getattr(theirs, field), field)
        # A part keeps room for as many groups as the whole has on any board; those at the end are empty.
        room = mine.group_start.shape[1] - theirs.group_start.shape[1]
        padded = np.pad(theirs.group_start, ((0, 0), (0, room)), mode="edge")
        np.testing.assert_array_equal(mine.group_start, padded, "group_start")


@pytest.mark.seconds(3)
@over([True, False], SPECS.values())
def test_a_subtree_is_the_tree_of_the_subgame(isomorphism, spec):
    game, tested = load_game(spec), 0
    tree = factored_tree(game, isomorphism)
    for street in range(tree.betting.n_streets):
        for node, board in places(tree, street):
            part = Subtree.of(tree, node, board).tree
            rules = subgame_of(game, game.point(tree.betting.line[node]).betting, tree.boards.cards[board])
            again = BettingTree.of(rules)
            assert (part.betting.line, part.betting.action) == (again.line, again.action)
            for field in ("parent", "player", "street", "showdown"):
                np.testing.assert_array_equal(getattr(part.betting, field), getattr(again, field), field)
            mine, theirs = (b.stake.astype(float) / b.stake_den for b in (part.betting, again))
            np.testing.assert_array_equal(mine, theirs)
            assert_same_boards(part.boards, BoardTree.of(rules, isomorphism=isomorphism))
            tested += 1
    assert tested >= 2


@over(SPECS.values())
def test_a_part_of_a_strategy_is_put_back_where_it_was(spec):
    tree = factored_tree(spec)
    strategy = invariant_strategy(tree, load_game(spec))
    for node, board in places(tree, tree.betting.n_streets - 1):
        subtree = Subtree.of(tree, node, board)
        part = subtree.part(strategy)
        for player in (0, 1):
            whole = np.full_like(strategy.weight[player], -1.0)
            subtree.insert(player, part.weight[player], whole)
            there = whole >= 0.0
            assert there.sum() == len(part.weight[player])
            np.testing.assert_array_equal(whole[there], strategy.weight[player][there])
        for below in np.flatnonzero(subtree.tree.betting.player >= 0).tolist():
            player = int(subtree.tree.betting.player[below])
            for b in range(subtree.tree.boards.n_boards):
                if subtree.tree.boards.street[b] == subtree.tree.betting.street[below]:
                    here = FactoredStrategy(subtree.tree, part.weight).at(player, below, b)
                    np.testing.assert_array_equal(here, strategy.at(player, node + below, board + b))


def test_a_subgame_begins_at_a_decision_on_a_board_of_its_street():
    tree = factored_tree("leduc_poker")
    leaf = int(np.flatnonzero(tree.betting.player < 0)[0])
    river = int(np.flatnonzero((tree.betting.street == 1) & (tree.betting.player >= 0))[0])
    for node, board in ((leaf, 0), (river, 0), (0, 1)):
        with pytest.raises(ValueError, match="a subgame begins at a decision on a board of its street"):
            Subtree.of(tree, node, board)
