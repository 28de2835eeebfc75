"""Proofs of gadgets' values do not depend on whether boards that suits alone tell apart are one."""

from functools import cache

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.twins.factored import factored_tree, invariant_strategy
from tests.helpers.two_tiers import two_tiers
from treeplex.gadgets.boards.board_subgame import board_subgame
from treeplex.gadgets.boards.gadget_proof import error, prove
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve, Unsafe
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.subtree import Subtree
from treeplex.seqform.certify.board_values import range_values, recorded_values

PLACES = [
    ("small_holdem(board=AsKsQs,ranks=4,suits=3,stack=6)", "r2c/", 0),
    ("small_holdem(board=AsKsQs,ranks=4,suits=3)", "cc/r2", 1),
    ("small_holdem(board=AsAhKd,ranks=3,suits=4)", "cc/", 0),
    ("small_holdem(board=AsKhQd,ranks=3,suits=4)", "cc/cc/c", 1),
    ("small_holdem(board=AsAhKsKh,ranks=4,suits=4)", "c", 0),
]


@cache
def known(spec, isomorphism=True):
    """Return a game, its tree and a strategy."""
    game = load_game(spec)
    tree = factored_tree(game, isomorphism)
    return game, tree, invariant_strategy(tree, game)


def proofs(spec, line, cards, defender, isomorphism):
    """Return the subgame of a strategy, and what each gadget proves there of another one, with the error."""
    game, tree, blueprint = known(spec, isomorphism)
    node, board = tree.betting.node_of[line], tree.boards.cards.index(cards)
    record = recorded_values(game, blueprint, [(node, board)], below=board)[node, board]
    subtree = Subtree.of(tree, node, board)
    subgame = board_subgame(subtree, blueprint, defender, record)
    inside = invariant_strategy(subtree.tree, subtree.tree.game, zeros=0.3)
    found = []
    for gadget in (Resolve(), Maxmargin(), Unsafe()):
        root = gadget.root(subgame)
        plan = root.header.plan(root.header.behaviour(root.header.plan(np.ones(root.header.n_sequences))))
        proof = prove(subgame, root, plan, inside)
        alternatives = gadget.alternative_values(subgame)
        lost = 0.0 if alternatives is None else error(subgame, alternatives, proof) / subgame.pairs
        found.append((proof, lost))
    return subgame, found


@two_tiers(PLACES[:3], PLACES[3:], seconds=(3, 3))
def test_merged_boards_change_no_proof(spec, line, defender):
    _, tree, _ = known(spec)
    street = tree.betting.street[tree.betting.node_of[line]]
    boards = np.flatnonzero(tree.boards.street == street)
    for board in {*boards[[0, -1]].tolist()}:
        cards = tree.boards.cards[board]
        merged, found = proofs(spec, line, cards, defender, True)
        single, again = proofs(spec, line, cards, defender, False)
        assert merged.tops == single.tops
        np.testing.assert_allclose(merged.reach, single.reach, rtol=1e-12)
        np.testing.assert_allclose(merged.value, single.value, rtol=1e-9, atol=1e-12)
        for (one, lost), (two, lost_too) in zip(found, again, strict=True):
            assert (one.lower, one.upper) == pytest.approx((two.lower, two.upper), rel=1e-9, abs=1e-9)
            np.testing.assert_allclose(one.value, two.value, rtol=1e-9, atol=1e-11)
            assert lost == pytest.approx(lost_too, rel=1e-9, abs=1e-9)


@pytest.mark.seconds(3)
@over([0, 1])
def test_boards_that_stand_for_others_count_for_all_of_them(defender):
    of_line = []
    for isomorphism in (True, False):
        game, tree, blueprint = known("small_holdem(board=AsKsQs,ranks=4,suits=4)", isomorphism)
        node = tree.betting.node_of["cc/"]
        places = [(node, int(b)) for b in np.flatnonzero(tree.boards.street == 1)]
        weight = 0.0
        for place, record in recorded_values(game, blueprint, places).items():
            subgame = board_subgame(Subtree.of(tree, *place), blueprint, defender, record)
            weight += float(np.maximum(subgame.value, 0.0).sum()) * subgame.pairs
        of_line.append(weight)
    assert of_line[0] == pytest.approx(of_line[1], rel=1e-12)
    assert of_line[0] > 0.0


@over([0, 1])
def test_intervals_and_errors_are_widened_by_rounding(defender):
    game, tree, blueprint = known("small_holdem(board=AsKsQs,ranks=4,suits=3)")
    node = tree.betting.node_of["cc/r2"]
    board = int(np.flatnonzero(tree.boards.street == 1)[0])
    record = recorded_values(game, blueprint, [(node, board)], below=board)[node, board]
    subgame = board_subgame(Subtree.of(tree, node, board), blueprint, defender, record)
    kept = subgame.blueprint
    for gadget in (Resolve(), Maxmargin()):
        root = gadget.root(subgame)
        plan = root.header.uniform()
        proof = prove(subgame, root, plan, kept)
        upper = root.header.best_response(root.paid(proof.value)).total
        # A choice of a top whose payoffs are divided by its reach divides what rounding did to it too.
        least = float((root.most_weight * proof.rounding)[subgame.live].min())
        assert upper + 0.9 * least <= proof.upper <= upper + 1e-8
        judged = range_values(
            kept.tree.game, kept, _ordered(defender, subgame.own_reach, root.entered(plan) * subgame.chance)
        )
        conceded = float(subgame.own_reach @ judged[defender])
        lower = float(root.paid(np.zeros(len(proof.value))) @ plan) - conceded
        assert lower - 1e-8 <= proof.lower < lower
        # The blueprint itself has no error but what rounding may hide.
        lost = error(subgame, gadget.alternative_values(subgame), proof)
        assert 0.0 < float(proof.rounding.sum()) * subgame.pairs <= lost <= 1e-8 * subgame.pairs


def _ordered(defender, own, theirs):
    return (own, theirs) if defender == 0 else (theirs, own)
