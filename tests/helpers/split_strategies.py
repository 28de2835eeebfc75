"""Random strategies of split games."""

import numpy as np

from treeplex.seqform.boards.board_conversions import rows_on
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.split_strategy import SplitStrategy
from treeplex.seqform.boards.split_tree import SplitTree, trees_of


def random_tables(tree, rng, dtype):
    first, second = (
        (rng.integers(0, 1000, int(base[-1])) * (rng.random(int(base[-1])) < 0.6)).astype(dtype)
        for base in tree.base
    )
    return first, second


class RandomTables:
    """Tables of subgames, drawn when they are asked for first."""

    def __init__(self, split, dtype):
        self.tree, self.dtype, self.drawn = trees_of(split), dtype, {}

    def __call__(self, flop, line):
        return self._drawn(flop, line)[1]

    def block(self, flop, line, player, board):
        tree, tables = self._drawn(flop, line)
        return rows_on(tree, player, board, tables[player])

    def _drawn(self, flop, line):
        if (flop, line) not in self.drawn:
            tree = self.tree(flop, line)
            rng = np.random.default_rng((flop, line))
            self.drawn[flop, line] = tree, random_tables(tree, rng, self.dtype)
        return self.drawn[flop, line]


def random_strategy(game, street, dtype=np.int32, *, symmetric=False):
    split = SplitTree.of(game, street)
    first, second = random_tables(split.trunk, np.random.default_rng(1), dtype)
    trunk = FactoredStrategy(split.trunk, (first, second))
    if symmetric:
        make_symmetric(trunk)
    return SplitStrategy(split, trunk, RandomTables(split, dtype))


def make_symmetric(strategy):
    """Give the hands of each orbit of each board the weights of its first, in place."""
    tree = strategy.tree
    for p in (0, 1):
        hands, base = tree.boards.hands[p], tree.base[p]
        for board in range(tree.boards.n_boards):
            first = hands.first[hands.on(board)].astype(int)
            rows = strategy.weight[p][base[board] : base[board + 1]].reshape(-1, len(first))
            rows[:] = rows[:, first]
