"""Games with listed flops: chance against the definition, sizes against walks, and what is refused."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest

from tests.helpers.cells import over
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.counting.game_sizes import game_sizes
from treeplex.games.poker.betting import HAND_OVER
from treeplex.games.poker.named import (
    flop_holdem,
    leduc_poker,
    no_limit_flop_holdem,
    small_holdem,
    turn_holdem,
)
from treeplex.games.poker.poker_subgame import subgame_of
from treeplex.seqform.trees.game_tree import build_tree

SMALL = flop_holdem(4, 2, raises=(0, 1), flops=3)
LISTED = [
    SMALL,
    flop_holdem(4, 2, raises=(1, 0), flops=1),
    no_limit_flop_holdem(4, 2, bets=(1,), max_raises=(1, 1), flops=4),
    replace(turn_holdem(3, 3, raises=(0, 0, 0)), name="turn", flops=(((50, 49, 48), 5), ((50, 45, 40), 2))),
    replace(leduc_poker(suits_visible=True, raises=1), name="leduc", flops=(((45,), 3), ((40,), 1))),
]


def name(game):
    return game.name


def naive(game):
    """The probability of each pair of hands with each flop, by the definition: the flop first."""
    total = sum(dict(game.flops).values())
    found = {}
    for flop, weight in game.flops:
        left = [card for card in game.deck.cards if card not in flop]
        hands = list(combinations(left, game.hole_cards))
        pairs = [(g, h) for g, h in product(hands, hands) if not {*g} & {*h}]
        for pair in pairs:
            found[pair, flop] = Fraction(weight, total * len(pairs))
    return found


def dealt(game):
    """The same by the game's own chance: hands, checks or calls, and then the flop."""
    found = {}
    for label, likely in game.chance(game.root()):
        state = game.child(game.root(), label)
        while game.player(state) >= 0:
            state = game.child(state, "c")
        for flop, after in game.chance(state):
            found[state.hands, game.deck.parse(flop)] = likely * after
    return found


@over(LISTED)
def test_chance_is_that_of_the_definition(game):
    assert dealt(game) == naive(game)


def test_ranges_weigh_pairs_of_hands():
    first = {(40, 41): Fraction(1, 3), (44, 45): Fraction(1)}
    second = {hand: Fraction(1 + k) for k, hand in enumerate(combinations(SMALL.deck.cards, 2))}
    game = replace(SMALL, ranges=(first, second))
    weights = {
        ((g, h), flop): first.get(g, 0) * second[h] * weight
        for flop, weight in game.flops
        for g, h in product(first, second)
        if not {*g} & {*h} and not {*g, *h} & {*flop}
    }
    total = sum(weights.values())
    assert dealt(game) == {key: weight / total for key, weight in weights.items()}


def test_a_fold_before_the_flop_is_paid_on_the_flop():
    root = SMALL.root()
    label, _ = SMALL.chance(root)[0]
    state = SMALL.child(SMALL.child(root, label), "f")
    assert state.line == "f"
    assert SMALL.point("f").betting.player == HAND_OVER
    assert SMALL.player(state) == CHANCE
    for flop, _ in SMALL.chance(state):
        after = SMALL.child(state, flop)
        assert SMALL.player(after) == TERMINAL
        assert SMALL.payoff(after) == 5


@over(LISTED[:3])
def test_sizes_are_counted_as_they_are_walked(game):
    tree, sizes = build_tree(game), game_sizes(game)
    assert sizes.decision_states == int((tree.player >= 0).sum())
    assert sizes.leaf_states == int((tree.player == TERMINAL).sum())
    for p in (0, 1):
        keys = {int(k) for k in tree.infoset[tree.player == p, p]}
        assert sizes.infosets[p] == len(keys)
    assert sizes.canonical_infosets is None


def test_a_subgame_before_the_flop_keeps_the_list_and_one_after_it_has_its_flop():
    game = no_limit_flop_holdem(4, 2, bets=(1,), max_raises=(1, 1), flops=4)
    before = game.point("c").betting
    assert subgame_of(game, before, ()).flops == game.flops
    after = game.point("cc/").betting
    assert subgame_of(game, after, game.flops[0][0]).flops is None


@over(
    [
        ((), "at least one deal"),
        ((((44, 45, 46), 1),), "high to low"),
        ((((45, 44), 1),), "each flop must be 3 different cards"),
        ((((45, 44, 44), 1),), "each flop must be 3 different cards"),
        ((((45, 44, 0), 1),), "a flop"),
        ((((48, 45, 44), 0),), "integer of at least 1, got 0"),
        ((((48, 45, 44), True),), "integer of at least 1"),
        ((((48, 45, 44), 1), ((48, 45, 44), 2)), "flops must be different"),
        ((((48, 45, 44), 2**62),), "weights below"),
    ]
)
def test_lists_that_are_none_are_refused(flops, says):
    with pytest.raises(ValueError, match=says):
        replace(SMALL, flops=flops)


def test_some_flop_must_leave_two_hands():
    high, *others = sorted(SMALL.deck.cards, reverse=True)
    hands = {(others[0], high): Fraction(1), (others[2], others[1]): Fraction(1)}
    flops = ((high, *others[:2]), 1), (tuple(others[-3:]), 1)
    with pytest.raises(ValueError, match="the ranges hold no two hands that can be dealt together"):
        replace(SMALL, ranges=(hands, hands), flops=flops[:1])
    assert game_sizes(replace(SMALL, ranges=(hands, hands), flops=flops)).infosets > (0, 0)


def test_hands_that_can_be_dealt_together_must_not_be_too_rare():
    def game(weight):
        return small_holdem(ranges=(f"AhTh,KsTs:{weight}",) * 2)

    assert game(f"{10**-150:.150f}").ranges
    with pytest.raises(ValueError, match="must have a weight of 1e-300 of the largest of all pairs"):
        game("1/1" + 400 * "0")


def test_games_without_a_first_deal_to_list_are_refused():
    with pytest.raises(ValueError, match="whose suits are seen"):
        replace(leduc_poker(), flops=(((45,), 1),))
    with pytest.raises(ValueError, match="without a starting board"):
        replace(SMALL, board=(48, 45, 44), board_cards=(0, 0))
