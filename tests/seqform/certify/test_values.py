"""Expected values of street strategies, hand by hand, beside those of profiles and the certificate."""

from functools import cache

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.twins.factored import (
    advanced,
    factored_tree,
    invariant_strategy,
    profile_of,
    uniform_strategy,
)
from treeplex.games.cards.cards import parse_cards
from treeplex.games.formats.specs import load_game
from treeplex.pictures.board_view import board_view, with_values
from treeplex.pictures.profile_view import profile_view
from treeplex.pictures.public_node import find_point
from treeplex.seqform.boards.real_boards import boards_to, real_hands
from treeplex.seqform.certify.board_certificate import certify_factored, pair_weight
from treeplex.seqform.certify.board_values import HandValues
from treeplex.views.show import show

SPOT = """
board = "Ks Th 7s 4d"
pot = 10
stack = 20
ranges = ["AA:0.5,KhKd,7h6h,AcTc", "KcQc,KhJh,Kh9h:0.5"]
bets = [1.0]
raises = ["a"]
"""
LEDUC = "leduc_poker(ranks=4,raises=2)"
FLOP = "flop_holdem(ranks=4,suits=2,raises=[1,1])"
SMALL = "small_holdem(board=AsKsQs,ranks=4,suits=3)"
NODES = {
    LEDUC: [("", ""), ("cr", ""), ("rrc/", "Q"), ("cc/crr", "J"), ("rc/r", "K")],
    FLOP: [("", ""), ("r", ""), ("cc/", "AsKhQs"), ("rc/cr", "QhAhJs"), ("rc/r", "KhQsJs")],
    SMALL: [("", ""), ("cr2", ""), ("cc/", "Kd"), ("r2", ""), ("cc/cc/c", "JsJh"), ("cc/c", "Qd")],
    "spot": [("", ""), ("cr10", ""), ("cc/", "2c"), ("r10c/c", "As"), ("cc/r10", "6h"), ("cr10c/", "Kc")],
}


@cache
def spot_file(folder):
    path = folder / "spot.toml"
    path.write_text(SPOT)
    return str(path)


@pytest.fixture(scope="module")
def problem_of(tmp_path_factory):
    folder = tmp_path_factory.mktemp("values")
    return cache(lambda spec: tp.load(spot_file(folder) if spec == "spot" else spec))


def by_hand(game, view):
    """Return {hand: value}; a hand by its ranks where suits are hidden."""
    seen = [game.hand_label(tuple(hand)) for hand in np.sort(view.hands, axis=1).tolist()]
    found = {}
    for hand, value in zip(seen, view.values.tolist(), strict=True):
        assert found.setdefault(hand, value) == pytest.approx(value, rel=1e-12, nan_ok=True)
    return found


@pytest.mark.seconds(2)
@over([(True, 0.0), (False, 0.6)], [*NODES])
def test_expected_values_are_those_of_the_profile(isomorphism, zeros, spec, problem_of):
    problem, unknown = problem_of(spec), 0
    game = problem.game
    strategy = invariant_strategy(factored_tree(game, isomorphism), game, zeros)
    profile, judge = profile_of(game, strategy, problem), HandValues(game, strategy)
    for line, board in NODES[spec]:
        wanted = by_hand(game, profile_view(problem, profile, line, board))
        found = by_hand(game, with_values(judge, board_view(game, strategy, line, board)))
        for hand, value in found.items():
            assert wanted.get(hand, np.nan) == pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True)
        assert {*wanted} <= {*found}
        unknown += sum(np.isnan([*found.values()]))
    assert unknown > 0 or (spec != "spot" and (zeros == 0.0 or spec == SMALL))


@pytest.mark.seconds(2)
@over([LEDUC, SMALL])
def test_one_judge_of_many_nodes_says_what_one_of_each_does(spec):
    game = load_game(spec)
    strategy = invariant_strategy(factored_tree(game), game, 0.3)
    judge, betting = HandValues(game, strategy), strategy.tree.betting
    places = [(betting.node_of[line], find_point(game, line, board).board) for line, board in NODES[spec]]
    alone = [HandValues(game, strategy).at(*place) for place in places]
    for place, values in [*zip(places, alone, strict=True)][::-1]:
        assert np.array_equal(judge.at(*place), values)


def test_a_certificate_says_what_values_at_the_start_add_up_to():
    """Also for averages of a run, which symmetries may change in the last digits."""
    game = load_game(FLOP)
    strategy = advanced(game, "dcfr", 5).average
    values = HandValues(game, strategy).at(0, ())
    weight = strategy.tree.boards.hands[1].weight
    start = boards_to(game, strategy.tree.boards, ())
    hands = real_hands(strategy.tree.boards, 1, start[-1])
    assert np.array_equal(np.sort(hands, axis=1), strategy.tree.boards.hands[1].cards)
    assert strategy.tree.betting.player[0] == 1
    value = -float(weight @ values) / float(pair_weight(game))
    assert value == pytest.approx(float(certify_factored(game, strategy).value), abs=1e-12)


@over(
    [
        (-1, "AsKsQs", "node must be one at which a player acts, got -1"),
        (10_000, "AsKsQs", "node must be one at which a player acts"),
        (0, "AsKsQsJs", "the board must be of street 0"),
        (0, "", "must begin with AsKsQs"),
        (0, "AsKsQsAs", "none stands for AsAsKsQs"),
        (0, "AsKsQsJsJdJd", "the board must be one of"),
        (0, "AsKsQsJsJdJhAd", "the board must be one of"),
    ]
)
def test_bad_places_are_refused(node, board, says):
    game = load_game(SMALL)
    strategy = uniform_strategy(factored_tree(game))
    cards = tuple(card for a in range(0, len(board), 2) for card in parse_cards(board[a : a + 2]))
    with pytest.raises(ValueError, match=says):
        HandValues(game, strategy).at(node, cards)


def test_a_strategy_of_another_game_is_refused():
    strategy = uniform_strategy(factored_tree(SMALL))
    with pytest.raises(ValueError, match="betting"):
        HandValues(load_game(FLOP), strategy).at(0, ())


def test_a_picture_shows_expected_values(monkeypatch):
    monkeypatch.setattr("treeplex.games.base.reporting.SECONDS", np.inf)  # however slow the machine is
    game = load_game(FLOP)
    strategy = invariant_strategy(factored_tree(game), game)
    told = []
    picture = show(
        game,
        "cc/",
        strategy=strategy,
        board="AsKhQs",
        map="ev",
        progress=lambda stage, width: told.append(stage),
    )
    assert told == ["valuing every board to come"]
    assert picture.legend[0].startswith("expected value from here on in chips")
    assert picture.grid.values is not None
    assert show(game, "cc/", strategy=strategy, board="AsKhQs").view.values is None
