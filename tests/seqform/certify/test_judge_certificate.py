"""The judge of strategies on betting lines times boards, against certificates and pairs of hands."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from tests.helpers.cells import kept, over
from tests.helpers.forms import public_form
from tests.helpers.profiles import uniform_profile
from tests.helpers.twins.factored import factored_tree, uniform_strategy
from tests.helpers.two_tiers import two_tiers
from treeplex.games.poker.named import (
    flop_holdem,
    kuhn_poker,
    leduc_poker,
    no_limit_leduc,
    rhode_island,
    small_holdem,
    turn_holdem,
)
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.certify.judge_kernels import (
    LANES,
    JudgedHands,
    LeafBlocks,
    LeafBuffers,
    respond,
    spread_reach,
    value_leaves,
)

FLOP = "As Ks Qs"
GAMES = [
    kuhn_poker(),
    kuhn_poker(15),
    leduc_poker(suits_visible=True),
    leduc_poker(ranks=2, suits=4, raises=1, suits_visible=True),
    rhode_island(3, 2, raises=1),
    small_holdem(),
    small_holdem("As Ks Qs Js", 4, 3, raises=("a",), stack=7),
    small_holdem(FLOP, 4, 3),
    small_holdem(FLOP, 5, 2, bets=(0.5, "a"), stack=0.5),
    small_holdem("As Ks Qh", 4, 4, ranges=("AhAd,KhJd,JcJd:1/3", "AA,KJ:0.9,QJs")),
    small_holdem("As Ah Kd", 3, 4, ranges=("AcAd,KhKs,QhQs,QdQc", "KcQs,QhQd")),
    small_holdem("Ks Kh Qs Qh", 3, 4, stack=0),
    flop_holdem(4, 2, raises=(1, 2)),
]
LARGER = [
    rhode_island(3, 3, raises=1),
    flop_holdem(3, 3, raises=(1, 1)),
    turn_holdem(3, 3, raises=(0, 0, 1)),
    small_holdem(FLOP, 4, 4, ranges=("AA,KJs:0.5,QJ:1/3", "AJ,QJ:2/7,JJ")),
]
DTYPES = [np.float64, np.float32, np.uint16]


def random_strategy(tree, seed, dtype=np.float64, share=0.6):
    """Draw weights; a share of 1 leaves no zero, 0.6 leaves some decisions without any weight."""
    rng = np.random.default_rng(seed)
    drawn = [rng.random(int(base[-1])) * (rng.random(int(base[-1])) < share) for base in tree.base]
    first, second = ((w * 65535 if dtype == np.uint16 else w).astype(dtype) for w in drawn)
    return FactoredStrategy(tree, (first, second))


@kept
def known(game):
    """Return a game, its sequence form, and its trees up to suits and of all boards."""
    return game, public_form(game), [factored_tree(game), factored_tree(game, isomorphism=False)]


def check_against_profile(game, form, strategy):
    profile = profile_of(game, strategy, form)
    x, y = profile.plans
    found, other = certify_factored(game, strategy), certify(form, profile)
    upper, lower = form.best_response(0, y).total, -form.best_response(1, x).total
    size = 1e-12 * max(1.0, abs(upper), abs(lower))
    assert abs(found.value - other.value) <= size
    assert abs(found.upper - found.rounding - upper) <= size
    assert abs(found.lower + found.rounding - lower) <= size
    assert found.lower <= lower <= upper <= found.upper
    assert not found.disjoint(other)
    assert found.rounding <= 1e-9
    return found


@two_tiers(enumerate(GAMES), enumerate(LARGER), (True, False), seconds=(4, 4))
def test_equal_to_the_certificate_of_the_same_profile(number, game, reduced):
    """Tables of each type come with several games, both where boards are merged and where they are not."""
    game, form, trees = known(game)
    dtype = DTYPES[(number + reduced) % len(DTYPES)]
    strategy = random_strategy(trees[0 if reduced else 1], number, dtype)
    found = check_against_profile(game, form, strategy)
    assert found.n_boards == trees[1].boards.n_boards


@two_tiers(GAMES[1::3], LARGER, seconds=(3, 4))
def test_weights_that_leave_the_range_of_floats(game):
    game, form, trees = known(game)
    rng = np.random.default_rng(5)
    for tree in trees:
        weights = [
            rng.choice([0.0, 5e-324, 1e-310, 1e-150, 1.0, 1e200, 1.7e308], int(base[-1]))
            for base in tree.base
        ]
        check_against_profile(game, form, FactoredStrategy(tree, (weights[0], weights[1])))


def test_suits_that_nobody_sees_change_no_value():
    for game in (leduc_poker(), leduc_poker(3, 3, raises=1), no_limit_leduc(3, 2, bets=(1,))):
        form, tree = public_form(game), factored_tree(game)
        plain = uniform_profile(form)
        found, other = certify_factored(game, uniform_strategy(tree)), certify(form, plain)
        for seen, hidden in zip(
            (found.value, found.lower, found.upper), (other.value, other.lower, other.upper), strict=True
        ):
            assert abs(seen - hidden) <= found.rounding + other.rounding + 1e-13


@over([np.float16, np.int64, ">f4"])
def test_tables_of_any_real_type(dtype):
    game = leduc_poker(raises=1, suits_visible=True)
    plain = random_strategy(factored_tree(game), 6, np.uint16)
    first, second = ((w // 2048).astype(np.float64) for w in plain.weight)
    found = certify_factored(game, replace(plain, weight=(first, second)))
    other = certify_factored(game, replace(plain, weight=(first.astype(dtype), second.astype(dtype))))
    assert (other.value, other.lower, other.upper) == (found.value, found.lower, found.upper)


def test_tables_on_disk_are_read_where_they_are(tmp_path):
    game = small_holdem("As Ks Qs Js", 4, 3)
    strategy = random_strategy(factored_tree(game), 7, np.float32)
    for p, table in enumerate(strategy.weight):
        np.save(tmp_path / f"{p}.npy", table)
    mapped = replace(strategy, weight=tuple(np.load(tmp_path / f"{p}.npy", mmap_mode="r") for p in (0, 1)))
    found, other = certify_factored(game, strategy), certify_factored(game, mapped)
    assert (other.value, other.lower, other.upper) == (found.value, found.lower, found.upper)


@pytest.mark.parametrize("power", [-100, -50, -20, 40])
def test_the_bound_on_rounding_goes_with_the_stakes(power):
    hands = ("AhTh,KsTs,QhTh", "AhTh,KsTs,KdQd,AhQh")

    def judged(pot):
        game = small_holdem(pot=pot, stack=pot, ranges=hands)
        return certify_factored(game, uniform_strategy(factored_tree(game)))

    one, found, unit = judged(2), judged(Fraction(2) ** (power + 1)), 2.0**power
    assert found.value == unit * one.value
    assert found.rounding == pytest.approx(unit * one.rounding, rel=1e-9)
    assert found.lower == pytest.approx(unit * one.lower, rel=1e-12)


def test_every_board_is_visited():
    game = small_holdem(FLOP, 5, 2, stack=0.5)
    assert certify_factored(game, uniform_strategy(factored_tree(game))).n_boards == 1 + 7 + 7 * 6


class TestKernels:
    """Each kernel against a loop over pairs of hands, on random cards."""

    @over([1, 2], range(5))
    def test_leaves(self, n_cards, seed):
        rng = np.random.default_rng(seed)
        deck = 7
        cards = [_random_hands(rng, deck, n_cards, spare=deck + p) for p in (0, 1)]
        n = [len(c) for c in cards]
        scale = {tuple(h): int(rng.integers(3)) for c in cards for h in c[:, :n_cards].tolist()}
        strength = [np.array([scale[tuple(h)] for h in c[:, :n_cards].tolist()]) for c in cards]
        order = [np.argsort(s, kind="stable") for s in strength]
        mate = np.array(
            [next((j for j, h in enumerate(cards[1].tolist()) if h == g), n[1]) for g in cards[0].tolist()]
        )
        own_reach, reach = rng.random((4, n[0])), rng.random((6, n[1]))
        blocks = rng.integers(6, size=(3, LANES))
        leaf = np.stack(
            [rng.integers(LANES, size=20), np.zeros(20), rng.integers(4, size=20), rng.integers(5, size=20)],
            1,
        ).astype(np.int64)
        leaf[:12, 1] = rng.integers(2, size=12)
        leaf_start = np.array([0, 4, 12, 20])
        stake, chooses = rng.normal(size=20), np.array([True, False, True, False, True])
        values = rng.normal(size=(5, n[0]))
        expected, earned = values.copy(), 0.0
        for b in range(3):
            for z in range(leaf_start[b], leaf_start[b + 1]):
                lane, shown, own, row = leaf[z]
                won = np.zeros(n[0])
                for g, h in product(range(n[0]), range(n[1])):
                    if not set(cards[0][g].tolist()) & set(cards[1][h].tolist()):
                        sign = np.sign(strength[0][g] - strength[1][h]) if shown else 1
                        won[g] += stake[z] * sign * reach[blocks[b, lane], h]
                earned += own_reach[own] @ won
                expected[row] = np.maximum(expected[row], won) if chooses[row] else expected[row] + won
        leaves = LeafBlocks(blocks, np.array([True, True, False]), leaf_start, leaf, stake)
        own, other = (
            JudgedHands(r, c, o, s[o])
            for r, c, o, s in zip((own_reach, reach), cards, order, strength, strict=True)
        )
        found = value_leaves(leaves, chooses, own, other, mate, LeafBuffers.of(max(n), deck + 2), values)
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-13)
        assert found == pytest.approx(earned, abs=1e-12)

    def test_reaches_multiply_and_values_come_up(self):
        table = np.array([[1, 0, 3], [1, 0, 1], [0, 2, 0], [5, 2, 0]], np.float32)
        reach = np.zeros((5, 3))
        reach[0] = [1.0, 0.5, 0.25]
        spread_reach(np.array([[0, 0, 2], [2, 2, 2]]), 1, table, reach)
        np.testing.assert_allclose(reach[1], [0.5, 0.25, 0.1875])
        np.testing.assert_allclose(reach[3], [0.0, 0.125, 0.03125])
        np.testing.assert_allclose(reach[4], [0.5, 0.125, 0.03125])
        extreme, reach = np.array([[3e-310, 1e308], [1e-310, 1e308]]), np.ones((3, 2))
        spread_reach(np.array([[0, 0, 2]]), 1, extreme, reach)
        np.testing.assert_allclose(reach[1:], [[0.75, 0.5], [0.25, 0.5]])
        values = np.array([[-np.inf, -np.inf], [0.0, 1.0], [2.0, -1.0], [3.0, 0.5]])
        respond(np.array([-1, 0, 0, 1]), np.array([True, False, False, False]), values)
        np.testing.assert_allclose(values[0], [3.0, 1.5])


def _random_hands(rng, deck, n_cards, spare):
    every = [*combinations(range(deck), 2)] if n_cards == 2 else [(card, spare) for card in range(deck)]
    kept = [hand for hand in every if rng.random() < 0.7] or every[:1]
    return np.array(kept, np.int64)


class TestErrors:
    game = small_holdem("As Ks Qh", 5, 2, ranges=("AJ,KQ", "JJ,KJ"))

    @over([np.float64, np.float32], [np.nan, -1.0, np.inf], [0, 1])
    def test_no_weight(self, dtype, wrong, player):
        strategy = random_strategy(factored_tree(self.game), 0, dtype)
        strategy.weight[player][7] = wrong
        with pytest.raises(
            ValueError, match=rf"at least 0 and finite, got {wrong} at place 7 of player {player}"
        ):
            certify_factored(self.game, strategy)

    def test_tables_that_do_not_fit(self):
        strategy = random_strategy(factored_tree(self.game), 0)
        first, second = strategy.weight
        short, no_numbers = (replace(strategy, weight=w) for w in ((first, second[:-1]), (first > 0, second)))
        with pytest.raises(ValueError, match="table of player 1 must have shape"):
            certify_factored(self.game, short)
        with pytest.raises(ValueError, match="must hold real numbers, got dtype bool"):
            certify_factored(self.game, no_numbers)

    @over(
        [
            (small_holdem("As Ks Qh", 5, 2, ranges=("AJ,KQ", "JJ,KJ"), stack=9), "betting after"),
            (small_holdem("As Ks Qh", 5, 2, ranges=("AJ,KJ", "JJ,KJ")), "hands of player 0"),
            (small_holdem("As Ks Qh", 5, 2, ranges=("AJ,KQ", "JJ:0.5,KJ")), "range of player 1"),
            (small_holdem("As Kh Qs", 5, 2, ranges=("AJ,KQ", "JJ,KJ")), "start on the board"),
        ]
    )
    def test_another_game(self, other, message):
        with pytest.raises(ValueError, match=message):
            certify_factored(other, uniform_strategy(factored_tree(self.game)))

    def test_a_board_that_nothing_stands_for(self):
        tree = factored_tree(self.game, isomorphism=False)
        cards = (*tree.boards.cards[:-1], tree.boards.cards[-2])
        wrong = replace(tree, boards=replace(tree.boards, cards=cards))
        with pytest.raises(ValueError, match="none stands for"):
            certify_factored(self.game, uniform_strategy(wrong))

    def test_hands_that_are_not_those_of_the_board(self):
        tree = factored_tree(self.game, isomorphism=False)
        first = tree.boards.hands[0]
        hand = first.hand.copy()
        hand[-1] = hand[-2]
        wrong = replace(
            tree, boards=replace(tree.boards, hands=(replace(first, hand=hand), tree.boards.hands[1]))
        )
        with pytest.raises(ValueError, match="player 0's hands that live on"):
            certify_factored(self.game, uniform_strategy(wrong))

    def test_rows_that_are_elsewhere(self):
        tree = factored_tree(self.game)
        wrong = replace(tree, slot=np.where(tree.slot >= 0, tree.slot + 1, -1))
        with pytest.raises(ValueError, match="slot of the strategy's tree"):
            certify_factored(self.game, uniform_strategy(wrong))

    def test_three_hole_cards(self):
        with pytest.raises(ValueError, match="hole"):
            replace(kuhn_poker(8), hole_cards=3, ranking="three_card", board_cards=(0,))

    def test_profiles_of_games_that_hide_suits(self):
        game = leduc_poker(raises=1)
        with pytest.raises(ValueError, match="hides suits"):
            profile_of(game, uniform_strategy(factored_tree(game)), public_form(game))

    def test_profiles_on_another_form(self):
        game = leduc_poker(raises=1, suits_visible=True)
        with pytest.raises(ValueError, match="says nothing of"):
            profile_of(
                game, uniform_strategy(factored_tree(game)), public_form(leduc_poker(suits_visible=True))
            )
