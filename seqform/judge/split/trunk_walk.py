"""Walks over the real boards of a trunk: reaches down to its last boards, and values of subgames up again."""

import hashlib
from collections.abc import Sequence

from treeplex.seqform.factored.real_boards import RealBoard
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.judge.board_walk import BoardWalk
from treeplex.seqform.judge.split.flop_values import FlopTask, FlopValues
from treeplex.seqform.split.split_tree import SplitTree


class ReachingWalk(BoardWalk):
    """A walk that collects the reaches with which subgames begin; no values are computed.

    Parameters
    ----------
    split : SplitTree
    trunk : FactoredStrategy
        On the tree of the trunk.
    """

    def __init__(self, split: SplitTree, trunk: FactoredStrategy) -> None:
        super().__init__(split.game, trunk, until=split.street)
        self._last = split.street
        self._number = {board: flop for flop, board in enumerate(split.flops)}
        self._known: dict[tuple[int, bytes], int] = {}
        self._tasks: list[FlopTask] = []
        self._which: list[int] = []

    def tasks(self) -> tuple[list[FlopTask], list[int]]:
        """Return one task for each flop and the reaches at it, and the task of each real flop, as visited.

        Tasks are in the order of flops.

        Hands of a real flop are in the order of the flop that represents it.
        """
        self._visit(self._start)
        order = sorted(range(len(self._tasks)), key=lambda n: self._tasks[n].flop)
        place = {n: i for i, n in enumerate(order)}
        return [self._tasks[n] for n in order], [place[n] for n in self._which]

    def _leaves(self, board: RealBoard) -> list[float]:
        if board.street == self._last:
            self._enter(board)
        return [0.0, 0.0]

    def _respond(self, player: int, board: RealBoard) -> None:
        """Do nothing."""

    def _enter(self, board: RealBoard) -> None:
        street, players = self._streets[board.street], self._players[board.street]
        first, second = (own.reach[street.chance_reach[p]] for p, own in enumerate(players))
        found = hashlib.blake2b(first.tobytes())
        found.update(second.tobytes())
        key = self._number[board.image], found.digest()
        if key not in self._known:
            self._known[key] = len(self._tasks)
            self._tasks.append(FlopTask(key[0], (first, second)))
        self._which.append(self._known[key])


class GatheringWalk(BoardWalk):
    """A walk that takes the values of subgames where they begin.

    Parameters
    ----------
    split : SplitTree
    trunk : FactoredStrategy
    values : sequence of FlopValues
    which : sequence of int
        Those of each real flop, as visited.
    """

    def __init__(
        self, split: SplitTree, trunk: FactoredStrategy, values: Sequence[FlopValues], which: Sequence[int]
    ) -> None:
        super().__init__(split.game, trunk, until=split.street)
        self._last, self._values, self._which = split.street, values, iter(which)

    def _leaves(self, board: RealBoard) -> list[float]:
        earned = super()._leaves(board)
        if board.street < self._last:
            return earned
        found, street = self._values[next(self._which)], self._streets[board.street]
        self.n_visited += found.n_boards
        for p, own in enumerate(self._players[board.street]):
            own.values[street.chance] += found.best[p]
        return [earned[p] + found.earned[p] for p in (0, 1)]
