"""Deals drawn by a number: as chance lists them, in its order and with its probabilities."""

from dataclasses import replace
from itertools import combinations

import pytest

from treeplex.games.base.protocol import CHANCE, TERMINAL, Drawing
from treeplex.games.formats.specs import load_game
from treeplex.games.poker import rules
from treeplex.games.poker.game import PokerGame
from treeplex.play.hand import Dealer
from treeplex.play.schedule import draws

SMALL = [
    "kuhn_poker",
    "leduc_poker",
    "no_limit_leduc",
    "small_holdem",
    "flop_holdem(ranks=4,suits=2)",
    "no_limit_flop_holdem(ranks=4,suits=2,flops=6)",
]


def states(game: PokerGame):
    """Yield the first states at which chance acts along a few lines, one after each of two outcomes."""
    ahead, lines = [game.root()], set()
    while ahead:
        state = ahead.pop()
        player = game.player(state)
        if player == CHANCE:
            yield state
            outcomes = game.chance(state)
            ahead += [game.child(state, outcomes[k][0]) for k in {0, len(outcomes) - 1}]
        elif player != TERMINAL and (state.line, state.board) not in lines:
            lines.add((state.line, state.board))
            ahead += [game.child(state, action) for action in game.actions(state)]


def loaded(spec: str) -> PokerGame:
    game = load_game(spec)
    assert isinstance(game, PokerGame)
    assert isinstance(game, Drawing)
    return game


@pytest.mark.parametrize("spec", SMALL)
def test_each_outcome_is_drawn_on_its_share(spec):
    game = loaded(spec)
    for state in states(game):
        below = 0.0
        for label, probability in game.chance(state):
            for part in (0.01, 0.5, 0.99):
                assert game.drawn(state, below + part * float(probability)) == label
            below += float(probability)
            assert game.is_dealt(state, label)
        assert game.drawn(state, 0.0) == game.chance(state)[0][0]
        assert game.drawn(state, 1 - 2**-53) == game.chance(state)[-1][0]


def test_what_cannot_be_dealt_is_told_from_what_can():
    game = loaded("leduc_poker")
    root = game.root()
    assert not any(game.is_dealt(root, label) for label in ("Ks|Ks", "As|Ks", "Ks", "", "Kh|Ks|Qs", "x"))
    state = game.child(root, "Ks|Qs")
    for action in ("c", "c"):
        state = game.child(state, action)
    assert game.is_dealt(state, "Kh")
    assert not any(game.is_dealt(state, label) for label in ("Ks", "Qs", "KhJs", "", "Ac", "?"))


def test_only_listed_flops_come():
    game = loaded("no_limit_flop_holdem(ranks=4,suits=2,flops=6)")
    state = game.child(game.root(), game.drawn(game.root(), 0.25))
    while game.player(state) != CHANCE:
        state = game.child(state, "c")
    listed = {label for label, _ in game.chance(state)}
    flops = [game.deck.text(cards) for cards, _ in loaded("flop_holdem(ranks=4,suits=2)").streets((), 3)]
    assert {label for label in flops if game.is_dealt(state, label)} == listed < {*flops}


def test_a_deck_of_numbers_is_listed():
    game = loaded("leduc_poker(ranks=20)")
    assert game.drawn(game.root(), 0.5) is None
    assert game.is_dealt(game.root(), "20s|19s") is None
    assert game.least_histories == 1


def test_the_full_deck_is_dealt_without_listing():
    dealer = Dealer(load_game("limit_holdem"))
    numbers = iter([0.5] * 9)
    hand = dealer.deal(lambda: next(numbers), lambda view: "c")
    hands = [*combinations(range(52), 2)]
    # The middle pair is of the middle hand and the first that is left.
    assert hand.moves[0] == f"{dealer.game.deck.text(hands[len(hands) // 2])}|2h2s"
    assert dealer.payoff(hand.moves) == hand.payoff
    assert "_deals" not in vars(dealer.game)


def test_both_hands_are_drawn_in_proportion_to_their_weights():
    game = load_game("example:river")
    assert isinstance(game, PokerGame)
    draws = game.hand_draws
    assert game.least_histories == 1 + draws.n_pairs
    first, second = game.reach
    total = draws.weights.sum()
    for g, h in ((draws.hands[0][3], draws.hands[1][70]), (draws.hands[0][500], draws.hands[1][0])):
        shown = draws.weights[draws.hands[0].index(g), draws.hands[1].index(h)]
        assert shown == float(first[g] * second[h]) * {*g}.isdisjoint(h)
    assert 0 < draws.weights.max() / total < 1e-3


def test_the_smallest_weights_are_drawn_as_others_are():
    river = load_game('small_holdem(board="As Kh Qs Jh 9s",ranks=6,suits=2,ranges=["AK,TT","JT,AT"])')
    tiny = [{hand: weight / 10**170 for hand, weight in one.items()} for one in river.ranges]
    draws, light = river.hand_draws, replace(river, ranges=tuple(tiny)).hand_draws
    assert light.n_pairs == draws.n_pairs > 1
    for number in (0.0, 0.3, 0.6, 0.99):
        assert light.drawn(number) == draws.drawn(number)


@pytest.mark.parametrize(
    "spec",
    [
        "leduc_poker",
        "example:river",
        "limit_holdem",
        "no_limit_holdem(ranks=5,suits=2,stack=12,blinds=[2,1])",
        'no_limit_holdem(stack=100,blinds=[2,1],bets="50%,a",raises="a")',
        "no_limit_flop_holdem(ranks=4,suits=2,flops=6)",
    ],
)
def test_what_was_looked_up_is_dropped_and_found_again(spec, monkeypatch):
    """The same hands whether the game forgets after each or never, and no more kept than said."""

    def played(number):
        chance, own = draws(1, 0, number), draws(1, 1, number)
        return dealer.deal(chance.__next__, lambda view: view.actions[int(next(own) * len(view.actions))])

    dealer = Dealer(loaded(spec))
    kept = [played(number) for number in range(12)]
    assert sum(map(len, dealer.game._caches)) > 12
    monkeypatch.setattr(rules, "MOST_REMEMBERED", 0)
    assert [played(number) for number in range(12)] == kept
    assert not any(dealer.game._caches)
