"""The part of a factored tree below a public state, as a tree of its own, and tables copied between both."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import Range, scaled_weights
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.poker_subgame import subgame_of
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree, Hands
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree

Table = NDArray[Any]


@dataclass(frozen=True)
class Subtree:
    """The part of a factored tree below a decision on one of its boards.

    Attributes
    ----------
    whole : FactoredTree
    node : int
        Of the whole's betting.
    board : int
        Of the whole's boards.
    tree : FactoredTree
        The part as a game of its own: its nodes and boards are those of the whole below, in their order, its
        ranges the whole's without the board's cards, scaled to largest weight 1 again.
    """

    whole: FactoredTree
    node: int
    board: int
    tree: FactoredTree

    @staticmethod
    def of(whole: FactoredTree, node: int, board: int) -> "Subtree":
        """Return the part below a decision on a board.

        Raises
        ------
        ValueError
            If hands are locked, nobody acts at the node, or the board is of another street.
        """
        betting, boards = whole.betting, whole.boards
        if betting.player[node] < 0 or boards.street[board] != betting.street[node]:
            place = f"{betting.line[node]!r} on {boards.cards[board]}"
            raise BadInputError(f"a subgame begins at a decision on a board of its street, got {place}")
        state = whole.game.point(betting.line[node]).betting
        game = subgame_of(whole.game, state, boards.cards[board])
        tree = FactoredTree.of(game, _betting_below(betting, node), _boards_below(boards, board, game))
        return Subtree(whole, node, board, tree)

    def scale(self, player: int) -> float:
        """Return the largest weight, in the whole's range, of a player's hands that live on the board."""
        hands = self.whole.boards.hands[player]
        return float(hands.weight[hands.hand[hands.on(self.board)]].max())

    def part(self, strategy: FactoredStrategy) -> FactoredStrategy:
        """Return a strategy of the whole below the public state."""
        tables = []
        for p in (0, 1):
            table = np.empty(int(self.tree.base[p][-1]), strategy.weight[p].dtype)
            for here, there in self._blocks(p):
                table[here] = strategy.weight[p][there]
            tables.append(table)
        return FactoredStrategy(self.tree, (tables[0], tables[1]))

    def insert(self, player: int, table: Table, into: Table) -> None:
        """Copy a player's table of the part into one of the whole, in place."""
        for here, there in self._blocks(player):
            into[there] = table[here]

    def _blocks(self, player: int) -> Iterator[tuple[slice, slice]]:
        """Yield for each board of the part its entries in the part's table and in the whole's."""
        part, whole = self.tree, self.whole
        first = _first_slots(self, player)
        for board in range(part.boards.n_boards):
            lo, hi = int(part.base[player][board]), int(part.base[player][board + 1])
            width = int(np.diff(part.boards.hands[player].start[board : board + 2])[0])
            if hi > lo:
                street = int(part.boards.street[board])
                start = int(whole.base[player][self.board + board]) + first[street] * width
                yield slice(lo, hi), slice(start, start + hi - lo)


def _first_slots(sub: Subtree, player: int) -> dict[int, int]:
    """Return the whole's slot of the part's first row on each street."""
    betting = sub.tree.betting
    first: dict[int, int] = {}
    for node in np.flatnonzero(betting.player == player).tolist():
        first.setdefault(int(betting.street[node]), int(sub.whole.slot[sub.node + node]))
    return first


def _betting_below(betting: BettingTree, node: int) -> BettingTree:
    end = int(betting.end[node])
    part = slice(node, end)
    parent = betting.parent[part] - node
    parent[0] = -1
    return BettingTree(
        parent=parent.astype(np.int32),
        player=betting.player[part],
        street=(betting.street[part] - betting.street[node]).astype(np.int8),
        action=("", *betting.action[node + 1 : end]),
        line=betting.line[part],
        showdown=betting.showdown[part],
        stake=betting.stake[part],
        stake_den=betting.stake_den,
    )


def _boards_below(boards: BoardTree, board: int, game: PokerGame) -> BoardTree:
    end = int(boards.end[board])
    part, street = slice(board, end), int(boards.street[board])
    parent, ways = boards.parent[part] - board, boards.ways[part].copy()
    parent[0], ways[0] = -1, 1
    last = boards.street == boards.street.max()
    first_last = int(last[:board].sum())
    groups = slice(first_last, first_last + int(last[part].sum()))
    first, second = (
        _hands_below(hands, board, end, groups, one)
        for hands, one in zip(boards.hands, game.reach, strict=True)
    )
    return BoardTree(
        street=(boards.street[part] - street).astype(np.int8),
        parent=parent.astype(np.int32),
        ways=ways,
        cards=boards.cards[part],
        symmetric=boards.symmetric[part],
        hands=(first, second),
        runouts=tuple(ways / boards.runouts[street] for ways in boards.runouts[street:]),
    )


def _hands_below(hands: Hands, board: int, end: int, groups: slice, one: Range) -> Hands:
    live = np.sort(hands.hand[hands.on(board)]).astype(np.int64)
    number = np.full(len(hands.cards), len(hands.cards))
    number[live] = np.arange(len(live))
    start = hands.start[board : end + 1]
    entries = slice(int(start[0]), int(start[-1]))
    above, home = hands.above[entries].copy(), hands.home[entries].copy()
    here = int(start[1] - start[0])
    above[:here] = home[:here] = np.arange(here)
    return Hands(
        cards=hands.cards[live],
        weight=np.array(scaled_weights(one)),
        start=start - start[0],
        hand=number[hands.hand[entries]].astype(np.uint16),
        above=above,
        home=home,
        mate=hands.mate[entries],
        first=hands.first[entries],
        size=hands.size[entries],
        group_start=hands.group_start[groups],
    )
