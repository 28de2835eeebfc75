"""What leaves give each hand against all pairs of hands, one by one."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from treeplex.cfr.boards.board_arrays import LeafArrays
from treeplex.cfr.boards.hand_values import LeafWorkspace, Matchup, add_leaf_values
from treeplex.cfr.boards.simd import FLOAT32, FLOAT64, LANES, MOST_LANES, aligned
from treeplex.games.cards.cards import parse_cards
from treeplex.games.cards.evaluator import holdem_strength
from treeplex.games.poker.named import small_holdem
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.hand_classes import HandClasses, one_board
from treeplex.seqform.boards.suit_symmetry import symmetries

seeds = st.integers(0, 2**32 - 1)


def hands_of(rng, deck, n_cards):
    """Draw each player's hands (H, K): the same, overlapping or disjoint ones."""
    every = np.array([*combinations(deck, n_cards)]).reshape(-1, n_cards)
    kind = rng.choice(["same", "overlapping", "disjoint"])
    if kind == "same":
        some = every[rng.random(len(every)) < rng.choice([0.3, 1.0])]
        return [some, some]
    if kind == "overlapping":
        return [every[rng.random(len(every)) < rng.random()] for _ in range(2)]
    first = rng.random(len(every)) < 0.5
    return [every[first], every[~first]]


def mates(own, opponent):
    """Return where the opponent's equal hand is, which two cards block; how many there are if none is."""
    if own.shape[1] == 1:
        return np.full(len(own), len(opponent), np.uint16)
    place = {tuple(hand): i for i, hand in enumerate(opponent.tolist())}
    return np.array([place.get(tuple(hand), len(opponent)) for hand in own.tolist()], np.uint16)


def dense(hands, n_deck, player):
    """Return two cards a hand, a hand of one card with one that nobody else has in second place."""
    if hands.shape[1] == 2:
        return hands.astype(np.uint8)
    return np.column_stack([hands, np.full(len(hands), n_deck + player)]).astype(np.uint8)


def pairs(hands, strengths, player):
    """Return for each pair of a player's hand and the opponent's who wins, and whether it can be (H, H')."""
    own, other = hands[player], hands[1 - player]
    sign = np.sign(strengths[player][:, None] - strengths[1 - player][None, :])
    apart = [[not set(mine) & set(theirs) for theirs in other.tolist()] for mine in own.tolist()]
    return sign, np.array(apart, bool).reshape(sign.shape)


def stride_of(hands):
    return -(-max(len(hands), 1) // MOST_LANES) * MOST_LANES


def check(rng, hands, strengths, n_deck, n_blocks, n_compared):
    """Draw plans and leaves; hold the kernel against the pairs, for both players."""
    scale = np.unique(np.concatenate(strengths))
    order = [np.argsort(s, kind="stable") for s in strengths]
    hands = [h[o] for h, o in zip(hands, order, strict=True)]
    strengths = [s[o] for s, o in zip(strengths, order, strict=True)]
    groups = [
        np.append(np.searchsorted(s, scale), [len(s)] * (1 + int(rng.integers(3)))).astype(np.uint16)
        for s in strengths
    ]
    n_groups = max(map(len, groups))
    groups = [np.pad(g, (0, n_groups - len(g)), mode="edge") for g in groups]
    for player, (kind, near) in product((0, 1), ((FLOAT64, 1e-14), (FLOAT32, 3e-6))):
        own, other = hands[player], hands[1 - player]
        sign, apart = pairs(hands, strengths, player)
        stride, plan_stride = stride_of(own), stride_of(other) + MOST_LANES * int(rng.integers(2))
        n_own, n_other = int(rng.integers(1, 5)), int(rng.integers(1, 12))
        plan, values = aligned(n_other * plan_stride, kind), aligned(n_own * stride, kind)
        plan[:] = (
            rng.random(len(plan)) * (rng.random(len(plan)) < 0.8) * 10.0 ** -rng.integers(0, 7, len(plan))
        )
        values[:] = rng.standard_normal(len(values))
        shape = n_blocks, LANES[kind]
        leaves = LeafArrays(
            own=rng.integers(0, n_own, shape),
            compared=rng.integers(0, n_other, shape),
            folded=rng.integers(0, n_other, shape),
            showdown=rng.standard_normal(shape) * (rng.random(shape) < 0.8),
            fold=rng.standard_normal(shape) * (rng.random(shape) < 0.8),
        )
        leaves.showdown[n_compared:] = 0.0
        expected, largest = values.astype(np.float64), 1.0
        for b, k in np.ndindex(n_blocks, LANES[kind]):
            at = [rows[b, k] * plan_stride for rows in (leaves.compared, leaves.folded)]
            plans = [plan[a : a + len(other)] for a in at]
            to = leaves.own[b, k] * stride
            showdown, fold = leaves.showdown[b, k], leaves.fold[b, k]
            largest += abs(showdown) * plans[0].sum() + abs(fold) * plans[1].sum()
            expected[to : to + len(own)] += showdown * (sign * apart) @ plans[0] + fold * apart @ plans[1]
        room = LeafWorkspace.of(max(stride, plan_stride), n_deck + 3, kind)
        for one in (room.compared, room.folded, room.gains, room.over, room.sums):
            one[:] = rng.standard_normal(one.shape)  # what earlier leaves left behind must not matter
        cards = dense(own, n_deck, player), dense(other, n_deck, 1 - player)
        facing = Matchup(
            *cards, mates(own, other), np.zeros((0, 3), np.uint8), groups[player], groups[1 - player]
        )
        add_leaf_values(leaves, 0, n_compared, n_blocks, facing, plan, plan_stride, values, stride, room)
        for row in range(n_own):
            here = slice(row * stride, row * stride + len(own))
            np.testing.assert_allclose(values[here], expected[here], rtol=0, atol=near * largest)


@given(seeds)
def test_drawn_leaves_are_worth_what_pairs_are(seed):
    rng = np.random.default_rng(seed)
    n_cards, n_deck = int(rng.integers(1, 3)), int(rng.integers(3, 10))
    hands = hands_of(rng, range(n_deck), n_cards)
    strength = dict(zip(combinations(range(n_deck), n_cards), rng.integers(0, 6, 200), strict=False))
    strengths = [np.array([strength[tuple(h)] for h in one.tolist()], np.int64) for one in hands]
    n_blocks = int(rng.integers(1, 4))
    check(rng, hands, strengths, n_deck, n_blocks, int(rng.integers(0, n_blocks + 1)))


def on_river(rng, board, part):
    """Hold the kernel against the pairs with some of all hands on a river."""
    cards = parse_cards(board)
    deck = [card for card in range(52) if card not in cards]
    every = np.array([*combinations(range(len(deck)), 2)])
    hands = [every[rng.random(len(every)) < part] for _ in range(2)]
    strengths = [holdem_strength(cards, np.array(deck)[one]) for one in hands]
    check(rng, hands, strengths, len(deck), 1, 1)


@over(["As Kh Qs Jh 9s", "2s 2h 7d 7c Kd", "As Ks Qs Js Ts", "9s 8s 7s 6s 2h"])
def test_real_rivers(board):
    on_river(np.random.default_rng(6), board, 0.1)


@pytest.mark.seconds(3)
def test_a_river_with_all_hands():
    on_river(np.random.default_rng(7), "As Kh Qs Jh 9s", 1.0)


def test_equal_hands_tie():
    """On a royal flush nobody wins at a showdown, and all stakes are those of folds."""
    rng = np.random.default_rng(8)
    hands = hands_of(rng, range(8), 2)
    check(rng, hands, [np.zeros(len(one), np.int64) for one in hands], 8, 2, 2)


def test_a_player_without_hands_neither_earns_nor_costs():
    rng = np.random.default_rng(9)
    every = np.array([*combinations(range(6), 2)])
    hands = [every, every[:0]]
    check(rng, hands, [np.arange(len(every)), np.zeros(0, np.int64)], 6, 2, 1)
    check(rng, hands[::-1], [np.zeros(0, np.int64), np.arange(len(every))], 6, 2, 1)


RIVERS = [
    small_holdem("As Ks Qs Js 9s", 6, 4),
    small_holdem("As Ks Qh Jh 9s", 6, 4),
    small_holdem("As Ks Qs Js 9s", 6, 4, ranges=("AcAd,AhKh", "AcAd,AcKh,AdKh,KcKh,KdKh")),
]


def facing_on(boards, player):
    """Return both players' hands on the one board, no copies where none are said."""
    own, other = boards.hands[player], boards.hands[1 - player]
    copies = np.zeros((0, 3), np.uint8) if own.copies is None else own.copies
    cards = own.cards.astype(np.uint8), other.cards.astype(np.uint8)
    return Matchup(*cards, own.mate, copies, own.group_start[0], other.group_start[0])


@over(RIVERS, [0, 1], [(FLOAT64, 1e-14), (FLOAT32, 3e-6)], [0, 1])
def test_a_hand_of_a_class_is_worth_what_it_is_by_itself(game, player, kind, near, n_compared):
    """A class of the opponent comes with the plans of all its hands, which are alike."""
    rng, alone = np.random.default_rng(5), one_board(BoardTree.of(game), 0)
    classes = HandClasses.under(symmetries(game), alone)
    number = classes.number[1 - player]
    each = rng.random((3, len(classes.first[1 - player])))
    found = []
    draws = rng.integers(0, 3, (2, 1, LANES[kind])), rng.standard_normal((2, 1, LANES[kind]))
    for boards, plans in ((alone, each[:, number]), (classes.boards, each * np.bincount(number))):
        facing = facing_on(boards, player)
        stride, plan_stride = stride_of(facing.card), stride_of(facing.theirs)
        plan, values = aligned(3 * plan_stride, kind), aligned(stride, kind)
        for row, one in enumerate(plans):
            plan[row * plan_stride : row * plan_stride + len(one)] = one
        showdown, fold = draws[1] * [[[n_compared]], [[1]]]
        leaves = LeafArrays(np.zeros_like(draws[0][0]), *draws[0], showdown, fold)
        room = LeafWorkspace.of(max(stride, plan_stride), 52 + 3, kind)
        add_leaf_values(leaves, 0, n_compared, 1, facing, plan, plan_stride, values, stride, room)
        found.append(values[: len(facing.card)].astype(np.float64))
    by_itself, merged = found
    assert merged[classes.number[player]] == pytest.approx(by_itself, abs=near * len(number) * LANES[kind])
    assert np.abs(by_itself).max() > 0.1
