"""Numbers of histories that are known beforehand: never more than there are, and often all."""

from itertools import product
from time import process_time

import pytest

from tests.helpers.cells import over
from treeplex.games.base.protocol import MOST_MOVES, histories_of_widths, merged_histories
from treeplex.games.formats.specs import REGISTRY, load_game
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.trees.game_tree import build_tree

EXACT = [
    "goofspiel",
    "goofspiel(cards=3,order=random)",
    "liars_dice(dice=2,faces=2)",
    "liars_dice(faces=3)",
    "sheriff",
    "sheriff(items=0,bribes=0,rounds=1)",
    "auction",
    "auction(values=2,bids=3,items=1,reserve=2)",
    "matrix_game(payoff=[[1,2,3],[4,5,6]])",
    "patrol",
    "patrol(graph=complete,steps=3,duration=1,alarm=heard)",
    "phantom_mnk",
    "phantom_mnk(rows=2,columns=2,line=2,failure=again)",
    "phantom_mnk(line=1)",
    "oshi_zumo(size=4)",
    "oshi_zumo(coins=5,min_bid=2,horizon=2)",
]
AT_LEAST = [
    "battleship",
    "battleship(rows=2,columns=2,shots=2,ships=[2])",
    "battleship(columns=1,shots=1)",
    "battleship(columns=3,shots=3,ships=[1,1],values=[1,2])",
    *(
        f"oshi_zumo(coins={coins},size={size},min_bid={least},horizon={horizon})"
        for coins, size, least, horizon in product((1, 2, 4), (0, 1), (0, 1), (1, 2, 4))
    ),
]
HUGE = {
    "matrix_game": "matrix_game(payoff=[[1,2],[3,4]])",
    "goofspiel": "goofspiel(cards=13,order=random)",
    "liars_dice": "liars_dice(dice=9,faces=9)",
    "oshi_zumo": "oshi_zumo(coins=99,size=99)",
    "phantom_mnk": "phantom_mnk(rows=9,columns=9,line=9)",
    "battleship": "battleship(rows=9,columns=9,shots=81)",
    "sheriff": "sheriff(items=1000,bribes=1000,rounds=20)",
    "patrol": "patrol(values=[1,1,1,1,1,1,1,1,1,1],graph=complete,steps=20,duration=1)",
    "auction": "auction(values=99,bids=99,items=9)",
}
"""The largest games of the families that know how many histories they have."""


@over(EXACT)
def test_all_histories_are_counted_where_the_rules_say_how_many(spec):
    game = load_game(spec)
    assert game.least_histories == build_tree(game).n_nodes


@over(AT_LEAST)
def test_no_more_histories_are_promised_than_there_are(spec):
    game = load_game(spec)
    assert 1 <= game.least_histories <= build_tree(game).n_nodes


def test_a_known_number_of_moves_is_multiplied():
    assert histories_of_widths(()) == 1
    assert histories_of_widths((2, 3, 4)) == 1 + 2 + 6 + 24


def test_a_count_that_takes_too_long_is_of_what_was_found(monkeypatch):
    game = load_game("phantom_mnk")
    found = []
    for moves in (1, 10, 100, 1_000):
        monkeypatch.setattr("treeplex.games.base.protocol.MOST_MOVES", moves)
        found.append(merged_histories(game, lambda state: state))
    assert sorted({*found}) == found
    assert found[-1] < build_tree(game).n_nodes


@pytest.mark.seconds(3)
def test_the_largest_games_of_all_families_are_known_to_be_too_large_at_once():
    games = {name: load_game(entry.example) for name, entry in REGISTRY.items()}
    knowing = {
        name
        for name, game in games.items()
        if hasattr(game, "least_histories") and not isinstance(game, PokerGame)
    }
    assert knowing == {*HUGE}
    for name, spec in HUGE.items():
        game = load_game(spec)
        began = process_time()
        assert game.least_histories > (20_000_000 if name != "matrix_game" else 6)
        assert process_time() - began < 4.0, spec
    assert MOST_MOVES <= 200_000
