"""Subgames on boards of games with listed flops: reaches, values and factors add up over the list."""

import pytest

from tests.helpers.cells import over
from tests.helpers.forms import compiled
from tests.helpers.twins.factored import factored_tree, random_strategy, uniform_strategy
from treeplex.gadgets.boards.board_subgame import board_subgame
from treeplex.games.poker.named import flop_holdem
from treeplex.seqform.boards.board_conversions import profile_of, strategy_of
from treeplex.seqform.boards.subtree import Subtree
from treeplex.seqform.certify.board_certificate import certify_factored, pair_weight
from treeplex.seqform.certify.board_values import recorded_values
from treeplex.subgames.resolve import resolve

GAME = flop_holdem(4, 2, raises=(1, 1), flops=5)
LINE = "cc/"


def subgames(tree):
    """The subgames after two checks on each flop, under uniform play, with player 0 as the defender."""
    node = tree.betting.node_of[LINE]
    boards = range(1, tree.boards.n_boards)
    found = recorded_values(GAME, uniform_strategy(tree), [(node, board) for board in boards])
    for board in boards:
        yield board_subgame(Subtree.of(tree, node, board), uniform_strategy(tree), 0, found[node, board])


def likely(line, tree):
    """The probability of a line's actions under uniform play, which no hand changes."""
    node, product = tree.betting.node_of[line], 1.0
    while node > 0:
        above = int(tree.betting.parent[node])
        if tree.betting.player[above] >= 0:
            product /= len(tree.betting.children[above])
        node = above
    return product


def test_reaches_of_all_boards_add_up_to_the_probability_of_the_line():
    tree = factored_tree(GAME, False)
    reach = sum(float(one.reach @ one.opponent_reach) * one.board_weight for one in subgames(tree))
    assert reach / float(pair_weight(GAME)) == pytest.approx(likely(LINE, tree), abs=1e-12)


@pytest.mark.seconds(3)
@over(["reach-resolve", "reach-maxmargin"])
def test_before_the_flops_tops_are_those_of_the_enumerated_game(method):
    """Some hands of a pair leave one flop of two, others both: chance makes the latter twice as likely."""
    spec = "no_limit_flop_holdem(ranks=4,suits=2,bets=[1],max_raises=[2,1],stack=1000,flops=2)"
    boards, tree = (
        resolve(spec, 1, "r300r900", method, blueprint="cfr+:10", form=form) for form in ("boards", "tree")
    )
    ours, theirs = ({frozenset(one.top[:4]): one for one in found.tops} for found in (boards, tree))
    assert ours.keys() == theirs.keys()
    for hand, one in theirs.items():
        assert ours[hand].reach == pytest.approx(one.reach, rel=1e-6)
        assert ours[hand].cbv == pytest.approx(one.cbv, abs=1e-3)
    assert boards.safe
    assert boards.exploitability_after == pytest.approx(tree.exploitability_after, rel=0.02)


def test_merged_boards_count_for_all_that_they_stand_for():
    factors = []
    for merged in (True, False):
        tree = factored_tree(GAME, merged)
        factors.append(sum(float(one.reach @ one.opponent_reach) * one.pairs for one in subgames(tree)))
    assert factors[0] == pytest.approx(factors[1], rel=1e-12)
    assert factors[0] / float(pair_weight(GAME)) == pytest.approx(likely(LINE, tree), abs=1e-12)


def test_profiles_become_strategies_on_all_listed_boards():
    tree, form = factored_tree(GAME, False), compiled(GAME)
    drawn = random_strategy(tree, 1)
    again = strategy_of(profile_of(GAME, drawn, form), tree)
    found, other = (certify_factored(GAME, one) for one in (drawn, again))
    assert found.value == pytest.approx(other.value, abs=1e-12)
    assert found.upper - found.rounding == pytest.approx(other.upper - other.rounding, abs=1e-12)
    assert not tree.boards.is_merged
    assert factored_tree(GAME).boards.is_merged
    with pytest.raises(ValueError, match="not merged"):
        strategy_of(profile_of(GAME, drawn, form), factored_tree(GAME))
