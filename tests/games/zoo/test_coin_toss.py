"""Coin Toss: sizes, and the figures of the NIPS 2017 paper recomputed from the rules."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from tests.helpers.cells import over
from tests.helpers.game_checks import check_refusals, walk
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.zoo.textbook import CoinToss, coin_toss

Rows = Mapping[str, Mapping[str, Fraction]]


def histories(game: CoinToss) -> list[tuple[str, ...]]:
    return [state for state, _ in walk(game)]


def infosets(game: CoinToss, player: int) -> dict[str, tuple[str, ...]]:
    return {
        game.infoset(h, player): tuple(game.actions(h)) for h in histories(game) if game.player(h) == player
    }


def expected(game: CoinToss, state: tuple[str, ...], rows: Rows) -> Fraction:
    player = game.player(state)
    if player == TERMINAL:
        return game.payoff(state)
    odds = (
        game.chance(state)
        if player == CHANCE
        else [(a, rows[game.infoset(state, player)].get(a, Fraction(0))) for a in game.actions(state)]
    )
    return sum((p * expected(game, game.child(state, a), rows) for a, p in odds), Fraction(0))


def best_response(game: CoinToss, guess: Rows) -> Fraction:
    """Return player 0's best value against a guess, over all of player 0's pure strategies."""
    own = infosets(game, 0)
    pure = [dict(zip(own, choice, strict=True)) for choice in product(*own.values())]
    return max(
        expected(game, game.root(), {**guess, **{key: {a: Fraction(1)} for key, a in plan.items()}})
        for plan in pure
    )


def guess(heads: str, tails: str, forfeit: str = "0") -> dict[str, Fraction]:
    return {"Heads": Fraction(heads), "Tails": Fraction(tails), "Forfeit": Fraction(forfeit)}


@over(
    [
        (coin_toss(), 13, 8, 2, 1),
        (coin_toss(forfeit=False), 11, 6, 2, 1),
        (coin_toss(forfeit=False, subgames=2), 19, 10, 2, 2),
        (coin_toss(subgames=2), 23, 14, 2, 2),
    ]
)
def test_sizes(game: CoinToss, nodes: int, leaves: int, own: int, other: int) -> None:
    found = histories(game)
    assert len(found) == nodes
    assert sum(game.player(h) == TERMINAL for h in found) == leaves
    assert (len(infosets(game, 0)), len(infosets(game, 1))) == (own, other)


def test_keys_are_readable_and_separate_the_subgames() -> None:
    game = coin_toss(subgames=2)
    assert set(infosets(game, 0)) == {"Heads:", "Tails:"}
    assert set(infosets(game, 1)) == {"?:Play/S1", "?:Play/S2"}
    top = ("Tails", "Play", "S2")
    assert game.infoset(top, 0) == "Tails:Play/S2"
    assert game.public(top) == ":Play/S2"
    assert coin_toss().public(("Heads", "Play")) == ":Play"


@over(
    [
        (guess("1/4", "3/4"), "1/2", "-1/2", "0"),
        (guess("1", "0"), "-1", "1", "3/4"),
        (guess("0", "1"), "1", "-1", "1/4"),
        (guess("1/2", "1/4", "1/4"), "0", "1/2", "1/2"),
        (guess("5/8", "3/8"), "-1/4", "1/4", "3/8"),
        (guess("3/4", "1/4"), "-1/2", "1/2", "1/2"),
        (guess("1/2", "1/2"), "0", "0", "1/4"),
    ]
)
def test_values_against_the_guesses_of_the_paper(
    plan: dict[str, Fraction], play_heads: str, play_tails: str, response: str
) -> None:
    game = coin_toss()
    rows = {"?:Play": plan}
    assert expected(game, ("Heads", "Play"), rows) == Fraction(play_heads)
    assert expected(game, ("Tails", "Play"), rows) == Fraction(play_tails)
    assert best_response(game, rows) == Fraction(response)


def test_the_value_is_zero_because_always_selling_also_guarantees_it() -> None:
    sell = {"Heads:": {"Sell": Fraction(1)}, "Tails:": {"Sell": Fraction(1)}}
    for side in ("Heads", "Tails", "Forfeit"):
        assert expected(coin_toss(), (), {**sell, "?:Play": {side: Fraction(1)}}) == 0


def test_swapped_sell_values_swap_the_solution() -> None:
    swapped = coin_toss(heads=Fraction(-1, 2), tails=Fraction(1, 2))
    assert best_response(swapped, {"?:Play": guess("3/4", "1/4")}) == 0
    assert best_response(swapped, {"?:Play": guess("1/4", "3/4")}) == Fraction(1, 2)


@over(
    [
        (("1/2", "1/2"), ("1/2", "1/2"), "1/4"),
        (("3/8", "5/8"), ("3/8", "5/8"), "1/8"),
        (("1/4", "3/4"), ("1/4", "3/4"), "0"),
        (("1/8", "7/8"), ("1/8", "7/8"), "1/8"),
        (("1/4", "3/4"), ("1/2", "1/2"), "1/8"),
        (("0", "1"), ("1/2", "1/2"), "0"),
        (("0", "1"), ("0", "1"), "1/4"),
    ]
)
def test_values_of_the_two_subgame_variant(
    first: tuple[str, str], second: tuple[str, str], response: str
) -> None:
    rows = {"?:Play/S1": guess(*first), "?:Play/S2": guess(*second)}
    assert best_response(coin_toss(forfeit=False, subgames=2), rows) == Fraction(response)


def test_a_float_stands_for_its_decimal() -> None:
    assert coin_toss(heads=0.1) == coin_toss(heads=Fraction(1, 10))


def test_names() -> None:
    assert coin_toss().name == "coin_toss"
    game = coin_toss(heads=1, tails=Fraction(-1, 3), forfeit=False, subgames=2)
    assert game.name == "coin_toss(heads=1,tails=-1/3,forfeit=false,subgames=2)"


def test_bad_parameters() -> None:
    check_refusals(
        coin_toss,
        [
            ({"heads": float("nan")}, "heads must be a finite number, got nan"),
            ({"tails": float("-inf")}, "tails must be a finite number, got -inf"),
            ({"heads": True}, "heads must be a finite number, got true"),
            ({"heads": None}, "heads must be a finite number, got none"),
            ({"forfeit": 1}, "forfeit must be true or false, got 1"),
            ({"subgames": 3}, "subgames must be 1 or 2, got 3"),
            ({"subgames": True}, "subgames must be 1 or 2, got true"),
            ({"subgames": [1]}, "subgames must be 1 or 2"),
        ],
    )
