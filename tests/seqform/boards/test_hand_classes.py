"""Classes of hands against permutations of suits applied one by one; learning in them and hand by hand."""

from itertools import pairwise

import numpy as np
import pytest

from tests.helpers.cells import kept, over
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import factored_config
from treeplex.games.poker.named import small_holdem
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.boards.hand_classes import HandClasses, one_board
from treeplex.seqform.boards.suit_symmetry import moved, symmetries

RIVERS = [
    small_holdem("As Ks Qs Js 9s", 6, 4, max_raises=2),
    small_holdem("As Ks Qs Ah 9s", 6, 4, max_raises=2),
    small_holdem("As Ks Qh Jh 9s", 6, 4, max_raises=2),
    small_holdem("As Kh Qd Jc 9s", 6, 4, max_raises=2),
    small_holdem("As Ks Qs Js 9s", 6, 4, ranges=("AK,QQ,JJ:0.3,9h9d", "KQ:0.5,JJ,TT"), max_raises=2),
    small_holdem("As Ks Qs Js 9s", 6, 4, ranges=("AcAd,AhAc,AhAd", "ThTd,TcTd,ThTc"), max_raises=2),
    small_holdem("As Ks Qs Js 9s", 6, 4, ranges=("AcAd", "KcTh,KdTh,AhAd,AhAc"), max_raises=2),
    small_holdem("As Ks Qs Js 9s", 6, 4, ranges=("AcAd,AhKh", "AcAd,AcKh,AdKh,KcKh,KdKh"), max_raises=2),
]


@kept
def classes_of(game):
    group = symmetries(game)
    alone = one_board(BoardTree.of(game), 0)
    return alone, group, HandClasses.under(group, alone)


@over(RIVERS, [0, 1])
def test_classes_are_what_permutations_make_of_a_hand(game, player):
    alone, group, classes = classes_of(game)
    hands = [tuple(hand) for hand in alone.hands[player].cards.tolist()]
    images = [{moved(p, hand) for p in group} for hand in hands]
    of, first = classes.number[player].tolist(), classes.first[player].tolist()
    for h, others in enumerate(images):
        assert {hands[i] for i in range(len(hands)) if of[i] == of[h]} == others
        assert first[of[h]] == min(hands.index(one) for one in others)
    assert first == sorted(first)


@over(RIVERS, [0, 1])
def test_a_class_stands_for_all_its_hands(game, player):
    alone, group, classes = classes_of(game)
    hands, merged = alone.hands[player], classes.boards.hands[player]
    other = alone.hands[1 - player].cards.tolist()
    if merged.copies is None:  # then every card is alone too, and not only every hand
        assert all(moved(p, (card,)) == (card,) for p in group for card in hands.cards.ravel().tolist())
        assert len(classes.first[player]) == len(hands.cards)
        return
    for c, h in enumerate(classes.first[player].tolist()):
        cards = hands.cards[h].tolist()
        reached = [{moved(p, (card,))[0] for p in group} for card in cards]
        images = {moved(p, tuple(cards)) for p in group}
        assert merged.copies[c].tolist() == [*map(len, reached), len(images)]
        assert merged.cards[c].tolist() == [*map(min, reached)]
        assert merged.weight[c] == pytest.approx(hands.weight[h] * merged.copies[c, 2])
        mate = (
            classes.number[1 - player][other.index(cards)]
            if cards in other
            else len(classes.first[1 - player])
        )
        assert merged.mate[c] == mate


@over(RIVERS, [0, 1])
def test_groups_of_equal_strength_hold_the_classes_of_their_hands(game, player):
    alone, _, classes = classes_of(game)
    hands, merged = alone.hands[player], classes.boards.hands[player]
    groups = zip(pairwise(hands.group_start[0]), pairwise(merged.group_start[0]), strict=True)
    for (lo, hi), (first, last) in groups:
        assert {*classes.number[player][lo:hi].tolist()} == {*range(first, last)}


@over(RIVERS, [0, 1])
def test_numbers_are_compared_by_class(game, player):
    _, _, classes = classes_of(game)
    number = classes.number[player]
    numbers = np.random.default_rng(3).standard_normal(len(number))
    alike = numbers[classes.first[player]][number]
    assert classes.are_alike(player, alike, 0.0 * alike, alike * (1.0 + 1e-12))
    assert classes.are_alike(player, numbers) == (len(classes.first[player]) == len(number))
    assert not classes.are_alike(player, alike, np.full(len(number), np.nan))


def learned(game, boards, iterations):
    """Return what each player's hands play after some iterations of CFR+ in float64."""
    tree = FactoredTree.of(game, BettingTree.of(game), boards)
    engine = factored_cfr.prepare(tree, factored_config("cfr+", storage="float64"))
    strategy = engine.strategy(engine.advance(engine.start(), iterations))
    return [strategy.weight[p].reshape(-1, len(boards.hands[p].cards)) for p in (0, 1)]


@over(RIVERS)
def test_classes_learn_what_each_of_their_hands_learns(game):
    alone, _, classes = classes_of(game)
    each, merged = learned(game, alone, 10), learned(game, classes.boards, 10)
    for player in (0, 1):
        assert merged[player][:, classes.number[player]] == pytest.approx(each[player], rel=1e-9, abs=1e-9)
    merges = any(
        len(first) < len(number) for first, number in zip(classes.first, classes.number, strict=True)
    )
    assert merges == (game is not RIVERS[3])
