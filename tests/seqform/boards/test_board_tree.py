"""Boards up to suits and the hands that live on them, counted and computed again one by one."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest

from tests.helpers.cells import kept, over
from treeplex.games.poker.named import (
    flop_holdem,
    kuhn_poker,
    leduc_poker,
    rhode_island,
    small_holdem,
    turn_holdem,
)
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.real_boards import next_boards, real_hands, starting_board
from treeplex.seqform.boards.suit_symmetry import (
    moved,
    orbits,
    representatives,
    stabiliser,
    symmetries,
)
from treeplex.seqform.certify.board_certificate import pair_weight
from treeplex.seqform.certify.board_walk import runouts

MONOTONE = small_holdem("As Ks Qs", 4, 4)
GAMES = [
    kuhn_poker(),
    leduc_poker(),
    leduc_poker(3, 3, suits_visible=True),
    rhode_island(3, 3),
    flop_holdem(3, 3),
    turn_holdem(3, 3, raises=(0, 0, 0)),
    MONOTONE,
    small_holdem("As Kh Qd Js", 4, 4, ranges=("AK,QQ,JJ", "KQ:0.5,JJ")),
    small_holdem("As Ks Qh", 4, 4, ranges=("AA,KJs,AJ", "AA,KJ:0.9,QJs")),
    small_holdem("As Ks Qh", 4, 4, ranges=("AhAd,KhJd,JcJd:1/3", "AA,KJ:0.9,QJs")),
    small_holdem("As Ah Kd", 3, 4, ranges=("AcAd,KhKs,QhQs", "KcQs,QhQd")),
]


@kept
def known(game):
    """Return a game and its boards up to suits."""
    return game, BoardTree.of(game)


def dealt(game):
    return [n for n in game.board_cards if n]


def walk(game, tree):
    """Return all real boards, depth first."""
    found, stack = [], [starting_board(game)]
    while stack:
        board = stack.pop()
        found.append(board)
        if board.street < len(dealt(game)):
            stack += next_boards(game, tree, board)
    return found


class TestCounts:
    def test_flops_of_a_full_deck(self):
        game = flop_holdem()
        group = tuple(permutations(range(4)))
        found = orbits(group, list(combinations(reversed(game.deck.cards), 3)))
        assert (len(found), sum(found.values())) == (1755, 22100)
        assert symmetries(game) == group

    def test_rhode_island(self):
        tree = BoardTree.of(rhode_island())
        assert np.bincount(tree.street).tolist() == [1, 13, 13 * 25]

    @pytest.mark.seconds(3)
    @over([("Qs Jh 2h", 36, 1429), ("Qs Jh 2d", 49, 2352)])
    def test_a_flop(self, board, turns, rivers):
        tree = BoardTree.of(small_holdem(board, 13, 4, ranges=("AA,KK", "KK,QTs")))
        assert np.bincount(tree.street).tolist() == [1, turns, rivers]
        assert tree.ways[tree.street == 1].sum() == 49

    def test_a_monotone_flop(self):
        """The ten spades left are each alone; 13 cards of three alike suits are one a rank."""
        tree = BoardTree.of(small_holdem("As 8s 3s", 13, 4, ranges=("KK", "QQ")))
        assert (tree.street == 1).sum() == 10 + 13
        assert sorted(tree.ways[tree.street == 1]) == [1] * 10 + [3] * 13


@over(GAMES)
def test_boards_stand_for_all_real_ones(game):
    """Real boards, each found one by one, are as many next after each parent as ``ways`` says."""
    game, tree = known(game)
    of_image = Counter(board.image for board in walk(game, tree))
    whole = [1] * tree.n_boards
    for board in range(1, tree.n_boards):
        whole[board] = whole[tree.parent[board]] * int(tree.ways[board])
    assert [of_image[board] for board in range(tree.n_boards)] == whole
    left, times = len(game.deck.cards) - len(game.board), 1
    for street, n in enumerate(dealt(game), start=1):
        times *= len(list(combinations(range(left), n)))
        left -= n
        assert sum(w for w, s in zip(whole, tree.street, strict=True) if s == street) == times


@over(GAMES)
def test_preorder_and_cards(game):
    game, tree = known(game)
    assert tree.parent[0] == -1
    for board in range(1, tree.n_boards):
        up = int(tree.parent[board])
        assert up < board < tree.end[board] <= tree.end[up]
        assert tree.street[board] == tree.street[up] + 1
        new = tree.cards[board][len(tree.cards[up]) :]
        assert tree.cards[board][: len(tree.cards[up])] == tree.cards[up]
        assert len(new) == dealt(game)[tree.street[up]]
        assert len(set(tree.cards[board])) == len(tree.cards[board])
    assert BoardTree.of(game, isomorphism=False).ways.tolist() == [1] * len(walk(game, tree))


@over(GAMES)
def test_without_isomorphism_every_board_is_there_once(game):
    game, reduced = known(game)
    tree = BoardTree.of(game, isomorphism=False)
    assert not tree.symmetric.any()
    real = {_by_street(game, board.cards) for board in walk(game, reduced)}
    assert {_by_street(game, cards) for cards in tree.cards} == real
    for one in tree.hands:
        assert (one.size == 1).all()
        assert (one.home == one.above).all()


def _by_street(game, cards):
    """Return the sets of cards of each street."""
    streets, start = [frozenset(cards[: len(game.board)])], len(game.board)
    for n in dealt(game):
        streets.append(frozenset(cards[start : start + n]))
        start += n
    return tuple(streets)


def _group(game, cards):
    """Return, by trying all, the permutations that fix a board street by street and both ranges."""

    def fixes(p):
        same = all(moved(p, tuple(street)) == tuple(sorted(street)) for street in _by_street(game, cards))
        return same and all({moved(p, h): w for h, w in one.items()} == dict(one) for one in game.reach)

    return [p for p in permutations(range(game.suits)) if fixes(p)]


@over(GAMES)
def test_groups(game):
    game, tree = known(game)
    for board in range(tree.n_boards):
        assert tree.symmetric[board] == (len(_group(game, tree.cards[board])) > 1)
    for board in walk(game, tree):
        assert sorted(board.group) == sorted(_group(game, tree.cards[board.image]))


def test_groups_of_monotone_boards_and_of_ranges_that_look_at_suits():
    assert len(symmetries(MONOTONE)) == 6
    assert len(stabiliser(symmetries(MONOTONE), (4 * 9 + 1,))) == 2
    game = GAMES[-2]
    assert symmetries(game) == ((0, 1, 2, 3),)
    assert BoardTree.of(game).cards == BoardTree.of(game, isomorphism=False).cards


def test_one_permutation_must_fix_both_ranges():
    """Each range alone leaves two suits alike, but not the same two."""
    game = small_holdem("As Ks Qs", 4, 4, ranges=("JhJd", "AhAc,JhJc"))
    assert symmetries(game) == ((0, 1, 2, 3),)


@over(GAMES)
def test_hands_stand_where_they_are_said_to(game):
    """Above, home, mate, first, size and groups of strength, by search."""
    game, tree = known(game)
    last = len(dealt(game))
    row = 0
    for board in range(tree.n_boards):
        group, cards, up = _group(game, tree.cards[board]), tree.cards[board], int(tree.parent[board])
        stand = [_standing(tree, p, board) for p in (0, 1)]
        for p, one in enumerate(tree.hands):
            here, part = stand[p], one.on(board)
            live = [h for h in game.reach[p] if not set(h) & set(cards)]
            assert sorted(here) == sorted(live)
            if tree.street[board] < last:
                assert here == live
            other = {hand: i for i, hand in enumerate(stand[1 - p])}
            assert one.mate[part].tolist() == [other.get(hand, len(other)) for hand in here]
            orbit = [{moved(g, hand) for g in group} for hand in here]
            assert one.size[part].tolist() == [len(o) for o in orbit]
            assert one.first[part].tolist() == [min(here.index(h) for h in o) for o in orbit]
            if board:
                before = _standing(tree, p, up)
                alike = _group(game, tree.cards[up])
                assert one.above[part].tolist() == [before.index(hand) for hand in here]
                assert one.home[part].tolist() == [
                    min(before.index(moved(g, hand)) for g in alike) for hand in here
                ]
        if tree.street[board] == last:
            _check_strengths(game, tree, board, stand, row)
            row += 1


def _standing(tree, player, board):
    one = tree.hands[player]
    return [tuple(hand) for hand in one.cards[one.hand[one.on(board)]].tolist()]


def _check_strengths(game, tree, board, stand, row):
    cards = tree.cards[board]
    strength = [[game.strength(hand, cards) for hand in hands] for hands in stand]
    scale = sorted({*strength[0], *strength[1]})
    for p, one in enumerate(tree.hands):
        assert strength[p] == sorted(strength[p])
        starts = [sum(s < level for s in strength[p]) for level in scale] + [len(strength[p])]
        padding = one.group_start.shape[1] - len(starts)
        assert one.group_start[row].tolist() == starts + [starts[-1]] * padding


@over(GAMES)
def test_weights_and_constants(game):
    game, tree = known(game)
    scaled = []
    for one, hands in zip(game.reach, tree.hands, strict=True):
        top = Fraction(max(one.values()))
        scaled.append({h: w / top for h, w in one.items()})
        assert hands.weight.tolist() == [float(w) for w in scaled[-1].values()]
        assert [tuple(h) for h in hands.cards.tolist()] == [*one]
    total = sum(w * v for (g, w), (h, v) in product(*(one.items() for one in scaled)) if not {*g} & {*h})
    assert pair_weight(game) == total
    assert [*tree.runouts] == np.cumprod([1, *(left for _, left in runouts(game))]).tolist()


@over(GAMES)
def test_real_boards_map_to_their_images(game):
    """One permutation maps each street's cards and each hand, with its weight."""
    game, tree = known(game)
    seen = set()
    for board in walk(game, tree):
        image = tree.cards[board.image]
        seen.add(_by_street(game, board.cards))
        assert sorted(board.permutation) == list(range(game.suits))
        assert _by_street(game, image) == tuple(
            frozenset(moved(board.permutation, tuple(street))) for street in _by_street(game, board.cards)
        )
        for p, one in enumerate(game.reach):
            hands = [tuple(sorted(hand)) for hand in real_hands(tree, p, board).tolist()]
            there = _standing(tree, p, board.image)
            assert [moved(board.permutation, hand) for hand in hands] == there
            assert [one[hand] for hand in hands] == [one[hand] for hand in there]
            assert set(hands) == {hand for hand in one if not set(hand) & set(board.cards)}
    assert len(seen) == len(walk(game, tree))


def test_representatives():
    group = ((0, 1, 2, 3), (0, 2, 1, 3))
    hands = np.array([[0, 1], [0, 2], [1, 2], [3, 7], [5, 6]])
    first, size = representatives(group, hands)
    assert first.tolist() == [0, 0, 2, 3, 4]
    assert size.tolist() == [2, 2, 1, 1, 1]
