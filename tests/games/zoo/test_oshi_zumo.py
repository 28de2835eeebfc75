"""Oshi-Zumo: rules by hand, a twin that replays bids, and OpenSpiel's game."""

from itertools import product
from random import Random
from typing import Any

import pytest

from tests.helpers.cells import over
from tests.helpers.game_checks import (
    check_knowledge,
    check_promises,
    check_refusals,
    check_sizes,
    exact_value,
    played,
    walk,
)
from tests.helpers.twins.openspiel import Twins
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.oshi_zumo import Bout, OshiZumo, oshi_zumo
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.trees.game_tree import build_tree

INFORMATION = ("bids", "winner")
VARIANTS = [
    oshi_zumo(coins, size, min_bid, horizon, information)
    for (coins, size, min_bid, horizon), information in product(
        [(1, 0, 0, 1), (2, 1, 0, 3), (3, 0, 0, 3), (3, 1, 0, 3), (5, 1, 2, 9), (4, 2, 1, 4)], INFORMATION
    )
]


def replay(game: OshiZumo, bids: tuple[int, ...]) -> tuple[list[int], int]:
    """Return the legal bids, none once the game is over, and the wrestler's place, all from the bids."""
    rounds = list(zip(bids[::2], bids[1::2], strict=False))
    field = ["edge", *["first"] * game.size, "middle", *["second"] * game.size, "edge"]
    at = game.size + 1
    for first, second in rounds:
        at += 1 if first > second else -1 if second > first else 0
    purse = game.coins - sum(bids[len(bids) % 2 :: 2])
    legal = [bid for bid in range(purse + 1) if bid >= game.min_bid] or [purse]
    ended = field[at] == "edge" or sum(bids) == 2 * game.coins or len(rounds) == game.horizon
    return [] if ended and len(bids) % 2 == 0 else legal, at - game.size - 1


@over(VARIANTS)
def test_oshi_zumo_keeps_the_promises_of_games(game: OshiZumo) -> None:
    check_promises(game)
    number_tree(build_tree(game))


@over(
    [
        # Each bids 0 or 1, and the game is over.
        (oshi_zumo(1), 7, 4, 1, 3, 2),
        (oshi_zumo(3), 659, 366, 90, 204, 184),
        (oshi_zumo(), 6_977, 3_864, 959, 2_155, 2_122),
        (oshi_zumo(information="winner"), 6_977, 3_864, 363, 809, 2_122),
        (oshi_zumo(min_bid=1), 203, 62, 60, 82, 18),
    ]
)
def test_sizes(game: OshiZumo, histories: int, leaves: int, infosets: int, sequences: int, nnz: int) -> None:
    check_sizes(game, (histories, leaves), (infosets,) * 2, (sequences,) * 2, nnz)


@over(VARIANTS)
def test_every_history_is_legal_and_paid_as_the_bids_say(game: OshiZumo) -> None:
    for state, _ in walk(game):
        legal, place = replay(game, state.bids)
        over = game.player(state) == TERMINAL
        assert ([] if over else [int(label) for label in game.actions(state)]) == legal
        if over:
            assert game.payoff(state) == (place > 0) - (place < 0)
        else:
            assert game.player(state) == len(state.bids) % 2


@over(range(20))
def test_large_games_play_out_as_the_bids_say(seed: int) -> None:
    random = Random(seed)
    coins = random.randint(5, 99)
    game = oshi_zumo(coins, random.randint(0, 6), random.randint(0, 3), random.randint(1, 99))
    state = game.root()
    while game.player(state) != TERMINAL:
        legal, _ = replay(game, state.bids)
        assert [int(label) for label in game.actions(state)] == legal
        state = game.child(state, str(random.choice(legal[:4])))
    legal, place = replay(game, state.bids)
    assert not legal
    assert game.payoff(state) == (place > 0) - (place < 0)


@over(VARIANTS)
def test_players_know_their_bids_and_what_was_revealed(game: OshiZumo) -> None:
    """Keys part histories exactly as what a player has observed does, written down apart."""

    def observed(state: Bout, player: int) -> tuple[Any, ...]:
        seen: list[Any] = [game.player(state) == TERMINAL]
        for turn, bid in enumerate(state.bids):
            seen.append(bid if turn % 2 == player else None)
            if turn % 2:
                pair = state.bids[turn - 1], bid
                seen.append(pair if game.information == "bids" else (pair[0] > bid) - (pair[0] < bid))
        return tuple(seen)

    check_knowledge(game, observed)


def test_keys_are_readable() -> None:
    shown, hidden = oshi_zumo(5, 2), oshi_zumo(5, 2, information="winner")
    bids = (2, 1, 0, 0, 3)
    assert [shown.infoset(played(shown, *bids), p) for p in (0, 1)] == ["2>1/0=0/3", "2>1/0=0/?"]
    assert shown.public(played(shown, *bids)) == "2>1/0=0/?"
    assert [hidden.infoset(played(hidden, *bids), p) for p in (0, 1)] == ["2>?/0=?/3", "?>1/?=0/?"]
    assert hidden.public(played(hidden, *bids)) == "?>?/?=?/?"
    assert shown.infoset(shown.root(), 0) == shown.public(shown.root()) == "start"
    over = played(hidden, 5, 5)
    assert [hidden.infoset(over, 0), hidden.public(over)] == ["5=?/over", "?=?/over"]


@pytest.mark.seconds(3)
@over(
    [(1, 0), (3, 0), (3, 1), (3, 1, 0, 2), (4, 1), (4, 1, 1), (5, 1, 1), (5, 2, 1), (4, 2, 0, 3)],
    INFORMATION,
)
def test_the_value_is_zero_exactly(*keys: Any) -> None:
    assert exact_value(oshi_zumo(*keys[:-1], information=keys[-1])) == 0


@over([(2, 0, 0, 2), (3, 1, 0, 3), (3, 1, 0, 2), (4, 1, 1, 4), (5, 1, 2, 5)])
def test_open_spiel_plays_the_same_game(coins: int, size: int, min_bid: int, horizon: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    keys = {"coins": coins, "size": size, "min_bid": min_bid, "horizon": horizon}
    native = pyspiel.convert_to_turn_based(pyspiel.load_game("oshi_zumo", keys))
    twins = Twins(oshi_zumo(**keys), native, lambda _, label: int(label))
    twins.walk()
    assert twins.check_strategies() == 0


def test_names() -> None:
    assert oshi_zumo().name == "oshi_zumo"
    assert oshi_zumo(5, 2, 1, 5).name == "oshi_zumo(coins=5,size=2,min_bid=1)"
    game = oshi_zumo(5, 2, 1, 7, "winner")
    assert game.name == "oshi_zumo(coins=5,size=2,min_bid=1,horizon=7,information=winner)"
    assert game.unit == "wins"
    assert load_game("oshi_zumo(horizon=none)") == oshi_zumo()
    for game in VARIANTS:
        assert load_game(game.name) == game


def test_bad_parameters() -> None:
    check_refusals(
        oshi_zumo,
        [
            ({"coins": 0}, "oshi_zumo: coins must be an integer from 1 to 99, got 0"),
            ({"coins": 100}, "coins must be an integer from 1 to 99, got 100"),
            ({"size": -1}, "size must be an integer from 0 to 99, got -1"),
            ({"min_bid": 5}, "min_bid must be an integer from 0 to 4, got 5"),
            ({"horizon": 0}, "horizon must be an integer from 1 to 99, got 0"),
            ({"information": "coins"}, "information must be one of bids, winner, got 'coins'"),
        ],
    )
