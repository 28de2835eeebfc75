"""The public tree against the explicit game, hand by hand, and its limits."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.two_tiers import two_tiers
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.cards.cards import parse_cards
from treeplex.games.cards.ranges import parse_range
from treeplex.games.poker.betting import Betting
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.named import (
    flop_holdem,
    kuhn_poker,
    leduc_poker,
    limit_holdem,
    no_limit_holdem,
    rhode_island,
    small_holdem,
    turn_holdem,
)
from treeplex.seqform.trees.public_tree import (
    BYTES_PER_CHOICE,
    BYTES_PER_HAND,
    BYTES_PER_NODE,
    compile_public,
)

F = Fraction


def leaf_payoffs(tree, node):
    """Return player 0's payoff of each pair of hands at a leaf."""
    stake = F(int(tree.stake[node]), tree.stake_den)
    deal = tree.deals[tree.deal[node]]
    if not tree.showdown[node]:
        return lambda g, h: stake
    mine, other = deal.strength
    return lambda g, h: stake * (int(mine[g] > other[h]) - int(mine[g] < other[h]))


def check_against_explicit_game(game):
    """Walk the explicit game beside its public tree; compare players, actions, keys, weights, payoffs."""
    tree = compile_public(game)
    node_of = {key: node for node, key in enumerate(tree.public)}
    assert len(node_of) == tree.n_nodes
    place = [{label: i for i, label in enumerate(labels)} for labels in tree.hands]
    found = [defaultdict(F) for _ in range(tree.n_nodes)]
    stack = [(game.child(game.root(), label), weight) for label, weight in game.chance(game.root())]
    while stack:
        state, reach = stack.pop()
        node = node_of[game.public(state)]
        labels = [game.hand_label(hand) for hand in state.hands]
        g, h = (one[label] for one, label in zip(place, labels, strict=True))
        found[node][g, h] += reach
        assert [game.infoset(state, p) for p in (0, 1)] == [tree.infoset_key(one, node) for one in labels]
        assert game.player(state) == tree.player[node]
        if tree.player[node] == TERMINAL:
            assert game.payoff(state) == leaf_payoffs(tree, node)(g, h)
        elif tree.player[node] == CHANCE:
            stack.extend((game.child(state, label), reach * weight) for label, weight in game.chance(state))
        else:
            assert list(game.actions(state)) == tree.actions(node)
            stack.extend((game.child(state, label), reach) for label in game.actions(state))
    check_weights(tree, found)


def check_weights(tree, found):
    for node, weights in enumerate(found):
        deal = tree.deals[tree.deal[node]]
        matrix = deal.matrix()
        expected = np.zeros(matrix.shape, object)
        for (g, h), weight in weights.items():
            expected[g, h] = weight * deal.den
        assert (matrix == expected).all()


def spot(first, second, **other):
    """Return a spot with ranges that may hold any fractions."""
    game = small_holdem(**other)
    return replace(game, name="spot", ranges=(first, second))


def one_round(ranks, suits, **other):
    betting = Betting((0,), (F(1), F(1)), None, (F(1),), (1,))
    return PokerGame("one round", ranks, suits, 1, (0,), betting, "high_card", **other)


UNEVEN = {hand: F(1 + i % 3, 1 + i % 7) for i, hand in enumerate(parse_range("AA,KK,QQ,JJ,TT,AKs"))}
SMALL_UNEVEN = {hand: w for hand, w in UNEVEN.items() if all(c % 4 < 2 for c in hand)}


@two_tiers(
    [
        kuhn_poker(),
        kuhn_poker(20),
        one_round(3, 3, suits_visible=False),
        one_round(3, 2),
        leduc_poker(),
        leduc_poker(ranks=2, suits=3),
        leduc_poker(ranks=4, suits=1, raises=1),
        leduc_poker(ranks=14, suits=1, raises=0),
        leduc_poker(suits_visible=True, raises=1),
        rhode_island(5, 1, raises=1),
        small_holdem(stack=5, bets=(F(1, 2), 1, "a"), raises=(1, "a")),
        small_holdem(pot=F(7, 3), bets=(F(1, 3),), raises=(F(2, 3),), stack=3),
        small_holdem(board="As Kh Qs Jh", ranks=5, stack=3),
        small_holdem(stack=0),
        small_holdem(board="As Kh Qs Jh", stack=0),
    ],
    [
        rhode_island(2, 3, raises=1),
        flop_holdem(4, 2, raises=(1, 1)),
        small_holdem(board="As Kh Qs", ranks=5, stack=1, bets=("a",)),
    ],
    seconds=(3, 3),
)
def test_agrees_with_the_explicit_game(game):
    check_against_explicit_game(game)


@over(
    [
        spot(SMALL_UNEVEN, SMALL_UNEVEN, board="9s 9h Ks Qh Js"),
        spot(parse_range("AhTs,AsTh:0.3"), parse_range("AhAs,QhTs:0.25,AhTs:0.5"), board="9s 9h Ks Qh"),
        spot(parse_range("AhTs"), parse_range("QhTh,KhTh,AhTh"), board="9s 9h Ks Qs"),
        replace(
            leduc_poker(), name="range", ranges=({(36,): F(1), (41,): F(1, 3)}, {(40,): F(2), (41,): F(1)})
        ),
        replace(
            leduc_poker(suits_visible=True),
            name="range",
            ranges=({(36,): F(1), (41,): F(1, 3)}, {(36,): F(2), (41,): F(1)}),
        ),
    ]
)
def test_ranges_agree_with_the_explicit_game(game):
    check_against_explicit_game(game)


def test_a_spot_of_leduc_agrees_with_the_explicit_game():
    betting = Betting((0,), (F(3), F(3)), None, (F(4),), (2,))
    game = replace(leduc_poker(), name="spot", board=(40,), board_cards=(0,), betting=betting)
    check_against_explicit_game(game)


def test_a_call_for_less_agrees_with_the_explicit_game():
    betting = Betting((1,), (F(10), F(2)), (F(90), F(3)), None, (None,), min_bet=F(10))
    game = replace(kuhn_poker(), name="short", betting=betting)
    check_against_explicit_game(game)
    assert compile_public(game).stake.tolist() == [0, 2, 5]


weights = st.fractions(0, 3, max_denominator=10**20)


@pytest.mark.seconds(3)
@given(st.data())
@settings(max_examples=20)
def test_any_ranges_agree_with_the_explicit_game(data):
    cards = parse_cards("AsAhTsThQs")
    hands = [tuple(sorted((a, b))) for i, a in enumerate(cards) for b in cards[:i]]
    first, second = (
        data.draw(st.dictionaries(st.sampled_from(hands), weights, min_size=1)) for _ in range(2)
    )
    if not any(first[g] and second[h] and not set(g) & set(h) for g in first for h in second):
        with pytest.raises(ValueError, match=r"no hand|no two hands"):
            spot(first, second)
    else:
        check_against_explicit_game(spot(first, second, board="Ks Kh Qh Jh", bets=()))


def test_weights_of_the_boards_add_up_to_their_parents():
    tree = compile_public(small_holdem(board="As Kh Qs", ranks=5, stack=1, bets=("a",)))
    total = F(0)
    assert sum(tree.deals[0].matrix().ravel()) == tree.deals[0].den
    for node in tree.nodes_of(CHANCE):
        parent = tree.deals[tree.deal[node]]
        children = [tree.deals[tree.deal[child]] for child in tree.children[node]]
        share = sum(deal.matrix() * F(1, deal.den) for deal in children)
        assert (share == parent.matrix() * F(1, parent.den)).all()
        total += 1
    assert total > 10


def example_river(**other):
    ranges = {h: w for h, w in parse_range("all").items() if set(h).isdisjoint(parse_cards("KsTh7s4d2c"))}
    fields = {"board": "Ks Th 7s 4d 2c", "ranks": 13, "suits": 4, "pot": 100, "stack": 200} | other
    game = small_holdem(bets=(F(1, 2), 1, "a"), raises=(1, "a"), **fields)
    return replace(game, name="river", ranges=(ranges, ranges))


def test_a_river_of_all_hands_has_the_known_size():
    tree = compile_public(example_river())
    deal = tree.deals[0]
    assert (tree.n_nodes, len(tree.deals)) == (33, 1)
    assert deal.n_hands == (1081, 1081)
    # 1,081 hands a side: each leaves C(45, 2) = 990 to the other.
    assert (deal.matrix().sum(axis=1) == 990).all()
    assert deal.den == 1081 * 990
    assert deal.strength[0].max() == deal.strength[0][tree.hands[0].index("KdKh")]
    assert deal.weight[0].dtype == np.int64


@over([(3750, 18_125, 57), (500, 19_750, 93)])
def test_rivers_have_the_known_numbers_of_nodes(pot, stack, nodes):
    assert compile_public(example_river(pot=pot, stack=stack)).n_nodes == nodes


def test_a_turn_has_a_deal_for_each_river_and_chances_are_exact():
    game = replace(example_river(board="Ks Th 7s 4d"), ranges=None)
    tree = compile_public(game)
    assert len(tree.deals) == 1 + 48
    river = tree.deals[1]
    assert river.den == 44 * tree.deals[0].den
    assert river.alive[0].sum() == 1081
    assert (river.share[0][~river.alive[0]] == 0).all()
    assert (river.same[~river.alive[0]] == 0).all()
    assert tree.deals[0].strength[0].max() == 0


def test_rhode_island_has_the_known_infosets():
    tree = compile_public(rhode_island(4, 2))
    infosets = [
        sum(int(tree.deals[tree.deal[node]].alive[p].sum()) for node in tree.nodes_of(p)) for p in (0, 1)
    ]

    def known(n):
        return 4 * (n + 7 * n * (n - 1) + 49 * n * (n - 1) * (n - 2))

    assert infosets == [known(8), known(8)]
    assert known(52) == 26_064_064


def test_leduc_infosets_are_the_published_ones():
    tree = compile_public(leduc_poker())
    for p in (0, 1):
        assert sum(int(tree.deals[tree.deal[n]].alive[p].sum()) for n in tree.nodes_of(p)) == 144
    assert tree.infoset_key("K", tree.public.index("Q:crc/r")) == "KQ:crc/r"
    assert tree.action[tree.public.index("Q:crc/")] == "Q"


def test_a_hand_without_reach_is_dropped_for_its_player_alone():
    tree = compile_public(spot(parse_range("AhTs,AsTh"), parse_range("AhTs,JhTh"), board="9s 9h Ks Qh Js"))
    assert tree.hands == (("AhTs", "AsTh"), ("AhTs", "JhTh"))
    assert tree.deals[0].mate.tolist() == [0, -1]


def test_a_hand_that_meets_every_hand_of_the_other_cannot_be_held():
    tree = compile_public(spot(parse_range("AhTs,KhQs"), parse_range("AhTh,JhTs"), board="9s 9h Ks Qh Js"))
    assert tree.hands == (("KhQs",), ("JhTs", "AhTh"))


def test_boards_that_no_hands_allow_do_not_come():
    game = spot(parse_range("AhTs"), parse_range("QhTh,KhTh"), board="9s 9h Ks Qs")
    tree = compile_public(game)
    labels = set(tree.actions(int(tree.nodes_of(CHANCE)[0])))
    # Th is in every hand of player 1, Ah and Ts in player 0's; Qh and Kh leave the other hand.
    assert labels == {"As", "Kh", "Qh", "Js", "Jh"}


def test_tiny_weights_stay_exact():
    tiny = F(28, 10**30)
    first = {hand: tiny if i % 2 else F(1) for i, hand in enumerate(SMALL_UNEVEN)}
    tree = compile_public(spot(first, SMALL_UNEVEN, board="9s 9h Ks Qh Js"))
    assert tree.deals[0].weight[0].dtype == object
    check_against_explicit_game(spot(first, SMALL_UNEVEN, board="9s 9h Ks Qh Js"))


def test_more_hole_cards_are_refused():
    game = replace(small_holdem(board="As Kh Qs"), board_cards=(0, 0, 0), hole_cards=3, ranges=None)
    with pytest.raises(ValueError, match="1 or 2 hole cards, got 3"):
        compile_public(game)


@over([turn_holdem, limit_holdem, no_limit_holdem])
def test_whole_games_of_holdem_are_refused(make):
    limit = 16 * 2**30
    with pytest.raises(ValueError, match=r"needs at least [\d.e+]+ GiB, more than the limit of 16 GiB"):
        compile_public(make(), memory_limit=limit)


def test_the_estimate_is_the_tree():
    game = leduc_poker()
    tree = compile_public(game)
    needed = tree.n_nodes * (BYTES_PER_NODE + 3 * BYTES_PER_CHOICE) + len(tree.deals) * 6 * BYTES_PER_HAND
    compile_public(game, memory_limit=needed)
    with pytest.raises(ValueError, match="leduc_poker: its public tree needs at least"):
        compile_public(game, memory_limit=needed - 1)


def test_a_long_betting_tree_is_refused():
    betting = Betting((0,), (F(1), F(1)), (F(3000), F(3000)), None, (None,), min_bet=F(1))
    with pytest.raises(ValueError, match="more than the limit of"):
        compile_public(replace(kuhn_poker(), name="deep", betting=betting), memory_limit=2**25)
