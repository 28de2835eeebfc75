"""Keys of another tool: errors show what keys look like here, and name the game of OpenSpiel."""

import pytest

import treeplex as tp
from tests.helpers.cells import over


def test_an_unknown_key_is_answered_by_an_example():
    with pytest.raises(ValueError, match=r"player 1 has no infoset 'X:c'; keys here look like 'J:c'$"):
        tp.check("kuhn_poker", {(1, "X:c"): {"c": 1.0}})
    with pytest.raises(ValueError, match=r"kuhn_poker has no infoset 'X:'; keys here look like 'J:'$"):
        tp.from_dict({"X:": [("c", 1.0)]}, "kuhn_poker")


@over(
    [
        ("kuhn_poker", "0"),
        ("kuhn_poker", "0pb"),
        (
            "leduc_poker",
            "[Observer: 0][Private: 0][Round 1][Player: 0][Pot: 2][Money: 99 99][Round1: ][Round2: ]",
        ),
    ]
)
def test_a_key_of_openspiel_names_its_game(game, key):
    pytest.importorskip("pyspiel")
    with pytest.raises(ValueError, match=rf"keys here look like 'J:'; did you mean openspiel:{game}\?$"):
        tp.check(game, {(0, key): {"0": 1.0}})
    with pytest.raises(ValueError, match=rf"did you mean openspiel:{game}\?$"):
        tp.from_dict({key: [(0, 1.0)]}, game)


def test_a_game_with_other_rules_is_not_named():
    with pytest.raises(ValueError, match=r"keys here look like 'T:'$"):
        tp.check("kuhn_poker(ranks=4)", {(0, "0"): {"0": 1.0}})
