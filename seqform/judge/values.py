"""Values of hands at one decision on one board, both players following a street strategy."""

import numpy as np

from treeplex.games.cards.deck import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.checks import check_strategy
from treeplex.seqform.factored.real_boards import RealBoard, boards_to, next_boards
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.judge.board_walk import BoardWalk
from treeplex.seqform.judge.kernels import spread_reach
from treeplex.seqform.judge.leaves import LeafBlocks


def factored_values(game: PokerGame, strategy: FactoredStrategy, node: int, board: Cards) -> Floats:
    """Return the counterfactual value of each hand at a decision on a board, both playing the strategy.

    That is what the hand earns there, averaged over all later boards, against each hand that the opponent
    may hold, times that hand's weight in the opponent's range (the largest 1) and how likely the opponent's
    actions lead here. Every board that can come is visited, as the certificate does.

    Parameters
    ----------
    game : PokerGame
        Of one or two hole cards.
    strategy : FactoredStrategy
        On a tree of this game, whether up to suits or not.
    node : int
        A node of the strategy's betting at which a player acts.
    board : tuple of card ids
        In the order of dealing, the starting board first.

    Returns
    -------
    (H,) float64
        Of the acting player's hands in the order of ``real_boards.real_hands``, in the game's unit.

    Raises
    ------
    ValueError
        If the strategy is not the game's, nobody acts at the node, or the board is none of its street.
    """
    check_strategy(game, strategy)
    tree = strategy.tree
    if not (0 <= node < tree.betting.n_nodes and tree.betting.player[node] >= 0):
        raise ValueError(f"node must be one at which a player acts, got {node}")
    line = boards_to(game, tree.boards, board)
    if line[-1].street != tree.betting.street[node]:
        raise ValueError(f"the board must be of street {tree.betting.street[node]}, got {board}")
    return _ValueWalk(game, strategy, node).values(line)


class _ValueWalk(BoardWalk):
    """A walk down one line of boards to a decision, and over all boards below it.

    The acting player's reaches are counted from the decision on, and are zero at whatever does not follow
    it, so that leaves times reaches add up to what the hand earns.
    """

    def __init__(self, game: PokerGame, strategy: FactoredStrategy, node: int) -> None:
        super().__init__(game, strategy)
        self._node, self._player = node, int(strategy.tree.betting.player[node])
        self._street = int(strategy.tree.betting.street[node])
        self._decisions = self._following()
        self._kept = [self._leaves_of(s, rows) for s, rows in self._rows()]

    def values(self, line: tuple[RealBoard, ...]) -> Floats:
        """Return the values on the last of a line of boards."""
        for board in line:
            for p in (0, 1):
                self._take_seat(p, board)
        street, seat = self._streets[self._street], self._seats[self._street][self._player]
        before = self._decisions[0, 0]
        seat.reach.fill(0.0)
        seat.reach[before] = 1.0
        spread_reach(self._decisions, street.n_entries, self._table(self._player, line[-1]), seat.reach)
        seat.reach[before] = 0.0
        return self._below(line[-1])

    def _following(self) -> Index:
        """Return the player's decisions on the street from the node on, as ``spread_reach`` takes them."""
        street, slot = self._streets[self._street], self._strategy.tree.slot[self._node]
        found: list[list[int]] = []
        rows: set[int] = set()
        for source, first, count in street.decisions[self._player].tolist():
            if first == slot or source in rows:
                found.append([source, first, count])
                rows |= {street.n_entries + first + a for a in range(count)}
        return np.array(found, np.int64)

    def _rows(self) -> list[tuple[int, Index]]:
        """Return, street by street from the node's on, the rows of the player's reach that follow it."""
        found, entries = [], np.zeros(0, np.int64)
        for s in range(self._street, len(self._streets)):
            street, rows = self._streets[s], {*entries.tolist()}
            decisions = self._decisions if s == self._street else street.decisions[self._player]
            for source, first, count in decisions.tolist():
                if s == self._street or source in rows:
                    rows |= {street.n_entries + first + a for a in range(count)}
            found.append((s, np.array(sorted(rows), np.int64)))
            entries = np.flatnonzero(np.isin(street.chance_reach[self._player], found[-1][1]))
        return found

    def _leaves_of(self, street: int, rows: Index) -> tuple[LeafBlocks, Index]:
        """Return the leaves with these reaches of the player's, which are their rows of values too."""
        leaves = self._streets[street].leaves[self._player]
        block = np.repeat(np.arange(len(leaves.blocks)), np.diff(leaves.leaf_start))
        kept = np.isin(leaves.leaf[:, 2], rows)
        used = np.unique(block[kept])
        leaf = leaves.leaf[kept]
        row, leaf[:, 3] = np.unique(leaf[:, 2], return_inverse=True)
        few = leaves._replace(
            blocks=leaves.blocks[used],
            compares=leaves.compares[used],
            leaf_start=np.searchsorted(block[kept], np.append(used, len(leaves.blocks))),
            leaf=leaf,
            stake=leaves.stake[kept],
        )
        return few, row

    def _below(self, board: RealBoard) -> Floats:
        """Return what each hand earns at the leaves of a board and of all after it."""
        values = self._at_leaves(board)
        if not any(len(row) for _, row in self._kept[board.street + 1 - self._street :]):
            return values
        share, place = 1.0 / self._runouts[board.street][1], self._seats[board.street][self._player].place
        for after in next_boards(self._game, self._strategy.tree.boards, board):
            for p in (0, 1):
                self._take_seat(p, after)
            below = self._below(after)
            values[place[self._seats[after.street][self._player].hand]] += share * below
        return values

    def _at_leaves(self, board: RealBoard) -> Floats:
        p, (leaves, row) = self._player, self._kept[board.street - self._street]
        seat = self._seats[board.street][p]
        values, chooses = np.zeros((len(row), len(seat.hand))), np.zeros(len(row), np.bool_)
        self._value(p, self._hands(board), leaves, chooses, values, board)
        return np.asarray((values * seat.reach[row]).sum(axis=0))
