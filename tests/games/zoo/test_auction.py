"""Auction: rules by hand, twins that know bids and surpluses only, and a matrix game over bids."""

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.game_checks import check_knowledge, check_promises, check_refusals, exact_value, walk
from tests.helpers.twins.matrix import bayesian_value
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.auction import Auction, auction
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.trees.game_tree import build_tree

KINDS = ("first_price", "second_price", "all_pay")
TIES = ("split", "first", "second")
INFORMATION = ("winner", "price", "bids")
VARIANTS = [
    auction((1, 2), 2, *words, reserve, tie, information)
    for words, reserve, tie, information in product(product(KINDS, (2,)), (0, 1), TIES, INFORMATION)
]


@cache
def sale(game: Auction, v: int, w: int, a: int, b: int) -> tuple[str, int, Fraction]:
    """Sell one item to surpluses, written apart: who won, the price that is told, and the difference."""
    gets = [Fraction(0), Fraction(0)]
    bids, worth = (a, b), (v, w)
    if game.kind == "all_pay":
        gets = [Fraction(-a), Fraction(-b)]
    if a < game.reserve and b < game.reserve:
        return "none", 0, gets[0] - gets[1]
    shares = {0: [Fraction(1), Fraction(0)], 1: [Fraction(0), Fraction(1)]}
    halves = {"split": [Fraction(1, 2)] * 2, "first": shares[0], "second": shares[1]}[game.tie]
    won = halves if a == b else shares[int(b > a)]
    price = {"first_price": max(bids), "second_price": max(game.reserve, min(bids)), "all_pay": max(bids)}
    for who in (0, 1):
        gets[who] += won[who] * (worth[who] - (price[game.kind] if game.kind != "all_pay" else 0))
    winner = {Fraction(0): "second", Fraction(1): "first"}.get(won[0], "both")
    return winner, price[game.kind], gets[0] - gets[1]


@cache
def seen_of(game: Auction, player: int, a: int, b: int) -> tuple[Any, ...]:
    """Return what a player, or with ``TERMINAL`` the public, learns of a round."""
    winner, price, _ = sale(game, 1, 1, a, b)
    told = {"winner": (), "price": (price,), "bids": (a, b)}[game.information]
    return ((a, b)[player] if player >= 0 else None, winner, *told)


@pytest.mark.seconds(3)
@over([*VARIANTS, auction(), auction(items=1)])
def test_auctions_keep_the_promises_of_games(game: Auction) -> None:
    check_promises(game)
    number_tree(build_tree(game))


@over(VARIANTS)
def test_leaves_are_all_values_and_bids(game: Auction) -> None:
    bids = [bid for bid in range(game.bids + 1) if bid == 0 or bid >= game.reserve]
    twin = {}
    for v, w in product(range(1, game.values[0] + 1), range(1, game.values[1] + 1)):
        for line in product(bids, repeat=2 * game.items):
            pairs = zip(line[::2], line[1::2], strict=True)
            twin[(v, w, *line)] = sum(sale(game, v, w, a, b)[2] for a, b in pairs)
    leaves = {state: game.payoff(state) for state, _ in walk(game) if game.player(state) == TERMINAL}
    assert leaves == twin
    tree = build_tree(game)
    odds = {Fraction(int(tree.chance[leaf]), tree.chance_den) for leaf in tree.leaves}
    assert odds == {Fraction(1, game.values[0] * game.values[1])}


@over(VARIANTS)
def test_bidders_know_their_value_their_bids_and_what_was_revealed(game: Auction) -> None:
    """Keys part histories exactly as what a bidder has observed does."""

    def observed(state: tuple[int, ...], player: int) -> tuple[Any, ...]:
        if not state:
            return ()
        seen: list[Any] = [state[player] if player >= 0 else None]
        for k in range(2, len(state), 2):
            pair = state[k : k + 2]
            if len(pair) == 2:
                seen.append(seen_of(game, player, *pair))
            else:
                seen.append(pair[0] if player == 0 else None)
        return tuple(seen)

    check_knowledge(game, observed)


def first_sales(game: Auction) -> np.ndarray:
    """Return the differences of one sale for all values and bids, (V, W, B, B)."""
    bids = [int(label) for label in game.labels]
    types = [range(1, most + 1) for most in game.values]
    cells = [float(sale(game, *worth, *pair)[2]) for worth in product(*types) for pair in product(bids, bids)]
    return np.array(cells).reshape(*game.values, len(bids), len(bids))


def naive_value(game: Auction) -> float:
    """Solve the auction of one item over bids for each value."""
    return bayesian_value(first_sales(game))


@over(
    [
        *(auction((2, 3), 3, kind, 1, 0, tie) for kind in KINDS for tie in TIES),
        *(auction((3, 2), 4, kind, 1, 2, "first") for kind in KINDS),
        auction(items=1),
        auction(items=1, kind="all_pay"),
    ]
)
def test_one_item_is_a_game_of_bids_for_each_value(game: Auction) -> None:
    assert float(exact_value(game)) == pytest.approx(naive_value(game), abs=1e-9)


@settings(max_examples=12)
@given(
    st.integers(1, 3),
    st.integers(1, 3),
    st.integers(0, 3),
    st.sampled_from(KINDS),
    st.sampled_from(TIES),
    st.data(),
)
def test_bidders_who_change_seats_change_the_sign(first, second, bids, kind, tie, data) -> None:
    reserve = data.draw(st.integers(0, bids))
    game = auction((first, second), bids, kind, 1, reserve, tie)
    swapped = {"split": "split", "first": "second", "second": "first"}[tie]
    assert exact_value(game) == -exact_value(auction((second, first), bids, kind, 1, reserve, swapped))
    assert float(exact_value(game)) == pytest.approx(naive_value(game), abs=1e-9)


@over(
    [
        # Nobody can bid: each item is shared, or given to one; means of 1..3 and 1..5 are 2 and 3.
        (auction((3, 5), 0, items=1), Fraction(2 - 3, 2)),
        (auction((3, 5), 0, items=3), 3 * Fraction(2 - 3, 2)),
        (auction((3, 5), 0, tie="first"), 2 * 2),
        (auction((3, 5), 0, tie="second", kind="all_pay"), -2 * 3),
        # A reserve above every value: a sale is a loss, so nobody buys.
        (auction((2, 3), 5, reserve=4), 0),
        (auction((2, 3), 5, "second_price", reserve=4), 0),
        (auction((2, 3), 5, "all_pay", reserve=4), 0),
        # Both values are 1, and ties are player 0's: bidding 1 loses nothing, and 0 must not win.
        (auction(1, 1, items=1, tie="first"), 0),
        # One bid, the reserve of 1, buys half of what is worth 1 or (1 + 2) / 2 on average, at 1.
        (auction((1, 2), 1, items=1, reserve=1), -Fraction(1, 4)),
    ]
)
def test_values_by_hand(game: Auction, value: Fraction) -> None:
    assert exact_value(game) == value


def test_knowing_more_of_a_round_changes_values_of_the_next() -> None:
    values = {seen: exact_value(auction((2, 3), 2, "all_pay", information=seen)) for seen in INFORMATION}
    assert values == {
        "winner": Fraction(-421, 672),
        "price": Fraction(-12_103, 19_368),
        "bids": Fraction(-439, 702),
    }


def test_keys_are_readable() -> None:
    state = (3, 2, 2, 0, 1)
    game = auction()
    assert [game.infoset(state, p) for p in (0, 1)] == ["3:2>?/1", "2:?>0/?"]
    assert game.public(state) == ":?>?/?"
    price, bids = auction(information="price", kind="second_price"), auction(information="bids")
    assert price.infoset(state, 0) == "3:2>?@0/1"
    assert auction(information="price", kind="all_pay").public(state) == ":?>?@2/?"
    assert [bids.infoset(state, p) for p in (0, 1)] == ["3:2>0/1", "2:2>0/?"]
    assert auction(tie="second").infoset((3, 2, 1, 1), 0) == "3:1<?"
    assert auction().infoset((3, 2, 1, 1), 1) == "2:?=1"
    assert auction(reserve=1, information="price").public((3, 2, 0, 0)) == ":?-?"
    assert game.infoset((), 0) == game.public(()) == "start"
    assert game.unit == "points"


def test_names() -> None:
    assert auction().name == "auction"
    game = auction((2, 5), 4, "all_pay", 1, 2, "first", "bids")
    assert game.name == (
        "auction(values=[2,5],bids=4,kind=all_pay,items=1,reserve=2,tie=first,information=bids)"
    )
    assert load_game("auction(values=2)") == auction([2, 2])
    for again in (*VARIANTS, game):
        assert load_game(again.name) == again


def test_bad_parameters() -> None:
    check_refusals(
        auction,
        [
            ({"values": 0}, "auction: values must be an integer from 1 to 99, got 0"),
            ({"values": [3]}, r"values must be one integer or two, got \[3\]"),
            ({"values": [3, 100]}, "values must be an integer from 1 to 99, got 100"),
            ({"bids": -1}, "bids must be an integer from 0 to 99, got -1"),
            ({"bids": 100}, "bids must be an integer from 0 to 99, got 100"),
            ({"items": 0}, "items must be an integer from 1 to 9, got 0"),
            ({"reserve": 4}, "reserve must be an integer from 0 to 3, got 4"),
            ({"kind": "dutch"}, "kind must be one of first_price, second_price, all_pay, got 'dutch'"),
            ({"tie": "coin"}, "tie must be one of split, first, second, got 'coin'"),
            ("auction(values=0.5)", r"auction: values must be an integer or a list of integers, got 0.5"),
        ],
    )
