"""Values of actions: by the public tree, on boards, and history by history they are the same."""

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.files.strategies import strategy_of
from treeplex.pictures.strategy_view import node_view
from treeplex.play.whole_plan import WholePlan
from treeplex.views.action_values import ActionValues

FLOP = "flop_holdem(ranks=4,suits=2,raises=[0,1])"
ISLAND = "rhode_island(ranks=2,suits=3,raises=1)"


@pytest.mark.seconds(8)
@over(
    [
        ("leduc_poker(ranks=2,raises=1)", [("", ""), ("c", ""), ("cc/", "K"), ("cr", ""), ("rc/r", "Q")]),
        (FLOP, [("", ""), ("cc/", "KhQhJs"), ("cc/c", "KhQhAs"), ("cc/r", "JhAsAh"), ("cc/cr", "KhQhJs")]),
        (
            ISLAND,
            [("", ""), ("c", ""), ("rc/", "As"), ("cc/cc/", "AsKh"), ("cc/rc/r", "AsAd")],
        ),
    ]
)
def test_three_ways_to_value_actions_agree(spec, places, tmp_path):
    problem = tp.load(spec)
    found = tp.solve(problem, "cfr+", iterations=4)
    tp.write(found, tmp_path / "s.npz", game=problem)
    table, boards = found.profile, strategy_of(problem, tmp_path / "s.npz", "error").strategy
    numbered = problem.enumerated
    whole = WholePlan(numbered, table.transfer(numbered.form.treeplexes))
    game, compared = problem.game, 0
    for line, board in places:
        view = node_view(problem, table, line, board)
        values = ActionValues(problem, table).at_node(view)
        other = node_view(problem, boards, line, board)
        on_boards = ActionValues(problem, boards).at_node(other)
        labels = [game.hand_label(tuple(hand)) for hand in other.hands.tolist()]
        for hand, row in zip(view.hands.tolist(), values, strict=True):
            label = game.hand_label(tuple(hand))
            wanted = whole.values(view.point.player, f"{label}{game.joiner}{view.point.key}")
            if wanted is None:
                assert np.isnan(row).all()
                continue
            put = float(view.point.put)
            assert row - put == pytest.approx([*wanted.values()], abs=1e-9)
            assert on_boards[labels.index(label)] == pytest.approx(row, abs=1e-9)
            compared += 1
    assert compared > len(places)
