"""Players that ignore their cards: their odds by hand, and beside the same play line by line."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.games.poker.bet_sizes import Sizes
from treeplex.games.poker.betting import Betting
from treeplex.games.poker.named import leduc_poker, no_limit_holdem
from treeplex.seqform.certify.blind_players import ALL_IN, BlindPlayer
from treeplex.seqform.certify.local_response import local_best_response

CHIPS = replace(
    leduc_poker(suits_visible=True),
    name="leduc of whole chips",
    betting=Betting((0, 0), (Fraction(1),) * 2, (Fraction(2),) * 2, None, (None, None), min_bet=Fraction(1)),
)
HOLDEM = no_limit_holdem()


class Lines:
    """A blind player by the lines of its game."""

    def __init__(self, player):
        self.player = player

    def play(self, line, board, hands):
        point = self.player.game.point(line)
        fold, call, raising = self.player.odds(point.betting)
        sizes = [label for label in point.moves if label[0] == "r"]
        share = {label: raising / len(sizes) for label in sizes}
        if self.player.sizes == ALL_IN:
            share = {label: raising * (label == sizes[-1]) for label in sizes}
        return np.tile([{"f": fold, "c": call, **share}[label] for label in point.moves], (len(hands), 1))


def state_of(line):
    state = HOLDEM.betting.root()
    for total in line:
        state = HOLDEM.betting.raise_to(state, Fraction(total))[1]
    return state


@over(
    [
        ((0, 1, 0), False, [], (0, 1, 0)),
        ((1, 1, 1), False, [], (1 / 3, 1 / 3, 1 / 3)),
        ((1, 1, 1), False, [20_000], (1 / 2, 1 / 2, 0)),
        ((0, 1, 1), False, [300], (0, 1 / 2, 1 / 2)),
        ((0, 0, 1), False, [20_000], (0, 1, 0)),
        ((1, 1, 1), True, [], (1 / 19_803, 1 / 19_803, 19_801 / 19_803)),
        ((1, 1, 1), True, [19_950], (1 / 3, 1 / 3, 1 / 3)),
    ]
)
def test_odds_are_the_legal_weights(weights, each_size, line, expected):
    player = BlindPlayer(HOLDEM, *weights, each_size=each_size)
    assert player.odds(state_of(line)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.seconds(2)
@over([((1, 1, 1), None, True), ((0, 1, 1), ALL_IN, False)])
def test_a_blind_player_is_a_strategy_by_lines(weights, sizes, each_size):
    player = BlindPlayer(CHIPS, *weights, sizes, each_size)
    one, two = (
        local_best_response(CHIPS, strategy, hands=150, first_street=0, seed=seed)
        for seed, strategy in enumerate((player, Lines(player)))
    )
    for k in range(2):
        assert abs(one.winnings[k] - two.winnings[k]) < 4 * np.hypot(one.errors[k], two.errors[k])


def test_against_always_call_a_responder_on_the_river_goes_all_in_with_the_better_half():
    """It wins about 50 big blinds: 200 of them on half of the hands, of which it wins three quarters."""
    player, sizes = BlindPlayer(HOLDEM, 0, 1, 0), Sizes((Fraction(1), "a"), ())
    bounds = local_best_response(HOLDEM, player, hands=60, first_street=3, sizes=sizes)
    assert abs(bounds.nash_conv / 200 - 50) < 4 * bounds.error / 200
    assert bounds == local_best_response(HOLDEM, player, hands=60, first_street=3, sizes=sizes)


@over(
    [
        ({"call": 0}, "weights must be at least 0, not all 0, at most 1e[+]300"),
        ({"fold": -1}, "weights must be at least 0"),
        ({"fold": float("inf")}, "at most 1e[+]300 in all, got"),
        ({"raising": 1e301}, "at most 1e[+]300 in all, got"),
        ({"raising": float("nan")}, "weights must be at least 0"),
        ({"game": leduc_poker()}, "the game must allow every whole number of chips, got 'leduc"),
    ]
)
def test_what_is_not_a_player_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        BlindPlayer(**({"game": HOLDEM, "fold": 0, "call": 1, "raising": 0} | given))


def test_raises_are_of_the_rules():
    state = HOLDEM.betting.root()
    assert HOLDEM.betting.raise_to(state, Fraction(200))[0] == "r200"
    with pytest.raises(ValueError, match="must be to 200 to 20000 chips, got 199"):
        HOLDEM.betting.raise_to(state, Fraction(199))
    with pytest.raises(ValueError, match="must be to nothing, got 20000"):
        HOLDEM.betting.raise_to(state_of([20_000]), Fraction(20_000))
