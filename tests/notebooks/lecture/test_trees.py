"""Trees of the notebooks: probabilities at moves, and the public tree."""

from fractions import Fraction

import treeplex as tp
from lecture.trees import public_tree, with_strategy


def test_a_strategy_stands_at_its_players_moves_only():
    drawn = tp.draw("coin_toss")
    marked = with_strategy(drawn, {(1, "?:Play"): {"Heads": Fraction(1, 2), "Tails": 0.25, "Forfeit": 0.25}})
    pairs = zip(drawn.sketch.nodes, marked.sketch.nodes, strict=True)
    changed = [(b.move, b.odds) for a, b in pairs if a != b]
    assert changed == [("Heads", Fraction(1, 2)), ("Tails", Fraction(1, 4)), ("Forfeit", Fraction(1, 4))] * 2
    assert marked.figure().axes


def test_the_public_tree_has_a_node_for_each_public_state():
    drawn = public_tree("coin_toss").sketch
    assert [node.move for node in drawn.nodes] == ["", "", "Sell", "Play", "Heads", "Tails", "Forfeit"]
    assert [node.player for node in drawn.nodes[:2]] == [-1, 0]
    assert drawn.nodes[3].player == 1
    assert drawn.nodes[4].parent == 3


def test_the_public_tree_ends_where_it_is_told_to():
    drawn = public_tree("coin_toss", until=[":Play"]).sketch
    assert [node.move for node in drawn.nodes] == ["", "", "Sell", "Play"]
