"""Values of all hands at all decisions of a street beside a walk of the rules, history by history."""

from functools import cache

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.twins.factored import factored_tree, invariant_strategy
from tests.helpers.twins.played import played_by_hand
from treeplex.games.poker.named import flop_holdem, leduc_poker, turn_holdem
from treeplex.seqform.certify.played_street import decisions_on, values_on_street

GAMES = [
    leduc_poker(ranks=3, raises=1, suits_visible=True),
    flop_holdem(4, 2, raises=(0, 1)),
    turn_holdem(4, 2, raises=(0, 0, 0)),
]


@cache
def known(which, isomorphism, zeros):
    game = GAMES[which]
    strategy = invariant_strategy(factored_tree(game, isomorphism), game, zeros)
    return game, strategy, played_by_hand(game, strategy)


@pytest.mark.seconds(4)
@over([(True, 0.0), (False, 0.5)], range(len(GAMES)))
def test_values_and_reaches_are_those_of_all_histories(isomorphism, zeros, which):
    game, strategy, wanted = known(which, isomorphism, zeros)
    tree = strategy.tree
    for street in range(tree.betting.n_streets):
        found = []
        values_on_street(game, strategy, street, found.append)
        boards = np.flatnonzero(tree.boards.street == street)
        assert sorted(played.board for played in found) == boards.tolist()
        for played in found:
            for n, node in enumerate(decisions_on(tree, street).tolist()):
                for player, hands in enumerate(tree.boards.hands):
                    live = hands.cards[hands.hand[hands.on(played.board)]].tolist()
                    keys = [
                        (player, tree.betting.line[node], tree.boards.cards[played.board], tuple(hand))
                        for hand in live
                    ]
                    value, met = np.array([wanted[key] for key in keys]).T
                    np.testing.assert_allclose(played.value[player][n], value, rtol=1e-12, atol=1e-11)
                    np.testing.assert_allclose(played.met[player][n], met, rtol=1e-12, atol=1e-12)


def test_it_is_told_on_how_many_boards_values_are_known():
    game, strategy, _ = known(1, True, 0.0)
    told = []
    values_on_street(game, strategy, 1, lambda _: None, report=told.append)
    assert all(text.startswith("values on ") for text in told)


def test_a_strategy_of_another_game_is_refused():
    _, strategy, _ = known(1, True, 0.0)
    with pytest.raises(ValueError, match="the strategy"):
        values_on_street(GAMES[2], strategy, 1, lambda _: None)
