"""What every small game promises: exact chance, stable keys, perfect recall."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.game_checks import check_promises, labels, walk
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import coin_toss, dummy_pennies, matrix_game

SMALL = [
    coin_toss(),
    coin_toss(forfeit=False, subgames=2),
    matrix_game([[1, -1], [-1, 1]]),
    matrix_game([[Fraction(1, 3), 2, -5]]),
    dummy_pennies(0),
    dummy_pennies(1),
]


@over(SMALL)
def test_small_games_keep_their_promises(game: Game[Any]) -> None:
    check_promises(game)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(), depth=st.integers(0, 6), actions=st.integers(1, 4))
def test_random_games_keep_their_promises(seed: int, depth: int, actions: int) -> None:
    check_promises(random_game(seed, depth, actions))


def test_random_games_are_what_they_are_on_any_machine() -> None:
    game = random_game(6, 4, 3)
    leaves = [state for state, _ in walk(game) if game.player(state) == TERMINAL]
    assert len(walk(game)) == 66
    assert sum(game.payoff(leaf) for leaf in leaves) == -4


def test_random_games_are_varied() -> None:
    mute, hidden, uneven, chance, sizes = [0, 0], [0, 0], 0, 0, []
    for seed in range(60):
        game = random_game(seed, 5)
        states = [state for state, _ in walk(game)]
        sizes.append(len(states))
        chance += any(game.player(s) == CHANCE for s in states)
        for who in (0, 1):
            own = [s for s in states if game.player(s) == who]
            mute[who] += not own
            hidden[who] += len({game.infoset(s, who) for s in own}) < len(own)
            uneven += len({len(game.actions(s)) for s in own}) > 1
    assert min(mute) >= 5
    assert min(hidden) >= 10
    assert uneven >= 30
    assert chance >= 30
    assert min(sizes) < 10
    assert max(sizes) > 80


def test_chance_of_random_games_has_odds_of_one_to_five() -> None:
    ratios = set()
    for seed in range(20):
        game = random_game(seed, 4)
        for state, _ in walk(game):
            if game.player(state) == CHANCE:
                shares = [share for _, share in game.chance(state)]
                assert sum(shares) == 1
                ratios |= {one / other for one in shares for other in shares}
    assert ratios == {Fraction(one, other) for one in range(1, 6) for other in range(1, 6)}


def test_random_game_ignores_the_order_of_visits() -> None:
    game, again = random_game(11, 5), random_game(11, 5)
    forwards = {state: labels(game, state) for state, _ in walk(game)}
    backwards = {state: labels(again, state) for state in reversed(list(forwards))}
    assert forwards == backwards


@over(
    [
        ({"seed": 1.0}, "seed must be an integer, got 1.0"),
        ({"depth": True}, "depth must be an integer, got true"),
        ({"depth": -1}, "depth must be between 0 and 20, got -1"),
        ({"depth": 21}, "depth must be between 0 and 20, got 21"),
        ({"actions": 0}, "actions must be between 1 and 8, got 0"),
        ({"actions": 9}, "actions must be between 1 and 8, got 9"),
    ]
)
def test_random_game_bad_parameters(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        random_game(**keys)


def test_matrix_game_is_its_matrix() -> None:
    matrix = [[Fraction(1, 3), 2, -5], [0, 7, 1]]
    game = matrix_game(matrix)
    assert [
        [game.payoff(game.child(game.child(game.root(), row), column)) for column in ("c0", "c1", "c2")]
        for row in ("r0", "r1")
    ] == matrix
    assert game.name == "matrix_game(payoff=[[1/3,2,-5],[0,7,1]])"
    assert len(walk(game)) == 1 + 2 + 6
    assert matrix_game([[0.1]]).rows == ((Fraction(1, 10),),)


def test_the_column_player_does_not_see_the_row() -> None:
    game = matrix_game([[1, -1], [-1, 1]])
    seen = {(game.infoset(("r0",), who), game.infoset(("r1",), who)) for who in (0, 1)}
    assert seen == {("r0", "r1"), ("?", "?")}


@over(
    [
        ([], "at least one row and one column"),
        ([[]], "at least one row and one column"),
        ([[1, 2], [3]], r"rows of one length, got lengths \[2, 1\]"),
        ([[1] * 10_000] * 10_000, "at most 20,000,000 entries, got 10,000 x 10,000"),
        ([[], [1]], "at least one row and one column|one length"),
        ([[1, float("nan")]], r"payoff\[0\]\[1\] must be a finite number, got nan"),
        ([[1], [float("inf")]], r"payoff\[1\]\[0\] must be a finite number, got inf"),
        ([["a"]], "must be a finite number, got 'a'"),
        ([[True]], "must be a finite number, got true"),
        ([[[1]]], "must be a finite number"),
        ([1, 2], "must be a list of rows"),
        ("ab", "must be a list of rows"),
        (7, "must be a list of rows"),
    ]
)
def test_matrix_game_bad_payoff(payoff: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        matrix_game(payoff)


@over([0, 1])
def test_dummy_pennies(mover: int) -> None:
    game = dummy_pennies(mover)
    states = [state for state, _ in walk(game)]
    leaves = [state for state in states if game.player(state) == TERMINAL]
    assert (len(states), len(leaves)) == (11, 6)
    dummies = [state for state in states if len(state) == 2 and game.player(state) != TERMINAL]
    assert {game.infoset(state, mover) for state in dummies} == {"h/t", "t/h"}
    assert {game.player(state) for state in dummies} == {mover}
    for state in dummies:
        assert {game.payoff(game.child(state, label)) for label in game.actions(state)} == {Fraction(-1)}
    for own in "ht":
        for even in ("h", "t"):
            line = (own, even) if own == even else (own, even, "x")
            assert game.payoff(line) == (1 if own == even else -1)


@over([2, -1, "0", True, None])
def test_dummy_pennies_bad_mover(mover: Any) -> None:
    with pytest.raises(ValueError, match="mover must be 0 or 1"):
        dummy_pennies(mover)
