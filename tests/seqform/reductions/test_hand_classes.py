"""Merged hands: exactly the same game, seen through classes."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.twins.games import exact_entries, random_behaviour
from tests.helpers.twins.public_tree import public_tree, random_tree
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.poker.named import kuhn_poker, leduc_poker, small_holdem
from treeplex.seqform.certify.certificate import certify, certify_exactly
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.reductions.hand_classes import merge_hands
from treeplex.seqform.trees.public_tree import compile_public
from treeplex.seqform.trees.tree_arrays import TreeDeal

RAINBOW = "Ah Kd Qs Qc Th"
"""No suit can make a flush, so that suits decide nothing."""


def holdem(ranks=5, board=RAINBOW, suits=4, **keys):
    return compile_public(small_holdem(board=board, ranks=ranks, suits=suits, **keys))


SYMMETRIC = {
    "no flush": holdem(raises=("a",)),
    "flushes": holdem(board="As Ks Qs Qh Th"),
    "suited and offsuit": holdem(6, ranges=("T9s,99:0.5", "T9o,A9:1/3,99")),
    "ranges of whole classes": holdem(6, ranges=("99,AK:0.25", "AK,QJ,T9:0.1")),
    "one range of one hand": holdem(6, ranges=("9s9h", "AK,QJ,T9:0.1")),
    "three suits": holdem(6, "Ah Kd Qs Jh 9d", 3),
}
ASYMMETRIC = {
    "kuhn": compile_public(kuhn_poker(5)),
    "leduc": compile_public(leduc_poker()),
    "leduc, whose boards tell suits apart": compile_public(leduc_poker(raises=1, suits_visible=True)),
    "a weight for each suit": holdem(ranges=("AsKs:0.5,AcKc:0.25,AsTs", "AsTs,AcTc")),
}


def sizes(tree):
    return tuple(len(h) for h in tree.hands)


def check_equitable(tree, merged):
    """The merged payoff is the sum over classes, and all of a class earn the same against any class."""
    to = [merged.sequences(tree, p) for p in (0, 1)]
    entries = exact_entries(sequence_form(tree, factored=False).payoff)
    total, rows, cols = defaultdict(Fraction), defaultdict(Fraction), defaultdict(Fraction)
    for (s, r), a in entries.items():
        total[to[0][s], to[1][r]] += a
        rows[s, to[1][r]] += a
        cols[to[0][s], r] += a
    whole = {at: a for at, a in total.items() if a}
    for factored in (False, True):
        assert exact_entries(sequence_form(merged.tree, factored=factored).payoff) == whole
    size = [np.bincount(t) for t in to]
    for (s, c), a in rows.items():
        assert a * int(size[0][to[0][s]]) == total[to[0][s], c]
    for (c, r), a in cols.items():
        assert a * int(size[1][to[1][r]]) == total[c, to[1][r]]


def check_numbering(tree, merged):
    """The map of sequences keeps infosets, parents and actions, and names the class of each hand."""
    for p in (0, 1):
        t, c = (sequence_form(x).treeplexes[p] for x in (tree, merged.tree))
        to = merged.sequences(tree, p)
        assert to.shape == (t.n_sequences,)
        assert set(to.tolist()) == set(range(c.n_sequences))
        assert (to[t.parent_of[1:]] == c.parent_of[to[1:]]).all()
        assert [t.actions[s] for s in range(t.n_sequences)] == [c.actions[s] for s in to]
        joiner = tree.joiner
        place = {hand: merged.class_of[p][h] for h, hand in enumerate(tree.hands[p])}
        for s in range(1, t.n_sequences):
            mine, other = t.infosets[t.infoset_of[s]], c.infosets[c.infoset_of[to[s]]]
            if not joiner:
                continue
            hand, public = mine.split(joiner, 1)
            label, other_public = other.split(joiner, 1)
            assert public == other_public
            assert merged.tree.hands[p][place[hand]] == label


@pytest.mark.seconds(3)
@over(SYMMETRIC)
def test_symmetric_hands_are_merged_into_the_same_game(case):
    tree = SYMMETRIC[case]
    merged = merge_hands(tree)
    assert sum(sizes(merged.tree)) < sum(sizes(tree))
    check_equitable(tree, merged)
    check_numbering(tree, merged)


@over(SYMMETRIC)
def test_values_stay_and_lifted_profiles_are_as_good(case):
    tree = SYMMETRIC[case]
    merged = merge_hands(tree)
    whole, small = sequence_form(tree), sequence_form(merged.tree)
    solution = solve_lp(small)
    assert not solve_lp(whole).certificate.disjoint(solution.certificate)
    lifted = lift(merged, tree, whole, solution.profile)
    certificate = certify(whole, lifted)
    assert certificate.nash_conv <= solution.certificate.nash_conv + 2 * certificate.rounding + 1e-12
    assert certificate.contains(rational_optimum(small).value)


def lift(merged, tree, whole, profile):
    behaviour = [b[merged.sequences(tree, p)] for p, b in enumerate(profile.behaviour)]
    return Profile(whole.treeplexes, (behaviour[0], behaviour[1]))


@over(["flushes", "suited and offsuit", "three suits"])
def test_any_profile_of_classes_is_worth_the_same_hand_by_hand(case):
    tree = SYMMETRIC[case]
    merged = merge_hands(tree)
    whole, small = sequence_form(tree), sequence_form(merged.tree)
    rng = np.random.default_rng(1)
    behaviour = tuple(random_behaviour(t, rng) for t in small.treeplexes)
    profile = Profile(small.treeplexes, behaviour)
    lifted = lift(merged, tree, whole, profile)
    a, b = certify_exactly(small, profile), certify_exactly(whole, lifted)
    assert (a.value, a.lower, a.upper) == (b.value, b.lower, b.upper)
    for p, t in enumerate(whole.treeplexes):
        plan = profile.plans[p][merged.sequences(tree, p)]
        assert plan == pytest.approx(t.plan(lifted.behaviour[p]), rel=1e-14)


@over(ASYMMETRIC)
def test_nothing_is_merged_where_nothing_is_alike(case):
    tree = ASYMMETRIC[case]
    merged = merge_hands(tree)
    assert sizes(merged.tree) == sizes(tree)
    assert merged.tree.hands == tree.hands
    assert [c.tolist() for c in merged.class_of] == [list(range(n)) for n in sizes(tree)]
    check_equitable(tree, merged)


def classes(merged, tree, player):
    found = defaultdict(set)
    for hand, c in zip(tree.hands[player], merged.class_of[player], strict=True):
        found[int(c)].add(hand)
    return list(found.values())


def test_without_flushes_hands_are_pairs_of_ranks():
    tree = holdem(6)
    merged = merge_hands(tree)
    assert sizes(tree) == (171, 171)
    assert sizes(merged.tree) == (21, 21)
    for members in classes(merged, tree, 1):
        assert len({frozenset((hand[0], hand[2])) for hand in members}) == 1


def test_suits_that_the_board_tells_apart_are_not_merged():
    """With three spades on the board a flush in spades beats what the same ranks in hearts make."""
    tree = SYMMETRIC["flushes"]
    for player in (0, 1):
        for members in classes(merge_hands(tree), tree, player):
            assert len({hand.count("s") for hand in members}) == 1
            assert len({frozenset((hand[0], hand[2])) for hand in members}) == 1


def test_one_weight_makes_a_class_of_its_own():
    """A single hand with another weight is told apart, and with it what it blocks."""
    plain = holdem(6, ranges=("99,KQ", "99,KQ"))
    odd = holdem(6, ranges=("9s9h:0.5,9s9d,9s9c,9h9d,9h9c,9d9c,KQ", "99,KQ"))
    assert sizes(odd) == sizes(plain)
    merged = merge_hands(odd)
    lone = [members for members in classes(merged, odd, 0) if members <= {"9s9h", "9h9s"}]
    assert len(lone) == 1
    assert sum(sizes(merged.tree)) > sum(sizes(merge_hands(plain).tree))
    check_equitable(odd, merged)


def test_merging_twice_changes_nothing_more():
    for tree in SYMMETRIC.values():
        once = merge_hands(tree).tree
        assert sizes(merge_hands(once).tree) == sizes(once)


def test_the_tree_handed_in_is_not_changed():
    tree = SYMMETRIC["flushes"]
    before = [d.matrix().copy() for d in tree.deals]
    merge_hands(tree)
    assert all((d.matrix() == b).all() for d, b in zip(tree.deals, before, strict=True))


def cards_of_a_deck(rng, n_boards=2):
    """Draw hands of two keys in some orders and equal suits: a public tree as cards make them, many alike."""
    pool = int(rng.integers(3, 6))
    pairs = [pair for pair in combinations(range(pool), 2) if rng.random() < 0.8] or [(0, 1)]
    key = np.array(pairs, dtype=np.int32)
    n = len(pairs)
    base = [rng.integers(1, 3, n) if rng.random() < 0.3 else np.ones(n, dtype=np.int64) for _ in (0, 1)]
    deals = []
    for _ in range(n_boards):
        alive = rng.random(n) < rng.choice([0.6, 1.0])
        weight = [(w * alive).astype(object) for w in base]
        share = [np.repeat(w[:, None], 2, axis=1) for w in weight]
        strength = rng.integers(0, 2, n) if rng.random() < 0.5 else np.zeros(n, dtype=np.int64)
        strength = strength * alive
        mate = np.arange(n, dtype=np.int32)
        same = weight[0] * weight[1]
        deals.append(
            TreeDeal(
                (weight[0], weight[1]), (key, key), (share[0], share[1]), mate, same, (strength, strength), 7
            )
        )
    rows = [(-1, 0, 0, False, 0), (0, TERMINAL, 0, False, 3), (0, 1, 0, False, 0)]
    rows += [(2, TERMINAL, 0, True, 2), (2, CHANCE, 0, False, 0)]
    rows += [(4, TERMINAL, d, True, 1 + d) for d in range(n_boards)]
    return public_tree(rows, deals)


@given(st.integers(0, 10**9))
def test_random_decks_lose_nothing(seed):
    tree = cards_of_a_deck(np.random.default_rng(seed))
    check_equitable(tree, merge_hands(tree))


def test_a_hand_that_blocks_more_with_one_key_than_with_the_other():
    """Shares of 1 and 2: the hand's keys are not alike, however alike they are held."""
    key, none = np.array([[0, 1]], dtype=np.int32), np.full(1, -1, dtype=np.int32)
    nine, share = np.array([9], dtype=object), np.array([[1, 2]], dtype=object)
    strength = np.zeros(1, dtype=np.int64)
    deal = TreeDeal((nine, nine), (key, key), (share, share), none, nine * 0, (strength, strength), 100)
    tree = public_tree([(-1, 0, 0, False, 0), (0, TERMINAL, 0, False, 1)], [deal])
    assert deal.matrix().tolist() == [[81 - 1 - 4]]
    assert merge_hands(tree).tree.deals[0].matrix().tolist() == deal.matrix().tolist()


@over([0, 1, 2, 3])
def test_random_deals_with_any_shares_lose_nothing(n_keys):
    """Whatever the weights, strengths and corrections: classes are equitable, or hands stay apart."""
    for seed in range(60):
        tree = random_tree(np.random.default_rng(seed), depth=2, n_keys=n_keys)
        check_equitable(tree, merge_hands(tree))


def test_labels_of_classes_are_those_of_their_first_hands():
    tree = SYMMETRIC["flushes"]
    merged = merge_hands(tree)
    for p in (0, 1):
        for c, label in enumerate(merged.tree.hands[p]):
            assert label == tree.hands[p][int(np.flatnonzero(merged.class_of[p] == c)[0])]
    assert replace(merged.tree, deals=tree.deals, hands=tree.hands).public == tree.public
