"""The sequence form of a public tree: factored against pairs, and both against the game hand by hand."""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import kept, over
from tests.helpers.forms import compiled, public_form
from tests.helpers.twins.games import exact_entries, moves_of, payoff_matrix
from tests.helpers.twins.public_tree import random_tree
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.poker.named import kuhn_poker, leduc_poker, rhode_island, small_holdem
from treeplex.seqform.forms.public_form import DENSE_HANDS, sequence_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.trees.public_tree import compile_public

GAMES = [
    kuhn_poker(),
    kuhn_poker(6),
    leduc_poker(raises=1),
    leduc_poker(),
    leduc_poker(ranks=2, suits=3, raises=1),
    leduc_poker(raises=1, suits_visible=True),
    rhode_island(2, 2, raises=1),
    small_holdem(),
    small_holdem(ranges=("AhKd,QJ:0.25,TT", "99+,KQs:1/3,T9o"), raises=("a",), stack=7),
    small_holdem(board="As Ks Qh Jh", ranks=5),
]


@kept
def known(game):
    """Return a game, its public tree, and its three forms: pairs, factored, history by history."""
    tree = compile_public(game)
    forms = sequence_form(tree, factored=False), sequence_form(tree, factored=True)
    return game, tree, *forms, compiled(game)


@over(GAMES)
def test_factored_and_written_out_payoffs_are_equal_entry_by_entry(game):
    _, _, pairs, factored, _ = known(game)
    assert len(pairs.payoff.link) == 0
    assert len(factored.payoff.link) > 0
    assert exact_entries(pairs.payoff) == exact_entries(factored.payoff)
    assert pairs.treeplexes[0].infosets == factored.treeplexes[0].infosets
    assert pairs.treeplexes[1].actions == factored.treeplexes[1].actions


@over(GAMES)
def test_both_compilers_write_the_same_infosets_sequences_and_payoffs(game):
    """Matched by key and action, every entry is the same fraction."""
    game, _, pairs, _, explicit = known(game)
    for t, e in zip(pairs.treeplexes, explicit.treeplexes, strict=True):
        assert moves_of(t).keys() == moves_of(e).keys()
    check_same_game(pairs, explicit)
    if game.name.startswith("kuhn"):
        naive = payoff_matrix(game, explicit)
        assert exact_entries(explicit.payoff) == {at: a for at, a in np.ndenumerate(naive) if a}


def check_same_game(public, explicit):
    """Check that every sequence of the explicit form stands in the public one, with the same payoffs."""
    to = []
    for t, e in zip(public.treeplexes, explicit.treeplexes, strict=True):
        place = np.zeros(e.n_sequences, dtype=np.int64)
        for move, s in moves_of(e).items():
            place[s] = moves_of(t)[move]
        assert (place[e.parent_of[1:]] == t.parent_of[place[1:]]).all()
        to.append(place)
    entries = {(to[0][r], to[1][c]): a for (r, c), a in exact_entries(explicit.payoff).items()}
    assert entries == exact_entries(public.payoff)


def test_hands_without_a_partner_on_some_boards_have_idle_infosets_at_most():
    """Hand by hand such a history does not exist; what the public form adds pays nothing."""
    game = small_holdem(board="As Kh Qs Jh", ranks=6, bets=("a",), ranges=("KJ,TT", "AK:0.1,QT"))
    public, explicit = public_form(game), compiled(game)
    check_same_game(public, explicit)
    assert rational_optimum(public).value == rational_optimum(explicit).value


@pytest.mark.seconds(3)
@over(GAMES)
def test_all_forms_have_one_value(game):
    _, _, *forms = known(game)
    certificates = [solve_lp(form).certificate for form in forms]
    assert max(c.nash_conv for c in certificates) <= 1e-9
    assert not any(c.disjoint(d) for c in certificates for d in certificates)
    assert rational_optimum(forms[0]).value == rational_optimum(forms[1]).value


@given(st.integers(0, 10**9))
def test_random_deals_are_factored_without_loss(seed):
    """Any weights, shares, corrections and ties, dead hands, keys held by one side alone, boards between."""
    tree = random_tree(np.random.default_rng(seed))
    pairs, factored = (sequence_form(tree, factored=f) for f in (False, True))
    assert exact_entries(pairs.payoff) == exact_entries(factored.payoff)


@given(st.integers(0, 10**9))
def test_written_out_payoffs_are_the_leaves_summed_by_loops(seed):
    tree = random_tree(np.random.default_rng(seed), depth=3)
    form = sequence_form(tree, factored=False)
    moves = [moves_of(t) for t in form.treeplexes]
    expected = defaultdict(Fraction)
    for z in np.flatnonzero(tree.player == TERMINAL):
        deal = tree.deals[tree.deal[z]]
        weights = deal.matrix()
        for g in range(deal.n_hands[0]):
            for h in range(deal.n_hands[1]):
                if not weights[g, h]:
                    continue
                sign = 1
                if tree.showdown[z]:
                    sign = int(np.sign(deal.strength[0][g] - deal.strength[1][h]))
                s, r = (last_move(tree, z, p, (g, h)[p], moves[p]) for p in (0, 1))
                worth = sign * int(tree.stake[z]) * int(weights[g, h])
                expected[s, r] += Fraction(worth, deal.den * tree.stake_den)
    assert exact_entries(form.payoff) == {at: a for at, a in expected.items() if a}


def last_move(tree, node, player, hand, moves):
    """Climb to the player's last decision above a node."""
    while tree.parent[node] >= 0:
        parent = tree.parent[node]
        if tree.player[parent] == player:
            key = tree.infoset_key(tree.hands[player][hand], parent)
            return moves[key, tree.action[node]]
        node = parent
    return 0


def test_nonzeros_grow_with_hands_not_with_pairs():
    sizes = {}
    for ranks in (20, 40, 80):
        tree = compile_public(kuhn_poker(ranks))
        sizes[ranks] = [sequence_form(tree, factored=f).payoff.nnz for f in (False, True)]
    assert [sizes[r][0] for r in sizes] == [5 * r * (r - 1) for r in sizes]
    step = sizes[40][1] - sizes[20][1]
    assert sizes[80][1] - sizes[40][1] == 2 * step


def test_pairs_are_written_out_up_to_some_hands():
    few, many = (public_form(kuhn_poker(n)) for n in (DENSE_HANDS, DENSE_HANDS + 1))
    assert len(few.payoff.link) == 0
    assert len(many.payoff.link) > 0


def test_hands_that_the_board_kills_have_no_infosets_below_it():
    game = small_holdem(board="As Ks Qh Jh", ranks=5)
    tree = compile_public(game)
    form = sequence_form(tree)
    for t in form.treeplexes:
        for key in t.infosets:
            hand, public = key.split("|")
            cards = {hand[:2], hand[2:]}
            board = public.split(":")[0]
            assert not cards & {board[i : i + 2] for i in range(0, len(board), 2)}


def test_unit_and_name_are_the_trees():
    tree = compile_public(kuhn_poker(4))
    form = sequence_form(tree)
    assert (form.name, form.unit) == (tree.name, tree.unit) == ("kuhn_poker(ranks=4)", "chips")
