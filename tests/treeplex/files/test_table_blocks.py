"""Blocks of tables: shapes as trees say, hands in order of strength."""

from itertools import pairwise

import numpy as np

from tests.helpers.cells import over
from tests.helpers.tables import ALL_IN, HOLDEM, subgame_blocks
from treeplex.files.compressed_blocks import BoardOrders, TableBlocks
from treeplex.games.cards.evaluator import holdem_strength
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.split_tree import SplitTree


@over([0, 1])
def test_hands_before_the_last_street_are_ordered_by_strength(player):
    split = SplitTree.of(load_game(HOLDEM))
    boards = split.boards(5)
    orders = BoardOrders.of(split.tree(5, 0, boards).game, boards, player)
    hands, last = boards.hands[player], boards.street.max()
    for board, street in enumerate(boards.street.tolist()):
        live = hands.cards[hands.hand[hands.on(board)]]
        if street not in (0, last):
            order = orders.order[orders.start[board] :][: len(live)]
            strength = holdem_strength(boards.cards[board], live)[order]
            assert sorted(order.tolist()) == list(range(len(live)))
            # Equal hands stay as they were.
            assert all(a < b for a, b in pairwise(zip(strength.tolist(), order.tolist(), strict=True)))
        else:
            assert orders.start[board] == -1
        if street == last:
            assert (np.diff(holdem_strength(boards.cards[board], live)) >= 0).all()


@over(["leduc_poker", "rhode_island(ranks=3)"])
def test_other_games_keep_their_order(spec):
    assert (subgame_blocks(spec).orders.start == -1).all()


def test_blocks_are_as_the_tree_says():
    split = SplitTree.of(load_game(HOLDEM))
    boards = split.boards(0)
    tree = split.tree(0, 3, boards)
    blocks = TableBlocks.of(tree, 1)
    for node in np.flatnonzero(tree.betting.player == 1).tolist():
        for board in np.flatnonzero(boards.street == tree.betting.street[node]).tolist():
            start, rows, width = tree.rows(1, node, board)
            assert width == blocks.width[board]
            assert blocks.base[board] <= start
            assert start + rows * width <= blocks.base[board + 1]
    assert (blocks.n_blocks, blocks.n_entries) == (boards.n_boards, tree.base[1][-1])


def test_one_board_is_a_table_of_its_own():
    blocks = subgame_blocks(HOLDEM)
    for board in (0, 1, blocks.n_blocks - 1):
        one = blocks.of_board(board)
        assert one.base.tolist() == [0, blocks.base[board + 1] - blocks.base[board]]
        assert one.width == blocks.width[board]


def test_a_player_who_never_acts_has_no_entries():
    assert subgame_blocks(ALL_IN, line=1).n_entries == 0
