"""Gifts on boards, held against those of enumerated games."""

import numpy as np
import pytest

from tests.helpers.board_subgames import board_tree, enumerated, random_blueprint
from tests.helpers.two_tiers import two_tiers
from treeplex.gadgets.boards.board_subgame import gifts_at, places_for_gifts
from treeplex.seqform.boards.factored_strategy import hand_labels
from treeplex.seqform.boards.real_boards import boards_to
from treeplex.seqform.certify.board_values import recorded_values

CASES = (
    ("no_limit_leduc", "cr2c/"),
    ("no_limit_leduc", "r2c/c"),
    ("leduc_poker(bets=[8,8])", "crc/cr"),
    ('small_holdem(board="As Kh Qs Jh",ranks=5,stack=4,bets=[0.5])', "cr1c/r3"),
    ("turn_holdem(ranks=4,suits=2,raises=[1,0,1])", "crc/cc/"),
    ("turn_holdem(ranks=4,suits=2,raises=[1,0,1])", "rc/c"),
)


@two_tiers(CASES[:4], CASES[4:], (0, 1), seconds=(3, 3))
def test_gifts_are_those_of_the_enumerated_game(spec, line, defender):
    tree = board_tree(spec, isomorphism=False)
    node = tree.betting.node_of[line]
    boards = np.flatnonzero(tree.boards.street == tree.betting.street[node])
    for seed in (1, 2):
        blueprint = random_blueprint(tree, seed)
        place = node, int(boards[seed])
        wanted = places_for_gifts(tree, 1 - defender, place)
        lower, estimated = gifts_at(tree, 1 - defender, place, recorded_values(tree.game, blueprint, wanted))
        board = boards_to(tree.game, tree.boards, tree.boards.cards[place[1]])[-1]
        name = tree.game.public_key(board.cards, line)
        labels = hand_labels(tree.game, tree.boards, 1 - defender, board)
        whole = enumerated(spec, blueprint, defender, name)
        order = [labels.index(top.split("|")[0]) for top in whole.tops]
        assert lower[order][whole.live] == pytest.approx(whole.lower_bound_gifts[whole.live], abs=1e-12)
        assert estimated[order][whole.live] == pytest.approx(whole.estimated_gifts[whole.live], abs=1e-12)


def test_some_gifts_are_positive():
    """Large bets make a fold better than a call of some hands."""
    tree = board_tree("leduc_poker(bets=[8,8])", isomorphism=False)
    place = tree.betting.node_of["crc/cr"], tree.boards.n_boards - 1
    wanted = places_for_gifts(tree, 1, place)
    records = recorded_values(tree.game, random_blueprint(tree, 1), wanted)
    lower, estimated = gifts_at(tree, 1, place, records)
    assert 0.1 < lower.max() < estimated.max()
