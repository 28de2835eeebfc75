"""Answers on flops of a deck of five ranks: every solve of a sample also as a factored linear program."""

import pytest

from tests.helpers.cells import over
from tests.helpers.twins.factored import factored_tree
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.boards.factored_cfr import prepare
from treeplex.cfr.engine import average
from treeplex.gadgets.boards.gadget_proof import reach_unit
from treeplex.gadgets.off_tree.off_tree import off_tree_method
from treeplex.games.poker.named import no_limit_flop_holdem
from treeplex.subgames.nested_on_boards import CurrentPlay, answer_bet
from treeplex.subgames.program_on_boards import solve_by_program
from treeplex.subgames.solve_on_boards import BoardLimits

BETS = [("cc/", "r250"), ("cc/c", "r250"), ("cr200c/", "r500"), ("r300c/c", "r750"), ("cc/cr200", "r500")]
"""Bets and raises of 0.75 pot, which the menus of 0.5 and 1 pot lack."""
FLOPS = 1, 200, 400
METHODS = [
    ("resolve", "inexpensive"),
    ("maxmargin", "inexpensive"),
    ("reach-maxmargin", "inexpensive"),
    ("resolve", "expensive"),
]
POT, WIDTH = 200, 0.01


@pytest.fixture(scope="module")
def blueprint():
    tree = factored_tree(no_limit_flop_holdem(ranks=5, suits=3), isomorphism=False)
    return average(prepare(tree, factored_config("dcfr")), 40)


def to_a_hundredth(tree):
    return BoardLimits(iterations=4000, width=WIDTH * POT)


@pytest.mark.seconds(20)
@over(METHODS, BETS)
def test_values_are_those_of_factored_programs(method, approach, line, bet, blueprint):
    way, tree = off_tree_method(method, approach), blueprint.tree
    node = tree.betting.node_of[line]
    current = CurrentPlay.of(blueprint, 1 - int(tree.betting.player[node]))
    for board in FLOPS:
        solution = answer_bet(current, (node, board), bet, way, to_a_hundredth).solution
        proof, unit = solution.proof, reach_unit(solution.subgame, solution.root)
        wanted = solve_by_program(solution.subgame, way.on_hands()).proof
        assert proof.lower <= wanted.upper
        assert wanted.lower <= proof.upper
        assert proof.upper - proof.lower <= 5 * WIDTH * POT * unit
        assert wanted.upper - wanted.lower <= 1e-5 * POT * unit
